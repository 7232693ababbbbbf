"""The host of containers, on an engine that fails or dawdles as it is told."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.hosts.base import ExitInfo, HostError, LaunchSpec, SeatFolder
from tarneeb_referee.hosts.docker import host as host_module
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError, SandboxUnavailableError
from tarneeb_referee.hosts.docker.host import DockerHost
from tarneeb_referee.hosts.docker.settings import DockerSettings
from tarneeb_referee.hosts.run_folder import RunFolder

BOT = BotSpec("Bot", "1", (), Path("/bot"), "digest", image="sha256:1")


class FakeEngine:
    """Has containers; makes one when it is let, and cannot remove those that resist."""

    def __init__(self, *containers: str, resisting: str = "") -> None:
        self.there = list(containers)
        self.resisting = resisting
        self.may_create = asyncio.Event()
        self.is_closed = False

    async def info(self) -> Mapping[str, Any]:
        raise SandboxUnavailableError("nobody answers")

    async def create(self, *_: object) -> str:
        await self.may_create.wait()
        self.there.append("made")
        return "made"

    async def containers(self, _: object) -> list[Mapping[str, Any]]:
        return [{"Id": name} for name in self.there]

    async def remove(self, container: str) -> None:
        if container == self.resisting:
            raise EngineError(f"cannot remove {container}")
        self.there.remove(container)

    async def close(self) -> None:
        self.is_closed = True


class FakeContainer:
    """Runs until it is stopped, which may raise."""

    def __init__(self, engine: FakeEngine, name: str, error: Exception | None = None) -> None:
        self.engine, self.name, self.error = engine, name, error
        self.exited: asyncio.Future[ExitInfo] = asyncio.get_running_loop().create_future()

    def sample(self) -> None:
        """There is nothing to measure."""

    def look_around(self) -> None:
        """There is nobody else."""

    async def stop(self, *, grace_s: float) -> ExitInfo:
        assert grace_s == 0
        if self.error is not None:
            raise self.error
        await self.engine.remove(self.name)
        self.exited.set_result(ExitInfo(stopped=True))
        return self.exited.result()


class Scene:
    """A host with its fake engine, and the run's folder."""

    def __init__(self, engine: FakeEngine, run: RunFolder, error: Exception | None = None) -> None:
        self.engine, self.run = engine, run
        self.host = DockerHost(
            run, engine=cast("Engine", engine), info={}, settings=DockerSettings()
        )

        async def launch(name: str, _: object) -> FakeContainer:
            return FakeContainer(engine, name, error)

        self.host._launch = launch  # type: ignore[method-assign,assignment]

    def start(self) -> tuple[SeatFolder, asyncio.Task[Any]]:
        seat = self.host.open_seat()
        (seat.path / "referee.sock").touch()
        return seat, asyncio.create_task(self.host.start(LaunchSpec(BOT, seat, "token")))


def play(run: RunFolder, scene: Callable[[RunFolder], Coroutine[Any, Any, None]]) -> None:
    try:
        asyncio.run(scene(run))
    finally:
        run.close()


@pytest.fixture
def run(short_folder: Path) -> RunFolder:
    return RunFolder.create(base=short_folder)


def test_a_container_that_resists_is_the_only_one_left(run: RunFolder) -> None:
    async def scene(run: RunFolder) -> None:
        here = Scene(FakeEngine("first", "stubborn", "last", resisting="stubborn"), run)
        await here.host.close()
        assert here.engine.there == ["stubborn"]
        await here.host.close()

    play(run, scene)


def test_an_odd_end_of_a_bot_keeps_nothing_open(run: RunFolder) -> None:
    async def scene(run: RunFolder) -> None:
        here = Scene(FakeEngine(), run, error=RuntimeError("odd"))
        here.engine.may_create.set()
        await here.start()[1]
        with pytest.raises(RuntimeError, match="odd"):
            await here.host.close()
        assert here.engine.there == []
        assert here.engine.is_closed
        assert not run.path.exists()

    play(run, scene)


def test_a_start_that_outlasts_its_seat_leaves_nothing(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "_LATE_START_S", 0.01)

    async def scene(run: RunFolder) -> None:
        here = Scene(FakeEngine(), run)
        seat, starting = here.start()
        await asyncio.sleep(0)
        await here.host.close_seat(seat)
        here.engine.may_create.set()
        assert (await starting).exited.done()
        assert here.engine.there == []
        await here.host.close()

    play(run, scene)


def test_closing_waits_for_a_start_that_goes_on(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "_LATE_START_S", 0.01)

    async def scene(run: RunFolder) -> None:
        here = Scene(FakeEngine(), run)
        _, starting = here.start()
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.1, here.engine.may_create.set)
        await here.host.close()
        assert (await starting).exited.done()
        assert here.engine.there == []

    play(run, scene)


def test_an_engine_that_does_not_answer_is_let_go_of(run: RunFolder) -> None:
    async def scene(run: RunFolder) -> None:
        engine = FakeEngine()
        with pytest.raises(SandboxUnavailableError):
            await DockerHost.open(run, engine=cast("Engine", engine))
        assert engine.is_closed

    play(run, scene)


def test_no_bot_is_a_user_of_this_machine(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "is_known_here", lambda number: number % 2 == 0)

    async def scene(run: RunFolder) -> None:
        host = Scene(FakeEngine(), run).host
        users = await asyncio.gather(*(host._next_user() for _ in range(4)))
        assert len(set(users)) == 4
        assert all(user % 2 for user in users)
        await host.close()

    play(run, scene)


def test_a_directory_of_users_that_dawdles_holds_up_nobody_else(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = threading.Event()

    def is_known(_: int) -> bool:
        if not answer.wait(5):
            raise HostError("the event loop stands still")
        return False

    monkeypatch.setattr(host_module, "is_known_here", is_known)

    async def scene(run: RunFolder) -> None:
        here = Scene(FakeEngine(), run)
        here.engine.may_create.set()
        starting = here.start()[1]
        # It is the event loop that lets it answer.
        asyncio.get_running_loop().call_later(0.01, answer.set)
        await starting
        await here.host.close()

    play(run, scene)


@pytest.mark.parametrize(
    ("told", "core"), [({}, "1"), ({"CPUSet": True}, "1"), ({"CPUSet": False}, "")]
)
def test_no_core_is_asked_of_an_engine_that_gives_none(
    run: RunFolder, told: Mapping[str, bool], core: str
) -> None:
    """It would leave it out, and that would look like a limit which it did not set."""

    async def scene(run: RunFolder) -> None:
        engine = cast("Engine", FakeEngine())
        settings = DockerSettings(at_once=4)
        host = DockerHost(run, engine=engine, info={"NCPU": 8, **told}, settings=settings)
        assert host._cores.take() == core
        await host.close()

    play(run, scene)
