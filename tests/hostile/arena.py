"""A small arena: one hostile bot and three honest ones, in containers, for two short matches."""

import asyncio
import contextlib
import gc
import io
import os
import tarfile
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import docker

from tarneeb_referee.bot_folder import BotSpec, load_bot
from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import FaultKind
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.host import DockerHost
from tarneeb_referee.hosts.docker.leftovers import RUN_LABEL
from tarneeb_referee.hosts.docker.limits import ContainerLimits
from tarneeb_referee.hosts.docker.settings import BuildSettings, DockerSettings
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import HalfReport, MatchOutcome, SeatReport
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tarneeb_referee.settings import Limits, MatchSettings, TimeBudgets
from tarneeb_sdk.game import rule_set

BOTS: Final = Path(__file__).parent / "bots"
HOSTILE_SEAT: Final = 1
BOARDS: Final = 2
HONEST: Final = ("honest.py",)

# Short, and yet long enough for honest bots on a busy machine.
TIME: Final = TimeBudgets(start_s=20.0, decision_s=1.0, bank_s=4.0, margin_s=0.1)


@dataclass(frozen=True, slots=True)
class Played:
    """What came of it."""

    outcomes: tuple[MatchOutcome, ...]
    report: HalfReport

    @property
    def hostile(self) -> SeatReport:
        return self.report.seats[HOSTILE_SEAT]

    @property
    def output(self) -> str:
        """All that the hostile bot's processes printed."""
        return text_of(self.hostile)

    def kinds(self, seat: int = HOSTILE_SEAT) -> set[FaultKind]:
        """Every kind of fault that was booked to a seat, in matches and beside them."""
        seat_report = self.report.seats[seat]
        booked = [fault.kind for fault in seat_report.incidents]
        booked += [seat_report.gone.kind] if seat_report.gone else []
        for outcome in self.outcomes:
            booked += [fault.kind for fault in outcome.record.faults if fault.seat == seat]
        return set(booked)

    def assert_others_played_on(self) -> None:
        """All boards have a result, and nobody but the hostile bot did anything wrong."""
        assert self.report.voids == (), [void.fault.detail for void in self.report.voids]
        assert len(self.outcomes) == BOARDS
        for seat in {0, 1, 2, 3} - {HOSTILE_SEAT}:
            told = (seat, self.report.lag, text_of(self.report.seats[seat]))
            assert self.kinds(seat) == set(), told
            for outcome in self.outcomes:
                assert not outcome.record.autopilot_from[seat]


def text_of(seat: SeatReport) -> str:
    return "".join(log.stdout.text() + log.stderr.text() for log in seat.logs)


@contextlib.asynccontextmanager
async def docker_host(
    *, limits: ContainerLimits | None = None, run: RunFolder | None = None
) -> AsyncIterator[DockerHost]:
    """A host on the real engine, closed at the end whatever happens."""
    settings = DockerSettings(
        limits=limits or ContainerLimits(), build=BuildSettings.from_environment()
    )
    host = await DockerHost.open(run or RunFolder.create(), settings=settings)
    try:
        yield host
    finally:
        await host.close()


async def hostile_bot(host: DockerHost, command: Sequence[str]) -> BotSpec:
    """Give the bot that runs `python3 <command>` in the image of all hostile bots."""
    folder = await host.prepare(load_bot(BOTS, runs_here=False))
    return replace(folder, image=(image := with_command(folder.image, command)), digest=image)


def with_command(image: str, command: Sequence[str]) -> str:
    """Build the same image with another command, and give its id."""
    words = ", ".join(f'"{word}"' for word in ("python3", *command))
    dockerfile = f"FROM {image}\nCMD [{words}]\n".encode()
    context = io.BytesIO()
    with tarfile.open(fileobj=context, mode="w") as tar:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(dockerfile)
        tar.addfile(entry, io.BytesIO(dockerfile))
    context.seek(0)
    client = docker.from_env()
    try:
        built, _ = client.images.build(fileobj=context, custom_context=True, rm=True)
        return str(built.id)
    finally:
        client.close()


async def play(
    host: DockerHost,
    *commands: Sequence[str],
    time: TimeBudgets = TIME,
    limits: Limits | None = None,
    deals: int = 2,
    tables: int = 2,
) -> Played:
    """Play one half.

    Args:
        host: where.
        commands: of the four bots; one stands for the hostile bot among honest ones.
        time: the budgets.
        limits: how much misbehaviour is borne.
        deals: of each match.
        tables: at once.
    """
    if len(commands) == 1:
        commands = tuple(commands[0] if seat == HOSTILE_SEAT else HONEST for seat in range(4))
    specs = [await hostile_bot(host, command) for command in commands]
    outcomes: list[MatchOutcome] = []

    async def keep(outcome: MatchOutcome) -> None:
        outcomes.append(outcome)

    handles = [BotHandle(f"entrant {seat}", spec) for seat, spec in enumerate(specs)]
    plan = HalfPlan(
        round_=1,
        pairing=1,
        half=1,
        boards=tuple(range(1, BOARDS + 1)),
        seats=(handles[0], handles[1], handles[2], handles[3]),
        tables=tables,
    )
    settings = MatchSettings(
        rules=rule_set("tarneeb", deals=deals), time=time, limits=limits or Limits()
    )
    report = await play_half(
        plan, host=host, settings=settings, deals=DealSource(bytes(32), "test"), on_match=keep
    )
    outcomes.sort(key=lambda outcome: outcome.record.board)
    return Played(tuple(outcomes), report)


async def play_hostile(
    *command: str, limits: ContainerLimits | None = None, **how: object
) -> Played:
    """Play one hostile bot among honest ones, and see that nothing is left of it."""
    before = surroundings()
    async with docker_host(limits=limits) as host:
        played = await play(host, command, **how)  # type: ignore[arg-type]
        assert await containers_of(host.run_id) == [], "a container outlived its session"
    await asyncio.sleep(0)
    assert_nothing_is_left(before)
    return played


async def containers_of(run_id: str) -> list[str]:
    """List the containers of a run, running or not."""
    engine = Engine.from_environment()
    try:
        return [str(found["Id"]) for found in await engine.containers({RUN_LABEL: run_id})]
    finally:
        await engine.close()


def assert_nothing_is_left(before: dict[str, object]) -> None:
    """All is as it was when `surroundings` gave this."""
    after = surroundings()
    changed = {name: (before[name], now) for name, now in after.items() if now != before[name]}
    assert not changed, changed


def surroundings() -> dict[str, object]:
    """What must be the same before and after: nothing may be left of a bot."""
    gc.collect()
    temporary = Path(tempfile.gettempdir())
    runs = temporary.resolve() / f"tarneeb-{os.geteuid()}"
    client = docker.from_env()
    try:
        volumes = client.volumes.list()
        return {
            "files and sockets of runs": sorted(str(path) for path in runs.rglob("*")),
            "temporary files": sorted(path.name for path in temporary.iterdir()),
            "listening sockets": sorted(listening_sockets(runs)),
            "descriptors": descriptors(),
            "child processes": sorted(children()),
            "containers": sorted(str(each.id) for each in client.containers.list(all=True)),
            "volumes": sorted(str(each.id) for each in volumes),
            "networks": sorted(str(each.id) for each in client.networks.list()),
        }
    finally:
        client.close()


def listening_sockets(folder: Path) -> list[str]:
    """List the Unix sockets bound below a folder, even if their files are gone."""
    paths = (line.split()[-1] for line in Path("/proc/net/unix").read_text().splitlines()[1:])
    return [path for path in paths if path.startswith(str(folder))]


def descriptors() -> dict[str, int]:
    """Count this process's open files by what they are.

    gRPC and asyncio wake themselves by files without a name, which they keep.
    """
    counts: Counter[str] = Counter()
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            counts[str(path.readlink()).partition(":")[0]] += 1
    del counts["anon_inode"]
    return dict(counts)


def children() -> list[int]:
    """List this process's children, dead ones that nobody has waited for included."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]


def open_files() -> int:
    return len(tuple(Path("/proc/self/fd").iterdir()))


def resident_bytes() -> int:
    """What this process, the referee, holds in memory now."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
