"""Looks at the files of an image that an engine reads at each start, before the first start.

They name users and groups, and engines read them whatever user was asked for. A pipe there, or a
link to one of the kernel's own files, keeps such a start from its end: the container can then
neither be looked at nor removed until the engine is started again. A very long file makes each
start take seconds of the engine's time.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, Protocol

import docker
import docker.errors
import docker.utils

from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    EngineSilentError,
    EngineUnreachableError,
    NotThereError,
)
from tarneeb_referee.hosts.docker.limits import MIB

__all__ = ["FileStat", "Files", "files_problem", "look_at_path"]

_READ_AT_STARTS: Final = (PurePosixPath("/etc/passwd"), PurePosixPath("/etc/group"))
_MAX_BYTES: Final = 1 * MIB
# Where a start mounts something else than what the image has there.
_MOUNTED: Final = frozenset({"proc", "sys", "dev", "tmp", "referee"})
_MAX_LINKS: Final = 8
# Engines are written in Go, whose numbers for kinds of files these are; a plain file has none.
_DIRECTORY: Final = 1 << 31
_OTHER_KINDS: Final = sum(1 << bit for bit in (31, 27, 26, 25, 24, 21, 19))


@dataclass(frozen=True, slots=True)
class FileStat:
    """What is at a path in a container that has not started.

    Attributes:
        is_plain: it is a plain file.
        is_directory: it is a folder.
        link_target: if it is a link, the path that it leads to; else empty.
        size_bytes: of a plain file.
    """

    is_plain: bool
    is_directory: bool
    link_target: str
    size_bytes: int


class Files(Protocol):
    """What is asked of the engine."""

    async def path_stat(self, container: str, path: str) -> FileStat:
        """Describe what is at a path; see `Engine.path_stat`."""
        ...


async def files_problem(files: Files, container: str) -> str:
    """Say in a few words which file of its image would keep a container from its start.

    Args:
        files: the engine.
        container: one that has not started.

    Returns:
        Empty if there is none, or if the engine does not say; the start will tell then.

    Raises:
        EngineError: the engine is gone or silent.
    """
    for path in _READ_AT_STARTS:
        try:
            problem = await _problem_of(files, container, path)
        except (EngineUnreachableError, EngineSilentError):
            raise
        except EngineError:
            continue
        if problem:
            return f"the image's {path} {problem}; make it a plain file of at most 1 MiB"
    return ""


async def _problem_of(files: Files, container: str, path: PurePosixPath) -> str:
    for _ in range(_MAX_LINKS):
        try:
            link, found = await _first_link(files, container, path)
        except NotThereError:
            return ""
        if link is None:
            return _problem_of_file(found)
        # The engine gives a target with all its own links followed, but not those behind it.
        path = PurePosixPath("/", found.link_target) / path.relative_to(link)
        if path.parts[1:2] and path.parts[1] in _MOUNTED:
            return f"is a link to {path}"
    return "is a link to a link to a link, and so on"


async def _first_link(
    files: Files, container: str, path: PurePosixPath
) -> tuple[PurePosixPath | None, FileStat]:
    """Find the first link on the way to a path, the path itself included."""
    found = FileStat(is_plain=False, is_directory=True, link_target="", size_bytes=0)
    for place in (*reversed(path.parents[:-1]), path):
        found = await files.path_stat(container, str(place))
        if found.link_target:
            return place, found
    return None, found


def look_at_path(client: docker.APIClient, *, container: str, path: str) -> FileStat:
    """Describe what is at a path, in the calling thread.

    Raises:
        docker.errors.APIError: nothing is, or the engine failed.
    """
    # docker-py only knows how to fetch the file as well, which may be of any size.
    response = client.head(
        client._url("/containers/{0}/archive", container),  # type: ignore[attr-defined]  # noqa: SLF001
        params={"path": path},
        timeout=client.timeout,
    )
    client._raise_for_status(response)  # type: ignore[attr-defined]  # noqa: SLF001
    header = response.headers.get("X-Docker-Container-Path-Stat", "")
    if not header:
        raise docker.errors.APIError("the engine describes no file", response=response)
    told: dict[str, Any] = docker.utils.decode_json_header(header)
    mode = int(told["mode"])
    return FileStat(
        is_plain=not mode & _OTHER_KINDS,
        is_directory=bool(mode & _DIRECTORY),
        link_target=str(told.get("linkTarget") or ""),
        size_bytes=int(told.get("size") or 0),
    )


def _problem_of_file(found: FileStat) -> str:
    if found.is_directory:
        return "is a folder"
    if not found.is_plain:
        return "is a pipe or a device"
    return f"has {found.size_bytes:,} bytes" if found.size_bytes > _MAX_BYTES else ""
