"""Measures what a container has used, from the kernel's own counters.

They lie in the container's control group, which is gone the moment it ends; hence samples are
taken while it runs, and the last one counts. Asking the engine instead takes up to a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["CgroupMeter", "Usage"]

_CGROUPS: Final = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a container has used since its start.

    Attributes:
        cpu_s: processor time of all its processes, in seconds; None where it cannot be read.
        peak_memory_bytes: the most that it held at once, tmpfs and page cache included.
    """

    cpu_s: float | None = None
    peak_memory_bytes: int | None = None


class CgroupMeter:
    """Reads the counters of one container.

    Args:
        pid: of its main process, on this machine.
        proc: where the kernel tells of processes; another place in tests.
        cgroups: the same for control groups.
    """

    def __init__(self, pid: int, *, proc: Path = Path("/proc"), cgroups: Path = _CGROUPS) -> None:
        groups = _groups(proc / str(pid) / "cgroup")
        unified = cgroups / groups.get("", "").lstrip("/")
        self._unified = unified if (unified / "memory.current").exists() else None
        self._memory = cgroups / "memory" / groups.get("memory", "").lstrip("/")
        self._cpu = cgroups / "cpuacct" / groups.get("cpuacct", "").lstrip("/")
        self._freezer = cgroups / "freezer" / groups.get("freezer", "").lstrip("/")
        # A machine's own root group: the container is in a virtual machine, or has no groups.
        self._known = bool(groups) and any(path != "/" for path in groups.values())
        self._last = Usage()

    def sample(self) -> Usage:
        """Read the counters now; once the container has ended, give the last ones again."""
        if self._known:
            usage = self._read_unified() if self._unified else self._read_split()
            self._last = Usage(
                cpu_s=self._last.cpu_s if usage.cpu_s is None else usage.cpu_s,
                peak_memory_bytes=_most(self._last.peak_memory_bytes, usage.peak_memory_bytes),
            )
        return self._last

    def is_paused(self) -> bool:
        """Tell whether all its processes are kept from running, which only the engine can do."""
        if not self._known:
            return False
        if self._unified:
            return _read_int(self._unified / "cgroup.freeze") == 1
        try:
            return (self._freezer / "freezer.state").read_bytes().strip() == b"FROZEN"
        except OSError:
            return False

    def _read_split(self) -> Usage:
        cpu_ns = _read_int(self._cpu / "cpuacct.usage")
        return Usage(
            cpu_s=None if cpu_ns is None else cpu_ns / 1e9,
            peak_memory_bytes=_read_int(self._memory / "memory.max_usage_in_bytes"),
        )

    def _read_unified(self) -> Usage:
        assert self._unified is not None, "the caller has looked"
        peak = _read_int(self._unified / "memory.peak")
        if peak is None:  # Linux before 5.19
            peak = _read_int(self._unified / "memory.current")
        return Usage(cpu_s=_read_cpu_stat(self._unified / "cpu.stat"), peak_memory_bytes=peak)


def _groups(path: Path) -> dict[str, str]:
    """Parse `/proc/<pid>/cgroup`: controller to path; the unified group has the empty name."""
    groups: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return groups
    for line in lines:
        _, controllers, group = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = group
    return groups


def _read_int(path: Path) -> int | None:
    try:
        return int(path.read_bytes())
    except (OSError, ValueError):
        return None


def _read_cpu_stat(path: Path) -> float | None:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, value = line.partition(" ")
        if name == "usage_usec":
            return int(value) / 1e6
    return None


def _most(first: int | None, second: int | None) -> int | None:
    known = [value for value in (first, second) if value is not None]
    return max(known, default=None)
