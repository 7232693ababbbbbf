"""Tells whether two folders hold the same bot."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tarneeb_sdk.errors import ConfigError

__all__ = ["folder_digest", "is_outside_digest", "shown_path"]

# What Python and git write by themselves says nothing about the bot.
_SKIPPED_NAMES: Final = frozenset({"__pycache__", ".git"})
_SKIPPED_SUFFIX: Final = ".pyc"
_FORMAT: Final = b"tarneeb bot folder, format 1\n"
_SPECIAL: Final = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISCHR, "a device"),
)


def folder_digest(folder: Path) -> str:
    """Hash a folder's files by path, executable bit and contents.

    Whatever changes none of these changes nothing: times, owners, the order on disk, empty
    folders, `__pycache__`, `*.pyc` and `.git`. A symbolic link counts by the text it holds and is
    not followed, so one that leads outside (a virtual environment has them) does not vouch for
    what lies there. Files are read in pieces; the cost is that of reading them once.

    Returns:
        64 hex digits.

    Raises:
        ConfigError: a file cannot be read, or is a pipe, a socket or a device.
    """
    entries = sorted((os.fsencode(path.relative_to(folder)), path) for path in _files(folder))
    digest = hashlib.sha256(_FORMAT)
    for name, path in entries:
        # A path holds no NUL, and what follows has no line break: no two folders share a text.
        digest.update(name + b"\0" + _entry(path) + b"\n")
    return digest.hexdigest()


def is_outside_digest(name: str) -> bool:
    """Whether a file or folder of this name, with all below it, does not count."""
    return name in _SKIPPED_NAMES or name.endswith(_SKIPPED_SUFFIX)


def shown_path(path: Path) -> str:
    """Give a path in a form fit for one line of text, whatever its name holds."""
    text = str(path)
    return text if text.isprintable() else repr(text)


def _files(folder: Path) -> Iterator[Path]:
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        try:
            with os.scandir(current) as listing:
                entries = list(listing)
        except OSError as error:
            raise _unreadable(current, error) from error
        for entry in entries:
            if is_outside_digest(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(Path(entry.path))
            else:
                yield Path(entry.path)


def _entry(path: Path) -> bytes:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            return b"link " + hashlib.sha256(os.fsencode(path.readlink())).hexdigest().encode()
        for is_kind, name in _SPECIAL:
            if is_kind(mode):
                raise ConfigError(
                    f"{shown_path(path)}: is {name}; a bot's folder holds files, folders and"
                    " links only, so remove it"
                )
        kind = b"program " if mode & stat.S_IXUSR else b"file "
        return kind + _file_hash(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _file_hash(path: Path) -> bytes:
    # Not to be fooled into waiting by a pipe that took the file's place a moment ago.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 - it is open already
        return hashlib.file_digest(file, "sha256").hexdigest().encode()


def _unreadable(path: Path, error: OSError) -> ConfigError:
    problem = (error.strerror or str(error)).lower()
    return ConfigError(f"{shown_path(path)}: {problem}; a bot's folder has to be readable")
