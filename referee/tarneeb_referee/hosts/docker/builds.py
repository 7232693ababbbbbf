"""Builds an image through the engine; `Engine.build` is the way here."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Final

import docker
import docker.errors
import docker.types
import requests

from tarneeb_referee.hosts.docker.failures import EngineError, FailureKind, sort_failure

__all__ = ["BuildFailedError", "BuildRequest", "ImageBuild"]

_LAST_BUILD_LINES: Final = 3
_CPU_SHARES: Final = 128
"""An eighth of what a bot weighs where both want the same core: a build makes way for runs."""
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
        timeout_s: for all of it; `Engine.build` keeps to it.
    """

    context: IO[bytes]
    tag: str
    labels: Mapping[str, str]
    arguments: Mapping[str, str]
    network: str
    memory_bytes: int
    timeout_s: float


class BuildFailedError(EngineError):
    """An image could not be built as its Dockerfile says."""

    @property
    def is_missing_base(self) -> bool:
        """Whether it failed at fetching the image to start from."""
        return any(words in str(self) for words in _NO_BASE)


class ImageBuild:
    """One build of an image, with no password of any registry.

    Args:
        connect: gives a client of its own, which waits long enough for a step that says nothing.
        request: what to build.
    """

    def __init__(self, connect: Callable[[], docker.APIClient], request: BuildRequest) -> None:
        self._connect = connect
        self._request = request
        self._answer: requests.Response | None = None
        self._is_given_up = False

    def run(self) -> None:
        """Build, in the calling thread.

        Raises:
            BuildFailedError: a step failed, or said nothing for too long.
            EngineError: the engine went away, or has no room.
        """
        try:
            with contextlib.closing(self._connect()) as client:
                self._follow(client)
        except Exception as error:
            failure = sort_failure(error)
            if failure is None:
                raise
            if failure.kind in _OURS:
                raise failure.as_error("build an image") from error
            raise BuildFailedError(f"building failed: {failure.text}") from error

    def give_up(self) -> None:
        """Hang up, from any thread: that ends the build on the engine, whatever a step is at.

        Before the engine's first word no step runs, so then this waits for that. A build that has
        ended is left as it is.
        """
        self._is_given_up = True
        if self._answer is not None:
            _hang_up(self._answer)

    def _follow(self, client: docker.APIClient) -> None:
        # With each build docker-py would send all passwords that this user has for registries, and
        # a stranger's Dockerfile could name what to fetch with them.
        client._set_auth_headers = _send_no_passwords  # type: ignore[attr-defined]  # noqa: SLF001
        client.hooks["response"] = [self._begin]
        # Docker does not notice that we have hung up on a connection for one call alone: the step
        # would run on, for ever if it likes, even when we are dead.
        client.headers.pop("Connection", None)
        last_lines: deque[str] = deque(maxlen=_LAST_BUILD_LINES)
        request = self._request
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
                "cpushares": _CPU_SHARES,
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

    def _begin(self, answer: requests.Response, *_: object, **__: object) -> None:
        self._answer = answer
        if self._is_given_up:
            _hang_up(answer)


def _hang_up(answer: requests.Response) -> None:
    # The way to its socket is docker-py's; it is not there over SSH, nor once all has been read.
    with contextlib.suppress(docker.errors.DockerException, OSError, AttributeError):
        docker.types.CancellableStream(iter(()), answer).close()


def _send_no_passwords(headers: Mapping[str, str]) -> None:
    """Leave a request as it is."""
