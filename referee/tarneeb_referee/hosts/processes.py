"""Lists and signals processes of this machine.

A keeper imports this before it starts its bot, so it imports nothing slow (see `keeper.py`).
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36


def running_processes() -> list[tuple[int, int, int]]:
    """List pid, parent and process group of what runs on this machine; empty without /proc."""
    found = []
    for pid in numeric_names("/proc"):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib starts slowly
                data = file.read()
        except OSError:
            continue  # it has ended since
        # The command's name, in brackets, may itself hold brackets and blanks.
        state, parent, group = data[data.rindex(b")") + 1 :].split(None, 3)[:3]
        if state not in {b"Z", b"X"}:
            found.append((pid, int(parent), int(group)))
    return found


def numeric_names(folder: str) -> list[int]:
    """List the entries of a folder whose names are numbers; none if there is no such folder."""
    try:
        return [int(name) for name in os.listdir(folder) if name.isdigit()]  # noqa: PTH208
    except OSError:
        return []


def prctl(option: int, value: int) -> bool:
    """Set a trait of this process; False where the system has no such thing."""
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None).prctl
    return bool(call(option, ctypes.c_ulong(value), 0, 0, 0) == 0)


def send_signal(pid: int, number: int) -> bool:
    """Send a signal, 0 to look only; False if there is no such process, or it is not ours."""
    try:
        os.kill(pid, number)
    except OSError:
        return False
    return True


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group, as `send_signal` does to a process."""
    try:
        os.killpg(group, number)
    except OSError:
        return False
    return True
