"""What this SDK calls itself towards a referee."""

from __future__ import annotations

# Written here, and not asked of the installed package, which takes 8 ms of every bot's start.
VERSION = "0.1.0"

SDK_NAME = f"python {VERSION}"
"""For logs."""
