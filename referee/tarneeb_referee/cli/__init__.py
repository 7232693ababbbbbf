"""The command line `tarneeb-referee`."""
