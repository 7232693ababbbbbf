"""The moves of both games, each with a number of its own.

| numbers | move |
|---|---|
| 0..51 | a card: `13 * suit + rank` |
| 52 | pass |
| 54..65 | a bid or declaration of 2..13: `52 + level` |
| 66..69 | the naming of trump: `66 + suit` |

A move is an int, so a search bot may index arrays by it; there is one object for each. The rules
look at the type too: `0` and `Suit.CLUBS` equal `Card("2C")` and are no moves.
"""

from __future__ import annotations

from typing import NoReturn, TypeAlias

from tarneeb_sdk.game.cards import ALL_CARDS, SUITS, Card, Suit
from tarneeb_sdk.game.errors import MalformedError

__all__ = [
    "BIDS",
    "MOVES",
    "NUM_MOVES",
    "PASS",
    "TRUMPS",
    "Bid",
    "Call",
    "Move",
    "NameTrump",
    "Pass",
    "format_call",
    "is_move",
    "move_of",
    "parse_call",
]

NUM_MOVES = 70
"""One more than the highest move number."""


class Pass(int):
    """A pass [R-3.3]; there is one, `PASS`."""

    def __new__(cls) -> Pass:  # noqa: PYI034 - there is one
        return PASS

    def __repr__(self) -> str:
        return "Pass()"

    def __str__(self) -> str:
        return "P"

    def __format__(self, spec: str) -> str:
        return format("P", spec)

    def __reduce__(self) -> tuple[type[Pass], tuple[()]]:
        return (Pass, ())


PASS: Pass = int.__new__(Pass, 52)


class Bid(int):
    """A bid in Tarneeb [R-3.2] or a declaration in Syrian 41 [R-6.3]: `Bid(9)`.

    Attributes:
        level: the tricks it promises, 2 to 13. The bid as an int is its move number, not this.

    Raises:
        MalformedError: the level is no whole number from 2 to 13.
    """

    level: int

    def __new__(cls, level: int) -> Bid:  # noqa: PYI034 - one object a level
        if type(level) is not int or not 2 <= level <= 13:
            if isinstance(level, Bid):
                return level
            raise MalformedError(f"{level!r} is no bid: a whole number from 2 to 13 is needed")
        return BIDS[level - 2]

    def __repr__(self) -> str:
        return f"Bid({self.level})"

    def __str__(self) -> str:
        return str(self.level)

    def __format__(self, spec: str) -> str:
        return format(str(self.level), spec)

    def __reduce__(self) -> tuple[type[Bid], tuple[int]]:
        return (Bid, (self.level,))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a bid cannot be changed ({name})")


class NameTrump(int):
    """The declarer's choice of trump [R-3.7]: `NameTrump(Suit.SPADES)`.

    Attributes:
        suit: the trump suit.

    Raises:
        MalformedError: the argument is no suit.
    """

    suit: Suit

    def __new__(cls, suit: Suit) -> NameTrump:  # noqa: PYI034 - one object a suit
        if not isinstance(suit, Suit):
            raise MalformedError(f"{suit!r} is no suit: give Suit.CLUBS to Suit.SPADES")
        return TRUMPS[suit]

    def __repr__(self) -> str:
        return f"NameTrump({self.suit!r})"

    def __str__(self) -> str:
        return self.suit.letter

    def __format__(self, spec: str) -> str:
        return format(self.suit.letter, spec)

    def __reduce__(self) -> tuple[type[NameTrump], tuple[Suit]]:
        return (NameTrump, (self.suit,))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a move cannot be changed ({name})")


Call: TypeAlias = Bid | Pass
Move: TypeAlias = Card | Bid | Pass | NameTrump


def _make_bid(level: int) -> Bid:
    bid = int.__new__(Bid, 52 + level)
    bid.__dict__["level"] = level
    return bid


def _make_trump(suit: Suit) -> NameTrump:
    move = int.__new__(NameTrump, 66 + suit)
    move.__dict__["suit"] = suit
    return move


BIDS: tuple[Bid, ...] = tuple(_make_bid(level) for level in range(2, 14))
"""The bids of 2 to 13, rising."""

TRUMPS: tuple[NameTrump, ...] = tuple(map(_make_trump, SUITS))
"""The four choices of trump, C D H S."""

MOVES: tuple[Move, ...] = (*ALL_CARDS, PASS, *BIDS, *TRUMPS)
"""Every move, by rising number. There is no move 53: find a move by number with `move_of`."""

_BY_NUMBER: dict[int, Move] = {int(move): move for move in MOVES}


def move_of(number: int) -> Move:
    """Give the move with this number.

    Raises:
        MalformedError: no move has it.

    >>> move_of(61), move_of(66)
    (Bid(9), NameTrump(Suit.CLUBS))
    """
    move = _BY_NUMBER.get(number)
    if move is None:
        raise MalformedError(f"{number!r} is no move: moves are numbered 0 to 52 and 54 to 69")
    return move


def is_move(value: object) -> bool:
    """Tell whether a value is a move, and not just a number that equals one."""
    return type(value) in (Card, Bid, Pass, NameTrump)


def parse_call(text: str) -> Call:
    """Read a call: `P`, or a bid's level.

    Raises:
        MalformedError: it is neither.
    """
    if text == "P":
        return PASS
    if text.isascii() and text.isdigit() and str(int(text)) == text:
        return Bid(int(text))
    raise MalformedError(f"{text!r} is no call: write P or a whole number from 2 to 13")


def format_call(call: Call) -> str:
    """Write a call: `P`, or the bid's level."""
    return str(call)
