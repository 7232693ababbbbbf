"""Where results are kept: a file of SQLite's, or memory."""
