"""The move that the referee makes when a seat does not [R-7.2]."""

from __future__ import annotations

from collections.abc import Iterable

from tarneeb_sdk.game.card_set import CardSet
from tarneeb_sdk.game.cards import SUITS, Card, Suit
from tarneeb_sdk.game.deal import Deal
from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.moves import PASS, Bid, Call, Move, NameTrump
from tarneeb_sdk.game.phases import Phase
from tarneeb_sdk.game.rules import Game
from tarneeb_sdk.game.syrian41_deal import MIN_DECLARED

__all__ = [
    "fallback_call",
    "fallback_card",
    "fallback_declaration",
    "fallback_move",
    "fallback_trump",
]


def fallback_move(deal: Deal) -> Move:
    """Choose the move of R-7.2, which is always legal.

    Raises:
        RulesError: nobody is to move, or the choice needs hands that are not known.
    """
    if deal.turn is None:
        raise RulesError(f"nobody is to move; the deal is {deal.phase.value}")
    if deal.phase is Phase.AUCTION:
        if deal.rules.game is Game.TARNEEB:
            return fallback_call(deal.calls)
        return fallback_declaration(deal.calls)
    if not deal.hands_known:
        raise RulesError("the hands are not known, so R-7.2 gives no move")
    if deal.phase is Phase.TRUMP:
        return NameTrump(fallback_trump(deal.hand(deal.turn)))
    return fallback_card(CardSet.from_mask(deal.legal_mask), trump=deal.trump)


def fallback_call(calls: tuple[Call, ...]) -> Call:
    """Pass; but bid 7 when the three others have passed and no bid is made [R-3.5].

    Args:
        calls: of a Tarneeb auction so far.
    """
    return Bid(7) if calls == (PASS, PASS, PASS) else PASS


def fallback_declaration(calls: tuple[Call, ...]) -> Bid:
    """Declare 2; the last seat what brings the total to 11, and at least 2.

    Args:
        calls: the declarations of Syrian 41 so far.
    """
    if len(calls) < 3:
        return Bid(2)
    declared = sum(call.level for call in calls if isinstance(call, Bid))
    return Bid(max(2, MIN_DECLARED - declared))


def fallback_trump(hand: CardSet) -> Suit:
    """Choose the suit held most of.

    Ties go to the higher sum of ranks (2 = 0 to A = 12), then to C before D before H before S.
    """

    def worth(suit: Suit) -> tuple[int, int, int]:
        cards = hand.of(suit)
        return (len(cards), sum(card.rank for card in cards), -suit)

    return max(SUITS, key=worth)


def fallback_card(legal: Iterable[Card], *, trump: Suit | None) -> Card:
    """Choose the weakest card.

    A card of another suit comes before a trump, then the lower rank, then C D H S.

    Args:
        legal: what may be played, at least one card.
        trump: `None` where it is not known.
    """
    return min(legal, key=lambda card: (card.suit is trump, card.rank, card.suit))
