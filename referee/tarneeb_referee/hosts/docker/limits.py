"""What one bot in a container may use. Every limit is a number: none can be left out or lifted."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Final

__all__ = ["KIB", "LIMIT_RANGES", "MIB", "ContainerLimits", "LimitRange"]

KIB: Final = 1024
MIB: Final = 1024 * KIB


@dataclass(frozen=True, slots=True)
class LimitRange:
    """The values that one limit may take.

    Attributes:
        lowest: below it a bot in Python does not start, or the engine refuses.
        highest: finite, as to an engine 0, -1 and the absent value all mean "no limit".
    """

    lowest: float
    highest: float


LIMIT_RANGES: Final = {
    # gRPC and the SDK alone take some 40 MB.
    "memory_bytes": LimitRange(32 * MIB, 64 * 1024 * MIB),
    # The kernel grants no quota under 1 ms, here in each period of 20 ms (`flags.py`).
    "cpus": LimitRange(0.05, 64),
    # gRPC's Python client starts some ten threads.
    "processes": LimitRange(16, 4096),
    "open_files": LimitRange(32, 65_536),
    "log_bytes": LimitRange(4 * KIB, 64 * MIB),
    "tmp_bytes": LimitRange(64 * KIB, 1024 * MIB),
    "tmp_files": LimitRange(16, 1_000_000),
    "image_warning_bytes": LimitRange(1 * MIB, 1024 * 1024 * MIB),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerLimits:
    """What one bot may use.

    Attributes:
        memory_bytes: memory and swap together, with what lies in the tmpfs and the page cache.
        cpus: processor time a second, in seconds.
        processes: processes and threads at once.
        open_files: open descriptors of each process.
        log_bytes: how much of its output is kept, both streams together.
        tmp_bytes: what fits into /tmp, and again into /dev/shm; counts as memory too.
        tmp_files: how many files fit into each of them.
        image_warning_bytes: a larger image than this is played with, and warned about.

    Raises:
        ValueError: a value out of its range; infinity and NaN are out of every range.
    """

    memory_bytes: int = 256 * MIB
    cpus: float = 1.0
    processes: int = 64
    open_files: int = 256
    log_bytes: int = 2 * MIB
    tmp_bytes: int = 16 * MIB
    tmp_files: int = 4096
    image_warning_bytes: int = 1024 * MIB

    def __post_init__(self) -> None:
        for limit in fields(self):
            value, allowed = getattr(self, limit.name), LIMIT_RANGES[limit.name]
            # A NaN compares as false with everything, so it fails here as well.
            if not (math.isfinite(value) and allowed.lowest <= value <= allowed.highest):
                raise ValueError(
                    f"{limit.name} is {value}; it must be from {allowed.lowest:,} to"
                    f" {allowed.highest:,}"
                )
        if self.tmp_bytes >= self.memory_bytes:
            raise ValueError(
                f"tmp_bytes is {self.tmp_bytes}; it must be less than memory_bytes"
                f" ({self.memory_bytes}), of which it is a part"
            )
