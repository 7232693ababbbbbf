"""Builds an image through the engine; `Engine.build` is the way here."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Final

import docker

from tarneeb_referee.hosts.docker.failures import EngineError, FailureKind, sort_failure

__all__ = ["BuildFailedError", "BuildRequest", "build_image"]

_LAST_BUILD_LINES: Final = 3
# How engines say that they cannot get the image that a Dockerfile starts from.
_NO_BASE: Final = ("pull access denied", "manifest", "lookup ", "dial tcp", "registry")
# These say nothing about the Dockerfile.
_OURS: Final = frozenset({FailureKind.UNREACHABLE, FailureKind.OUT_OF_RESOURCES})


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """An image to build.

    Attributes:
        context: a tar file with a Dockerfile at its top, open at its start.
        tag: the image's name.
        labels: for the image.
        arguments: what `ARG` in the Dockerfile gets.
        network: the network while it is built; the engine's own if empty.
        memory_bytes: what a step of it may use, swap included.
        timeout_s: for all of it.
    """

    context: IO[bytes]
    tag: str
    labels: Mapping[str, str]
    arguments: Mapping[str, str]
    network: str
    memory_bytes: int
    timeout_s: int


class BuildFailedError(EngineError):
    """An image could not be built as its Dockerfile says."""

    @property
    def is_missing_base(self) -> bool:
        """Whether it failed at fetching the image to start from."""
        return any(words in str(self) for words in _NO_BASE)


def build_image(connect: Callable[[], docker.APIClient], request: BuildRequest) -> None:
    """Build an image, in the calling thread, with no password of any registry.

    Args:
        connect: gives a client that waits long enough for a step that says nothing.
        request: what to build.

    Raises:
        BuildFailedError: a step failed, or said nothing for too long.
        EngineError: the engine went away, or has no room.
    """
    deadline = time.monotonic() + request.timeout_s
    last_lines: deque[str] = deque(maxlen=_LAST_BUILD_LINES)
    try:
        client = connect()
        # With each build docker-py would send all passwords that this user has for registries, and
        # a stranger's Dockerfile could name what to fetch with them.
        client._set_auth_headers = _send_no_passwords  # type: ignore[attr-defined]  # noqa: SLF001
        for news in client.build(
            fileobj=request.context,
            custom_context=True,
            tag=request.tag,
            labels=dict(request.labels),
            buildargs=dict(request.arguments),
            network_mode=request.network or None,
            container_limits={
                "memory": request.memory_bytes,
                "memswap": request.memory_bytes,
            },
            rm=True,
            forcerm=True,
            decode=True,
            use_config_proxy=False,
        ):
            if "error" in news:
                said = " | ".join((*last_lines, str(news["error"])))
                raise BuildFailedError(f"building failed: {' '.join(said.split())}")
            last_lines.extend(filter(None, (str(news.get("stream") or "").strip(),)))
            if time.monotonic() > deadline:
                return  # nobody waits any more
    except Exception as error:
        failure = sort_failure(error)
        if failure is None:
            raise
        if failure.kind in _OURS:
            raise failure.as_error("build an image") from error
        raise BuildFailedError(f"building failed: {failure.text}") from error


def _send_no_passwords(headers: Mapping[str, str]) -> None:
    """Leave a request as it is."""
