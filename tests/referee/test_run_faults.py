"""Whole sessions in which something of ours fails: nobody is blamed."""

import asyncio
import itertools
import time

import pytest

from tarneeb_referee.faults import OurFaultKind
from tarneeb_referee.hosts.base import BotProcess, HostError, LaunchSpec
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import MatchOutcome
from tarneeb_referee.run import HalfRun, play_half
from tarneeb_referee.session import Session
from tests.referee.arena import (
    DEALS,
    POLITE,
    MixedHost,
    chaos,
    ignore,
    plan_with,
    play,
    run_polite,
)
from tests.referee.kit import settings_of


class FailingHost(MixedHost):
    """Has no process to give at the nth start."""

    def __init__(self, run: RunFolder, *, nth: int) -> None:
        super().__init__(run)
        self.nth = nth

    async def start(self, spec: LaunchSpec) -> BotProcess:
        self.nth -= 1
        if self.nth == 0:
            raise HostError("no process for bot 'polite': out of memory")
        return await super().start(spec)


@pytest.mark.parametrize("nth", [1, 3])
def test_a_host_that_cannot_start_a_bot_voids_every_board(nth: int) -> None:
    async def session() -> None:
        host = FailingHost(RunFolder.create(), nth=nth)
        outcomes: list[MatchOutcome] = []

        async def keep(outcome: MatchOutcome) -> None:
            outcomes.append(outcome)

        try:
            report = await run_polite(host, keep, boards=3)
        finally:
            await host.close()
        assert outcomes == []
        assert [void.board for void in report.voids] == [1, 2, 3]
        assert {void.fault.kind for void in report.voids} == {OurFaultKind.ENGINE_UNREACHABLE}
        assert "out of memory" in report.voids[0].fault.detail

    asyncio.run(session())


def test_a_host_that_cannot_restart_a_bot_voids_what_is_not_played() -> None:
    async def session() -> None:
        host = FailingHost(RunFolder.create(), nth=5)
        try:
            report = await play_half(
                plan_with(chaos("newcomer"), POLITE, POLITE, POLITE),
                host=host,
                settings=settings_of(decision_s=5.0),
                deals=DEALS,
                on_match=ignore,
            )
        finally:
            await host.close()
        assert [void.board for void in report.voids] == [1]

    asyncio.run(session())


def test_an_exception_in_the_session_voids_what_is_not_played(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settle = Session._settle
    calls = 0

    def failing(self: Session, now_ns: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 60:
            raise ZeroDivisionError("in the session")
        settle(self, now_ns)

    monkeypatch.setattr(Session, "_settle", failing)
    played = play(POLITE, boards=3)
    assert {void.fault.kind for void in played.report.voids} == {OurFaultKind.REFEREE_ERROR}
    assert len(played.report.voids) + len(played.outcomes) == 3
    assert played.faults == []
    assert "the session failed" in caplog.text


@pytest.mark.parametrize("method", ["take_output", "tick", "opened", "launched"])
def test_an_exception_anywhere_in_the_session_voids_and_blames_nobody(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def failing(_self: Session, *_: object) -> None:
        raise ZeroDivisionError(method)

    monkeypatch.setattr(Session, method, failing)
    played = play(POLITE, boards=2)
    assert [void.board for void in played.report.voids] == [1, 2]
    assert played.report.voids[0].fault.detail == f"ZeroDivisionError: {method}"
    assert played.outcomes == []


def test_bug_08_a_pause_of_the_referee_is_not_charged_to_anybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tick = HalfRun._tick
    pauses = itertools.count(1)

    def pausing(self: HalfRun) -> None:
        if next(pauses) % 16 == 0:
            time.sleep(0.3)
        tick(self)

    monkeypatch.setattr(HalfRun, "_tick", pausing)
    settings = settings_of(decision_s=0.4, margin_s=0.1)
    played = play(chaos("sleeps", "0.35"), settings=settings)
    assert played.faults == []
    assert played.report.lag.stalls >= 3
    assert played.report.lag.max_s >= 0.25
    assert played.outcomes[0].timings.max_lag_us >= 250_000
