"""Measure what containers cost: a pairing of 64 tables beside the same in processes, in one run.

    python benchmarks/container_speed.py [--boards 64] [--sessions 200]

It also measures how soon four containers are ready, and what is left after many sessions in a row:
containers, descriptors and memory of the referee. It needs a container engine; without one it says
so and measures nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.deals import DealSource
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError, SandboxUnavailableError
from tarneeb_referee.hosts.docker.host import DockerHost
from tarneeb_referee.hosts.docker.leftovers import RUN_LABEL
from tarneeb_referee.hosts.docker.settings import BuildSettings, DockerSettings
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.game import rule_set

if TYPE_CHECKING:
    from tarneeb_referee.bot_folder import BotSpec
    from tarneeb_referee.hosts.base import Host
    from tarneeb_referee.outcome import MatchOutcome

GOAL_RATIO = 1.25
GOAL_READY_S = 3.0
TABLES = 64


@dataclass(frozen=True, slots=True)
class Half:
    """One half as it was played.

    Attributes:
        seconds: from before the first start to after the last stop.
        ready_s: when the last of the four bots was ready.
        decisions: asked for and answered.
    """

    seconds: float
    ready_s: float
    decisions: int


async def play(
    host: Host, bot: BotSpec, *, boards: int, half: int = 1, deals: int | None = None
) -> Half:
    """Play boards with four instances of a bot; matches to 41 unless a number of deals is given."""
    outcomes: list[MatchOutcome] = []

    async def keep(outcome: MatchOutcome) -> None:
        outcomes.append(outcome)

    handle = BotHandle("a", bot)
    plan = HalfPlan(
        round_=1,
        pairing=1,
        half=half,
        boards=tuple(range(1, boards + 1)),
        seats=(handle, handle, handle, handle),
        tables=min(TABLES, boards),
    )
    settings = MatchSettings(rules=rule_set("tarneeb", deals=deals))
    begin = time.perf_counter()
    report = await play_half(
        plan, host=host, settings=settings, deals=DealSource(bytes(32), "bench"), on_match=keep
    )
    seconds = time.perf_counter() - begin
    assert not report.voids, report.voids
    ready_s = max(seat.start_s or 0.0 for seat in report.seats)
    decisions = sum(
        len(seat.decisions_us) for outcome in outcomes for seat in outcome.timings.seats
    )
    return Half(seconds, ready_s, decisions)


async def open_docker() -> tuple[DockerHost, BotSpec]:
    """Open a host on the engine, with the image of `sample:random` built."""
    settings = DockerSettings(build=BuildSettings.from_environment())
    host = await DockerHost.open(RunFolder.create(), settings=settings)
    return host, await host.prepare(load_bot("sample:random", runs_here=False))


async def compare(boards: int, repeats: int) -> None:
    """Play pairings in turns, here and there, and print both."""
    docker_host, docker_bot = await open_docker()
    process_host = ProcessHost(RunFolder.create(), warn=lambda _: None)
    process_bot = load_bot("sample:random")
    seconds: dict[str, list[float]] = {"processes": [], "containers": []}
    ready: dict[str, list[float]] = {"processes": [], "containers": []}
    try:
        for _ in range(repeats):
            for name, host, bot in (
                ("processes", process_host, process_bot),
                ("containers", docker_host, docker_bot),
            ):
                halves = [await play(host, bot, boards=boards, half=half) for half in (1, 2)]
                seconds[name].append(sum(half.seconds for half in halves))
                ready[name] += [half.ready_s for half in halves]
                decisions = sum(half.decisions for half in halves)
                print(
                    f"{name:<10}  a pairing of {boards} boards {seconds[name][-1]:6.2f} s,"
                    f" {decisions / seconds[name][-1]:7,.0f} decisions/s, ready after"
                    f" {max(half.ready_s for half in halves):.2f} s"
                )
    finally:
        await docker_host.close()
        await process_host.close()
    ratio = statistics.median(seconds["containers"]) / statistics.median(seconds["processes"])
    print(f"containers cost {ratio:.2f} times what processes cost (goal: {GOAL_RATIO} at most)")
    median = statistics.median(ready["containers"])
    print(f"four containers are ready after {median:.2f} s (goal: {GOAL_READY_S} at most)")


async def many_sessions(sessions: int) -> None:
    """Play session after session, and print what is left of them."""
    host, bot = await open_docker()
    run_id = host.run_id
    try:
        for _ in range(5):
            await play(host, bot, boards=1, deals=1)
        gc.collect()
        files, memory, begin = count_files(), resident_bytes(), time.perf_counter()
        for _ in range(sessions):
            await play(host, bot, boards=1, deals=1)
        seconds = time.perf_counter() - begin
        gc.collect()
        print(
            f"{sessions} sessions, {seconds / sessions:.2f} s each:"
            f" {await count_containers(run_id)} containers left,"
            f" {count_files() - files:+d} descriptors,"
            f" {(resident_bytes() - memory) / 2**20:+.1f} MiB"
        )
    finally:
        await host.close()


async def count_containers(run_id: str) -> int:
    """Count what the engine still has of a run."""
    engine = Engine.from_environment()
    try:
        return len(await engine.containers({RUN_LABEL: run_id}))
    finally:
        await engine.close()


def count_files() -> int:
    """Count this process's open descriptors."""
    return len(tuple(Path("/proc/self/fd").iterdir()))


def resident_bytes() -> int:
    """Read how much memory this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--boards", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--sessions", type=int, default=200, help="0 leaves this part out")
    options = parser.parse_args()
    try:
        asyncio.run(compare(options.boards, options.repeats))
        if options.sessions:
            asyncio.run(many_sessions(options.sessions))
    except (SandboxUnavailableError, EngineError) as error:
        print(f"not measured: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
