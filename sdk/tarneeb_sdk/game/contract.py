"""What an auction settles."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_sdk.game.cards import Suit
from tarneeb_sdk.game.seats import Seat

__all__ = ["Contract", "Declarations"]


@dataclass(frozen=True, slots=True)
class Contract:
    """What a Tarneeb auction settled.

    Attributes:
        declarer: who won it.
        bid: 7 to 13.
        trump: `None` until it is named.
    """

    declarer: Seat
    bid: int
    trump: Suit | None


@dataclass(frozen=True, slots=True)
class Declarations:
    """What the four seats of Syrian 41 declared.

    Attributes:
        bids: by seat, 2 to 13.
        trump: `None` where the revealed card is not known.
    """

    bids: tuple[int, ...]
    trump: Suit | None
