"""Cards as texts: rank, then suit [R-1.3]."""

from collections.abc import Iterable

SUITS = "CDHS"
RANKS = "23456789TJQKA"  # low to high
DECK = [rank + suit for suit in SUITS for rank in RANKS]

PLACE = {card: place for place, card in enumerate(DECK)}
OTHER_SUIT_OF_THE_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


def rank_of(card: str) -> int:
    """Give 0 for a two up to 12 for an ace."""
    return RANKS.index(card[0])


def suit_of(card: str) -> str:
    return card[1]


def in_order(cards: Iterable[str]) -> list[str]:
    """Sort by suit C D H S, then by rank, low to high."""
    return sorted(cards, key=PLACE.__getitem__)


def hand_from_pbn(text: str) -> list[str]:
    """Read `S.H.D.C`; the order of receipt is not in it."""
    spades, hearts, diamonds, clubs = text.split(".")
    suits = {"S": spades, "H": hearts, "D": diamonds, "C": clubs}
    return [rank + suit for suit, ranks in suits.items() for rank in ranks]


def hand_to_pbn(hand: Iterable[str]) -> str:
    high_to_low = in_order(hand)[::-1]
    return ".".join("".join(card[0] for card in high_to_low if card[1] == suit) for suit in "SHDC")
