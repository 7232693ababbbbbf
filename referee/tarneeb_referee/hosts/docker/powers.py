"""Tells whether an engine can hold a bot in its limits; `kept.py` tells whether it does. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

__all__ = ["machine_has_swap", "missing_powers"]

_POWERS: Final = {
    "MemoryLimit": "limit memory",
    "CpuCfsQuota": "limit processor time",
    "PidsLimit": "limit the number of processes",
}


def missing_powers(info: Mapping[str, Any], *, runtime: str = "", has_swap: bool) -> list[str]:
    """List what an engine cannot do and has to.

    Args:
        info: what the engine says of itself.
        runtime: what containers are to be run by; the engine's own if empty.
        has_swap: whether the machine swaps at all.
    """
    missing = [words for power, words in _POWERS.items() if not info.get(power)]
    if has_swap and not info.get("SwapLimit"):
        missing.append("limit swap, which this machine has (kernel option swapaccount=1)")
    if info.get("OSType", "linux") != "linux":
        missing.append("run Linux containers")
    options = " ".join(map(str, info.get("SecurityOptions") or ()))
    if "name=seccomp" not in options or "profile=unconfined" in options:
        missing.append("filter system calls (seccomp)")
    known = info.get("Runtimes") or {}
    if runtime and runtime not in known:
        missing.append(f"run containers by {runtime!r} (it knows {', '.join(sorted(known))})")
    return missing


def machine_has_swap(meminfo: Path = Path("/proc/meminfo")) -> bool:
    """Tell whether this machine swaps; in doubt it does."""
    try:
        lines = meminfo.read_text(encoding="ascii").splitlines()
    except OSError:
        return True
    sizes = [line.split()[1] for line in lines if line.startswith("SwapTotal:")]
    return sizes != ["0"]
