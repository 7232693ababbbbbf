"""The folder of one run, the lock that tells whether the run lives, and what dead runs left."""

from __future__ import annotations

import contextlib
import enum
import fcntl
import logging
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tarneeb_referee.folder_digest import shown_path
from tarneeb_referee.hosts.base import HostError, SeatFolder
from tarneeb_referee.hosts.marks import kill_marked
from tarneeb_sdk.errors import ConfigError

__all__ = [
    "MAX_SOCKET_PATH_BYTES",
    "FolderState",
    "Leftovers",
    "RunFolder",
    "folder_state",
    "remove_leftovers",
    "remove_tree",
]

MAX_SOCKET_PATH_BYTES: Final = 102 if sys.platform == "darwin" else 106
"""The kernel's field takes 104 bytes on macOS and 108 on Linux, with the final zero."""

_SOCKET_NAME: Final = "referee.sock"
_LONGEST_SEAT_NAME: Final = "s9999999"
_RUN_ID_BYTES: Final = 8
_RUN_ID: Final = re.compile(r"[0-9a-f]{16}", re.ASCII)
_LOCK_NAME: Final = ".lock"
_LOCK_WAIT_S: Final = 5.0

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What was found of runs whose referee is dead.

    Attributes:
        run_ids: the runs whose folders were removed.
        processes_killed: how many processes of theirs were still there.
    """

    run_ids: tuple[str, ...] = ()
    processes_killed: int = 0


class RunFolder:
    """A folder for the sockets and scratch files of one run, removed at its end.

    It lies in a folder that this user alone can enter, below `$TMPDIR`, or below `/tmp` where
    `$TMPDIR` is too long for a socket's path; not in `$XDG_RUNTIME_DIR`, which is emptied when the
    user logs out. The folder itself is locked (`flock`) while the
    run lives; the kernel lets go of the lock however the referee ends. systemd's cleaner of old
    temporary files respects that lock, too.
    """

    def __init__(self, path: Path, lock: int) -> None:
        self._path = path
        self._lock: int | None = lock
        self._seats_opened = 0

    @classmethod
    def create(cls, *, base: Path | None = None) -> RunFolder:
        """Make and lock a new run's folder.

        Args:
            base: where to put it; `$TMPDIR` or `/tmp` if absent.

        Raises:
            ConfigError: there is no place short enough, or of this user's own.
            HostError: the file system refuses.
        """
        try:
            root = _make_root(base)
            with _root_lock(root):
                path = root / secrets.token_hex(_RUN_ID_BYTES)
                path.mkdir(mode=0o700)
                lock = _try_lock(path)
        except OSError as error:
            raise HostError(f"no folder for the run's sockets: {error}") from error
        if lock is None:
            raise HostError(f"{path}: another process holds the lock of a folder just made")
        return cls(path, lock)

    @property
    def run_id(self) -> str:
        """16 hex digits that no other run has."""
        return self._path.name

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self._path

    def open_seat(self) -> SeatFolder:
        """Make the next seat's folder, with no more in it than the name of a socket to be.

        Raises:
            HostError: the file system refuses.
        """
        path = self._path / f"s{self._seats_opened}"
        self._seats_opened += 1
        try:
            path.mkdir(mode=0o700)
        except OSError as error:
            raise HostError(f"no folder for a seat's socket: {error}") from error
        address = f"unix:{path / _SOCKET_NAME}"
        return SeatFolder(path=path, listen_address=address, bot_address=address)

    def close(self) -> None:
        """Remove the folder with all that is in it, and let go of the lock."""
        if self._lock is None:
            return
        remove_tree(self._path)
        os.close(self._lock)
        self._lock = None


class FolderState(enum.Enum):
    """What is seen of a run's folder."""

    HELD = "held"
    """Its lock is: the run goes on."""
    FREE = "free"
    """It is there, and nobody holds its lock: the run is over."""
    GONE = "gone"
    """Nothing is there. Where the run sees other mounts than we do, that tells nothing."""
    CLOSED = "closed"
    """It cannot be opened, mostly as it is another user's, who alone can tell."""


def folder_state(folder: Path) -> FolderState:
    """Look at a run's folder (`RunFolder.path`), and leave it as it is."""
    try:
        lock = _try_lock(folder)
    except FileNotFoundError:
        return FolderState.GONE
    except OSError:
        return FolderState.CLOSED
    if lock is None:
        return FolderState.HELD
    os.close(lock)
    return FolderState.FREE


def remove_leftovers(*, base: Path | None = None) -> Leftovers:
    """Remove what referees left that were killed: processes first, then folders.

    A run lives while the lock on its folder is held; nothing of a living run is touched, nor
    any process that does not carry a dead run's mark.

    Args:
        base: as for `RunFolder.create`.
    """
    try:
        root = _make_root(base)
        with _root_lock(root):
            # Locked by us they look alive, so that another cleaner leaves them to us.
            dead = _lock_dead_runs(root)
    except OSError as error:
        raise HostError(f"cannot look for what dead runs left: {error}") from error
    killed = 0
    try:
        for run_id in dead:
            killed += kill_marked(run_id)
            remove_tree(root / run_id)
    finally:
        for lock in dead.values():
            os.close(lock)
    return Leftovers(run_ids=tuple(sorted(dead)), processes_killed=killed)


def remove_tree(path: Path) -> None:
    """Remove a folder whatever a bot did to its rights; what resists is logged and left."""
    for folder, subfolders, _ in os.walk(path):
        for name in subfolders:
            with contextlib.suppress(OSError):
                subfolder = Path(folder, name)
                if not subfolder.is_symlink():
                    subfolder.chmod(0o700)
    shutil.rmtree(path, ignore_errors=True)
    if path.exists():
        _logger.warning("cannot remove %s", shown_path(path))


def _make_root(base: Path | None) -> Path:
    """Find the first place that is short enough, and make this user's folder in it."""
    bases = (base,) if base else (Path(tempfile.gettempdir()), Path("/tmp"))  # noqa: S108
    name = f"tarneeb-{os.geteuid()}"
    for candidate in bases:
        root = candidate.resolve() / name
        if _longest_socket_path_bytes(root) <= MAX_SOCKET_PATH_BYTES:
            _make_private(root)
            return root
    root = bases[0].resolve() / name
    raise ConfigError(
        f"{shown_path(bases[0])}: the path of a bot's socket in it would have"
        f" {_longest_socket_path_bytes(root)} bytes, and {MAX_SOCKET_PATH_BYTES} are allowed;"
        " set TMPDIR to a folder with a shorter path"
    )


def _longest_socket_path_bytes(root: Path) -> int:
    run = "f" * (2 * _RUN_ID_BYTES)
    return len(os.fsencode(root / run / _LONGEST_SEAT_NAME / _SOCKET_NAME))


def _make_private(root: Path) -> None:
    with contextlib.suppress(FileExistsError):
        root.mkdir(mode=0o700)
    status = root.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        # In a shared folder somebody else may have made it, to read our sockets.
        raise ConfigError(
            f"{shown_path(root)}: is not a folder of this user; remove it, or set TMPDIR to a"
            " folder of your own"
        )
    if stat.S_IMODE(status.st_mode) & 0o077:
        root.chmod(0o700)


@contextlib.contextmanager
def _root_lock(root: Path) -> Iterator[None]:
    """Hold off other referees that make or look for runs; a matter of milliseconds."""
    descriptor = os.open(root / _LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + _LOCK_WAIT_S
        while not _flock(descriptor):
            if time.monotonic() > deadline:
                raise HostError(f"{shown_path(root / _LOCK_NAME)}: another process keeps it locked")
            time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)


def _lock_dead_runs(root: Path) -> dict[str, int]:
    dead: dict[str, int] = {}
    for path in sorted(root.iterdir()):
        if _RUN_ID.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            lock = _try_lock(path)
            if lock is not None:
                dead[path.name] = lock
    return dead


def _try_lock(folder: Path) -> int | None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        locked = _flock(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    if locked:
        return descriptor
    os.close(descriptor)
    return None


def _flock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
