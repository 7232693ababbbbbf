"""Tricks: who takes them, and how a list of plays falls into them [R-4]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tarneeb_sdk.game.cards import Card, Suit
from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.seats import Seat

__all__ = ["Trick", "play_seats", "split_tricks", "trick_winner", "winning_play"]


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick, complete or not.

    Attributes:
        leader: who led.
        cards: one to four cards in the order of play; the seat of `cards[i]` is
            `(leader + i) % 4`.
        winner: who takes it, or holds the best card so far.
    """

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat

    @property
    def led(self) -> Suit:
        """The suit that was led."""
        return self.cards[0].suit

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who played each card, in the order of play."""
        return tuple((self.leader + place) & 3 for place in range(len(self.cards)))


def winning_play(plays: Sequence[Card], *, trump: Suit | None) -> int:
    """Find the place of the best card among those played to a trick so far [R-4.3].

    Raises:
        RulesError: nothing is played, or more than four cards.
    """
    if not 1 <= len(plays) <= 4:
        raise RulesError(f"a trick has one to four cards, not {len(plays)}")
    best = 0
    for place in range(1, len(plays)):
        card, champion = plays[place], plays[best]
        if card.suit is champion.suit:
            if card > champion:
                best = place
        elif card.suit is trump:
            best = place
    return best


def trick_winner(plays: Sequence[Card], *, leader: Seat, trump: Suit | None) -> Seat:
    """Find the seat that takes a trick, or would as it stands [R-4.3].

    Args:
        plays: one to four cards in order of play.
        leader: who played the first of them.
        trump: `None` where there is no trump.

    Raises:
        RulesError: nothing is played, or more than four cards.

    >>> from tarneeb_sdk.game.cards import parse_cards
    >>> trick_winner(parse_cards("5H AH 2S KH"), leader=3, trump=Suit.SPADES)
    1
    """
    return (leader + winning_play(plays, trump=trump)) & 3


def play_seats(plays: Sequence[Card], *, leader: Seat, trump: Suit | None) -> list[Seat]:
    """Find the seat of each play of a deal.

    Args:
        plays: all cards played so far, in order.
        leader: who led to the first trick.
        trump: the trump suit.
    """
    seats: list[Seat] = []
    for start in range(0, len(plays), 4):
        seats += _ROUND_FROM[leader]
        trick = plays[start : start + 4]
        leader = (leader + winning_play(trick, trump=trump)) & 3
    return seats[: len(plays)]


_ROUND_FROM = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))


def split_tricks(plays: Sequence[Card], *, leader: Seat, trump: Suit | None) -> tuple[Trick, ...]:
    """Part the plays of a deal into tricks, the last of which may be unfinished.

    Args:
        plays: all cards played so far, in order.
        leader: who led to the first trick.
        trump: the trump suit.
    """
    tricks = []
    for start in range(0, len(plays), 4):
        cards = tuple(plays[start : start + 4])
        winner = trick_winner(cards, leader=leader, trump=trump)
        tricks.append(Trick(leader, cards, winner))
        leader = winner
    return tuple(tricks)
