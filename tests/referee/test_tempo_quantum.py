"""Answers that others see only at multiples of a step."""

import dataclasses

import pytest

from tarneeb_referee.clock import release_after_ns
from tarneeb_referee.faults import FaultKind
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.game import PASS, rule_set
from tarneeb_sdk.messages import Answer
from tests.referee.kit import MS, Rig, plain_choice, plan_of, random_choice, settings_of


def quantized(
    quantum_s: float = 0.1, *, decision_s: float = 1.0, bank_s: float = 0.0, deals: int = 1
) -> MatchSettings:
    settings = settings_of(rule_set("tarneeb", deals=deals), decision_s=decision_s, bank_s=bank_s)
    time = dataclasses.replace(settings.time, tempo_quantum_s=quantum_s)
    return dataclasses.replace(settings, time=time)


@pytest.mark.parametrize(
    ("elapsed", "quantum", "released"),
    [(0, 50, 0), (1, 50, 50), (50, 50, 50), (51, 50, 100), (77, 0, 77)],
)
def test_answers_are_released_at_the_next_step(elapsed: int, quantum: int, released: int) -> None:
    assert release_after_ns(elapsed, quantum_ns=quantum) == released


@pytest.mark.parametrize(("think_ms", "seen_ms"), [(3, 100), (97, 100), (100, 100), (130, 200)])
def test_the_next_seat_sees_an_answer_at_a_multiple_of_the_step(
    think_ms: int, seen_ms: int
) -> None:
    rig = Rig(quantized()).begin()
    begun_ns = rig.now_ns
    [(seat, turn)] = rig.waiting()
    rig.pass_time(think_ms)
    rig.answer(seat, Answer(turn.turn_id, PASS))
    while not rig.waiting():
        rig.pass_time(1)
    assert rig.now_ns - begun_ns == seen_ms * MS


def answer_all(rig: Rig, *, think_ms: int, matches: int) -> None:
    """Answer each turn after so long, to the millisecond, until so many matches are over."""
    while len(rig.outcomes) < matches:
        while not (waiting := rig.waiting()):
            rig.pass_time(1)
        seat, turn = waiting[0]
        rig.pass_time(think_ms)
        rig.answer(seat, Answer(turn.turn_id, plain_choice(turn.view)))


def play(settings: MatchSettings, *, boards: int = 3, tables: int = 2, think_ms: int = 7) -> Rig:
    rig = Rig(settings, plan=plan_of(boards=boards, tables=tables)).begin()
    rig.play(random_choice(3), think_ms=think_ms)
    return rig


def test_no_result_changes() -> None:
    plain = play(quantized(0.0, deals=2))
    hidden = play(quantized(0.05, deals=2))
    records = [
        sorted((each.record for each in rig.outcomes), key=lambda record: record.board)
        for rig in (plain, hidden)
    ]
    assert records[0] == records[1]
    assert len(records[0]) == 3


def test_the_delay_is_charged_to_nobody() -> None:
    # Without a bank any millisecond too many would be a time-out.
    rig = Rig(quantized(0.4, decision_s=0.05)).begin()
    answer_all(rig, think_ms=49, matches=1)
    [outcome] = rig.outcomes
    assert outcome.record.faults == ()
    decisions = [us for seat in outcome.timings.seats for us in seat.decisions_us]
    assert set(decisions) == {49_000}


def test_the_end_of_a_match_is_hidden_like_any_answer() -> None:
    rig = Rig(quantized(), plan=plan_of(boards=2)).begin()
    answer_all(rig, think_ms=1, matches=1)
    assert rig.waiting() == []
    answered_ns = rig.now_ns
    while not rig.waiting():
        rig.pass_time(1)
    assert rig.now_ns - answered_ns == 99 * MS
    rig.play(plain_choice)
    assert len(rig.outcomes) == 2


def test_a_bot_that_is_gone_before_it_hears_is_played_for_after_that() -> None:
    rig = Rig(quantized()).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(10)
    rig.answer(seat, Answer(turn.turn_id, PASS))
    for _ in range(9):
        rig.exit((seat + 1) % 4)
        rig.launch((seat + 1) % 4)
    rig.play(plain_choice)
    [outcome] = rig.outcomes
    assert rig.voids == []
    assert {fault.kind for fault in outcome.record.faults} <= {
        FaultKind.CRASH,
        FaultKind.NEVER_READY,
        FaultKind.ABSENT,
    }
