"""What a table wants done, and which match it plays, as values; the hall obeys (`hall.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tarneeb_sdk.game import Seat
    from tarneeb_sdk.messages import Notice, Turn


# A named tuple, as `Turn` is: made once a decision.
class Ask(NamedTuple):
    """Put a turn in the seat's queue and send it.

    Attributes:
        allowance_ns: how long it may be on the clock.
    """

    seat: Seat
    turn: Turn
    allowance_ns: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take a turn out of the seat's queue; the referee has moved. An answer to it is late."""

    seat: Seat
    turn_id: int


@dataclass(frozen=True, slots=True)
class Tell:
    """Send a notice to one seat."""

    seat: Seat
    notice: Notice


@dataclass(frozen=True, slots=True)
class TellAll:
    """Send the same notice to all four seats."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over: fetch `Table.record` and `Table.timings`."""


Command = Ask | Withdraw | Tell | TellAll | Finish


@dataclass(frozen=True, slots=True)
class Place:
    """Which match of the tournament a table plays, and for whom.

    Attributes:
        entrants: their ids, by seat.
    """

    round_: int
    pairing: int
    half: int
    board: int
    entrants: tuple[str, str, str, str]
