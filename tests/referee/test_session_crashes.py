"""A bot that ends: noticed at once, blamed once, started again, and given up at last."""

import dataclasses

import pytest

from tarneeb_referee.faults import BotFault, FaultKind, OurFaultKind
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_sdk.game import PASS
from tarneeb_sdk.messages import Answer, LapseReason, TurnLapsed
from tests.referee.kit import (
    Rig,
    busy_rig,
    faults,
    plain_choice,
    plan_of,
    random_choice,
    settings_of,
)


def test_a_crash_is_noticed_at_once_and_is_a_strike_where_it_was_deciding() -> None:
    rig = busy_rig()
    head = rig.session.seat_state(1).queue.head
    assert head is not None
    board = head.payload.place.board
    rig.exit(1, ExitInfo(signal_name="SIGSEGV"))
    assert rig.restarts == [1]
    rig.launch(1)
    rig.hello(1)
    rig.play(random_choice(3))
    assert len(rig.outcomes) == 8
    crashed = [outcome.record for outcome in rig.outcomes if outcome.record.faults]
    assert [record.board for record in crashed] == [board]
    [fault] = crashed[0].faults
    assert (fault.kind, fault.seat, fault.detail) == (FaultKind.CRASH, 1, "killed by SIGSEGV")


@pytest.mark.parametrize("order", ["stream first", "exit first"])
def test_a_crash_is_one_fault_though_its_stream_ends_too(order: str) -> None:
    rig = busy_rig()
    if order == "stream first":
        rig.lose_stream(1)
        rig.pass_time(200)
        rig.exit(1)
    else:
        rig.exit(1)
        rig.lose_stream(1)
    rig.launch(1)
    rig.hello(1)
    rig.play(random_choice(3))
    assert [fault.kind for fault in faults(rig)] == [FaultKind.CRASH]
    assert rig.session.seat_state(1).incidents == []


def test_a_process_that_takes_long_to_end_on_a_busy_machine_has_crashed_all_the_same() -> None:
    rig = Rig(settings_of(decision_s=100.0)).begin()
    seat = rig.waiting()[0][0]
    rig.lose_stream(seat)
    rig.pass_time(3000)
    rig.exit(seat)
    rig.launch(seat)
    rig.hello(seat)
    rig.play(plain_choice)
    assert [fault.kind for fault in faults(rig)] == [FaultKind.CRASH]


OVER_MEMORY = ExitInfo(signal_name="SIGKILL", over_memory=True)
OURS = ExitInfo(signal_name="SIGKILL", host_failure="somebody sent it signal 9")


@pytest.mark.parametrize(
    "how", [OVER_MEMORY, OURS, ExitInfo(code=1)], ids=["memory", "ours", "own"]
)
@pytest.mark.parametrize(
    "order",
    [("stream", "ending", "exit"), ("ending", "stream", "exit"), ("ending", "exit", "stream")],
)
def test_nothing_is_booked_before_the_host_tells_how_a_process_ended(
    order: tuple[str, ...], how: ExitInfo
) -> None:
    rig = Rig(settings_of(decision_s=100.0, start_s=5.0)).begin()
    seat = rig.waiting()[0][0]
    for event in order:
        if event == "ending":
            rig.session.ending(seat)
        elif event == "stream":
            rig.lose_stream(seat)
        else:
            # Longer than any grace.
            rig.pass_time(25_000)
            assert (rig.restarts, rig.session.seat_state(seat).incidents) == ([], [])
            rig.exit(seat, how)
    if how is OURS:
        assert (len(rig.voids), rig.outcomes) == (1, [])
        return
    rig.launch(seat)
    rig.hello(seat)
    rig.play(plain_choice)
    expected = FaultKind.OVER_MEMORY if how is OVER_MEMORY else FaultKind.CRASH
    assert [fault.kind for fault in faults(rig)] == [expected]
    assert rig.session.seat_state(seat).incidents == []


def test_the_next_process_is_judged_in_its_own_time() -> None:
    rig = Rig(settings_of(decision_s=100.0, start_s=2.0)).begin()
    seat = rig.waiting()[0][0]
    rig.session.ending(seat)
    rig.exit(seat)
    rig.launch(seat)
    rig.pass_time(2100)
    assert rig.stopped == [seat]


def test_a_disconnect_is_booked_though_the_bot_does_not_come_back_in_time() -> None:
    rig = Rig(settings_of(decision_s=100.0, start_s=2.0)).begin()
    seat = rig.waiting()[0][0]
    rig.lose_stream(seat)
    rig.pass_time(2100)
    assert rig.restarts == [seat]
    rig.launch(seat)
    rig.hello(seat)
    rig.play(plain_choice)
    assert [fault.kind for fault in faults(rig)] == [FaultKind.DISCONNECT]


def test_a_crash_stops_no_clock() -> None:
    rig = Rig(settings_of(decision_s=0.5)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(300)
    rig.exit(seat)
    rig.pass_time(300)
    rig.play(plain_choice, until=lambda: not rig.waiting())
    rig.launch(seat)
    rig.hello(seat)
    lapsed = TurnLapsed(turn.table_id, turn.turn_id, LapseReason.TIME, PASS)
    # A new process knows nothing of the old one's turns, and is not told.
    assert lapsed not in rig.seats[seat].notices
    rig.play(plain_choice)
    assert [fault.kind for fault in faults(rig)] == [FaultKind.CRASH, FaultKind.TIME_OUT]


def test_a_bot_that_crashes_at_every_turn_ends_on_autopilot_in_that_match() -> None:
    rig = Rig(settings_of(strikes=3, restarts=8), plan=plan_of(boards=2)).begin()
    victim = rig.waiting()[0][0]
    while len(rig.outcomes) < 1:
        for seat, turn in rig.waiting():
            if seat == victim:
                rig.exit(seat)
                rig.launch(seat)
                rig.hello(seat)
            else:
                rig.answer(seat, Answer(turn.turn_id, turn.view.legal[-1]))
    rig.play(plain_choice)
    first, second = rig.outcomes
    assert [fault.kind for fault in first.record.faults] == [FaultKind.CRASH] * 3
    assert first.record.autopilot_from[victim] == 1
    assert second.record.faults == ()
    assert rig.restarts == [victim] * 3


def test_a_bot_that_uses_up_its_restarts_is_gone_for_the_rest_of_the_session() -> None:
    rig = Rig(settings_of(strikes=100, restarts=1), plan=plan_of(boards=4, tables=2)).begin()
    rig.play(random_choice(3), until=lambda: bool(rig.seats[2].turns))
    for _ in range(5):
        rig.exit(2)
        rig.launch(2)
        if not rig.stopped:
            rig.hello(2)
    assert rig.restarts == [2] * 4
    assert rig.stopped == [2]
    assert not rig.session.opened(2, rig.now_ns)
    rig.play(random_choice(3))
    assert len(rig.outcomes) == 4
    gone = rig.session.seat_state(2).gone
    assert gone == BotFault(FaultKind.CRASH, "exited with 1, after 1 restarts a board")
    for outcome in rig.outcomes:
        assert outcome.record.autopilot_from[2] == 1
        assert f"given up: crash: {gone.detail}" in [each.detail for each in outcome.record.faults]
        assert {fault.seat for fault in outcome.record.faults} == {2}
    # It crashed five times, and no oftener because it is missed at every table since.
    kinds = [fault.kind for fault in faults(rig)]
    assert (kinds.count(FaultKind.CRASH), kinds.count(FaultKind.ABSENT)) == (5, 4)


def test_as_many_boards_so_many_times_may_a_bot_be_started_again() -> None:
    """So it does not matter how many boards are played at once, or after which one it resumes."""
    limits = settings_of(restarts=2, strays=30, streams=5).limits
    scaled = limits.of_session(4)
    assert (scaled.restarts, scaled.strays, scaled.streams) == (8, 120, 20)
    assert dataclasses.replace(scaled, restarts=2, strays=30, streams=5) == limits
    assert limits.of_session(0) == limits


def test_a_bot_that_does_not_come_back_within_the_start_budget_is_gone() -> None:
    rig = Rig(settings_of(decision_s=100.0, start_s=2.0), plan=plan_of(boards=2)).begin()
    victim = rig.waiting()[0][0]
    rig.exit(victim)
    rig.launch(victim)
    rig.pass_time(2100)
    assert rig.stopped == [victim]
    rig.play(plain_choice)
    kinds = [fault.kind for fault in faults(rig)]
    absent = [FaultKind.ABSENT] * 2
    assert kinds == [FaultKind.CRASH, FaultKind.NEVER_READY, *absent]
    assert len(rig.outcomes) == 2


def test_a_crash_with_no_turn_is_an_incident_and_no_strike() -> None:
    rig = Rig().begin()
    idle = (rig.waiting()[0][0] + 2) % 4
    rig.exit(idle)
    rig.launch(idle)
    rig.hello(idle)
    rig.play(plain_choice)
    assert faults(rig) == []
    assert rig.session.seat_state(idle).incidents == [BotFault(FaultKind.CRASH, "exited with 1")]


def test_a_crash_while_the_machine_was_out_of_memory_is_ours() -> None:
    rig = Rig(plan=plan_of(boards=3, tables=2)).begin()
    rig.exit(0, ExitInfo(signal_name="SIGKILL", host_out_of_memory=True))
    assert rig.over
    assert rig.outcomes == []
    assert sorted(void.board for void in rig.voids) == [1, 2, 3]
    assert {void.fault.kind for void in rig.voids} == {OurFaultKind.HOST_SHORT}
