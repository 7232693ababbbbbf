"""What SQLite's errors mean to somebody who runs a tournament."""

import errno
import sqlite3
from pathlib import Path

from tarneeb_sdk.errors import ConfigError, TarneebError
from tarneeb_tournaments.store.base import StoreError
from tarneeb_tournaments.text import printable

# The low byte is the kind of error, what is above it the details.
_KIND = 0xFF


def explain(error: sqlite3.Error, path: Path) -> TarneebError:
    """Turn an error of SQLite's into one line that names the file and the fix.

    Returns:
        A ConfigError where the file is not one to work with, else a StoreError.
    """
    file = printable(path)
    # Errors of Python's own wrapper carry no code.
    code = getattr(error, "sqlite_errorcode", None)
    match None if code is None else code & _KIND:
        case None if str(error).startswith("Could not decode"):
            return damaged(path)
        case sqlite3.SQLITE_TOOBIG:
            return ConfigError(f"{file}: holds a value that is too long for a results file")
        case sqlite3.SQLITE_FULL:
            return no_space(path)
        case sqlite3.SQLITE_NOTADB:
            return ConfigError(f"{file}: is not a results file; name another file")
        case sqlite3.SQLITE_CORRUPT:
            return damaged(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return StoreError(f"{file}: can't be written: the file or its folder is read-only")
        case sqlite3.SQLITE_CANTOPEN:
            return StoreError(f"{file}: can't be opened; check the folder and its permissions")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreError(
                f"{file}: another program keeps it locked; end that program and run this again"
            )
        case sqlite3.SQLITE_CONSTRAINT:
            return StoreError(f"{file}: a result is there already, or out of place: {error}")
        case _:
            return StoreError(f"{file}: {printable(error)}")


def explain_read(error: sqlite3.Error, path: Path) -> TarneebError:
    """Turn an error of SQLite's in reading into one line, as `explain` does."""
    file, code = printable(path), getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_ERROR:
        # What we ask is constant, so it is the file that has no answer.
        return ConfigError(f"{file}: can't be read as results: {printable(error)}")
    if code == sqlite3.SQLITE_READONLY_ROLLBACK:
        return StoreError(
            f"{file}: whoever wrote it was stopped in the middle, which its -journal file would "
            "undo; run the tournament's command again, or move a -journal file away that is not "
            "of this file"
        )
    return explain(error, path)


def explain_os(error: OSError, path: Path) -> StoreError:
    """Turn an error of the operating system's into one line."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return no_space(path)
    reason = (error.strerror or str(error)).lower()
    return StoreError(f"{printable(path)}: can't be written: {printable(reason)}")


def no_space(path: Path) -> StoreError:
    """Say that a disk is full."""
    return StoreError(
        f"no space left on the disk of {printable(path)}; "
        "what is in the file is safe: free some space and run the same command again"
    )


def damaged(path: Path) -> ConfigError:
    """Say that a database is not whole."""
    return ConfigError(
        f"{printable(path)}: is damaged; if it is a copy, copy it again together with its "
        "-wal file, or when no referee runs"
    )
