"""The host that runs each bot in a container of its own, so that a stranger's code can do no harm."""
