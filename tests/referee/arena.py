"""Plays whole sessions with real bots: chaos bots as processes, polite ones as threads."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import Fault
from tarneeb_referee.folder_digest import folder_digest
from tarneeb_referee.hosts.base import BotProcess, LaunchSpec, SeatFolder
from tarneeb_referee.hosts.memory import BotContext, MemoryHost
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import HalfReport, MatchOutcome, SeatReport
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk import Bot, Move, SeatView
from tarneeb_sdk.client import Client, ClientSettings
from tests.referee.kit import SECRET, plain_choice, settings_of

ROOT = Path(__file__).parents[2]
LONGEST_S = 60.0
DEALS = DealSource(SECRET, "arena")

OnMatch = Callable[[MatchOutcome], Awaitable[None]]


class PoliteBot(Bot):
    """Answers at once with the first legal move; bids 7 or declares 3."""

    def decide(self, view: SeatView) -> Move:
        return plain_choice(view)


def polite(context: BotContext) -> int:
    """Play in a thread of the test's own process."""
    settings = ClientSettings(
        address=context.env["TARNEEB_ADDRESS"], token=context.env["TARNEEB_TOKEN"]
    )
    return Client(PoliteBot, settings).play()


def chaos(name: str, *arguments: str) -> BotSpec:
    """Name a bot of tests/chaos."""
    # Their folder is copied to run in, and the modules come from here.
    start = (
        f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r});"
        f" runpy.run_module('tests.chaos.{name}', run_name='__main__', alter_sys=True)"
    )
    command = (sys.executable, "-c", start, *arguments)
    folder = ROOT / "tests" / "chaos"
    return BotSpec(name, "1", command, folder, folder_digest(folder))


POLITE = BotSpec(
    name="polite", version="1", command=("polite",), folder=Path("/nowhere"), digest="1" * 64
)


class MixedHost:
    """Runs polite bots as threads and all others as processes."""

    def __init__(self, run: RunFolder) -> None:
        self.threads = MemoryHost(run, {"polite": polite})
        self.processes = ProcessHost(run, warn=lambda _: None)
        self.launched: list[LaunchSpec] = []

    @property
    def run_id(self) -> str:
        return self.threads.run_id

    def open_seat(self) -> SeatFolder:
        return self.threads.open_seat()

    async def close_seat(self, seat: SeatFolder) -> None:
        await self.threads.close_seat(seat)

    async def start(self, spec: LaunchSpec) -> BotProcess:
        self.launched.append(spec)
        if spec.bot is POLITE:
            return await self.threads.start(spec)
        return await self.processes.start(spec)

    async def close(self) -> None:
        await self.threads.close()
        await self.processes.close()


@dataclass
class Played:
    """What came of a session."""

    report: HalfReport
    outcomes: list[MatchOutcome] = field(default_factory=list)

    @property
    def faults(self) -> list[Fault]:
        return [fault for outcome in self.outcomes for fault in outcome.record.faults]

    @property
    def kinds(self) -> set[str]:
        return {fault.kind.name for fault in self.faults}

    def seat(self, seat: int) -> SeatReport:
        return self.report.seats[seat]

    def log(self, seat: int) -> str:
        return "\n".join(
            logs.stdout.text() + logs.stderr.text() for logs in self.report.seats[seat].logs
        )


def plan_with(*bots: BotSpec, boards: int = 1, tables: int = 1) -> HalfPlan:
    """Plan the first half of the first pairing, a bot a seat."""
    handles = [BotHandle(f"entrant {seat}", spec) for seat, spec in enumerate(bots)]
    return HalfPlan(
        round_=1,
        pairing=1,
        half=1,
        boards=tuple(range(1, boards + 1)),
        seats=(handles[0], handles[1], handles[2], handles[3]),
        tables=tables,
    )


def play(
    bot: BotSpec,
    *,
    boards: int = 1,
    tables: int = 1,
    settings: MatchSettings | None = None,
    others: Sequence[BotSpec] = (POLITE, POLITE, POLITE),
) -> Played:
    """Play boards with this bot in seat 0; it must be over within a minute."""

    async def session() -> Played:
        host = MixedHost(RunFolder.create())
        outcomes: list[MatchOutcome] = []

        async def keep(outcome: MatchOutcome) -> None:
            outcomes.append(outcome)

        try:
            report = await asyncio.wait_for(
                play_half(
                    plan_with(bot, *others, boards=boards, tables=tables),
                    host=host,
                    settings=settings or settings_of(decision_s=0.5),
                    deals=DEALS,
                    on_match=keep,
                ),
                LONGEST_S,
            )
        finally:
            await host.close()
        return Played(report, outcomes)

    return asyncio.run(session())


async def run_polite(
    host: MixedHost, on_match: OnMatch, *, boards: int = 1, tables: int = 1
) -> HalfReport:
    """Play with four bots that mean well."""
    return await play_half(
        plan_with(*[POLITE] * 4, boards=boards, tables=tables),
        host=host,
        settings=settings_of(),
        deals=DEALS,
        on_match=on_match,
    )


async def ignore(_: MatchOutcome) -> None:
    """Take an outcome and keep nothing of it."""


def assert_the_others_are_innocent(played: Played, *, boards: int = 1) -> None:
    """Every board has a result, and nobody but seat 0 has done anything wrong."""
    assert played.report.voids == ()
    assert sorted(each.record.board for each in played.outcomes) == list(range(1, boards + 1))
    assert {fault.seat for fault in played.faults} <= {0}
    for outcome in played.outcomes:
        assert outcome.record.autopilot_from[1:] == (0, 0, 0)
    for seat in played.report.seats[1:]:
        assert (seat.restarts, seat.gone, seat.incidents) == (0, None, ())
