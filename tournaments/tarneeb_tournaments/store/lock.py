"""One referee at a time works on a results file."""

import contextlib
import errno
import fcntl
import json
import os
import platform
from pathlib import Path
from types import TracebackType
from typing import Self

from tarneeb_sdk.errors import ConfigError, TarneebError
from tarneeb_tournaments.store.sqlite_errors import explain_os
from tarneeb_tournaments.text import printable

# What its owner writes takes some 60 bytes.
_MAX_BYTES = 4096


class RefereeLock:
    """Held from the first look at a results file to the last write.

    It is a lock of the kernel's on a file beside the results, so it ends with the process that
    holds it, however that ends; a file left by a killed referee locks nobody out.
    """

    def __init__(self, results: Path) -> None:
        """Name the lock of a file.

        Raises:
            ConfigError: the file's name leads nowhere.
        """
        # Resolved, so that two names of one file have one lock.
        try:
            real = results.resolve()
        except (OSError, RuntimeError) as error:
            raise ConfigError(
                f"{printable(results)}: is a link that leads back to itself; give another place "
                "with --results"
            ) from error
        self._results = results
        self._path = real.with_name(f"{real.name}.lock")
        self._fd: int | None = None

    @property
    def path(self) -> Path:
        return self._path

    def acquire(self) -> None:
        """Take the lock at once.

        Raises:
            ConfigError: another referee has it, which the text names; or there can be no file in
                that place.
            StoreError: the lock file can't be written.
        """
        while self._fd is None:
            self._fd = self._try()
        owner = {"host": platform.node(), "pid": os.getpid()}
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, json.dumps(owner).encode("ascii"), 0)
        except OSError as error:
            self.release()
            raise explain_os(error, self._path) from error

    def release(self) -> None:
        """Give the lock back and remove its file. May be called again."""
        if self._fd is not None:
            # While it is held, so that nobody can hold a file that is no longer there.
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def _try(self) -> int | None:
        """Open and lock the file; None if its owner has removed it in between."""
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise self._no_place(error) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if self._is_current(fd):
                return fd
        except BlockingIOError:
            owner = _owner(fd)
            os.close(fd)
            raise ConfigError(
                f"{printable(self._results)}: another referee works on it ({owner}); "
                "wait for its end, or give another file with --results"
            ) from None
        except OSError as error:
            os.close(fd)
            raise explain_os(error, self._path) from error
        os.close(fd)
        return None

    def _no_place(self, error: OSError) -> TarneebError:
        told = explain_os(error, self._results)
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE}:
            return told
        return ConfigError(f"{told}; give another place with --results")

    def _is_current(self, fd: int) -> bool:
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(fd))


def _owner(fd: int) -> str:
    try:
        owner = json.loads(os.pread(fd, _MAX_BYTES, 0))
        return f"process {int(owner['pid'])} on {printable(owner['host'])}"
    except (OSError, ValueError, KeyError, TypeError):
        # Between taking the lock and writing its name.
        return "it has just begun"
