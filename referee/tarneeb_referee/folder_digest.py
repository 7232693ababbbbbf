"""Tells whether two folders hold the same bot."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tarneeb_sdk.errors import ConfigError

__all__ = ["BotFile", "BotLink", "folder_digest", "is_outside_digest", "shown_path"]

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
_CHUNK_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class BotLink:
    """A symbolic link of a bot's folder.

    Attributes:
        name: its path in the folder, with `/`.
        text: where it leads.
    """

    name: str
    text: str


class BotFile:
    """A file of a bot's folder, open and unread; what is read of it is hashed.

    Attributes:
        name: its path in the folder, with `/`.
        is_program: whether its owner may execute it.
        size: in bytes, when it was opened.
    """

    def __init__(self, file: io.FileIO, name: str) -> None:
        status = os.fstat(file.fileno())
        self.name = name
        self.is_program = bool(status.st_mode & stat.S_IXUSR)
        self.size = status.st_size
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int = _CHUNK_BYTES, /) -> bytes:
        """Give the next bytes; none at the end."""
        data = self._file.read(size)
        self._hash.update(data)
        return data

    def hash_all(self) -> str:
        """Read the rest, and give the hash of the whole."""
        while self.read():
            pass
        return self._hash.hexdigest()


def folder_digest(
    folder: Path, *, show: Callable[[BotFile | BotLink], None] = lambda _: None
) -> str:
    """Hash a folder's files by path, executable bit and contents.

    Whatever changes none of these changes nothing: times, owners, the order on disk, empty
    folders, `__pycache__`, `*.pyc` and `.git`. A symbolic link counts by the text it holds and is
    not followed, so one that leads outside (a virtual environment has them) does not vouch for
    what lies there. Files are read in pieces; the cost is that of reading them once.

    Args:
        folder: the bot's.
        show: is shown all that counts, in a fixed order. What it reads of a file is what is hashed,
            so that nothing can change in between.

    Returns:
        64 hex digits.

    Raises:
        ConfigError: a file cannot be read, or is a pipe, a socket or a device.
    """
    paths = {os.fsencode(path.relative_to(folder)): path for path in _files(folder)}
    digest = hashlib.sha256(_FORMAT)
    for name, path in sorted(paths.items()):
        entry = _entry(path, path.relative_to(folder).as_posix(), show)
        # A path holds no NUL, and what follows has no line break: no two folders share a text.
        digest.update(name + b"\0" + entry + b"\n")
    return digest.hexdigest()


def is_outside_digest(name: str) -> bool:
    """Whether a file or folder of this name, with all below it, does not count."""
    return name in _SKIPPED_NAMES or name.endswith(_SKIPPED_SUFFIX)


def shown_path(path: Path) -> str:
    """Give a path in a form fit for one line of text, whatever its name holds."""
    text = str(path)
    return text if text.isprintable() else repr(text)


def _files(folder: Path) -> Iterator[Path]:
    """List the files and links of a folder that count for its digest, in no order."""
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


def _entry(path: Path, name: str, show: Callable[[BotFile | BotLink], None]) -> bytes:
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            link = BotLink(name, os.fspath(path.readlink()))
            show(link)
            return b"link " + hashlib.sha256(os.fsencode(link.text)).hexdigest().encode()
        _refuse_special(path, mode)
        with _open(path) as opened:
            _refuse_special(path, os.fstat(opened.fileno()).st_mode)
            file = BotFile(opened, name)
            show(file)
            kind = b"program " if file.is_program else b"file "
            return kind + file.hash_all().encode()
    except OSError as error:
        raise _unreadable(path, error) from error


def _open(path: Path) -> io.FileIO:
    # Not to be fooled by a link, or into waiting by a pipe, that took the file's place a moment ago.
    return io.FileIO(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC))


def _refuse_special(path: Path, mode: int) -> None:
    for is_kind, name in _SPECIAL:
        if is_kind(mode):
            raise ConfigError(
                f"{shown_path(path)}: is {name}; a bot's folder holds files, folders and"
                " links only, so remove it"
            )


def _unreadable(path: Path, error: OSError) -> ConfigError:
    problem = (error.strerror or str(error)).lower()
    return ConfigError(f"{shown_path(path)}: {problem}; a bot's folder has to be readable")
