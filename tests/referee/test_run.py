"""Whole sessions with bots that mean well."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee import run
from tarneeb_referee.bot_folder import BotSpec, load_bot
from tarneeb_referee.faults import FaultKind
from tarneeb_referee.hosts.memory import BotContext, MemoryHost
from tarneeb_referee.hosts.process import _KeptBot
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import HalfReport, MatchOutcome
from tarneeb_referee.plan import HalfPlan
from tarneeb_referee.processors import available_processors
from tarneeb_referee.record_bytes import record_to_bytes
from tarneeb_referee.run import HalfRun, play_half
from tarneeb_referee.session import Session
from tarneeb_sdk.game import rule_set
from tests.chaos.wild import Wild
from tests.referee.arena import (
    DEALS,
    POLITE,
    MixedHost,
    chaos,
    ignore,
    plan_with,
    play,
    polite,
    run_polite,
)
from tests.referee.kit import settings_of
from tests.referee.replay import check_record


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_sample_bots_play_whole_matches_in_processes(preset: str) -> None:
    bots = [load_bot(f"sample:{name}") for name in ("counting", "random", "counting", "cautious")]
    settings = settings_of(rule_set(preset, deals=4), bank_s=15)
    played = play(bots[0], others=bots[1:], boards=3, tables=2, settings=settings)
    assert [outcome.record.board for outcome in played.outcomes] != []
    assert len(played.outcomes) == 3
    assert played.faults == []
    for outcome in played.outcomes:
        check_record(outcome.record)
        assert outcome.record.entrants == ("entrant 0", "entrant 1", "entrant 2", "entrant 3")
        for seat in outcome.timings.seats:
            assert len(seat.decisions_us) > 20
    for report in played.report.seats:
        assert report.start_s is not None
        assert report.exit is not None
        assert (report.exit.code, report.exit.stopped) == (0, False)
        assert (report.restarts, report.gone, report.strays, report.late) == (0, None, 0, 0)


def test_the_number_of_tables_changes_no_record() -> None:
    random_bot = load_bot("sample:random")

    def records(tables: int) -> list[bytes]:
        played = play(
            random_bot,
            others=[random_bot] * 3,
            boards=8,
            tables=tables,
            settings=settings_of(rule_set("tarneeb", deals=2), bank_s=15),
        )
        ordered = sorted(played.outcomes, key=lambda outcome: outcome.record.board)
        return [record_to_bytes(outcome.record) for outcome in ordered]

    assert records(1) == records(8)


def test_a_plan_without_boards_starts_nothing() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())
        try:
            report = await run_polite(host, ignore, boards=0)
        finally:
            await host.close()
        assert host.launched == []
        assert len(report.seats) == 4

    asyncio.run(session())


def test_bug_04_the_end_of_a_session_costs_no_grace() -> None:
    began = time.monotonic()
    played = play(chaos("slow_start", "0"), others=[chaos("slow_start", "0")] * 3)
    outcomes = played.outcomes
    assert len(outcomes) == 1
    assert time.monotonic() - began < 10
    for seat in played.report.seats:
        assert seat.exit is not None
        assert seat.exit.code == 0


def test_while_the_host_judges_an_end_its_seat_is_neither_blamed_nor_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_KeptBot, "is_ending", property(lambda _: True))
    played = play(chaos("never_back"), settings=settings_of(decision_s=0.3, start_s=1.0))
    assert played.kinds == {"TIME_OUT"}
    assert (played.seat(0).restarts, played.seat(0).incidents) == (0, ())


def test_each_seat_has_a_token_and_a_socket_of_its_own() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())
        try:
            await run_polite(host, ignore)
        finally:
            await host.close()
        assert len({spec.token for spec in host.launched}) == 4
        assert len({spec.seat.listen_address for spec in host.launched}) == 4
        assert all(len(spec.token) == 64 for spec in host.launched)
        assert not any(spec.token in repr(spec) for spec in host.launched)

    asyncio.run(session())


def test_a_restarted_bot_gets_a_new_token_and_the_old_one_is_no_longer_good() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())
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
        assert report.seats[0].restarts == 2
        tokens = [spec.token for spec in host.launched if spec.bot is not POLITE]
        assert len(set(tokens)) == 3

    asyncio.run(session())


# Outcomes.


def test_outcomes_are_handed_over_one_at_a_time_and_play_goes_on_meanwhile() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())
        at_once = most = 0
        boards = []

        async def slow(outcome: MatchOutcome) -> None:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0.02)
            boards.append(outcome.record.board)
            at_once -= 1

        try:
            await run_polite(host, slow, boards=10, tables=5)
        finally:
            await host.close()
        assert most == 1
        assert sorted(boards) == list(range(1, 11))

    asyncio.run(session())


def test_results_that_cannot_be_stored_fast_enough_hold_new_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tarneeb_referee.run.MAX_UNSTORED", 2)

    async def session() -> None:
        host = MixedHost(RunFolder.create())
        stored = asyncio.Event()
        taken: list[int] = []

        async def stuck(outcome: MatchOutcome) -> None:
            taken.append(outcome.record.board)
            await stored.wait()

        try:
            run = asyncio.create_task(run_polite(host, stuck, boards=30))
            await asyncio.sleep(1.5)
            assert len(taken) == 1
            stored.set()
            await run
        finally:
            await host.close()
        assert sorted(taken) == list(range(1, 31))

    asyncio.run(session())


def test_what_storing_raises_comes_out_and_the_bots_are_stopped() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())

        async def full(_: MatchOutcome) -> None:
            raise OSError("no space left on device")

        try:
            with pytest.raises(OSError, match="no space left"):
                await run_polite(host, full, boards=50, tables=4)
            assert all(bot.exited.done() for bot in host.threads.started)
        finally:
            await host.close()

    asyncio.run(session())


def test_bug_24_a_cancelled_session_stops_its_bots_and_books_nothing_more() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())
        outcomes: list[MatchOutcome] = []

        async def keep(outcome: MatchOutcome) -> None:
            outcomes.append(outcome)

        plan = plan_with(chaos("almost_late"), POLITE, POLITE, POLITE, boards=5)
        try:
            run = asyncio.create_task(
                play_half(plan, host=host, settings=settings_of(), deals=DEALS, on_match=keep)
            )
            await asyncio.sleep(1.5)
            began = time.monotonic()
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
            assert time.monotonic() - began < 3
            booked = len(outcomes)
            await asyncio.sleep(0.2)
            assert len(outcomes) == booked
        finally:
            await host.close()

    asyncio.run(session())


# Leaks.


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_bug_01_sessions_leave_no_file_and_no_task_behind() -> None:
    async def session() -> None:
        host = MixedHost(RunFolder.create())
        try:
            await run_polite(host, ignore)
            files = open_files()
            for _ in range(8):
                await run_polite(host, ignore)
            await asyncio.sleep(0.05)
            assert open_files() <= files + 2
            others = asyncio.all_tasks() - {asyncio.current_task()}
            assert not [task for task in others if "tarneeb_referee" in repr(task)]
            assert list(run_path(host).glob("s*")) == []
        finally:
            await host.close()

    asyncio.run(session())


def run_path(host: MixedHost) -> Path:
    return host.threads._run.path


def test_bug_12_the_log_of_a_bot_that_was_given_up_is_kept() -> None:
    # It gets a word in after its stream has been closed.
    for _ in range(3):
        played = play(chaos("version", "999"), boards=1)
        assert "the bot said 999" in played.log(0)
    played = play(chaos("no_such_bot"))
    assert "No module named tests.chaos.no_such_bot" in played.log(0)


# Sessions side by side.


@pytest.mark.parametrize("share", [1, 3, None])
def test_a_session_keeps_its_share_of_the_processors_at_work(
    monkeypatch: pytest.MonkeyPatch, share: int | None
) -> None:
    shares: list[object] = []

    class Noted(Session):
        def __init__(self, plan: HalfPlan, **rest: Any) -> None:
            shares.append(rest["at_once"])
            super().__init__(plan, **rest)

    monkeypatch.setattr(run, "Session", Noted)

    async def session() -> None:
        host = MixedHost(RunFolder.create())
        try:
            await play_half(
                plan_with(POLITE, POLITE, POLITE, POLITE, boards=0),
                host=host,
                settings=settings_of(),
                deals=DEALS,
                on_match=ignore,
                processors=share,
            )
        finally:
            await host.close()

    asyncio.run(session())
    assert shares == [share or available_processors()]


# Two streams.


def test_reads_of_a_replaced_stream_do_nothing() -> None:
    """A bot with two streams is heard on the newer one alone."""

    def two_streams(context: BotContext) -> int:
        address, token = context.env["TARNEEB_ADDRESS"], context.env["TARNEEB_TOKEN"]
        old = Wild(address=address, token=token).hello()
        first = next(old.turns())
        new = Wild(address=address, token=token).hello()
        turns = new.turns()
        again = next(turns)
        assert again.turn_id == first.turn_id
        # On the old stream it would be refused; on the new one it is the answer.
        for _ in range(5):
            old.send(b"")
        new.answer(again)
        for turn in turns:
            new.answer(turn)
        return 0

    async def session() -> tuple[HalfReport, list[MatchOutcome]]:
        host = MemoryHost(RunFolder.create(), {"polite": polite, "two": two_streams})
        outcomes: list[MatchOutcome] = []

        async def keep(outcome: MatchOutcome) -> None:
            outcomes.append(outcome)

        two = BotSpec(
            name="two", version="1", command=("two",), folder=Path("/nowhere"), digest="2" * 64
        )
        plan = plan_with(two, POLITE, POLITE, POLITE)
        run = HalfRun(
            plan, host=host, settings=settings_of(decision_s=5.0), deals=DEALS, on_match=keep
        )
        try:
            report = await asyncio.wait_for(run.play(), 30)
        finally:
            await host.close()
        return report, outcomes

    report, [outcome] = asyncio.run(session())
    assert [fault.kind for fault in outcome.record.faults] == [FaultKind.DISCONNECT]
    assert report.seats[0].strays == 0
