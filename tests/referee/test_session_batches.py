"""When turns are sent, and how many bots are at work at once."""

import pytest

from tarneeb_referee.record_bytes import record_to_bytes
from tarneeb_referee.seat import Presence, SeatState
from tarneeb_referee.session import FEW
from tarneeb_sdk.game import PASS, Bid, Card, rule_set
from tarneeb_sdk.messages import Answer, MatchOver, MoveRefused, Welcome
from tarneeb_sdk.wire import response_from_wire
from tests.referee.kit import MS, Rig, batch_of, plain_choice, plan_of, settings_of


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
