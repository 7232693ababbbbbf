"""Moves, calls, cards and legal moves, as the wire has them.

All of them are small sets of values, so they are looked up and not computed: a message or byte
string that is in no table takes the slow way, which finds out what is wrong with it.
"""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, assert_never

from tarneeb.v1 import game_pb2
from tarneeb_sdk.game import (
    ALL_CARDS,
    BIDS,
    MOVES,
    PASS,
    SUITS,
    Bid,
    Card,
    CardSet,
    MalformedError,
    NameTrump,
    Pass,
    Suit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_sdk.game import Call, Move

# By the byte that stands for a call in a sequence: 0 is a pass, 2 to 13 a bid, 1 nothing.
_CALLS: tuple[Call | None, ...] = (PASS, None, *BIDS)
# The way back: a move's number to its byte.
_CALL_BYTES = bytes.maketrans(bytes((PASS, *BIDS)), bytes((0, *(bid.level for bid in BIDS))))

_SUITS_TO_WIRE = (
    game_pb2.SUIT_CLUBS,
    game_pb2.SUIT_DIAMONDS,
    game_pb2.SUIT_HEARTS,
    game_pb2.SUIT_SPADES,
)
_SUITS_FROM_WIRE: tuple[Suit | None, ...] = (None, *SUITS)


# During the play of a deal its calls come again and again.
_MAX_SEQUENCES = 1024


def suit_to_wire(suit: Suit | None) -> game_pb2.Suit:
    """Turn a suit, or none, into its number on the wire."""
    return game_pb2.SUIT_UNSPECIFIED if suit is None else _SUITS_TO_WIRE[suit]


def suit_from_wire(number: int) -> Suit | None:
    """Read a suit; 0 is none.

    Raises:
        MalformedError: no suit has this number.
    """
    if 0 <= number <= 4:
        return _SUITS_FROM_WIRE[number]
    raise MalformedError(f"suit {number} is unknown: clubs to spades are 1 to 4")


def _new_move_message(move: Move) -> game_pb2.Move:
    match move:
        case Card():
            return game_pb2.Move(card=int(move))
        case Bid():
            return game_pb2.Move(bid=move.level)
        case NameTrump():
            return game_pb2.Move(trump=suit_to_wire(move.suit))
        case Pass():
            # `pass` is a keyword of Python's and no name for an argument.
            message = game_pb2.Move()
            getattr(message, "pass").SetInParent()
            return message
        case _:
            assert_never(move)


_MESSAGES: dict[Move, game_pb2.Move] = {move: _new_move_message(move) for move in MOVES}
_MOVES_BY_MESSAGE: dict[bytes, Move] = {
    message.SerializeToString(): move for move, message in _MESSAGES.items()
}


def move_to_wire(move: Move) -> game_pb2.Move:
    """Give the message of a move. It is shared: do not change it."""
    return _MESSAGES[move]


def move_from_wire(message: game_pb2.Move) -> Move:
    """Read a move.

    Raises:
        MalformedError: no choice is set, or it names no bid, suit or card.
    """
    move = _MOVES_BY_MESSAGE.get(message.SerializeToString())
    if move is not None:
        return move
    choice = message.WhichOneof("choice")
    if choice == "card":
        return card_from_wire(message.card)
    if choice == "bid":
        if not 2 <= message.bid <= 13:
            raise MalformedError(f"bid {message.bid} is not 2 to 13")
        return Bid(message.bid)
    if choice == "trump":
        suit = suit_from_wire(message.trump)
        if suit is None:
            raise MalformedError("trump is suit 0, which is none")
        return NameTrump(suit)
    if choice == "pass":
        return PASS
    raise MalformedError("the move has no choice set: one of bid, pass, trump and card")


def card_from_wire(number: int, *, what: str = "card") -> Card:
    """Read the number of a card.

    Raises:
        MalformedError: no card has this number.
    """
    if 0 <= number <= 51:
        return ALL_CARDS[number]
    raise MalformedError(f"{what} {number} is not 0 to 51")


def cards_from_wire(data: bytes) -> tuple[Card, ...]:
    """Read a sequence of cards, one byte each.

    Raises:
        MalformedError: a byte is no card.
    """
    try:
        # `itemgetter` makes the tuple by itself, for two items and more.
        if len(data) > 1:
            return itemgetter(*data)(ALL_CARDS)  # type: ignore[no-any-return]
        return tuple([ALL_CARDS[number] for number in data])
    except IndexError:
        raise MalformedError(f"card {max(data)} is not 0 to 51") from None


def calls_to_wire(calls: Iterable[Call]) -> bytes:
    """Write a sequence of calls, one byte each: 0 is a pass, any other byte a bid."""
    return bytes(calls).translate(_CALL_BYTES)


@lru_cache(maxsize=_MAX_SEQUENCES)
def calls_from_wire(data: bytes) -> tuple[Call, ...]:
    """Read a sequence of calls, one byte each.

    Raises:
        MalformedError: a byte is neither 0, a pass, nor a bid, 2 to 13.
    """
    found: list[Call] = []
    for number in data:
        call = _CALLS[number] if number <= 13 else None
        if call is None:
            raise MalformedError(f"call {number} is neither 0, a pass, nor a bid of 2 to 13")
        found.append(call)
    return tuple(found)


def legal_to_wire(legal: tuple[Move, ...]) -> game_pb2.LegalMoves:
    """Write the legal moves of one seat."""
    message = game_pb2.LegalMoves()
    fill_legal(message, legal)
    return message


def fill_legal(message: game_pb2.LegalMoves, legal: tuple[Move, ...]) -> None:
    """Write the legal moves of one seat into an empty message."""
    if legal and type(legal[0]) is Card:
        mask = 0
        for card in legal:
            mask |= 1 << card
        message.cards = mask
        return
    known = _LEGAL_MESSAGES.get(legal)
    if known is None:
        known = game_pb2.LegalMoves(
            bids=bytes(move.level for move in legal if isinstance(move, Bid)),
            trumps=[suit_to_wire(move.suit) for move in legal if isinstance(move, NameTrump)],
            **{"pass": PASS in legal},
        )
        if len(_LEGAL_MESSAGES) < _MAX_LEGAL:
            _LEGAL_MESSAGES[legal] = known
    message.CopyFrom(known)


# Legal calls and suits come in a few dozen forms. The limit keeps a stranger's messages from
# filling the memory.
_MAX_LEGAL = 1024
_LEGAL_MESSAGES: dict[tuple[Move, ...], game_pb2.LegalMoves] = {}
_LEGAL_MOVES: dict[bytes, tuple[Move, ...]] = {}


def legal_from_wire(message: game_pb2.LegalMoves) -> tuple[Move, ...]:
    """Read the legal moves of one seat: pass, bids rising, suits C D H S, cards as in a hand.

    Raises:
        MalformedError: a bid, suit or card in it does not exist.
    """
    mask = message.cards
    if mask and message.ByteSize() == _CARDS_ALONE:
        return CardSet.from_mask(mask).cards()
    data = message.SerializeToString()
    legal = _LEGAL_MOVES.get(data)
    if legal is None:
        legal = _any_legal_from_wire(message)
        if len(_LEGAL_MOVES) < _MAX_LEGAL:
            _LEGAL_MOVES[data] = legal
    return legal


# A tag and eight bytes.
_CARDS_ALONE = 9


def _any_legal_from_wire(message: game_pb2.LegalMoves) -> tuple[Move, ...]:
    legal: list[Move] = []
    if getattr(message, "pass"):
        legal.append(PASS)
    for level in message.bids:
        if not 2 <= level <= 13:
            raise MalformedError(f"legal bid {level} is not 2 to 13")
        legal.append(Bid(level))
    for number in message.trumps:
        suit = suit_from_wire(number)
        if suit is None:
            raise MalformedError("a legal trump is suit 0, which is none")
        legal.append(NameTrump(suit))
    legal.extend(CardSet.from_mask(message.cards).cards())
    return tuple(legal)
