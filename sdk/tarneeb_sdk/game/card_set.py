"""A set of cards that prints as cards and is a 52-bit mask inside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tarneeb_sdk.game.cards import ALL_CARDS, RANKS, SUITS, Card, Suit, format_cards, parse_cards
from tarneeb_sdk.game.errors import MalformedError

__all__ = ["ALL_CARDS_MASK", "SUIT_CARDS", "CardSet", "format_hand", "parse_hand"]

ALL_CARDS_MASK = (1 << 52) - 1
_BITS = tuple(1 << number for number in range(52))


def _holdings_of(suit: Suit) -> tuple[tuple[Card, ...], ...]:
    """List, for each 13-bit mask of ranks, those cards of one suit, low to high."""
    table: list[tuple[Card, ...]] = [()]
    for rank in range(13):
        card = (ALL_CARDS[13 * suit + rank],)
        table += [lower + card for lower in table]
    return tuple(table)


SUIT_CARDS: tuple[tuple[tuple[Card, ...], ...], ...] = tuple(map(_holdings_of, SUITS))
"""`SUIT_CARDS[suit][ranks]`: the cards of a suit whose ranks are set in a 13-bit mask.

The tables hold every tuple of cards that one suit can give, so that asking for the legal moves
builds nothing.
"""


class CardSet:
    """An immutable set of cards, in the order C D H S and then rank rising.

    Made from cards or from a text: `CardSet("2C AS")`, `CardSet([Card("2C")])`, `CardSet()`.

    Attributes:
        mask: bit n is set when `Card(n)` is in the set.

    Raises:
        MalformedError: the text names something that is no card.

    >>> hand = CardSet("AS 2C KS")
    >>> hand, len(hand), Card("AS") in hand, hand.of(Suit.SPADES)
    (CardSet('2C KS AS'), 3, True, CardSet('KS AS'))
    """

    __slots__ = ("_mask",)

    _mask: int

    def __init__(self, cards: str | Iterable[Card] = ()) -> None:
        if isinstance(cards, CardSet):
            self._mask = cards._mask
            return
        mask = 0
        for card in parse_cards(cards) if isinstance(cards, str) else cards:
            mask |= _BITS[card] if type(card) is Card else 1 << Card(card)
        self._mask = mask

    @classmethod
    def from_mask(cls, mask: int) -> CardSet:
        """Make the set of the cards whose bits are set.

        Raises:
            MalformedError: the mask is not a number of 52 bits.
        """
        if not 0 <= mask <= ALL_CARDS_MASK:
            raise MalformedError(f"{mask!r} is no mask of cards: 52 bits are needed")
        cards = object.__new__(cls)
        cards._mask = mask
        return cards

    @property
    def mask(self) -> int:
        """Bit n is set when `Card(n)` is in the set."""
        return self._mask

    def of(self, suit: Suit) -> CardSet:
        """Keep the cards of one suit."""
        return CardSet.from_mask(self._mask & 0x1FFF << 13 * suit)

    def ranks(self, suit: Suit) -> int:
        """Give one suit as a 13-bit mask: bit 0 is the two, bit 12 the ace."""
        return self._mask >> 13 * suit & 0x1FFF

    def cards(self) -> tuple[Card, ...]:
        """List the cards by suit C D H S, then rank rising."""
        mask = self._mask
        clubs, diamonds, hearts, spades = SUIT_CARDS
        return (
            clubs[mask & 0x1FFF]
            + diamonds[mask >> 13 & 0x1FFF]
            + hearts[mask >> 26 & 0x1FFF]
            + spades[mask >> 39]
        )

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards())

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return type(card) is Card and bool(self._mask >> card & 1)

    def __or__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet.from_mask(self._mask | other._mask)

    def __and__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet.from_mask(self._mask & other._mask)

    def __sub__(self, other: CardSet) -> CardSet:
        if not isinstance(other, CardSet):
            return NotImplemented
        return CardSet.from_mask(self._mask & ~other._mask)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CardSet):
            return NotImplemented
        return self._mask == other._mask

    def __hash__(self) -> int:
        return hash(self._mask)

    def __repr__(self) -> str:
        return f"CardSet({format_cards(self)!r})" if self._mask else "CardSet()"

    def __str__(self) -> str:
        return format_cards(self)

    def __reduce__(self) -> tuple[object, ...]:
        return (CardSet.from_mask, (self._mask,))


def parse_hand(text: str) -> CardSet:
    """Read a hand in the form of PBN: spades, hearts, diamonds, clubs, with a dot between.

    Raises:
        MalformedError: it has not four parts, a rank is unknown, or a card stands twice.

    >>> parse_hand("AK..T7.2")
    CardSet('2C 7D TD KS AS')
    """
    parts = text.split(".")
    if len(parts) != 4:
        raise MalformedError(f"{text!r} is no hand: write S.H.D.C, as in AKQ.J98.T765.432")
    mask = 0
    for suit, ranks in zip(reversed(SUITS), parts, strict=True):
        for letter in ranks:
            rank = RANKS.find(letter)
            if rank < 0:
                raise MalformedError(f"{letter!r} in the hand {text!r} is no rank ({RANKS})")
            bit = 1 << 13 * suit + rank
            if mask & bit:
                raise MalformedError(f"{letter}{suit} stands twice in the hand {text!r}")
            mask |= bit
    return CardSet.from_mask(mask)


def format_hand(hand: CardSet) -> str:
    """Write a hand in the form of PBN, each suit from the highest card down.

    >>> format_hand(CardSet("2C 7D TD KS AS"))
    'AK..T7.2'
    """
    return ".".join(
        "".join(RANKS[card.rank] for card in reversed(SUIT_CARDS[suit][hand.ranks(suit)]))
        for suit in reversed(SUITS)
    )
