"""From a shuffled deck to hands, and from hands to the masks that a deal works with [R-2.1]."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from tarneeb_sdk.game.card_set import ALL_CARDS_MASK
from tarneeb_sdk.game.cards import Card
from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.seats import Seat

__all__ = ["PLACE_AND_BIT", "Hands", "deal_out", "holdings_of", "ranks_by_suit"]

Hands: TypeAlias = tuple[tuple[Card, ...], ...]
"""The cards of each seat, by seat."""

PLACE_AND_BIT: tuple[tuple[int, int], ...] = tuple(
    (4 * (number // 13), 1 << number % 13) for number in range(52)
)
"""By card: where its suit's masks begin in what `holdings_of` gives, and the bit of its rank."""

_ONLY_CARDS = {Card}
_BITS = tuple(1 << number for number in range(52))


def deal_out(deck: Sequence[Card], *, dealer: Seat) -> Hands:
    """Deal a shuffled deck one card at a time, from the dealer's right [R-2.1].

    Args:
        deck: the 52 cards, the first to be dealt first.
        dealer: who receives the last card.

    Returns:
        The hands by seat, each in the order of receipt.

    Raises:
        RulesError: the deck has not 52 cards; which cards they are `start_deal` checks.
    """
    if len(deck) != 52:
        raise RulesError(f"a deck has 52 cards, not {len(deck)} [R-1.3]")
    first = (dealer + 1) & 3
    from_first = [tuple(deck[place::4]) for place in range(4)]
    return tuple(from_first[4 - first :] + from_first[: 4 - first])


def holdings_of(hands: Hands) -> list[int]:
    """Sort whole hands into suits.

    Returns:
        16 masks of 13 ranks, at [4 * suit + seat].

    Raises:
        RulesError: they are not the 52 cards, 13 a seat.
    """
    if set(map(type, chain.from_iterable(hands))) != _ONLY_CARDS:
        raise RulesError("a hand holds something that is no card")
    holdings = [0] * 16
    total = 0
    for seat, hand in enumerate(hands):
        if len(hand) != 13:
            raise RulesError(f"seat {seat} has {len(hand)} cards, not 13 [R-2.1]")
        # itemgetter fetches the 13 bits in one call, which no loop in Python matches.
        mask = sum(itemgetter(*hand)(_BITS))
        total += mask
        holdings[seat::4] = ranks_by_suit(mask)
    # 52 powers of two add up to 52 ones only if no two of them are equal.
    if total != ALL_CARDS_MASK:
        raise RulesError("a card is dealt twice [R-1.3]")
    return holdings


def ranks_by_suit(mask: int) -> tuple[int, int, int, int]:
    """Part a mask of cards into the 13-bit masks of its suits, C D H S."""
    return (mask & 0x1FFF, mask >> 13 & 0x1FFF, mask >> 26 & 0x1FFF, mask >> 39)
