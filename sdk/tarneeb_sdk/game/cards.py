"""Suits and cards.

A card is the number `13 * suit + rank`, with suits C D H S = 0..3 and ranks 2..A = 0..12. There is
one object for each card, so cards may be compared with `is` as well as `==`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NoReturn

from tarneeb_sdk.game.errors import MalformedError

__all__ = [
    "ALL_CARDS",
    "RANKS",
    "SUITS",
    "Card",
    "Suit",
    "format_card",
    "format_cards",
    "format_suit",
    "parse_card",
    "parse_cards",
    "parse_suit",
]

RANKS = "23456789TJQKA"
"""The ranks' letters, low to high [R-1.3]."""

_SUIT_LETTERS = "CDHS"


class Suit(IntEnum):
    """The four suits, in the order in which ties between them are broken [R-7.2]."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """`C`, `D`, `H` or `S`."""
        return _SUIT_LETTERS[self]

    @property
    def partner_suit(self) -> Suit:
        """The other suit of the same colour [R-6.2]."""
        return SUITS[3 - self]

    def __repr__(self) -> str:
        return f"Suit.{self.name}"

    def __str__(self) -> str:
        return _SUIT_LETTERS[self]

    def __format__(self, spec: str) -> str:
        return format(_SUIT_LETTERS[self], spec)


SUITS: tuple[Suit, Suit, Suit, Suit] = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)


class Card(int):
    """One of the 52 cards: `Card("AS")` or `Card(51)`.

    Attributes:
        suit: its suit.
        rank: 0 (the two) to 12 (the ace).

    Raises:
        MalformedError: the argument names no card.

    >>> Card("TD"), int(Card("TD")), Card("TD").suit, Card("TD").rank
    (Card('TD'), 21, Suit.DIAMONDS, 8)
    """

    suit: Suit
    rank: int

    def __new__(cls, card: str | int) -> Card:  # noqa: PYI034 - one object for each card
        if isinstance(card, str):
            found = _BY_TEXT.get(card)
        elif isinstance(card, Card):
            return card
        elif type(card) is int and 0 <= card < 52:
            return ALL_CARDS[card]
        else:
            found = None
        if found is None:
            raise MalformedError(
                f"{_cut(card)} is no card: write a rank ({RANKS}) and a suit (CDHS), as in AS, "
                "or a number from 0 to 51"
            )
        return found

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __str__(self) -> str:
        return RANKS[self.rank] + _SUIT_LETTERS[self.suit]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return (Card, (int(self),))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card cannot be changed ({name})")


def _cut(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _make_card(number: int) -> Card:
    card = int.__new__(Card, number)
    card.__dict__.update(suit=SUITS[number // 13], rank=number % 13)
    return card


ALL_CARDS: tuple[Card, ...] = tuple(_make_card(number) for number in range(52))
"""The 52 cards by number: C D H S, each from the two to the ace."""

_SUIT_BY_LETTER = {suit.letter: suit for suit in SUITS}
_BY_TEXT = {str(card): card for card in ALL_CARDS}


def parse_card(text: str) -> Card:
    """Read a card written as rank then suit, such as `AS` or `TD`.

    Raises:
        MalformedError: it names no card.
    """
    return Card(text)


def format_card(card: Card) -> str:
    """Write a card as rank then suit."""
    return str(card)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards that are parted by spaces, keeping their order.

    Raises:
        MalformedError: one of them names no card.

    >>> parse_cards("5H AH 2S")
    (Card('5H'), Card('AH'), Card('2S'))
    """
    return tuple(Card(word) for word in text.split())


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards in their order, with a space between."""
    return " ".join(map(str, cards))


def parse_suit(text: str) -> Suit:
    """Read a suit's letter.

    Raises:
        MalformedError: it is not one of C D H S.
    """
    suit = _SUIT_BY_LETTER.get(text)
    if suit is None:
        raise MalformedError(f"{_cut(text)} is no suit: write C, D, H or S")
    return suit


def format_suit(suit: Suit) -> str:
    """Write a suit as its letter."""
    return suit.letter
