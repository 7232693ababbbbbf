"""Deals, keeps the clocks, arbitrates, and hosts the bots."""
