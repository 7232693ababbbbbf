"""How many processors there are for the bots."""

from __future__ import annotations

import os


def available_processors() -> int:
    """Count the processors that this process, and so its bots, may use."""
    try:
        return max(1, len(os.sched_getaffinity(0)))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1
