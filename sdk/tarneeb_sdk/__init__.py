"""What a Tarneeb bot imports."""
