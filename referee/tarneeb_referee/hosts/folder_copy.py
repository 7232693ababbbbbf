"""Copies a bot's folder, so that what a bot does to its copy stays there."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tarneeb_referee.folder_digest import is_outside_digest
from tarneeb_referee.moved_paths import text_in_copy

__all__ = ["CopyStoppedError", "copy_folder"]

_CHUNK_BYTES: Final = 8 * 1024 * 1024
"""Copied between two looks at `stop`: some milliseconds of work."""

# Neither in the digest nor any use to a running bot, and often the larger half of a folder.
_LEFT_OUT: Final = ".git"


class CopyStoppedError(Exception):
    """The copy was given up because somebody asked for it; never leaves the hosts."""


def copy_folder(
    source: Path, target: Path, *, stop: threading.Event, origin: Path | None = None
) -> None:
    """Copy files, folders and links; blocking, so to be called in a thread.

    Contents, permissions and times of files are kept (Python trusts a `.pyc` by the time of its
    source), folders become this user's alone, and `.git` is left out. A link stays a link. What
    is none of these is passed over, for the digest of the copy to tell.

    Args:
        source: what to copy.
        target: a folder that does not exist yet.
        stop: looked at between files and between pieces of large ones.
        origin: where the author keeps the folder. Links are then rewritten to mean in the copy
            what they mean there (`text_in_copy`); if absent, they are kept letter for letter.

    Raises:
        OSError: reading or writing failed.
        CopyStoppedError: `stop` was set. What has been copied so far is left.
    """
    target.mkdir(mode=0o700)
    waiting = [Path()]
    while waiting:
        place = waiting.pop()
        for entry in _entries(source / place):
            if stop.is_set():
                raise CopyStoppedError
            copy = target / place / entry.name
            if entry.is_symlink():
                text = os.readlink(entry.path)  # noqa: PTH115 - a Path would tidy the text up
                copy.symlink_to(text if origin is None else text_in_copy(text, place, origin))
            elif entry.is_dir(follow_symlinks=False):
                copy.mkdir(mode=0o700)
                waiting.append(place / entry.name)
            else:
                _copy_if_file(entry, copy, stop)


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as listing:
            entries = list(listing)
    except PermissionError:
        if is_outside_digest(folder.name):
            return
        raise
    yield from (entry for entry in entries if entry.name != _LEFT_OUT)


def _copy_if_file(entry: os.DirEntry[str], target: Path, stop: threading.Event) -> None:
    # As in the digest: not to wait for a pipe, nor to follow a link that is there since a moment.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    if not entry.is_file(follow_symlinks=False):
        return
    try:
        source = os.open(entry.path, flags)
    except PermissionError:
        if is_outside_digest(entry.name):
            return  # a cache that another user's Python has left
        raise
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, source)
        status = os.fstat(source)
        if not stat.S_ISREG(status.st_mode):
            return
        created = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        stack.callback(os.close, created)
        _copy_contents(source, created, stop)
        os.fchmod(created, stat.S_IMODE(status.st_mode) & 0o777)
        os.utime(created, ns=(status.st_atime_ns, status.st_mtime_ns))


def _copy_contents(source: int, target: int, stop: threading.Event) -> None:
    copy_some = _copy_in_kernel if hasattr(os, "copy_file_range") else _copy_through_us
    while True:
        if stop.is_set():
            raise CopyStoppedError
        try:
            copied = copy_some(source, target)
        except OSError:
            if copy_some is _copy_through_us:
                raise
            copy_some = _copy_through_us  # not between these file systems; goes on from here
            continue
        if copied == 0:
            return


def _copy_in_kernel(source: int, target: int) -> int:
    # Shares the blocks instead where the file system can (btrfs, XFS).
    return os.copy_file_range(source, target, _CHUNK_BYTES)


def _copy_through_us(source: int, target: int) -> int:
    data = memoryview(os.read(source, _CHUNK_BYTES))
    left = data
    while left:
        left = left[os.write(target, left) :]
    return len(data)
