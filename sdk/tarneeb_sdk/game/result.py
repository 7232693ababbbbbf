"""The public record of a deal that has ended."""

from __future__ import annotations

from dataclasses import dataclass

from tarneeb_sdk.game.cards import Card, Suit
from tarneeb_sdk.game.moves import Call
from tarneeb_sdk.game.seats import Seat

__all__ = ["DealResult"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealResult:
    """What everybody at the table knows of a deal once it is over.

    Attributes:
        deal_number: 1 for the first deal of the match; a cancelled deal bears the number of the
            deal that is then dealt in its place.
        dealer: who dealt it.
        calls: from the dealer's right.
        declarer: Tarneeb: who won the auction.
        bid: Tarneeb: the contract's level.
        trump: the trump suit; `None` when the deal was cancelled before it was named.
        revealed: Syrian 41: the shown card.
        plays: the 52 cards in order of play; none when the deal was cancelled.
        tricks: taken, by seat.
        points: what the deal scored: two teams, or four seats in Syrian 41; zeros when
            cancelled.
        scores: of the match after it, in the same form.
        cancelled: whether nobody scored [R-3.6, R-6.4].
    """

    deal_number: int
    dealer: Seat
    calls: tuple[Call, ...]
    declarer: Seat | None
    bid: int | None
    trump: Suit | None
    revealed: Card | None
    plays: tuple[Card, ...]
    tricks: tuple[int, int, int, int]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    cancelled: bool
