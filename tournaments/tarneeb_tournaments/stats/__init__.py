"""What results say, and how surely: pure functions of pairs of halves."""
