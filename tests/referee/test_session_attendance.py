"""Starts, crashes, lost streams, coming back, and being given up."""

import dataclasses

import pytest

from tarneeb_referee.commands import CloseReason, CloseStream
from tarneeb_referee.faults import BotFault, Fault, FaultKind, OurFaultKind, StreamEnded, blame
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.record import Ending
from tarneeb_referee.record_bytes import record_to_bytes
from tarneeb_sdk.game import PASS, Bid, rule_set
from tarneeb_sdk.messages import Answer, DealScored, LapseReason, TurnLapsed
from tests.referee.kit import Rig, plain_choice, plan_of, random_choice, settings_of

DISCONNECT = blame(StreamEnded())


def faults(rig: Rig) -> list[Fault]:
    return [fault for outcome in rig.outcomes for fault in outcome.record.faults]


def busy_rig(**limits: int) -> Rig:
    """Eight tables, in play, with turns waiting for every seat."""
    rig = Rig(settings_of(rule_set("tarneeb", deals=2), **limits), plan=plan_of(boards=8, tables=8))
    rig.begin()
    rig.play(random_choice(3), until=lambda: all(log.turns for log in rig.seats))
    return rig


# The start.


def test_nothing_is_asked_before_all_four_are_ready() -> None:
    rig = Rig()
    rig.launch()
    rig.hello(0, 1, 2)
    rig.pass_time(5000)
    assert rig.waiting() == []
    rig.hello(3)
    assert len(rig.waiting()) == 1


def test_the_welcome_tells_the_seat_the_rules_and_the_time() -> None:
    settings = settings_of(rule_set("syrian41"), decision_s=0.5, bank_s=7.0)
    rig = Rig(settings, plan=plan_of(boards=3, tables=2)).begin()
    for seat, log in enumerate(rig.seats):
        assert log.welcome is not None
        assert log.welcome.seat == seat
        assert log.welcome.rules == settings.rules
        assert log.welcome.tables == 2
        assert (log.welcome.time.decision_s, log.welcome.time.bank_s) == (0.5, 7.0)
        assert (log.welcome.time.strikes, log.welcome.time.retries) == (3, 3)
    assert len({log.welcome.seed for log in rig.seats if log.welcome}) == 4


def test_bug_06_a_slow_start_is_not_charged_to_the_first_move() -> None:
    rig = Rig(settings_of(start_s=10.0, decision_s=0.5))
    rig.launch()
    rig.hello(0, 1, 2)
    rig.pass_time(8000)
    rig.hello(3)
    rig.play(plain_choice)
    assert faults(rig) == []
    assert rig.session.seat_state(3).start_ns == 8_000_000_000


def test_a_bot_may_dial_in_before_its_host_has_said_that_it_runs() -> None:
    rig = Rig()
    for seat in range(4):
        rig.session.launching(seat, rig.now_ns)
    rig.hello(0, 1, 2, 3)
    for seat in range(4):
        rig.session.launched(seat, rig.now_ns)
    rig.play(plain_choice)
    assert len(rig.outcomes) == 1
    assert faults(rig) == []


def test_the_start_budget_counts_from_when_the_process_runs() -> None:
    rig = Rig(settings_of(start_s=2.0))
    rig.session.launching(0, rig.now_ns)
    rig.launch(1, 2, 3)
    rig.hello(1, 2, 3)
    # Its container, say, takes a long time to be made.
    rig.pass_time(9000)
    rig.session.launched(0, rig.now_ns)
    rig.pass_time(1900)
    rig.hello(0)
    assert len(rig.waiting()) == 1
    assert rig.session.seat_state(0).start_ns == 1_900_000_000


def test_bug_06_a_bot_that_is_never_ready_forfeits_every_board() -> None:
    rig = Rig(settings_of(start_s=10.0), plan=plan_of(boards=3, tables=2))
    rig.launch()
    rig.hello(0, 2, 3)
    rig.pass_time(10_100)
    assert rig.over
    assert [outcome.record.board for outcome in rig.outcomes] == [1, 2, 3]
    for outcome in rig.outcomes:
        record = outcome.record
        assert (record.ending, record.winner, record.deals) == (Ending.FORFEIT, 0, ())
        assert record.scores == (0, 0)
        detail = "did not become ready within 10.0 s (start limit)"
        assert record.faults == (Fault(FaultKind.NEVER_READY, 1, 0, 0, detail),)
    assert rig.stopped == [1]


def test_bug_12_a_bot_that_ends_before_it_is_ready_forfeits_without_waiting() -> None:
    rig = Rig()
    rig.launch()
    rig.hello(1, 2, 3)
    rig.exit(0, ExitInfo(code=127))
    assert rig.over
    [outcome] = rig.outcomes
    assert outcome.record.winner == 1
    assert [fault.detail for fault in outcome.record.faults] == ["exited with 127 before ready"]


def test_a_forfeit_waits_until_it_is_known_of_each_bot_whether_it_is_there() -> None:
    rig = Rig()
    rig.launch()
    rig.exit(0)
    assert not rig.over
    rig.hello(2, 3)
    assert not rig.over
    rig.pass_time(10_100)
    [outcome] = rig.outcomes
    assert outcome.record.winner is None
    assert [fault.seat for fault in outcome.record.faults] == [0, 1]


def test_partners_who_both_fail_lose_once() -> None:
    rig = Rig()
    rig.launch()
    rig.hello(0, 2)
    rig.exit(1)
    rig.exit(3)
    [outcome] = rig.outcomes
    assert outcome.record.winner == 0


def test_forfeits_have_equal_records_whatever_came_first() -> None:
    def run(*order: int) -> list[bytes]:
        rig = Rig(plan=plan_of(boards=2))
        rig.launch()
        for seat in order:
            rig.exit(seat) if seat in {0, 3} else rig.hello(seat)
        return [record_to_bytes(outcome.record) for outcome in rig.outcomes]

    assert run(0, 1, 2, 3) == run(3, 2, 1, 0) == run(1, 3, 0, 2)


@pytest.mark.parametrize("versions", [(0,), (999,), (2, 3), ()])
def test_bug_21_a_bot_of_another_protocol_is_told_and_marked_incompatible(
    versions: tuple[int, ...],
) -> None:
    rig = Rig()
    rig.launch()
    rig.hello(0, 1, 2)
    rig.hello(3, versions=versions)
    [outcome] = rig.outcomes
    [fault] = outcome.record.faults
    assert fault.kind is FaultKind.INCOMPATIBLE
    said = ", ".join(map(str, versions)) or "none"
    assert fault.detail == f"the referee speaks version 1, the bot said {said}"
    refusal = rig.seats[3].refusal
    assert refusal is not None
    assert refusal.protocol_versions == (1,)
    assert refusal.reason == fault.detail
    assert rig.over


def test_a_bot_that_speaks_several_versions_is_met_in_the_common_one() -> None:
    rig = Rig()
    rig.launch()
    rig.hello(0, 1, 2)
    rig.hello(3, versions=(999, 1, 0))
    assert rig.seats[3].welcome is not None
    assert rig.seats[3].welcome.protocol_version == 1


def test_a_bot_that_crashes_after_hello_while_others_start_is_started_again() -> None:
    rig = Rig()
    rig.launch()
    rig.hello(0)
    rig.exit(0)
    assert rig.restarts == [0]
    rig.launch(0)
    rig.hello(0, 1, 2, 3)
    rig.play(plain_choice)
    assert faults(rig) == []
    assert rig.session.seat_state(0).incidents == [BotFault(FaultKind.CRASH, "exited with 1")]


# Turns that wait while a bot is away.


def play_without(rig: Rig, away: int) -> None:
    """Let the other three play on until all tables wait for the one that is away."""
    choose = random_choice(3)
    while turns := [(seat, turn) for seat, turn in rig.waiting() if seat != away]:
        for seat, turn in turns:
            rig.answer(seat, Answer(turn.turn_id, choose(turn.view)))
        rig.hurry()


@pytest.mark.parametrize("how", ["lost stream", "crash"])
def test_bug_23_all_that_waits_is_sent_once_and_in_order_to_a_bot_that_comes_back(how: str) -> None:
    settings = settings_of(rule_set("tarneeb", deals=2), decision_s=1.0, bank_s=0.0)
    rig = Rig(settings, plan=plan_of(boards=16, tables=16)).begin()
    rig.play(random_choice(3), until=lambda: all(len(log.turns) > 1 for log in rig.seats))
    if how == "crash":
        rig.exit(0)
        play_without(rig, 0)
        rig.launch(0)
    else:
        rig.lose_stream(0)
        play_without(rig, 0)
    before = len(rig.seats[0].asked)
    rig.hello(0)
    again = rig.seats[0].asked[before:]
    assert len(again) == len({turn.turn_id for turn in again}) == 16
    # A bot that answers strictly in the order sent, far within its time for each.
    choose = random_choice(3)
    for turn in again:
        rig.pass_time(300)
        rig.answer(0, Answer(turn.turn_id, choose(turn.view)))
    assert not [each for each in rig.seats[0].notices if isinstance(each, TurnLapsed)]
    state = rig.session.seat_state(0)
    assert (state.strays, state.late) == (0, 0)
    assert FaultKind.TIME_OUT not in [fault.kind for fault in faults(rig)]


# Crashes.


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


# Streams.


def test_a_stream_that_ends_while_the_process_lives_is_a_disconnect() -> None:
    rig = busy_rig()
    rig.lose_stream(1)
    rig.pass_time(1100)
    rig.hello(1)
    rig.play(random_choice(3))
    assert [
        (fault.kind, fault.seat) for fault in faults(rig) if fault.detail == DISCONNECT.detail
    ] == [(FaultKind.DISCONNECT, 1)]
    assert rig.restarts == []


def test_coming_back_at_once_settles_it_as_a_disconnect() -> None:
    rig = busy_rig()
    rig.lose_stream(1)
    rig.hello(1)
    rig.play(random_choice(3))
    assert [fault.kind for fault in faults(rig)] == [FaultKind.DISCONNECT]


def test_a_second_stream_replaces_the_first() -> None:
    rig = busy_rig()
    before = [turn.turn_id for turn in rig.seats[1].turns]
    rig.seats[1].turns.clear()
    rig.hello(1)
    assert [turn.turn_id for turn in rig.seats[1].turns] == before
    rig.play(random_choice(3))
    assert [fault.kind for fault in faults(rig)] == [FaultKind.DISCONNECT]


def test_a_bot_that_stays_away_is_started_again() -> None:
    rig = Rig(settings_of(start_s=2.0, decision_s=100.0)).begin()
    seat = rig.waiting()[0][0]
    rig.lose_stream(seat)
    rig.pass_time(2100)
    assert rig.restarts == [seat]


def test_a_bot_that_dials_in_for_ever_is_flooding() -> None:
    rig = Rig(settings_of(rule_set("tarneeb", deals=2), streams=5, strikes=100)).begin()
    idle = (rig.waiting()[0][0] + 2) % 4
    for _ in range(4):
        rig.hello(idle)
    assert not rig.session.opened(idle, rig.now_ns)
    rig.pump()
    gone = BotFault(FaultKind.FLOODING, "more than 5 streams a board")
    assert rig.session.seat_state(idle).gone == gone
    rig.play(plain_choice)
    assert rig.over


# Coming back.


def test_r_7_3_a_bot_that_comes_back_is_asked_the_same_with_the_same_id() -> None:
    rig = busy_rig()
    before = {turn.turn_id: turn.view for turn in rig.seats[2].turns}
    rig.exit(2)
    rig.launch(2)
    rig.hello(2)
    after = {turn.turn_id: turn.view for turn in rig.seats[2].turns}
    assert after == before


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_r_7_3_a_bot_that_comes_back_sees_what_a_twin_sees_that_never_left(preset: str) -> None:
    settings = settings_of(
        rule_set(preset, deals=3), strikes=10_000, restarts=10_000, streams=10_000
    )
    steady, shaken = Rig(settings).begin(), Rig(settings).begin()
    choose = random_choice(8)
    turns = 0
    while not steady.session.over:
        [(seat, turn)] = steady.waiting()
        # In every phase: the seat that must move crashes, and another one with nothing to do.
        for crashing in (seat, (seat + 1 + turns % 3) % 4):
            shaken.exit(crashing)
            shaken.launch(crashing)
            shaken.hello(crashing)
        assert shaken.waiting() == [(seat, turn)]
        answer = Answer(turn.turn_id, choose(turn.view))
        steady.answer(seat, answer)
        shaken.answer(seat, answer)
        turns += 1
    assert turns > 100
    [[one], [other]] = steady.outcomes, shaken.outcomes
    assert other.record.deals == one.record.deals
    assert len(other.record.faults) == turns
    assert dataclasses.replace(other.record, faults=()) == one.record


def test_bug_22_it_is_told_what_is_left_of_its_clock() -> None:
    rig = Rig(settings_of(decision_s=2.0, bank_s=3.0)).begin()
    [(seat, turn)] = rig.waiting()
    assert turn.time_left_s == 5.0
    rig.pass_time(1500)
    rig.exit(seat)
    rig.launch(seat)
    rig.pass_time(500)
    rig.hello(seat)
    [again] = rig.seats[seat].turns
    assert again == turn._replace(time_left_s=3.0)
    rig.answer(seat, Answer(turn.turn_id, Bid(7)))
    rig.play(plain_choice)
    assert rig.outcomes[0].timings.seats[seat].decisions_us[0] == 2_000_000


def test_bug_22_an_answer_sent_before_the_crash_counts_once() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    rig.answer(seat, Answer(turn.turn_id, Bid(7)))
    rig.exit(seat)
    rig.launch(seat)
    rig.hello(seat)
    assert rig.seats[seat].turns == []
    rig.answer(seat, Answer(turn.turn_id, Bid(7)))
    rig.play(plain_choice)
    assert rig.outcomes[0].record.deals[0].calls[:2] == (Bid(7), PASS)
    assert rig.session.seat_state(seat).strays == 1


def test_bug_22_scores_and_strikes_are_not_reset() -> None:
    rig = Rig(settings_of(rule_set("tarneeb", deals=3), strikes=2, restarts=8)).begin()
    rig.play(
        random_choice(2),
        until=lambda: any(isinstance(notice, DealScored) for notice in rig.seats[0].notices),
    )
    [(seat, turn)] = rig.waiting()
    rig.exit(seat)
    rig.launch(seat)
    rig.hello(seat)
    [again] = rig.seats[seat].turns
    assert again.view.scores == turn.view.scores
    assert any(again.view.scores)
    rig.exit(seat)
    rig.launch(seat)
    rig.hello(seat)
    assert rig.seats[seat].turns == []
    rig.play(random_choice(2))
    assert rig.outcomes[0].record.autopilot_from[seat] > 1


def test_a_bot_that_lost_its_stream_gets_the_news_that_it_missed() -> None:
    rig = Rig(settings_of(rule_set("tarneeb", deals=3))).begin()
    rig.play(random_choice(2), until=lambda: rig.waiting()[0][0] == 0)
    rig.lose_stream(1)
    known = len(rig.seats[1].notices)
    while not rig.waiting() or rig.waiting()[0][0] != 1:
        if not rig.waiting():
            break
        seat, turn = rig.waiting()[0]
        rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    rig.hello(1)
    rig.play(random_choice(2))
    assert len(rig.seats[1].notices) > known
    assert rig.over


def test_two_returns_within_a_moment_do_no_harm() -> None:
    rig = busy_rig()
    before = [turn.turn_id for turn in rig.seats[2].turns]
    rig.lose_stream(2)
    rig.hello(2)
    rig.pass_time(50)
    rig.lose_stream(2)
    rig.hello(2)
    assert [turn.turn_id for turn in rig.seats[2].turns] == before


# The end.


def test_all_streams_are_closed_in_good_order_at_the_end() -> None:
    rig = Rig().begin()
    rig.play(plain_choice)
    assert [
        (command.seat, command.reason)
        for command in rig.commands
        if isinstance(command, CloseStream)
    ] == [(seat, CloseReason.DONE) for seat in range(4)]
    assert rig.over


def test_what_comes_after_the_end_does_nothing() -> None:
    rig = Rig().begin()
    rig.play(plain_choice)
    before = list(rig.commands)
    rig.exit(0)
    rig.lose_stream(1)
    rig.answer(2, Answer(1, PASS))
    assert not rig.session.opened(3, rig.now_ns)
    rig.session.tick(rig.now_ns + 10**12)
    rig.pump()
    assert rig.commands == before
