"""The phases of a deal, and the facts that moves lead to."""

from __future__ import annotations

from enum import Enum

__all__ = ["Fact", "Phase"]


class Phase(Enum):
    """What a deal waits for, or how it has ended."""

    AUCTION = "auction"
    TRUMP = "trump"
    PLAY = "play"
    SCORED = "scored"
    CANCELLED = "cancelled"

    def __repr__(self) -> str:
        return f"Phase.{self.name}"


class Fact(Enum):
    """What a move has led to; the furthest-reaching of its effects.

    Attributes:
        CALLED: a call was made and the auction goes on.
        AUCTION_WON: Tarneeb: the auction is over and its winner must name trump [R-3.4].
        ALL_DECLARED: Syrian 41: the fourth declaration was made and play begins [R-6.5].
        CANCELLED: the deal is over and nobody scores [R-3.6, R-6.4].
        TRUMP_NAMED: trump is named and play begins [R-3.7].
        CARD_PLAYED: a card was played and the trick goes on.
        TRICK_TAKEN: the trick is complete [R-4.3].
        SCORED: the thirteenth trick is complete and the deal is scored [R-4.4].
    """

    CALLED = "called"
    AUCTION_WON = "auction_won"
    ALL_DECLARED = "all_declared"
    CANCELLED = "cancelled"
    TRUMP_NAMED = "trump_named"
    CARD_PLAYED = "card_played"
    TRICK_TAKEN = "trick_taken"
    SCORED = "scored"

    def __repr__(self) -> str:
        return f"Fact.{self.name}"
