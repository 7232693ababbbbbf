"""Tells whether a bot used up the machine's memory, or was only the one to be killed for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["LARGE_SHARE", "machine_memory_bytes", "used_up_memory"]

LARGE_SHARE: Final = 0.25
"""A bot that held so much of the machine's memory is to blame for its own end.

Four bots play at once and a fair quarter is all that any could claim, if nothing else ran. The
kernel picks the victim by size, and bots offer themselves before all others (`oom_score_adj`), so
a small bot that is killed has mostly met somebody else's hunger.
"""

_PROC: Final = Path("/proc")
_CGROUPS: Final = Path("/sys/fs/cgroup")


def used_up_memory(peak_bytes: int, *, machine_bytes: int | None) -> bool:
    """Decide whether a bot that the kernel killed for memory has itself to blame.

    Args:
        peak_bytes: the most that one of its processes held at once.
        machine_bytes: the machine's memory; None where unknown, and then it is in doubt.

    >>> used_up_memory(3_000_000_000, machine_bytes=8_000_000_000)
    True
    >>> used_up_memory(40_000_000, machine_bytes=8_000_000_000)
    False
    """
    return machine_bytes is not None and peak_bytes >= LARGE_SHARE * machine_bytes


def machine_memory_bytes(*, proc: Path = _PROC, cgroups: Path = _CGROUPS) -> int | None:
    """Find how much memory this process and its children may use, all together.

    That is the machine's, or the smallest limit of the control groups (version 1 or 2) that this
    process is in. A group may hold other programs, too, which cannot be seen from inside.

    Returns:
        None where nothing tells: not on Linux.
    """
    limits = [*_physical_bytes(proc / "meminfo"), *_group_limits(proc / "self/cgroup", cgroups)]
    return min(limits, default=None)


def _physical_bytes(meminfo: Path) -> Iterator[int]:
    for line in _lines(meminfo):
        if line.startswith("MemTotal:"):
            yield int(line.split()[1]) * 1024


def _group_limits(membership: Path, cgroups: Path) -> Iterator[int]:
    """List the limits of all groups from ours up; a parent's may be the smaller."""
    for line in _lines(membership):
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            root, name = cgroups, "memory.max"
        elif "memory" in controllers.split(","):
            root, name = cgroups / "memory", "memory.limit_in_bytes"
        else:
            continue
        # Inside a container the path may be the host's, of which only the root is mounted here.
        group = Path(os.path.normpath("/" + path.lstrip("/"))).relative_to("/")
        for folder in (group, *group.parents):
            # "max" is no limit; version 1 writes a number beyond any memory.
            yield from (int(text) for text in _lines(root / folder / name) if text.isdigit())


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
