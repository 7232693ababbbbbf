"""Bots that attack, each in a container against a real engine, and what must come of it."""
