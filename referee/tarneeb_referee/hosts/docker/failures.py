"""Sorts what goes wrong with the container engine: ours, or a bot's.

An engine that does not answer, or cannot do what we ask, is never a bot's fault. What a bot's own
image makes of its start is: then the engine itself names the exit code, 126 or 127, as a shell
would.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import docker.errors
import requests.exceptions
import urllib3.exceptions

from tarneeb_referee.hosts.base import HostError

__all__ = [
    "EngineError",
    "EngineSilentError",
    "EngineUnreachableError",
    "Failure",
    "FailureKind",
    "NotThereError",
    "SandboxUnavailableError",
    "StateConflictError",
    "exit_code_of_failed_start",
    "sort_failure",
]


class SandboxUnavailableError(HostError):
    """There is no engine, or it cannot hold a bot in its limits."""


class EngineError(HostError):
    """The engine failed at something; the text has its own words."""


class EngineUnreachableError(EngineError):
    """The engine is gone, or the connection to it broke."""


class EngineSilentError(EngineError):
    """The engine did not answer in time."""


class NotThereError(EngineError):
    """The container or the image does not exist."""


class StateConflictError(EngineError):
    """A name is taken, a container has ended before, or is being removed by somebody else."""


class FailureKind(enum.Enum):
    """What may help: trying again, looking first, or nothing."""

    UNREACHABLE = "unreachable"
    SILENT = "silent"
    NOT_THERE = "not there"
    CONFLICT = "conflict"
    OUT_OF_RESOURCES = "out of resources"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call to the engine.

    Attributes:
        kind: what it was.
        text: one line for people.
    """

    kind: FailureKind
    text: str

    def as_error(self, what: str) -> EngineError:
        """Make the error to raise.

        Args:
            what: what was tried, as "create a container".
        """
        return _ERRORS[self.kind](f"cannot {what}: {self.text}")


_ERRORS: Final[Mapping[FailureKind, type[EngineError]]] = {
    FailureKind.UNREACHABLE: EngineUnreachableError,
    FailureKind.SILENT: EngineSilentError,
    FailureKind.NOT_THERE: NotThereError,
    FailureKind.CONFLICT: StateConflictError,
    FailureKind.OUT_OF_RESOURCES: EngineError,
    FailureKind.REFUSED: EngineError,
}

_SILENT: Final = (requests.exceptions.Timeout, TimeoutError, urllib3.exceptions.TimeoutError)
_BROKEN: Final = (
    requests.exceptions.RequestException,
    urllib3.exceptions.HTTPError,
    # docker-py reads hijacked connections itself, so plain socket errors come through.
    OSError,
)
_RESOURCES: Final = (
    "no space left on device",
    "cannot allocate memory",
    "resource temporarily unavailable",
    "too many open files",
)
_MAX_TEXT_CHARS: Final = 300


def sort_failure(error: Exception) -> Failure | None:
    """Tell what a failed call to the engine means, or None if it is a bug of ours.

    >>> sort_failure(ConnectionRefusedError("Connection refused")).kind.value
    'unreachable'
    >>> sort_failure(KeyError("Id")) is None
    True
    """
    if isinstance(error, docker.errors.APIError):
        return _sort_answer(error)
    if not isinstance(error, (*_SILENT, *_BROKEN, docker.errors.DockerException)):
        return None
    chain = tuple(_chain(error))
    # A time-out while the body is read comes as a ConnectionError with the time-out inside.
    if any(isinstance(each, _SILENT) for each in chain):
        return Failure(FailureKind.SILENT, "the container engine does not answer")
    reasons = [each.strerror for each in chain if isinstance(each, OSError) and each.strerror]
    reason = reasons[-1].lower() if reasons else _one_line(str(chain[-1]))
    return Failure(FailureKind.UNREACHABLE, f"no container engine answers: {reason}")


def exit_code_of_failed_start(state: Mapping[str, Any]) -> int | None:
    """Tell whether a container did not start because of what its image asks for.

    Args:
        state: `State` of the engine's description, after a start that failed.

    Returns:
        126 or 127, as for a command that cannot run, or is not there; None if the engine itself
        is to blame.
    """
    code, text = state.get("ExitCode"), str(state.get("Error") or "")
    # The engine also answers 127 when a mount's source is missing, and that would be ours.
    by_command = "exec:" in text or "exec format error" in text or "chdir to cwd" in text
    return code if code in {126, 127} and by_command else None


def _sort_answer(error: docker.errors.APIError) -> Failure:
    text = _one_line(str(error.explanation or error))
    status = error.status_code
    if status == 404:
        return Failure(FailureKind.NOT_THERE, text)
    if status == 409:
        return Failure(FailureKind.CONFLICT, text)
    # Quotes hold what an image chose, which must not choose the kind of its failure.
    unquoted = "".join(text.lower().split('"')[::2])
    if any(words in unquoted for words in _RESOURCES):
        return Failure(FailureKind.OUT_OF_RESOURCES, text)
    return Failure(FailureKind.REFUSED, text)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Walk through the layers that docker-py, requests and urllib3 put around an error."""
    waiting, seen = [error], set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        inner = (*each.args, getattr(each, "reason", None), each.__context__, each.__cause__)
        waiting += [deeper for deeper in inner if isinstance(deeper, BaseException)]


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    line = line if line.isprintable() else repr(line)
    return line if len(line) <= _MAX_TEXT_CHARS else f"{line[: _MAX_TEXT_CHARS - 1]}…"
