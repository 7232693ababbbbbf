"""Where bots run: the port (`base`) and its forms, a process each or inside the referee."""
