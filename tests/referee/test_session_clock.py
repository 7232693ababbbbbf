"""Time, as a session sees it: deadlines, late answers, the referee's own lag."""

from tarneeb_referee.faults import FaultKind
from tarneeb_referee.record import RefereeMoveReason
from tarneeb_sdk.game import PASS, Bid, Phase, rule_set
from tarneeb_sdk.messages import Answer, LapseReason, TurnLapsed
from tests.referee.kit import MS, Rig, plain_choice, plan_of, random_choice, settings_of


def kinds(rig: Rig) -> list[FaultKind]:
    return [fault.kind for outcome in rig.outcomes for fault in outcome.record.faults]


def test_the_others_play_on_within_limit_and_margin_and_a_tick() -> None:
    rig = Rig(settings_of(decision_s=0.5, margin_s=0.05)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(549)
    assert rig.seats[seat].notices == []
    rig.pass_time(27)
    assert rig.seats[seat].notices == [
        TurnLapsed(turn.table_id, turn.turn_id, LapseReason.TIME, PASS)
    ]
    assert [other for other, _ in rig.waiting()] == [(seat + 1) % 4]


def test_bug_07_a_late_answer_is_dropped_counted_and_lands_on_no_other_turn() -> None:
    rig = Rig(settings_of(decision_s=0.5)).begin()
    [(first, turn)] = rig.waiting()
    rig.pass_time(700)
    waiting_before = rig.waiting()
    rig.answer(first, Answer(turn.turn_id, Bid(13)))
    assert rig.waiting() == waiting_before
    rig.play(plain_choice)
    [outcome] = rig.outcomes
    assert outcome.record.deals[0].calls[0] is PASS
    assert kinds(rig) == [FaultKind.TIME_OUT]
    assert outcome.timings.seats[first].late == 1
    assert rig.session.seat_state(first).late == 1
    assert rig.session.seat_state(first).strays == 0


def test_a_late_answer_sent_twice_is_late_once_and_stray_once() -> None:
    rig = Rig(settings_of(decision_s=0.5)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(700)
    rig.answer(seat, Answer(turn.turn_id, PASS), Answer(turn.turn_id, PASS))
    state = rig.session.seat_state(seat)
    assert (state.late, state.strays) == (1, 1)


def test_a_late_answer_after_the_match_has_ended_is_late() -> None:
    rig = Rig(settings_of(decision_s=0.5), plan=plan_of(boards=2)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(700)
    rig.play(plain_choice, until=lambda: len(rig.outcomes) == 1)
    assert rig.outcomes[0].timings.seats[seat].late == 0
    rig.answer(seat, Answer(turn.turn_id, PASS))
    assert rig.session.seat_state(seat).late == 1
    assert len(rig.outcomes) == 1


def test_an_answer_that_comes_after_the_deadline_is_late_even_before_the_next_tick() -> None:
    rig = Rig(settings_of(decision_s=0.5, margin_s=0.05)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(549)
    rig.now_ns += 2 * MS
    rig.answer(seat, Answer(turn.turn_id, Bid(9)))
    rig.play(plain_choice)
    assert kinds(rig) == [FaultKind.TIME_OUT]
    assert rig.outcomes[0].timings.seats[seat].late == 1


def test_bug_08_a_bot_just_inside_the_limit_never_forfeits() -> None:
    rig = Rig(settings_of(rule_set("tarneeb", deals=3), decision_s=0.5, margin_s=0.05)).begin()
    rig.play(random_choice(1), think_ms=530)
    assert kinds(rig) == []
    decisions = [us for seat in rig.outcomes[0].timings.seats for us in seat.decisions_us]
    assert len(decisions) > 100
    assert set(decisions) == {530_000}


def test_bug_08_a_bot_just_outside_the_limit_is_always_caught() -> None:
    rig = Rig(settings_of(decision_s=0.5, margin_s=0.05, strikes=1000)).begin()
    while not rig.session.over:
        [(seat, turn)] = rig.waiting()
        rig.pass_time(551)
        rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    [outcome] = rig.outcomes
    assert set(kinds(rig)) == {FaultKind.TIME_OUT}
    assert all(seat.decisions_us == () for seat in outcome.timings.seats)
    assert sum(seat.timed_out for seat in outcome.timings.seats) == len(kinds(rig))


def test_the_bank_pays_for_slow_decisions_until_it_is_empty() -> None:
    rig = Rig(settings_of(decision_s=1.0, bank_s=2.0, margin_s=0.0)).begin()
    [(seat, turn)] = rig.waiting()
    assert turn.time_left_s == 3.0
    rig.pass_time(2500)
    rig.answer(seat, Answer(turn.turn_id, Bid(7)))
    while rig.waiting()[0][0] != seat:
        [(other, their_turn)] = rig.waiting()
        rig.answer(other, Answer(their_turn.turn_id, their_turn.view.legal[-1]))
        if their_turn.view.legal[-1] == Bid(13):
            break
    rig.play(plain_choice)
    assert rig.outcomes[0].timings.seats[seat].bank_left_us == 500_000


def test_many_tables_are_clocked_one_by_one() -> None:
    rig = Rig(
        settings_of(decision_s=0.5, margin_s=0.05), plan=plan_of(boards=12, tables=12)
    ).begin()
    # Each seat answers one turn at a time, each in 400 ms, while the others wait.
    while not rig.session.over:
        rig.pass_time(400)
        for log in rig.seats:
            if log.turns:
                turn = log.turns[0]
                seat = rig.seats.index(log)
                rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    assert len(rig.outcomes) == 12
    assert kinds(rig) == []


def test_a_message_with_many_answers_shares_its_time_out() -> None:
    rig = Rig(settings_of(decision_s=1.0), plan=plan_of(boards=8, tables=8)).begin()
    seat = max(range(4), key=lambda each: len(rig.seats[each].turns))
    turns = list(rig.seats[seat].turns)
    assert len(turns) > 1
    rig.pass_time(1000)
    rig.answer(seat, *(Answer(turn.turn_id, turn.view.legal[0]) for turn in turns))
    rig.play(plain_choice)
    shared = 1_000_000 // len(turns)
    firsts = [
        outcome.timings.seats[seat].decisions_us[0]
        for outcome in rig.outcomes
        if outcome.record.deals[0].dealer == (seat - 1) % 4
    ]
    assert firsts == [shared] * len(turns)


# The referee's own lag.


def test_bug_08_a_pause_of_the_referee_is_not_charged() -> None:
    rig = Rig(settings_of(decision_s=0.5, margin_s=0.05)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(500)
    # The referee hangs for 200 ms; the bot's answer has come meanwhile.
    rig.now_ns += 200 * MS
    rig.answer(seat, Answer(turn.turn_id, Bid(9)))
    rig.play(plain_choice)
    assert kinds(rig) == []
    timings = rig.outcomes[0].timings
    assert timings.seats[seat].decisions_us[0] <= 550_000
    assert 175_000 <= timings.max_lag_us <= 225_000
    report = rig.session.lag_report()
    assert report.stalls == 1
    assert 0.17 <= report.max_s <= 0.2


def test_after_a_pause_messages_are_read_before_anything_is_judged() -> None:
    rig = Rig(settings_of(decision_s=0.5, margin_s=0.05)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(540)
    rig.now_ns += 5000 * MS
    # The timer comes first, and the message right after it.
    rig.session.tick(rig.now_ns)
    rig.pump()
    rig.now_ns += 2 * MS
    rig.answer(seat, Answer(turn.turn_id, Bid(9)))
    rig.play(plain_choice)
    assert kinds(rig) == []


def test_a_referee_that_is_always_late_still_judges() -> None:
    rig = Rig(settings_of(decision_s=0.5, margin_s=0.05)).begin()
    for _ in range(200):
        rig.now_ns = rig.session.tick_due_ns + 20 * MS
        rig.session.tick(rig.now_ns)
        rig.pump()
        if rig.seats[0].notices or rig.seats[1].notices:
            break
    else:
        raise AssertionError("nothing was ever judged")


def test_a_pause_does_not_use_up_the_start_budget() -> None:
    rig = Rig(settings_of(start_s=1.0))
    rig.launch()
    rig.pass_time(900)
    rig.now_ns += 5000 * MS
    rig.session.tick(rig.now_ns)
    rig.pass_time(50)
    rig.hello()
    assert rig.waiting()


def test_a_suspended_referee_charges_nobody() -> None:
    rig = Rig(settings_of(decision_s=0.5)).begin()
    rig.pass_time(100)
    rig.now_ns += 3600 * 1000 * MS
    rig.session.tick(rig.now_ns)
    rig.pump()
    rig.pass_time(300)
    rig.play(plain_choice)
    assert kinds(rig) == []


# Autopilot, and bots that hang.


def test_three_time_outs_in_a_match_end_in_autopilot_for_that_match_alone() -> None:
    rig = Rig(settings_of(decision_s=0.5, strikes=3), plan=plan_of(boards=2)).begin()
    lost: list[int] = []
    while not rig.session.over:
        [(seat, turn)] = rig.waiting()
        if seat == 2 and turn.view.phase is Phase.PLAY and len(lost) < 3:
            lost.append(turn.turn_id)
            rig.pass_time(600)
            # Too late, but a sign of life: it does not hang.
            rig.answer(2, Answer(turn.turn_id, turn.view.legal[-1]))
        else:
            rig.answer(seat, Answer(turn.turn_id, turn.view.legal[-1]))
    first, second = rig.outcomes
    assert [fault.kind for fault in first.record.faults] == [FaultKind.TIME_OUT] * 3
    assert first.record.autopilot_from == (0, 0, 1, 0)
    assert [move.reason for move in first.record.deals[0].referee_moves][:4] == [
        *[RefereeMoveReason.TIME] * 3,
        RefereeMoveReason.AUTOPILOT,
    ]
    assert first.timings.seats[2].late == 3
    assert second.record.faults == ()
    assert second.record.autopilot_from == (0, 0, 0, 0)
    assert rig.restarts == []


def test_bug_05_a_bot_that_hangs_is_started_again_after_three_silent_turns() -> None:
    rig = Rig(settings_of(decision_s=0.5), plan=plan_of(boards=8, tables=8)).begin()
    seat = max(range(4), key=lambda each: len(rig.seats[each].turns))
    rig.pass_time(600)
    assert rig.restarts == []
    rig.pass_time(1200)
    assert rig.restarts == [seat, *[other for other in rig.restarts if other != seat]]
    assert seat in rig.closed


def test_a_turn_that_lapses_before_it_was_sent_is_not_sent() -> None:
    rig = Rig(settings_of(decision_s=0.5), plan=plan_of(boards=1)).begin()
    [(seat, turn)] = rig.waiting()
    rig.lose_stream(seat)
    rig.pass_time(600)
    rig.hello(seat)
    assert turn.turn_id not in [each.turn_id for each in rig.seats[seat].turns]
