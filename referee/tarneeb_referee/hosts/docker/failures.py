"""Sorts what goes wrong with the container engine: ours, or a bot's.

An engine that does not answer, or cannot do what we ask, is never a bot's fault. A command that
cannot run is: the engine's words tell, and it shows as an exit with 126 or 127, as in a shell.
Whatever else an image may do to its own start looks like a failure of ours here; the check before a
tournament compares it with the starts of others.
"""

from __future__ import annotations

import enum
import re
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
_MAX_TEXT_CHARS: Final = 400
_MAX_HEAD_CHARS: Final = 120
# How runc begins what it says of the command and the working folder, which are the image's. What
# an engine says of a runtime that is missing, or of a folder that cannot be mounted, looks alike:
# `exec: "runc": executable file not found`, also with 127.
_IMAGES_WORDS: Final = re.compile(
    r"(?:unable to start container process|starting container process caused)"
    r": (?:error during container init: |process_linux\.go:\d+: container init caused: )?"
    r"(?:exec: |exec format error|chdir to cwd )"
)
_NO_COMMAND: Final = (
    "too many levels of symbolic links",
    "file name too long",
    "not a directory",
    "argument list too long",
    "exec format error",
)


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
    what = _IMAGES_WORDS.search(text)
    if what is None:
        return None
    if code in {126, 127}:
        return int(code)
    # The engine gives other reasons 128, a disk of ours that cannot be read among them.
    reason = _unquoted(text[what.end() :])
    return 126 if any(words in reason for words in _NO_COMMAND) else None


def _sort_answer(error: docker.errors.APIError) -> Failure:
    text = _one_line(str(error.explanation or error))
    status = error.status_code
    if status == 404:
        return Failure(FailureKind.NOT_THERE, text)
    if status == 409:
        return Failure(FailureKind.CONFLICT, text)
    if any(words in _unquoted(text) for words in _RESOURCES):
        return Failure(FailureKind.OUT_OF_RESOURCES, text)
    return Failure(FailureKind.REFUSED, text)


def _unquoted(text: str) -> str:
    """Leave out what stands in quotes: an image chose it, and must not choose its failure's kind."""
    return "".join(text.lower().split('"')[::2])


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
    if len(line) <= _MAX_TEXT_CHARS:
        return line
    # What failed stands first, and why at the end.
    return f"{line[:_MAX_HEAD_CHARS]}…{line[_MAX_HEAD_CHARS + 1 - _MAX_TEXT_CHARS :]}"
