"""Where a run was started, and what can be told of it from elsewhere.

Runs of one engine may see different files under the same path: a service with `PrivateTmp`, or a
referee in a container that has the engine's socket, sees a `/tmp` of its own. To such a one the
folder of a run that lives looks as if it were gone.
"""

from __future__ import annotations

import enum
import hashlib
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from tarneeb_referee.hosts.run_folder import FolderState

__all__ = ["Place", "RunState", "judge_run", "machine_name", "this_place"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a process runs, as far as it decides which files it sees.

    Attributes:
        machine: see `machine_name`.
        boot: the kernel's id of the machine's present start; empty if unknown.
        mounts: the kernel's number of the mount namespace; empty if unknown. A number may be given
            out again once no process is left in the namespace.
    """

    machine: str
    boot: str
    mounts: str


class RunState(enum.Enum):
    """Whether a run goes on."""

    ALIVE = "alive"
    OVER = "over"
    UNKNOWN = "unknown"


def judge_run(folder: FolderState, *, there: Place, here: Place) -> RunState:
    """Tell from here whether a run that was started there goes on. Pure.

    Its id is random, so a folder of that name is its own from wherever it is seen, and so is the
    lock, which the kernel keeps with the file and not with the path.

    Args:
        folder: what is seen of the run's folder here.
        there: where the run was started.
        here: where we are.
    """
    if there.machine != here.machine:
        return RunState.UNKNOWN
    if folder is FolderState.HELD:
        return RunState.ALIVE
    is_before_this_start = "" not in {there.boot, here.boot} and there.boot != here.boot
    if folder is FolderState.FREE or is_before_this_start:
        return RunState.OVER
    sees_the_same = there.mounts == here.mounts != ""
    if folder is FolderState.GONE and sees_the_same:
        return RunState.OVER
    return RunState.UNKNOWN


def this_place() -> Place:
    """Tell where this process runs."""
    return Place(machine=machine_name(), boot=_boot_id(), mounts=_mount_namespace())


def machine_name(machine_id: Path = Path("/etc/machine-id")) -> str:
    """Name this machine: runs in two of them may share an engine, but not their folders.

    The host name is part of it, as the images of virtual machines tend to share their id.
    """
    own = _text(machine_id)
    return hashlib.sha256(f"{own}/{socket.gethostname()}".encode()).hexdigest()[:16]


def _boot_id() -> str:
    return _text(Path("/proc/sys/kernel/random/boot_id"))


def _mount_namespace() -> str:
    try:
        text = os.readlink("/proc/self/ns/mnt")  # noqa: PTH115 - it is no path: `mnt:[4026531841]`
    except OSError:
        return ""
    return text.removeprefix("mnt:[").removesuffix("]")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
