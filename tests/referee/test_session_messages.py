"""What bots may send that is not a legal answer, and what becomes of it."""

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
from tarneeb_referee.record_bytes import record_to_bytes
from tarneeb_referee.seat import (
    MAX_UNSENT_NOTICES,
    NOTICES_A_BATCH,
    Presence,
    SeatState,
)
from tarneeb_referee.session import FEW
from tarneeb_referee.table import Table
from tarneeb_sdk.game import PASS, Bid, Card, Move, NameTrump, Phase, Suit, rule_set
from tarneeb_sdk.messages import (
    Answer,
    Batch,
    Hello,
    LapseReason,
    MatchOver,
    MoveRefused,
    TurnLapsed,
    Welcome,
)
from tarneeb_sdk.wire import request_to_wire, response_from_wire
from tests.referee.kit import MS, Rig, plain_choice, plan_of, settings_of


def faults(rig: Rig) -> list[Fault]:
    return [fault for outcome in rig.outcomes for fault in outcome.record.faults]


def answers_of(*answers: pb.Answer) -> bytes:
    return pb.PlayRequest(answers=pb.Answers(answers=answers)).SerializeToString()


# Refused moves.


def rig_in(phase: Phase, *, leads: bool | None = None) -> Rig:
    rig = Rig().begin()

    def there() -> bool:
        view = rig.waiting()[0][1].view
        return view.phase is phase and (leads is None or leads == (not view.trick))

    rig.play(lambda view: view.legal[1 if view.phase is Phase.AUCTION else 0], until=there)
    return rig


REFUSED: list[tuple[Phase, bool | None, Move, str]] = [
    (Phase.AUCTION, None, Card("2C"), "R-3.2"),
    (Phase.AUCTION, None, Bid(2), "R-3.2"),
    (Phase.AUCTION, None, NameTrump(Suit.CLUBS), "R-3.2"),
    (Phase.TRUMP, None, PASS, "R-3.4"),
    (Phase.TRUMP, None, Bid(13), "R-3.4"),
    (Phase.TRUMP, None, Card("AS"), "R-3.7"),
    (Phase.PLAY, True, PASS, "R-4.1"),
    (Phase.PLAY, True, Bid(9), "R-4.1"),
    (Phase.PLAY, False, NameTrump(Suit.SPADES), "R-4.2"),
]


@pytest.mark.parametrize(("phase", "leads", "move", "rule"), REFUSED)
def test_bug_19_a_move_that_is_not_legal_is_refused_with_its_rule(
    phase: Phase, leads: bool | None, move: Move, rule: str
) -> None:
    rig = rig_in(phase, leads=leads)
    [(seat, turn)] = rig.waiting()
    rig.answer(seat, Answer(turn.turn_id, move))
    refusal = rig.seats[seat].notices[-1]
    assert isinstance(refusal, MoveRefused)
    assert refusal.turn_id == turn.turn_id
    assert refusal.legal == turn.view.legal
    assert refusal.reason.endswith(f"[{rule}]")
    assert refusal.retries_left == 2
    # The turn still waits, and a legal move is taken.
    rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    rig.play(plain_choice)
    [fault] = faults(rig)
    assert (fault.kind, fault.seat, fault.detail) == (FaultKind.ILLEGAL, seat, refusal.reason)
    assert not any(deal.referee_moves for deal in rig.outcomes[0].record.deals)


@pytest.mark.parametrize("held", [True, False], ids=["off suit", "not held"])
def test_bug_19_a_card_that_may_not_be_played_is_refused(held: bool) -> None:
    rig = Rig().begin()
    rig.play(
        lambda view: view.legal[1 if view.phase is Phase.AUCTION else 0],
        until=lambda: (
            bool(rig.waiting()[0][1].view.trick)
            and len(rig.waiting()[0][1].view.legal) < len(rig.waiting()[0][1].view.hand)
        ),
    )
    [(seat, turn)] = rig.waiting()
    wrong = next(
        card
        for card in map(Card, range(52))
        if (card in turn.view.hand) == held and card not in turn.view.legal
    )
    rig.answer(seat, Answer(turn.turn_id, wrong))
    refusal = rig.seats[seat].notices[-1]
    assert isinstance(refusal, MoveRefused)
    assert "R-4.2" in refusal.reason
    assert ("must follow" in refusal.reason) == held


def test_bug_19_retries_are_bounded_and_inside_the_same_clock() -> None:
    rig = Rig(settings_of(decision_s=0.5, retries=3)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(300)
    rig.answer(seat, Answer(turn.turn_id, Card("2C")))
    rig.pass_time(300)
    assert rig.seats[seat].notices[-1] == TurnLapsed(
        turn.table_id, turn.turn_id, LapseReason.TIME, PASS
    )


def test_bug_19_after_the_last_retry_further_answers_are_late() -> None:
    rig = Rig(settings_of(retries=2)).begin()
    [(seat, turn)] = rig.waiting()
    wrong = Answer(turn.turn_id, Card("2C"))
    rig.answer(seat, wrong, wrong, Answer(turn.turn_id, Bid(9)))
    assert isinstance(rig.seats[seat].notices[-1], TurnLapsed)
    assert rig.session.seat_state(seat).late == 1
    rig.play(plain_choice)
    assert [fault.kind for fault in faults(rig)] == [FaultKind.ILLEGAL] * 2
    assert rig.outcomes[0].record.deals[0].calls[0] is PASS


def test_a_wrong_and_then_a_right_answer_in_one_message_are_one_refusal() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    rig.answer(seat, Answer(turn.turn_id, Card("2C")), Answer(turn.turn_id, Bid(9)))
    assert [type(notice) for notice in rig.seats[seat].notices] == [MoveRefused]
    rig.play(plain_choice)
    assert rig.outcomes[0].record.deals[0].calls[0] == Bid(9)


def test_the_right_answer_twice_counts_once() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    right = Answer(turn.turn_id, Bid(9))
    rig.answer(seat, right, right)
    rig.answer(seat, right)
    assert rig.session.seat_state(seat).strays == 2
    rig.play(plain_choice)
    assert faults(rig) == []


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


def batch_of(state: SeatState) -> Batch:
    data = state.take_output()
    assert data is not None
    welcome = Rig().begin().seats[0].welcome
    batch = response_from_wire(data, welcome=welcome)
    assert isinstance(batch, Batch)
    return batch


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


# Batches.


def busiest_first(rig: Rig) -> list[int]:
    return sorted(range(4), key=lambda seat: -len(rig.seats[seat].turns))


def test_turns_wait_for_the_last_one_that_the_bot_is_at_work_on() -> None:
    rig = Rig(plan=plan_of(boards=8, tables=8)).begin()
    busy, *others = busiest_first(rig)
    sent = len(rig.seats[busy].raw)
    # Whatever the others answer, the busy seat gets no message while it has turns.
    for _ in range(20):
        for seat in others:
            for turn in list(rig.seats[seat].turns):
                rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    assert len(rig.seats[busy].raw) == sent
    state = rig.session.seat_state(busy)
    known = list(rig.seats[busy].turns)
    held = len(state.turns()) - len(known)
    assert held > 0
    rig.answer(busy, *(Answer(turn.turn_id, turn.view.legal[0]) for turn in known))
    assert len(rig.seats[busy].raw) == sent + 1
    assert len(rig.seats[busy].turns) >= held


def test_a_turn_that_was_not_sent_is_not_on_the_clock() -> None:
    rig = Rig(settings_of(decision_s=0.5), plan=plan_of(boards=8, tables=8), at_once=1).begin()
    idle = next(seat for seat in range(4) if rig.session.seat_state(seat).held)
    assert rig.seats[idle].turns == []
    assert rig.session.seat_state(idle).queue.head is None
    rig.pass_time(24)
    rig.now_ns += MS
    rig.session.tick(rig.now_ns)
    rig.pump()
    first = rig.seats[idle].turns[0]
    rig.pass_time(100)
    rig.answer(idle, Answer(first.turn_id, Bid(13)))
    rig.play(plain_choice)
    [decision] = [
        outcome.timings.seats[idle].decisions_us[0]
        for outcome in rig.outcomes
        if outcome.record.deals[0].calls[0] == Bid(13)
    ]
    assert decision == 100_000


def test_a_slow_bot_gets_its_turns_at_the_next_tick() -> None:
    rig = Rig(plan=plan_of(boards=8, tables=8)).begin()
    busy, *others = busiest_first(rig)
    for seat in others:
        for turn in list(rig.seats[seat].turns):
            rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    rig.pass_time(26)
    assert len(rig.seats[busy].turns) == len(rig.session.seat_state(busy).turns())


def test_what_is_held_goes_after_25_ms_and_not_with_any_tick_before() -> None:
    rig = Rig(plan=plan_of(boards=8, tables=8)).begin()
    rig.pass_time(20)
    busy, *others = busiest_first(rig)
    sent = len(rig.seats[busy].raw)
    for seat in others:
        for turn in list(rig.seats[seat].turns):
            rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    assert rig.session.seat_state(busy).held
    rig.pass_time(24.9)
    assert len(rig.seats[busy].raw) == sent
    rig.pass_time(0.2)
    assert len(rig.seats[busy].raw) == sent + 1
    assert not rig.session.seat_state(busy).held


def test_news_alone_are_not_held_for_longer_than_25_ms() -> None:
    rig = Rig(settings_of(rule_set("tarneeb", deals=2)), plan=plan_of(boards=8, tables=8)).begin()
    rig.play(plain_choice, until=lambda: any(log.notices for log in rig.seats))
    scored = {log.notices[-1].table_id for log in rig.seats if log.notices}
    rig.pass_time(25)
    for log in rig.seats:
        assert scored <= {notice.table_id for notice in log.notices}


def test_a_bot_that_came_back_has_nothing_left_to_be_sent() -> None:
    welcome = Rig().begin().seats[0].welcome
    assert welcome is not None
    state = SeatState(0)
    state.presence = Presence.AWAY
    state.tell(MatchOver(1, (0, 0), None), 5)
    before = state.held_since_ns
    state.presence = Presence.READY
    state.welcome(welcome, 10)
    # Else the session would tick for it without end.
    assert (before, state.held_since_ns) == (5, None)
    assert isinstance(response_from_wire(state.take_output() or b"", welcome=None), Welcome)
    assert len(batch_of(state).notices) == 1


def test_no_bot_is_set_to_work_for_few_turns_beside_another() -> None:
    rig = Rig(plan=plan_of(boards=12, tables=12), at_once=2).begin()
    beside = 0
    while not rig.session.over:
        sizes = {seat: len(log.turns) for seat, log in enumerate(rig.seats) if log.turns}
        seat = max(sizes, key=lambda each: sizes[each])
        turns = list(rig.seats[seat].turns)
        rig.answer(seat, *(Answer(turn.turn_id, plain_choice(turn.view)) for turn in turns))
        del sizes[seat]
        states = [rig.session.seat_state(seat) for seat in range(4)]
        few = FEW * sum(len(state.turns()) for state in states)
        sent = sorted(len(log.turns) for at, log in enumerate(rig.seats) if at not in sizes)
        # One may be sent whatever there is, if no other is at work.
        for size in sent if sizes else sent[:-1]:
            assert size == 0 or size >= few
            beside += size > 0
    assert len(rig.outcomes) == 12
    assert beside > 50


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_so_many_bots_are_at_work_as_there_are_processors(at_once: int) -> None:
    rig = Rig(plan=plan_of(boards=12, tables=12), at_once=at_once).begin()
    while not rig.session.over:
        at_work = [seat for seat in range(4) if rig.seats[seat].turns]
        assert 0 < len(at_work) <= at_once
        turns = list(rig.seats[at_work[0]].turns)
        rig.answer(at_work[0], *(Answer(turn.turn_id, plain_choice(turn.view)) for turn in turns))
    assert len(rig.outcomes) == 12


def test_a_bot_that_is_slow_holds_nobody_up() -> None:
    rig = Rig(plan=plan_of(boards=12, tables=12), at_once=1).begin()
    [slow] = [seat for seat in range(4) if rig.seats[seat].turns]
    for ms, at_work in ((4, 1), (2, 2)):
        rig.now_ns += ms * MS
        # Something happens, whatever it is.
        rig.answer((slow + 1) % 4, Answer(77, PASS))
        assert len([seat for seat in range(4) if rig.seats[seat].turns]) == at_work


def test_the_number_of_bots_at_work_changes_no_result() -> None:
    def records(at_once: int, tables: int) -> list[bytes]:
        rig = Rig(plan=plan_of(boards=6, tables=tables), at_once=at_once).begin()
        rig.play(plain_choice)
        ordered = sorted(rig.outcomes, key=lambda outcome: outcome.record.board)
        return [record_to_bytes(outcome.record) for outcome in ordered]

    assert records(1, 6) == records(4, 6) == records(2, 1) == records(4, 3)


def test_a_refusal_does_not_wait() -> None:
    rig = Rig(plan=plan_of(boards=8, tables=8)).begin()
    busy = max(range(4), key=lambda each: len(rig.seats[each].turns))
    turn = rig.seats[busy].turns[-1]
    rig.answer(busy, Answer(turn.turn_id, Card("2C")))
    assert isinstance(rig.seats[busy].notices[-1], MoveRefused)


def test_no_board_is_begun_while_results_cannot_be_stored() -> None:
    rig = Rig(plan=plan_of(boards=3)).begin()
    rig.session.hold(on=True)
    rig.play(plain_choice, until=lambda: len(rig.outcomes) == 1)
    rig.pass_time(1000)
    assert rig.waiting() == []
    rig.session.hold(on=False)
    rig.pass_time(26)
    assert len(rig.waiting()) == 1
    rig.play(plain_choice)
    assert len(rig.outcomes) == 3
