"""Lost streams, coming back, and the end of a session."""

import dataclasses

import pytest

from tarneeb_referee.commands import CloseReason, CloseStream
from tarneeb_referee.faults import BotFault, FaultKind, StreamEnded, blame
from tarneeb_sdk.game import PASS, Bid, rule_set
from tarneeb_sdk.messages import Answer, DealScored, TurnLapsed
from tests.referee.kit import (
    Rig,
    busy_rig,
    faults,
    plain_choice,
    plan_of,
    random_choice,
    settings_of,
)

DISCONNECT = blame(StreamEnded())


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
