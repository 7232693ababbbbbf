"""Finds processes by the mark they carry in their environment, and ends them.

The net below the keepers: for the bot that killed its keeper, and for a referee and its keepers
that were killed together. The mark is `TARNEEB_RUN=<run id>/<process id of the host's own>`. A
process can take it off, so this is no fence against a hostile bot. Linux only: elsewhere nothing
is found.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tarneeb_referee.hosts.processes import numeric_names

__all__ = ["MARK_VARIABLE", "kill_marked", "mark", "marked_processes"]

MARK_VARIABLE: Final = "TARNEEB_RUN"

_MARK: Final = re.compile(r"[0-9a-f]{16}(/[0-9a-f]+)?", re.ASCII)
_KILL_S: Final = 2.0
_LOOK_AGAIN_S: Final = 0.005


def mark(run_id: str, process_id: str) -> str:
    """Give the value of `TARNEEB_RUN` for one process that a host starts."""
    return f"{run_id}/{process_id}"


def marked_processes(wanted: str) -> tuple[int, ...]:
    """List the processes that carry a mark, this one left out.

    Args:
        wanted: a run's id, for all of the run, or the whole mark of one bot's processes.

    Raises:
        ValueError: it is neither; a shorter text would match processes of other runs.
    """
    if not _MARK.fullmatch(wanted):
        raise ValueError(f"{wanted!r} is no mark of a run or of a process")
    return tuple(pid for pid in _numbers() if _carries(pid, wanted))


def kill_marked(wanted: str, *, within_s: float = _KILL_S) -> int:
    """Kill all that carry a mark, looking again until none is left.

    Args:
        wanted: as for `marked_processes`.
        within_s: give up then; a process in the kernel's hands may not go at once.

    Returns:
        How many processes were killed.
    """
    deadline = time.monotonic() + within_s
    killed: set[int] = set()
    while found := marked_processes(wanted):
        killed |= {pid for pid in found if _kill(pid, wanted)}
        if time.monotonic() >= deadline:
            break
        time.sleep(_LOOK_AGAIN_S)
    return len(killed)


def _kill(pid: int, wanted: str) -> bool:
    # The descriptor holds on to this very process, so that a number which has passed to a
    # stranger since we looked costs nobody his life.
    if sys.platform != "linux":
        return False
    with contextlib.suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            if _carries(pid, wanted):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
                return True
        finally:
            os.close(descriptor)
    return False


def _carries(pid: int, wanted: str) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False  # ended, or another user's
    if wanted.encode() not in environment:
        return False
    assignment = f"{MARK_VARIABLE}={wanted}".encode()
    exact = "/" in wanted
    return any(
        entry == assignment if exact else entry.startswith(assignment + b"/")
        for entry in environment.split(b"\0")
    )


def _numbers() -> Iterable[int]:
    me = os.getpid()
    return (pid for pid in numeric_names("/proc") if pid != me)
