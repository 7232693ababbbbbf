"""Bots that are slow, late, stuck or dead, as processes over gRPC."""

import statistics
import time

import pytest

from tarneeb_referee.faults import FaultKind
from tarneeb_referee.record import Ending
from tests.referee.arena import assert_the_others_are_innocent, chaos, play
from tests.referee.kit import settings_of


@pytest.mark.parametrize("how", ["sleep", "spin", "sigstop"])
def test_bug_05_a_bot_that_is_stuck_times_out_and_the_others_play_on(how: str) -> None:
    began = time.monotonic()
    played = play(chaos("stuck", how), settings=settings_of(decision_s=0.3))
    assert_the_others_are_innocent(played)
    assert played.kinds == {"TIME_OUT"}
    assert len(played.faults) == 3
    assert played.outcomes[0].record.autopilot_from[0] == 1
    assert time.monotonic() - began < 20


def test_bug_05_a_bot_that_exits_without_an_answer_is_a_crash_at_once() -> None:
    # It has ten seconds to answer, three times; it is not waited for.
    began = time.monotonic()
    played = play(chaos("stuck", "exit"), settings=settings_of(decision_s=10.0))
    assert_the_others_are_innocent(played)
    assert played.kinds == {"CRASH"}
    assert {fault.detail for fault in played.faults} == {"exited with 0"}
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("how", ["cancelled", "unprintable"])
def test_bug_05_a_bot_that_raises_anything_is_a_crash(how: str) -> None:
    played = play(chaos("stuck", how), settings=settings_of(decision_s=10.0))
    assert_the_others_are_innocent(played)
    assert played.kinds == {"CRASH"}
    assert {fault.detail for fault in played.faults} == {"exited with 1"}
    assert "Traceback" in played.log(0)


@pytest.mark.parametrize("says", ["nothing", "half a frame", "garbage", "http 1"])
def test_bug_05_a_bot_that_never_speaks_the_protocol_is_never_ready(says: str) -> None:
    played = play(chaos("deaf", says), settings=settings_of(start_s=1.0))
    [outcome] = played.outcomes
    assert outcome.record.ending is Ending.FORFEIT
    assert outcome.record.winner == 1
    [fault] = outcome.record.faults
    assert fault.kind is FaultKind.NEVER_READY
    assert fault.detail == "did not become ready within 1.0 s (start limit)"


def test_bug_06_a_slow_start_is_no_time_out() -> None:
    settings = settings_of(start_s=10.0, decision_s=0.5)
    played = play(chaos("slow_start", "1.5"), boards=2, settings=settings)
    assert_the_others_are_innocent(played, boards=2)
    assert played.faults == []
    start_s = played.seat(0).start_s
    assert start_s is not None
    assert 1.5 < start_s < 10


def test_bug_07_a_late_answer_is_late_and_the_next_turn_waits_for_its_own() -> None:
    played = play(chaos("late"), settings=settings_of(decision_s=0.5))
    assert_the_others_are_innocent(played)
    assert [fault.kind for fault in played.faults] == [FaultKind.TIME_OUT]
    assert played.outcomes[0].timings.seats[0].late == 1
    assert (played.seat(0).late, played.seat(0).strays) == (1, 0)


def test_bug_08_a_bot_just_inside_the_limit_is_not_timed_out() -> None:
    # A wide margin: this machine may be busy with other tests. What happens to the millisecond is
    # tested with a clock of our own (test_session_clock.py).
    played = play(chaos("almost_late"), settings=settings_of(decision_s=0.5, margin_s=0.25))
    assert_the_others_are_innocent(played)
    assert played.faults == []
    decisions = played.outcomes[0].timings.seats[0].decisions_us
    assert 470_000 <= statistics.median(decisions) < 750_000


def test_a_stream_that_takes_nothing_does_not_hold_the_others() -> None:
    played = play(chaos("reads_nothing"), boards=4, tables=4, settings=settings_of(decision_s=0.2))
    assert_the_others_are_innocent(played, boards=4)
    assert played.kinds <= {"TIME_OUT", "CRASH", "DISCONNECT"}
    assert "TIME_OUT" in played.kinds
