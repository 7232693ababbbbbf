"""The record of a match: all that is needed to judge it again, and nothing that was measured."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_referee.deals import Hands
    from tarneeb_referee.faults import Fault
    from tarneeb_sdk.game import Call, Card, RuleSet, Seat, Suit, Team

RECORD_VERSION = 1
"""The form of the record's bytes."""


class Ending(enum.Enum):
    """Why a match ended; not who won it."""

    TARGET = "target"
    OUTRIGHT = "outright"
    DEALS = "deals"
    DEAL_CAP = "deal cap"
    FORFEIT = "forfeit"


class RefereeMoveReason(enum.Enum):
    """Why the referee chose a move."""

    TIME = "time"
    REFUSED_MOVES = "refused moves"
    AUTOPILOT = "autopilot"
    MUST_PLAY = "must play"


@dataclass(frozen=True, slots=True)
class RefereeMove:
    """A move that the referee made for a seat; it is among the deal's moves like any other.

    A card that was the only legal one is played without asking and is no such move.

    Attributes:
        move_index: its place among the deal's moves: calls, then the naming of trump, then plays.
    """

    move_index: int
    reason: RefereeMoveReason


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDeal:
    """One deal from the cards to the score.

    Attributes:
        deal_number: as the deal source counts: a cancelled deal and its redeal share the number.
        redeal_number: how many deals of that number were cancelled before this one.
        hands: by seat, in the order of receipt.
        trump: None if the auction was not won.
        points: what it scored, and `scores` what stood after it; by team, or by seat in Syrian 41.
        cancelled: nobody scored [R-3.6, R-6.4].
    """

    deal_number: int
    redeal_number: int
    dealer: Seat
    hands: Hands
    calls: tuple[Call, ...]
    trump: Suit | None
    plays: tuple[Card, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    cancelled: bool
    referee_moves: tuple[RefereeMove, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A finished match.

    Attributes:
        entrants: the entrants' ids, by seat.
        deals: in the order of play, cancelled ones included; none after a forfeit.
        winner: the team, or None: a draw, or a forfeit by both teams.
        faults: what bots did wrong, in the order it happened.
        autopilot_from: by seat, from which deal on (1 for the first of `deals`) the referee
            played for the seat; 0 for never.
    """

    rules: RuleSet
    round_: int
    pairing: int
    board: int
    half: int
    entrants: tuple[str, ...]
    deals: tuple[PlayedDeal, ...]
    scores: tuple[int, ...]
    winner: Team | None
    ending: Ending
    faults: tuple[Fault, ...]
    autopilot_from: tuple[int, int, int, int]
