"""Notices when the machine itself runs out of memory, so that no bot is blamed for that."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

__all__ = ["MachineMemory"]

_REMEMBERED_S: Final = 10.0
_SHORT: Final = 0.05
"""The part of the memory below which the machine counts as short. The kernel starts to kill at
about 0.5%; what it kills frees some before we look again."""


class MachineMemory:
    """Remembers for some seconds how little memory was free.

    Args:
        proc: where the kernel tells of memory; another place in tests.
        now: monotonic seconds.
    """

    def __init__(
        self, *, proc: Path = Path("/proc"), now: Callable[[], float] = time.monotonic
    ) -> None:
        self._proc = proc
        self._now = now
        self._samples: deque[tuple[float, float]] = deque()

    def kills(self) -> int:
        """Count the processes that the kernel has killed for memory, at any limit; 0 if unknown."""
        return self._read("vmstat").get("oom_kill", 0)

    def may_have_killed(self, *, kills_before: int) -> bool:
        """Tell whether the kernel has killed for memory since, at any limit; if unknown, it may have.

        It counts a kill before it kills, so who looks after an end never looks too early.

        Args:
            kills_before: what `kills` gave earlier.
        """
        return self._read("vmstat").get("oom_kill", kills_before + 1) > kills_before

    def sample(self) -> None:
        """Note how much is free now."""
        memory = self._read("meminfo")
        total, available = memory.get("MemTotal", 0), memory.get("MemAvailable", 0)
        now = self._now()
        if total:
            self._samples.append((now, available / total))
        while self._samples and self._samples[0][0] < now - _REMEMBERED_S:
            self._samples.popleft()

    def ran_out(self, *, kills_before: int) -> bool:
        """Tell whether the kernel killed for want of memory of the whole machine just now.

        A kill at a container's own limit counts as a kill, too, so the count alone would let one
        bot excuse another.

        Args:
            kills_before: what `kills` gave earlier.
        """
        self.sample()
        short = any(free < _SHORT for _, free in self._samples)
        return short and self.kills() > kills_before

    def _read(self, name: str) -> dict[str, int]:
        try:
            text = (self._proc / name).read_text(encoding="ascii")
        except OSError:
            return {}
        values = (line.replace(":", " ").split() for line in text.splitlines())
        return {words[0]: int(words[1]) for words in values if len(words) > 1}
