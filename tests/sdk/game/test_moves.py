"""Moves, their numbers and their texts."""

import copy
import pickle

import pytest

from tarneeb_sdk.game import (
    BIDS,
    MOVES,
    NUM_MOVES,
    PASS,
    TRUMPS,
    Bid,
    Call,
    Card,
    MalformedError,
    Move,
    NameTrump,
    Pass,
    Suit,
    format_call,
    is_move,
    move_of,
    parse_call,
)


def test_moves_are_numbered_apart() -> None:
    assert [int(move) for move in MOVES] == [n for n in range(NUM_MOVES) if n != 53]
    assert int(PASS) == 52
    assert [int(bid) for bid in BIDS] == list(range(54, 66))
    assert [int(trump) for trump in TRUMPS] == list(range(66, 70))


@pytest.mark.parametrize("move", MOVES, ids=repr)
def test_there_is_one_object_for_each_move(move: Move) -> None:
    assert move_of(int(move)) is move
    assert eval(repr(move)) is move
    assert pickle.loads(pickle.dumps(move)) is move
    assert copy.deepcopy(move) is move
    assert is_move(move)


@pytest.mark.parametrize("number", [-1, 53, 70])
def test_a_number_between_or_beyond_is_no_move(number: int) -> None:
    with pytest.raises(MalformedError, match="is no move"):
        move_of(number)


@pytest.mark.parametrize("value", [0, 52, True, Suit.CLUBS, "AS", None])
def test_a_number_that_equals_a_move_is_none(value: object) -> None:
    assert not is_move(value)


def test_moves_print_short() -> None:
    moves = (Card("AS"), Bid(9), PASS, NameTrump(Suit.SPADES))
    assert " ".join(map(str, moves)) == "AS 9 P S"
    assert "|".join(f"{move:>3}" for move in moves) == " AS|  9|  P|  S"
    assert repr(moves) == "(Card('AS'), Bid(9), Pass(), NameTrump(Suit.SPADES))"


@pytest.mark.parametrize("call", [PASS, *BIDS], ids=str)
def test_a_call_reads_back_what_it_writes(call: Call) -> None:
    assert parse_call(format_call(call)) is call


@pytest.mark.parametrize(
    "text", ["", "p", "pass", "1", "14", "07", "7.0", "-7", "\u0667", " 7", "99999"]
)
def test_what_is_no_call_is_malformed(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_call(text)


@pytest.mark.parametrize("level", [1, 14, 0, -7, True, 7.0, "7", None])
def test_a_bid_is_a_whole_number_from_2_to_13(level: object) -> None:
    with pytest.raises(MalformedError, match="is no bid"):
        Bid(level)  # type: ignore[arg-type]


@pytest.mark.parametrize("suit", [0, "S", None])
def test_trump_is_named_by_a_suit(suit: object) -> None:
    with pytest.raises(MalformedError, match="is no suit"):
        NameTrump(suit)  # type: ignore[arg-type]


def test_making_a_move_again_gives_the_same() -> None:
    assert Pass() is PASS
    assert Bid(9) is Bid(9)
    assert Bid(Bid(9)) is Bid(9)
    assert NameTrump(Suit.HEARTS) is TRUMPS[2]


@pytest.mark.parametrize(("move", "name"), [(Bid(9), "level"), (TRUMPS[0], "suit")])
def test_a_move_cannot_be_changed(move: Move, name: str) -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(move, name, 2)
