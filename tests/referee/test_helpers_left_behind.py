"""A helper that holds a bot's output open keeps no match waiting (BUG-02)."""

import asyncio
import time
from pathlib import Path

import pytest

from tarneeb_referee.bot_folder import BotSpec, load_bot
from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import FaultKind
from tarneeb_referee.hosts.base import BotProcess, LaunchSpec
from tarneeb_referee.hosts.marks import marked_processes
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import HalfReport, MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tests.referee.hosts.kit import linux_only
from tests.referee.kit import SECRET, settings_of

LONGEST_GAP_S = 3.0

SCRIPT = """\
#!/bin/sh
sleep 600 &
echo helper $!
exec python bot.py
"""

BOT = """\
import signal, time
from tarneeb_sdk import Bot, run

signal.signal(signal.SIGTERM, signal.SIG_IGN)

class Player(Bot):
    def decide(self, view):
        if {hangs} and view.plays:
            time.sleep(600)
        return view.legal[0]

run(Player)
"""


def bot_with_a_helper(folder: Path, *, hangs: bool) -> BotSpec:
    folder.mkdir()
    (folder / "bot.toml").write_text("name = 'A'\nversion = '1'\ncommand = ['./run']\n")
    (folder / "run").write_text(SCRIPT)
    (folder / "run").chmod(0o755)
    (folder / "bot.py").write_text(BOT.format(hangs=hangs))
    return load_bot(folder)


class WatchedHost(ProcessHost):
    """Notes when its bots are started."""

    def __init__(self, run: RunFolder) -> None:
        super().__init__(run, warn=lambda _: None)
        self.started: list[float] = []

    async def start(self, spec: LaunchSpec) -> BotProcess:
        self.started.append(time.monotonic())
        return await super().start(spec)


async def play_board(
    host: WatchedHost, bot: BotSpec, *, half: int
) -> tuple[MatchOutcome, float, HalfReport]:
    """Play one board; give its outcome, when it was there, and the report."""
    outcomes: list[tuple[MatchOutcome, float]] = []

    async def keep(outcome: MatchOutcome) -> None:
        outcomes.append((outcome, time.monotonic()))

    handle = BotHandle("entrant", bot)
    plan = HalfPlan(
        round_=1,
        pairing=1,
        half=half,
        boards=(1,),
        seats=(handle, handle, handle, handle),
    )
    settings = settings_of(decision_s=0.2, start_s=30.0)
    deals = DealSource(SECRET, "helpers")
    report = await play_half(plan, host=host, settings=settings, deals=deals, on_match=keep)
    assert report.voids == ()
    return *outcomes[0], report


@linux_only
@pytest.mark.parametrize("hangs", [False, True])
def test_the_next_match_starts_at_once_whatever_a_bot_leaves_running(
    tmp_path: Path, hangs: bool
) -> None:
    bot = bot_with_a_helper(tmp_path / "bot", hangs=hangs)

    async def session() -> None:
        host = WatchedHost(RunFolder.create())
        try:
            outcome, ended, report = await play_board(host, bot, half=1)
            assert marked_processes(host.run_id) == ()
            assert all("helper" in seat.logs[-1].stdout.text() for seat in report.seats)
            kinds = {fault.kind for fault in outcome.record.faults}
            assert kinds == ({FaultKind.TIME_OUT} if hangs else set())
            before = len(host.started)  # bots that hang are started anew in between
            await play_board(host, bot, half=2)
            assert host.started[before] - ended < LONGEST_GAP_S
        finally:
            await host.close()

    asyncio.run(asyncio.wait_for(session(), 90))
