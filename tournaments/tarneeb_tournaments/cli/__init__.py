"""The commands that this package adds to `tarneeb-referee`."""
