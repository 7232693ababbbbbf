"""The wire contract; see `tarneeb.v1`."""
