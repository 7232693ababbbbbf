"""What comes in malformed is refused with a text that says why, and never becomes a move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb.v1 import game_pb2, record_pb2
from tarneeb.v1 import referee_service_pb2 as pb
from tarneeb_sdk import wire
from tarneeb_sdk.game import PASS, Bid, Card, MalformedError, NameTrump, Suit, rule_set
from tarneeb_sdk.messages import (
    Answer,
    Answers,
    Batch,
    MalformedAnswer,
    TimeControl,
    Turn,
    Welcome,
)
from tarneeb_sdk.testing import view_of

WELCOME = Welcome(1, 0, rule_set("tarneeb"), TimeControl(1, 15, 0.05, 3, 3), 1, b"")
# Field 99, which no version has: a varint 7.
UNKNOWN_FIELD = b"\x98\x06\x07"


def good_turn() -> pb.Turn:
    batch = Batch(turns=(Turn(5, 6, 1.0, view_of("AKQ.J98.T765.432", calls="P 7 8 P")),))
    response = pb.PlayResponse.FromString(wire.response_to_wire(batch))
    return response.batch.turns[0]


def read_turn(turn: pb.Turn) -> Turn:
    response = pb.PlayResponse(batch=pb.Batch(turns=[turn]))
    batch = wire.response_from_wire(response.SerializeToString(), welcome=WELCOME)
    assert isinstance(batch, Batch)
    return batch.turns[0]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "no choice set"),
        (UNKNOWN_FIELD, "no choice set"),
        (game_pb2.Move(bid=0).SerializeToString(), "bid 0 is not 2 to 13"),
        (game_pb2.Move(bid=1).SerializeToString(), "bid 1 is not 2 to 13"),
        (game_pb2.Move(bid=14).SerializeToString(), "bid 14 is not 2 to 13"),
        (game_pb2.Move(bid=99).SerializeToString(), "bid 99 is not 2 to 13"),
        (game_pb2.Move(card=52).SerializeToString(), "card 52 is not 0 to 51"),
        (game_pb2.Move(card=2**31 - 1).SerializeToString(), "card 2147483647 is not 0 to 51"),
        # -1 as a varint of ten bytes, which a uint32 field cuts to 2^32 - 1.
        (b"\x20" + b"\xff" * 9 + b"\x01", "card 4294967295 is not 0 to 51"),
        # An enum of proto3 is open: any number comes in.
        (b"\x18\x00", "suit 0, which is none"),
        (b"\x18\x05", "suit 5 is unknown"),
        (b"\x18\x09", "suit 9 is unknown"),
        (b"\x18" + b"\xff" * 9 + b"\x01", "suit -1 is unknown"),
    ],
)
def test_a_move_that_is_none(data: bytes, text: str) -> None:
    with pytest.raises(MalformedError, match=text):
        wire.move_from_wire(game_pb2.Move.FromString(data))


@pytest.mark.parametrize(
    ("message", "move"),
    [
        (game_pb2.Move(card=0), Card("2C")),
        (game_pb2.Move(bid=7), Bid(7)),
        (game_pb2.Move(trump=game_pb2.SUIT_CLUBS), NameTrump(Suit.CLUBS)),
        (wire.move_to_wire(PASS), PASS),
    ],
)
def test_a_move_with_a_field_of_a_later_version_is_still_that_move(
    message: game_pb2.Move, move: object
) -> None:
    data = message.SerializeToString() + UNKNOWN_FIELD
    assert wire.move_from_wire(game_pb2.Move.FromString(data)) is move


@pytest.mark.parametrize("data", [b"", UNKNOWN_FIELD])
def test_a_request_that_says_nothing(data: bytes) -> None:
    with pytest.raises(MalformedError, match="neither hello nor answers"):
        wire.request_from_wire(data)


@given(st.binary(max_size=60))
def test_random_bytes_are_malformed_or_a_request_but_no_other_error(data: bytes) -> None:
    try:
        request = wire.request_from_wire(data)
    except MalformedError:
        return
    # Whatever of it is a move was spelt as one.
    if isinstance(request, Answers):
        assert all(isinstance(each, Answer | MalformedAnswer) for each in request.answers)


@given(st.binary(max_size=60))
def test_random_bytes_are_malformed_or_a_response_but_no_other_error(data: bytes) -> None:
    try:
        wire.response_from_wire(data, welcome=WELCOME)
    except MalformedError:
        return


@given(st.data())
def test_a_turn_with_some_bytes_changed_raises_no_other_error(data: st.DataObject) -> None:
    turn = good_turn()
    raw = bytearray(pb.PlayResponse(batch=pb.Batch(turns=[turn])).SerializeToString())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        wire.response_from_wire(bytes(raw), welcome=WELCOME)
    except MalformedError:
        return


def test_garbage_is_told_by_its_length() -> None:
    with pytest.raises(MalformedError, match="message of 3 bytes does not parse"):
        wire.request_from_wire(b"\xff\xff\xff")
    with pytest.raises(MalformedError, match="message of 3 bytes does not parse"):
        wire.response_from_wire(b"\xff\xff\xff", welcome=None)


def test_a_malformed_answer_costs_its_own_turn_alone() -> None:
    answers = pb.Answers(
        answers=[
            pb.Answer(turn_id=1, move=game_pb2.Move(bid=7)),
            pb.Answer(turn_id=2),
            pb.Answer(move=game_pb2.Move(card=3)),
            pb.Answer(turn_id=4, move=game_pb2.Move(card=60)),
            pb.Answer(turn_id=5, move=game_pb2.Move(card=3)),
        ]
    )
    read = wire.request_from_wire(pb.PlayRequest(answers=answers).SerializeToString())
    assert isinstance(read, Answers)
    good_first, no_move, no_turn, no_card, good_last = read.answers
    assert good_first == Answer(1, Bid(7))
    assert good_last == Answer(5, Card("5C"))
    assert no_move == MalformedAnswer(
        2, "the move has no choice set: one of bid, pass, trump and card"
    )
    assert no_turn == MalformedAnswer(0, "the answer names no turn (turn_id is 0)")
    assert no_card == MalformedAnswer(4, "card 60 is not 0 to 51")


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("dealer", 4, "dealer 4 is not 0 to 3"),
        ("phase", 0, "phase 0 is unknown"),
        ("phase", 6, "phase 6 is unknown"),
        ("hand", 1 << 52, "no mask of cards"),
        ("calls", b"\x01", "call 1 is neither"),
        ("calls", b"\x07\x0e", "call 14 is neither"),
        ("declarer", 7, "declarer 7 is not 0 to 3"),
        ("bid", 1, "bid 1 is not 2 to 13"),
        ("bid", 14, "bid 14 is not 2 to 13"),
        ("trump", 5, "suit 5 is unknown"),
        ("revealed", 52, "the shown card 52 is not 0 to 51"),
        ("plays", b"\x05\x34", "card 52 is not 0 to 51"),
        ("leader", 4, "leader 4 is not 0 to 3"),
        ("tricks", b"\x00\x00\x00", "tricks has 3 numbers, not 4"),
    ],
)
def test_a_view_with_a_number_out_of_its_range(field: str, value: object, text: str) -> None:
    turn = good_turn()
    setattr(turn.view, field, value)
    with pytest.raises(MalformedError, match=text):
        read_turn(turn)


def test_a_view_with_too_many_scores() -> None:
    turn = good_turn()
    turn.view.scores.append(3)
    with pytest.raises(MalformedError, match="scores has 3 numbers, not 2"):
        read_turn(turn)


def test_a_turn_without_id() -> None:
    turn = good_turn()
    turn.turn_id = 0
    with pytest.raises(MalformedError, match="turn_id is 0"):
        read_turn(turn)


def test_a_turn_without_legal_moves() -> None:
    turn = good_turn()
    turn.ClearField("legal")
    with pytest.raises(MalformedError, match="turn 5 has no legal moves"):
        read_turn(turn)


@pytest.mark.parametrize(
    ("legal", "text"),
    [
        (game_pb2.LegalMoves(cards=1 << 60), "no mask of cards"),
        (game_pb2.LegalMoves(cards=1 << 60, bids=b"\x07"), "no mask of cards"),
        (game_pb2.LegalMoves(bids=b"\x07\x01"), "legal bid 1 is not 2 to 13"),
        (game_pb2.LegalMoves(trumps=[game_pb2.SUIT_UNSPECIFIED]), "suit 0, which is none"),
    ],
)
def test_legal_moves_that_do_not_exist(legal: game_pb2.LegalMoves, text: str) -> None:
    turn = good_turn()
    turn.legal.CopyFrom(legal)
    with pytest.raises(MalformedError, match=text):
        read_turn(turn)


def test_a_batch_before_the_welcome() -> None:
    data = wire.response_to_wire(Batch())
    with pytest.raises(MalformedError, match="before the welcome"):
        wire.response_from_wire(data, welcome=None)


def test_a_response_that_says_nothing() -> None:
    with pytest.raises(MalformedError, match="neither welcome, refusal nor batch"):
        wire.response_from_wire(b"", welcome=WELCOME)


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (game_pb2.RuleSet(preset="tarneb", target=41), "did you mean tarneeb"),
        (game_pb2.RuleSet(preset="tarneeb", target=42), "target"),
        (game_pb2.RuleSet(preset="tarneeb", target=41, deals=1000), "deals"),
        (game_pb2.RuleSet(preset="tarneeb", target=41, max_deals=201), "max_deals"),
        (game_pb2.RuleSet(preset="tarneeb", target=41, max_cancelled=1001), "max_cancelled"),
    ],
)
def test_rules_that_do_not_exist(rules: game_pb2.RuleSet, text: str) -> None:
    with pytest.raises(MalformedError, match=text):
        wire.rules_from_wire(rules)


def test_a_notice_of_a_later_version_is_passed_over() -> None:
    later = pb.Notice(table_id=3)
    later.MergeFromString(UNKNOWN_FIELD)
    response = pb.PlayResponse(batch=pb.Batch(notices=[later]))
    data = response.SerializeToString()
    assert wire.response_from_wire(data, welcome=WELCOME) == Batch()
    with pytest.raises(MalformedError, match="nothing set that this version knows"):
        wire.notice_from_wire(later, rules=WELCOME.rules)


def test_a_lapse_for_an_unknown_reason() -> None:
    lapsed = pb.TurnLapsed(turn_id=1, move=game_pb2.Move(bid=7))
    with pytest.raises(MalformedError, match="lapse reason 0 is unknown"):
        wire.notice_from_wire(pb.Notice(turn_lapsed=lapsed), rules=WELCOME.rules)


def test_a_winner_that_is_no_team() -> None:
    over = pb.MatchOver(scores=[1, 2], winner=2)
    with pytest.raises(MalformedError, match="winner 2 is not team 0 or 1"):
        wire.notice_from_wire(pb.Notice(match_over=over), rules=WELCOME.rules)


def test_numbers_of_the_core_and_the_wire_are_the_same_for_cards() -> None:
    # protos/ promises it: a card is its number.
    assert wire.move_to_wire(Card("AS")).card == 51
    assert record_pb2.PlayedDeal(plays=bytes([Card("AS")])).plays == b"\x33"
