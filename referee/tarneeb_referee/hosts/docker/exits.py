"""Tells from an engine's words, and what else is known, how a bot in a container ended. Pure."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from typing import Final

from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.docker.usage import Usage

__all__ = ["EndEvidence", "exit_info"]

_KILLED: Final = 128 + signal.SIGKILL
# The part of its limit above which a container may well have reached it since the last measurement.
_NEAR: Final = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class EndEvidence:
    """What is known of a container's end.

    Attributes:
        code: the engine's: what the main process exited with, or 128 and a signal's number.
        at_memory_limit: the engine says that a process of it was killed for want of memory, which
            is at its own limit unless the machine was short.
        stopped: we had asked it to stop, or killed it.
        signalled: a signal that somebody else sent it through the engine; empty if nobody did,
            None if the engine does not say.
        machine_out_of_memory: the machine as a whole ran out of memory about then.
        usage: the last measurements.
        memory_limit_bytes: its own limit; 0 if that is not known.
    """

    code: int
    at_memory_limit: bool = False
    stopped: bool = False
    signalled: str | None = ""
    machine_out_of_memory: bool = False
    usage: Usage = field(default_factory=Usage)
    memory_limit_bytes: int = 0


def exit_info(evidence: EndEvidence) -> ExitInfo:
    """Say how a bot ended.

    A bot may exit with 137, which looks like a kill from outside. So the code alone never clears
    it: the engine's own events, or the machine's lack of memory, must say so too. An engine that
    does not say who sent a signal leaves a doubt, and that is no bot's fault.
    """
    by_signal = _signal_name(evidence.code)
    at_own_limit = evidence.at_memory_limit and not _was_below_limit(evidence)
    unasked = not evidence.stopped and not at_own_limit
    killed = evidence.code == _KILLED or evidence.at_memory_limit
    out_of_memory = unasked and evidence.machine_out_of_memory and killed
    failure = ""
    if unasked and evidence.signalled:
        failure = f"somebody sent the container {evidence.signalled} through the engine"
    elif unasked and evidence.signalled is None and by_signal:
        failure = f"the engine does not say who sent the signal {by_signal}"
    return ExitInfo(
        code=None if by_signal else evidence.code,
        signal_name=by_signal,
        stopped=evidence.stopped,
        over_memory=at_own_limit and not evidence.stopped,
        host_out_of_memory=out_of_memory,
        host_failure=failure,
        cpu_s=evidence.usage.cpu_s,
        peak_memory_bytes=evidence.usage.peak_memory_bytes,
    )


def _was_below_limit(evidence: EndEvidence) -> bool:
    """Tell whether the machine's lack of memory explains a kill better than its own limit does.

    With version 2 of control groups the kernel counts both kinds of kill as one, and so does the
    engine.
    """
    peak, limit = evidence.usage.peak_memory_bytes, evidence.memory_limit_bytes
    is_known = peak is not None and limit > 0
    return evidence.machine_out_of_memory and is_known and (peak or 0) < _NEAR * limit


def _signal_name(code: int) -> str | None:
    """Name the signal of a shell-like exit code.

    >>> _signal_name(139), _signal_name(3), _signal_name(255)
    ('SIGSEGV', None, None)
    """
    try:
        return signal.Signals(code - 128).name
    except ValueError:
        return None
