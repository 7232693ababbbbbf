"""From the start of four bots to the first turn, or to a forfeit."""

import pytest

from tarneeb_referee.faults import BotFault, Fault, FaultKind
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.record import Ending
from tarneeb_referee.record_bytes import record_to_bytes
from tarneeb_sdk.game import rule_set
from tests.referee.kit import (
    Rig,
    faults,
    plain_choice,
    plan_of,
    settings_of,
)


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
