"""Watch the referee's memory over many matches.

Four `random` sample bots in processes of their own play short matches at 64 tables, in one session
after the other, each with fresh bots. The figure is the resident memory of the referee's process;
it must stay under the goal and stop growing with the number of matches played.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.deals import DealSource
from tarneeb_referee.garbage import calm_collector
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.record_bytes import record_to_bytes, timings_to_bytes
from tarneeb_referee.run import play_half
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.game import rule_set

GOAL_MB = 200
GOAL_GROWTH_MB = 10


def resident_mb() -> float:
    """Give the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def run(*, matches: int, session: int) -> list[tuple[int, float]]:
    """Play so many matches; give the memory after each session."""
    host = ProcessHost(RunFolder.create(), warn=lambda _: None)
    bot = BotHandle("random", load_bot("sample:random"))
    settings = MatchSettings(rules=rule_set("tarneeb", deals=1))
    deals = DealSource(bytes(32), "benchmark")
    written = 0

    async def write(outcome: MatchOutcome) -> None:
        nonlocal written
        written += len(record_to_bytes(outcome.record)) + len(timings_to_bytes(outcome.timings))

    figures = []
    began = time.perf_counter()
    try:
        for pairing in range(-(-matches // session)):
            plan = HalfPlan(
                round_=1,
                pairing=pairing,
                half=1,
                boards=tuple(range(session)),
                seats=(bot, bot, bot, bot),
                tables=64,
            )
            await play_half(plan, host=host, settings=settings, deals=deals, on_match=write)
            played = (pairing + 1) * session
            figures.append((played, resident_mb()))
            elapsed_s = time.perf_counter() - began
            print(
                f"{played:7,} matches: {figures[-1][1]:6.1f} MB"
                f"  ({played / elapsed_s:.0f} matches/s, {written / played:,.0f} bytes a match)"
            )
    finally:
        await host.close()
    return figures


def main() -> int:
    """Print the figures; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--session", type=int, default=1_000, help="matches in one session")
    options = parser.parse_args()
    calm_collector()
    figures = asyncio.run(run(matches=options.matches, session=options.session))
    early, late = figures[len(figures) // 5][1], figures[-1][1]
    reached = late < GOAL_MB and late - early < GOAL_GROWTH_MB
    print(
        f"goal: under {GOAL_MB} MB, and less than {GOAL_GROWTH_MB} MB more at the end than after"
        f" a fifth ({late - early:+.1f} MB): {'reached' if reached else 'missed'}"
    )
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
