"""The engine or the referee is killed or interrupted in mid-match: nothing is booked to a bot."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import OurFaultKind
from tarneeb_referee.outcome import HalfReport, MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.game import rule_set
from tests.hostile.arena import docker_host, hostile_bot
from tests.programs import Program

pytestmark = [
    pytest.mark.docker,
    # docker-py leaves the socket of a failed connection to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
]

ROOT = Path(__file__).parent.parent.parent
ENGINE = ROOT / "tools" / "container-engine"
COMMAND = (sys.executable, "-m", "tarneeb_referee")

TOURNAMENT = """\
[tournament]
name = "Killed"
boards = 12

[match]
deals = 6

[time]
decision = 5

[run]
tables = 2

[sandbox]
kind = "docker"

[[entrant]]
name = "A"
bot = "sample:cautious"

[[entrant]]
name = "B"
bot = "sample:random"
"""


class OwnEngine:
    """A second engine, which these tests may kill; it shares the images of none."""

    def __init__(self, place: Path) -> None:
        self.environment = {
            **os.environ,
            "TARNEEB_ENGINE_STATE": str(place / "run"),
            "TARNEEB_ENGINE_DATA": str(place / "data"),
        }
        self.place = place
        self.host = f"unix://{place}/run/docker.sock"

    def start(self) -> None:
        subprocess.run((ENGINE, "start"), env=self.environment, check=True, timeout=120)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        os.kill(int((self.place / "run" / "docker.pid").read_text()), how)

    def containers(self) -> list[object]:
        client = docker.DockerClient(self.host)
        try:
            return list(client.containers.list(all=True))
        finally:
            client.close()

    def clean(self) -> None:
        subprocess.run((ENGINE, "clean"), env=self.environment, check=False, timeout=120)


@pytest.fixture
def own_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnEngine]:
    if os.getuid() != 0:
        pytest.skip("starting an engine to kill takes root")
    base = os.environ.get("TARNEEB_BASE_IMAGE", "")
    # Sockets need a short path.
    place = Path(f"/tmp/tarneeb-engine-{os.getpid()}")
    engine = OwnEngine(place)
    engine.start()
    try:
        if base:
            copy = f"docker_save() {{ {sys.executable} -c '{COPY_IMAGE}' \"$@\"; }}; docker_save {base} {engine.host}"
            subprocess.run(("bash", "-c", copy), check=True, timeout=120)
        monkeypatch.setenv("DOCKER_HOST", engine.host)
        yield engine
    finally:
        engine.clean()
        subprocess.run(("rm", "-rf", str(place)), check=False)


COPY_IMAGE = """
import sys, docker
name, host = sys.argv[1:]
source, target = docker.from_env(), docker.DockerClient(host)
target.images.load(source.images.get(name).save(named=True))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=lambda how: how.name)
def test_an_engine_that_ends_voids_what_was_played(
    own_engine: OwnEngine, how: signal.Signals
) -> None:
    """With SIGTERM it stops all containers first, and bots obey that with the exit code 0."""

    async def play() -> tuple[HalfReport, list[MatchOutcome]]:
        outcomes: list[MatchOutcome] = []

        async def keep(outcome: MatchOutcome) -> None:
            outcomes.append(outcome)
            if len(outcomes) == 2:
                own_engine.kill(how)

        async with docker_host() as host:
            bot = BotHandle("a", await hostile_bot(host, ("honest.py",)))
            plan = HalfPlan(
                round_=1,
                pairing=1,
                half=1,
                boards=tuple(range(1, 201)),
                seats=(bot, bot, bot, bot),
                tables=2,
            )
            settings = MatchSettings(rules=rule_set("tarneeb", deals=4))
            report = await play_half(
                plan,
                host=host,
                settings=settings,
                deals=DealSource(bytes(32), "test"),
                on_match=keep,
            )
        return report, outcomes

    begin = time.monotonic()
    report, outcomes = asyncio.run(play())
    assert report.voids, "what was being played has no result"
    assert {void.fault.kind for void in report.voids} == {OurFaultKind.ENGINE_UNREACHABLE}
    assert all(seat.gone is None and seat.incidents == () for seat in report.seats)
    assert all(outcome.record.faults == () for outcome in outcomes)
    assert time.monotonic() - begin < 120


def test_a_run_goes_on_when_its_engine_comes_back(own_engine: OwnEngine, tmp_path: Path) -> None:
    results = start_tournament(tmp_path)
    with Program((*COMMAND, *results), stderr=subprocess.PIPE, cwd=tmp_path) as run:
        wait_for_matches(tmp_path, 3)
        own_engine.kill()
        time.sleep(1)
        own_engine.start()
        _, errors = run.communicate(timeout=300)
    if run.returncode == 3:
        # It gave up before the engine was back; started again, it goes on.
        subprocess.run((*COMMAND, *results), check=True, cwd=tmp_path, timeout=300)
    else:
        assert run.returncode == 0, errors.decode()
    assert_whole(tmp_path)


def test_a_killed_referee_goes_on_and_nothing_is_booked(
    own_engine: OwnEngine, tmp_path: Path
) -> None:
    results = start_tournament(tmp_path)
    with Program((*COMMAND, *results), stderr=subprocess.PIPE, cwd=tmp_path) as run:
        wait_for_matches(tmp_path, 3)
        run.kill()
        run.communicate()
    done = subprocess.run(
        (*COMMAND, *results), capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "removed 4 containers that a killed referee had left" in done.stderr
    assert_whole(tmp_path)


def test_an_interrupt_leaves_no_container_and_books_nothing(
    own_engine: OwnEngine, tmp_path: Path
) -> None:
    results = start_tournament(tmp_path)
    with Program((*COMMAND, *results), stderr=subprocess.PIPE, cwd=tmp_path) as run:
        wait_for_matches(tmp_path, 3)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 130, errors.decode()
    assert b"go on with: " in errors
    assert own_engine.containers() == []
    assert count(tmp_path, "fault") == 0
    subprocess.run((*COMMAND, *results), check=True, cwd=tmp_path, timeout=300)
    assert_whole(tmp_path)


def start_tournament(folder: Path) -> tuple[str, ...]:
    (folder / "t.toml").write_text(TOURNAMENT)
    return ("tournament", "t.toml", "--results", "r.sqlite")


def wait_for_matches(folder: Path, wanted: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        time.sleep(0.1)
        try:
            if count(folder, "match") >= wanted:
                return
        except sqlite3.Error:
            continue
    raise TimeoutError(f"no {wanted} matches")


def count(folder: Path, table: str) -> int:
    connection = sqlite3.connect(f"file:{folder}/r.sqlite?mode=ro", uri=True)
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    finally:
        connection.close()


def assert_whole(folder: Path) -> None:
    assert count(folder, "match") == 24
    assert count(folder, "fault") == 0
