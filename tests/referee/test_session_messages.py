"""Messages that are malformed, too many, or somebody else's; and what an error of ours does."""

import pytest

from tarneeb.v1 import game_pb2
from tarneeb.v1 import referee_service_pb2 as pb
from tarneeb_referee.commands import CloseReason, CloseStream
from tarneeb_referee.deals import Hands
from tarneeb_referee.faults import (
    BotFault,
    Fault,
    FaultKind,
    HostFailed,
    OurFaultKind,
    blame,
)
from tarneeb_referee.hall import Hall
from tarneeb_referee.seat import (
    MAX_UNSENT_NOTICES,
    NOTICES_A_BATCH,
    Presence,
    SeatState,
)
from tarneeb_referee.table import Table
from tarneeb_sdk.game import PASS, Bid, Card, rule_set
from tarneeb_sdk.messages import (
    Answer,
    Hello,
    MatchOver,
    MoveRefused,
)
from tarneeb_sdk.wire import request_to_wire
from tests.referee.kit import Rig, batch_of, faults, plain_choice, plan_of, settings_of


def answers_of(*answers: pb.Answer) -> bytes:
    return pb.PlayRequest(answers=pb.Answers(answers=answers)).SerializeToString()


# Malformed answers and messages.


MALFORMED = [
    (pb.Answer(), "names no turn"),
    (pb.Answer(move=game_pb2.Move(card=3)), "names no turn"),
]


@pytest.mark.parametrize(("answer", "reason"), MALFORMED)
def test_an_answer_that_names_no_turn_counts_for_the_turn_on_the_clock(
    answer: pb.Answer, reason: str
) -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    rig.send(seat, answers_of(answer))
    refusal = rig.seats[seat].notices[-1]
    assert isinstance(refusal, MoveRefused)
    assert refusal.turn_id == turn.turn_id
    assert reason in refusal.reason


@pytest.mark.parametrize(
    "move",
    [
        None,
        game_pb2.Move(),
        game_pb2.Move(bid=0),
        game_pb2.Move(bid=14),
        game_pb2.Move(card=52),
        game_pb2.Move(card=2**32 - 1),
        game_pb2.Move(trump=game_pb2.SUIT_UNSPECIFIED),
        game_pb2.Move(trump=9),  # type: ignore[arg-type]
    ],
    ids=str,
)
def test_bug_20_no_choice_or_an_unknown_one_is_never_a_move(move: game_pb2.Move | None) -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    rig.send(seat, answers_of(pb.Answer(turn_id=turn.turn_id, move=move)))
    refusal = rig.seats[seat].notices[-1]
    assert isinstance(refusal, MoveRefused)
    assert len(rig.waiting()) == 1
    rig.answer(seat, Answer(turn.turn_id, Bid(9)))
    rig.play(plain_choice)
    [fault] = faults(rig)
    assert fault.kind is FaultKind.MALFORMED
    assert rig.outcomes[0].record.deals[0].calls[0] == Bid(9)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x9a\x06\x01x",
        b"\xff\xff\xff\xff",
        b"\x12\x00",
        pb.PlayRequest(answers=pb.Answers()).SerializeToString(),
        request_to_wire(Hello((1,))),
    ],
    ids=["empty", "unknown field", "garbage", "no answers", "no answers either", "hello again"],
)
def test_bug_20_a_message_that_says_nothing_is_a_refused_answer(data: bytes) -> None:
    rig = Rig(settings_of(strikes=1)).begin()
    [(seat, turn)] = rig.waiting()
    for _ in range(3):
        rig.send(seat, data)
    rig.play(plain_choice)
    assert {fault.kind for fault in faults(rig)} == {FaultKind.MALFORMED}
    assert len(faults(rig)) == 3
    assert rig.outcomes[0].record.autopilot_from[seat] == 1
    assert rig.outcomes[0].record.deals[0].calls[0] is PASS
    assert turn.turn_id not in [each.turn_id for _, each in rig.waiting()]


def test_a_message_that_says_nothing_from_a_seat_without_a_turn_is_a_stray() -> None:
    rig = Rig().begin()
    idle = (rig.waiting()[0][0] + 1) % 4
    rig.send(idle, b"")
    assert rig.session.seat_state(idle).strays == 1
    assert rig.seats[idle].notices == []


def test_one_bad_answer_does_not_spoil_the_good_ones_beside_it() -> None:
    rig = Rig(plan=plan_of(boards=8, tables=8)).begin()
    seat = max(range(4), key=lambda each: len(rig.seats[each].turns))
    bad, *good = rig.seats[seat].turns
    rig.answer(
        seat,
        Answer(bad.turn_id, Card("2C")),
        *(Answer(turn.turn_id, Bid(9)) for turn in good),
        Answer(12345, PASS),
    )
    state = rig.session.seat_state(seat)
    assert [waiting.turn_id for waiting in state.queue.turns()] == [bad.turn_id]
    assert state.strays == 1


def test_answers_before_hello_are_strays_and_cost_nobody_anything() -> None:
    rig = Rig()
    rig.launch()
    assert rig.session.opened(0, rig.now_ns)
    rig.answer(0, Answer(1, PASS))
    rig.hello()
    rig.play(plain_choice)
    assert faults(rig) == []
    assert rig.session.seat_state(0).strays == 1


# Flooding.


def test_bug_11_a_message_too_long_names_its_length_and_closes_the_stream() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    rig.send(seat, bytes(5 * 1024 * 1024))
    [close] = [command for command in rig.commands if isinstance(command, CloseStream)]
    assert close == CloseStream(
        seat, CloseReason.MESSAGE_TOO_LONG, "message of 5242880 bytes exceeds 65536"
    )
    rig.seats[seat].turns.clear()
    rig.hello(seat)
    assert [each.turn_id for each in rig.seats[seat].turns] == [turn.turn_id]
    rig.play(plain_choice)
    [fault] = faults(rig)
    assert fault == Fault(FaultKind.MALFORMED, seat, 1, 0, "message of 5242880 bytes exceeds 65536")


def test_the_longest_message_that_is_allowed_is_read() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    data = request_to_wire_of(turn.turn_id)
    padded = data + b"\x9a\x06" + _varint(65_536 - len(data) - 5) + bytes(65_536 - len(data) - 5)
    assert len(padded) == 65_536
    rig.send(seat, padded)
    assert rig.session.seat_state(seat).queue.get(turn.turn_id) is None
    assert rig.closed == []


def request_to_wire_of(turn_id: int) -> bytes:
    return answers_of(pb.Answer(turn_id=turn_id, move=game_pb2.Move(bid=9)))


def _varint(number: int) -> bytes:
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


def test_bug_11_a_bot_that_answers_what_was_never_asked_is_given_up() -> None:
    rig = Rig(settings_of(strays=1000), plan=plan_of(boards=2, tables=2)).begin()
    flooder = rig.waiting()[0][0]
    for _ in range(21):
        rig.answer(flooder, *(Answer(n, PASS) for n in range(1, 101)))
    gone = rig.session.seat_state(flooder).gone
    often = "more than 1000 answers a board to turns that did not wait"
    assert gone == BotFault(FaultKind.FLOODING, often)
    assert rig.stopped == [flooder]
    assert rig.session.seat_state(flooder).strays == 2001
    rig.play(plain_choice)
    assert len(rig.outcomes) == 2
    # It flooded once; both matches suffer from it.
    assert sorted((fault.kind.value, fault.seat) for fault in faults(rig)) == [
        ("absent", flooder),
        ("absent", flooder),
        ("flooding", flooder),
    ]


def test_a_flood_beside_good_answers_costs_the_seat_and_harms_nothing_else() -> None:
    rig = Rig(settings_of(strays=10), plan=plan_of(boards=8, tables=8)).begin()
    seat = max(range(4), key=lambda each: len(rig.seats[each].turns))
    good = [Answer(turn.turn_id, Bid(9)) for turn in rig.seats[seat].turns]
    rig.answer(seat, *good, *(Answer(n, PASS) for n in range(1, 91)))
    assert rig.voids == []
    rig.play(plain_choice)
    assert len(rig.outcomes) == 8


def test_a_flood_of_strays_before_play_begins_is_a_forfeit() -> None:
    rig = Rig(settings_of(strays=10))
    rig.launch()
    rig.hello(0)
    rig.answer(0, *(Answer(n, PASS) for n in range(1, 21)))
    rig.hello(1, 2, 3)
    [outcome] = rig.outcomes
    assert (outcome.record.winner, outcome.record.ending.name) == (1, "FORFEIT")


def test_news_for_a_bot_that_does_not_read_is_bounded() -> None:
    state = SeatState(0)
    state.presence = Presence.READY
    for number in range(MAX_UNSENT_NOTICES + 10):
        state.tell(MatchOver(number, (0, 0), None), 0)
    state.dispatch(0)
    tables = [notice.table_id for notice in batch_of(state).notices]
    assert tables == list(range(10, 10 + NOTICES_A_BATCH))
    while state.has_output:
        tables = [notice.table_id for notice in batch_of(state).notices]
    assert tables[-1] == MAX_UNSENT_NOTICES + 9


# Whose turn it is, and whose answer.


def test_bug_18_a_move_counts_for_the_seat_whose_stream_it_came_on() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    for other in range(4):
        if other != seat:
            rig.answer(other, Answer(turn.turn_id, Bid(13)))
            assert rig.session.seat_state(other).strays == 1
    assert [each for each, _ in rig.waiting()] == [seat]
    rig.answer(seat, Answer(turn.turn_id, Bid(7)))
    rig.play(plain_choice)
    assert rig.outcomes[0].record.deals[0].calls[0] == Bid(7)


# Faults of ours.


def test_an_exception_at_a_table_voids_that_match_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = Hall._hands

    def failing(self: Hall, board: int, deal_number: int, redeal_number: int) -> Hands:
        if board == 2 and deal_number == 2:
            raise ZeroDivisionError("deal 2")
        return deal(self, board, deal_number, redeal_number)

    monkeypatch.setattr(Hall, "_hands", failing)
    rig = Rig(settings_of(rule_set("tarneeb", deals=2)), plan=plan_of(boards=3, tables=3))
    rig.begin()
    rig.play(plain_choice)
    assert rig.over
    assert sorted(outcome.record.board for outcome in rig.outcomes) == [1, 3]
    [void] = rig.voids
    assert void.board == 2
    assert void.fault.kind is OurFaultKind.REFEREE_ERROR
    assert void.fault.detail == "ZeroDivisionError: deal 2"
    assert faults(rig) == []


def test_a_turn_of_a_void_match_waits_no_more_and_an_answer_to_it_is_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = Rig(plan=plan_of(boards=2, tables=2)).begin()
    seat, turn = rig.waiting()[0]

    def failing(_self: Table, *_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Table, "answered", failing)
        rig.answer(seat, Answer(turn.turn_id, Bid(9)))
    assert len(rig.voids) == 1
    assert rig.session.seat_state(seat).queue.get(turn.turn_id) is None
    rig.play(plain_choice)
    assert len(rig.outcomes) == 1


def test_a_fault_of_ours_voids_all_that_has_no_outcome_yet() -> None:
    rig = Rig(plan=plan_of(boards=4, tables=2)).begin()
    rig.play(plain_choice, until=lambda: len(rig.outcomes) == 1)
    rig.session.void(blame(HostFailed("no process")), rig.now_ns)
    rig.pump()
    assert rig.over
    boards = {outcome.record.board for outcome in rig.outcomes}
    assert boards | {void.board for void in rig.voids} == {1, 2, 3, 4}
    assert len(rig.voids) == 4 - len(boards)
    assert rig.closed == [0, 1, 2, 3]
