"""Packs a bot's folder for the engine to build an image from."""

from __future__ import annotations

import io
import os
import stat
import tarfile
import tempfile
from pathlib import Path
from typing import IO, Final

from tarneeb_referee.folder_digest import bot_files, shown_path
from tarneeb_sdk.errors import ConfigError

__all__ = ["DOCKERFILE", "pack_folder"]

DOCKERFILE: Final = "Dockerfile"

_IN_MEMORY_BYTES: Final = 8 * 1024 * 1024


def pack_folder(folder: Path, *, extra: tuple[tuple[str, bytes], ...] = ()) -> IO[bytes]:
    """Pack what counts for the folder's digest into a tar file, open at its start.

    Times, owners and all rights but the executable bit are left out, so that equal folders give
    equal bytes and the engine finds what it has built before.

    Args:
        folder: the bot's.
        extra: further files for its top, by name; the folder's own stand where names meet.

    Raises:
        ConfigError: a file cannot be read.
    """
    packed = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - the caller's
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        names = set()
        for path in sorted(bot_files(folder)):
            name = path.relative_to(folder).as_posix()
            names.add(name)
            _add(tar, path, name)
        for name, data in extra:
            if name not in names:
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
    packed.seek(0)
    return packed


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    entry = tarfile.TarInfo(name)
    try:
        if path.is_symlink():
            entry.type, entry.linkname = tarfile.SYMTYPE, os.fspath(path.readlink())
            tar.addfile(entry)
            return
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            entry.size = status.st_size
            entry.mode = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
            tar.addfile(entry, file)
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        raise ConfigError(
            f"{shown_path(path)}: {problem}; a bot's folder has to be readable"
        ) from error
