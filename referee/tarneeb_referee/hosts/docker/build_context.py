"""Packs a bot's folder for the engine to build an image from."""

from __future__ import annotations

import io
import tarfile
import tempfile
from pathlib import Path
from typing import IO, Final, cast

from tarneeb_referee.folder_digest import BotFile, BotLink, folder_digest, shown_path
from tarneeb_sdk.errors import ConfigError

__all__ = ["DOCKERFILE", "pack_folder"]

DOCKERFILE: Final = "Dockerfile"

_IN_MEMORY_BYTES: Final = 8 * 1024 * 1024


def pack_folder(
    folder: Path, *, digest: str, extra: tuple[tuple[str, bytes], ...] = ()
) -> IO[bytes]:
    """Pack what counts for the folder's digest into a tar file, open at its start.

    Times, owners and all rights but the executable bit are left out, so that equal folders give
    equal bytes and the engine finds what it has built before.

    Args:
        folder: the bot's.
        digest: what `folder_digest` gave before. What is packed is hashed as it is read, so what
            the engine gets is what this stands for.
        extra: further files for its top, by name; the folder's own stand where names meet.

    Raises:
        ConfigError: a file cannot be read, or the folder has another digest by now.
    """
    packed = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - the caller's
    try:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            if folder_digest(folder, show=lambda entry: _add(tar, entry, folder)) != digest:
                raise _changed(folder)
            names = set(tar.getnames())
            for name, data in extra:
                if name not in names:
                    entry = tarfile.TarInfo(name)
                    entry.size = len(data)
                    tar.addfile(entry, io.BytesIO(data))
    except BaseException:
        packed.close()
        raise
    packed.seek(0)
    return packed


def _add(tar: tarfile.TarFile, source: BotFile | BotLink, folder: Path) -> None:
    entry = tarfile.TarInfo(source.name)
    if isinstance(source, BotLink):
        entry.type, entry.linkname = tarfile.SYMTYPE, source.text
        tar.addfile(entry)
        return
    entry.size = source.size
    entry.mode = 0o755 if source.is_program else 0o644
    try:
        tar.addfile(entry, cast("IO[bytes]", source))
    except OSError as error:
        if error.errno is not None:
            raise
        # So says tarfile of a file that has become shorter.
        raise _changed(folder) from error


def _changed(folder: Path) -> ConfigError:
    return ConfigError(
        f"{shown_path(folder)}: has changed since it was looked at; leave it as it is, and start"
        " again"
    )
