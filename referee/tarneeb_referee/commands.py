"""What a session wants done, as values; the shell does it (`run.py`)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_referee.outcome import MatchOutcome, VoidMatch
    from tarneeb_sdk.game import Seat


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """Hand the outcome over."""

    outcome: MatchOutcome


@dataclass(frozen=True, slots=True)
class BoardVoid:
    """Report a board that has no result.

    Attributes:
        error: what was raised, for the log.
    """

    void: VoidMatch
    error: Exception | None = None


class CloseReason(enum.Enum):
    """Why the referee ends a stream."""

    DONE = "the session is over"
    MESSAGE_TOO_LONG = "a message was too long"
    GIVEN_UP = "the bot was given up"


@dataclass(frozen=True, slots=True)
class CloseStream:
    """End the seat's stream once all that waits for it has been sent.

    `Session.stream_lost` need not be called for it.

    Attributes:
        detail: for the bot's author.
    """

    seat: Seat
    reason: CloseReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Restart:
    """Make sure that the seat's process has ended, then start it again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Stop:
    """End the seat's process for good; its stream is closed by a command of its own."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is left to play."""


Command = MatchFinished | BoardVoid | CloseStream | Restart | Stop | Over
