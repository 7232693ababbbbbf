"""In whatever order the news of a container's end comes, it is judged once, by all of it."""

import asyncio
import dataclasses
import socket
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from tarneeb_referee.faults import FaultKind, OurFaultKind, ProcessExited, blame
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.docker import container as container_module
from tarneeb_referee.hosts.docker.attached_output import AttachedOutput
from tarneeb_referee.hosts.docker.container import BotContainer
from tarneeb_referee.hosts.docker.engine import ContainerExit, Engine
from tarneeb_referee.hosts.docker.machine import MachineMemory
from tarneeb_referee.hosts.docker.output_reader import OutputReader

KILLED = ContainerExit(137, out_of_memory=False, started_at="", finished_at="")


class LateEngine:
    """Tells of an end at once, and of a kill at the memory limit only when asked so many times.

    Args:
        ended: how, but for that kill.
        oom_at: the asking that hears of it; None: there was none.
        signalled: a signal that somebody sent through the engine.
        on_asked: done at each asking.
    """

    def __init__(
        self,
        ended: ContainerExit,
        *,
        oom_at: int | None = None,
        signalled: str = "",
        on_asked: Callable[[], None] = lambda: None,
    ) -> None:
        self.ended, self.oom_at, self.signalled, self.on_asked = ended, oom_at, signalled, on_asked
        self.asked = 0

    async def wait(self, _container: str) -> None:
        await asyncio.sleep(0)

    async def exit_of(self, _container: str) -> ContainerExit:
        self.on_asked()
        self.asked += 1
        killed = self.oom_at is not None and self.asked >= self.oom_at
        return dataclasses.replace(self.ended, out_of_memory=killed)

    async def signal_sent(self, _container: str, _ended: ContainerExit) -> str:
        return self.signalled

    async def kill(self, _container: str, _signal_name: str) -> None:
        """It has ended."""

    async def remove(self, _container: str) -> None:
        """It is gone."""


def set_machine(proc: Path, *, oom_kills: int | None, free: float = 0.5) -> MachineMemory:
    (proc / "vmstat").write_text("" if oom_kills is None else f"oom_kill {oom_kills}\n")
    (proc / "meminfo").write_text(f"MemTotal: 1000 kB\nMemAvailable: {round(1000 * free)} kB\n")
    return MachineMemory(proc=proc)


async def contain(engine: LateEngine, memory: MachineMemory) -> BotContainer:
    ours, theirs = socket.socketpair()
    theirs.close()
    reader = OutputReader(AttachedOutput(ours), cap_bytes=64)
    return BotContainer(cast("Engine", engine), "x", reader, memory)


def end(engine: LateEngine, proc: Path, *, kills: int | None, free: float = 0.5) -> ExitInfo:
    """Let a container end on a machine that had killed 7 processes for memory before it began."""

    async def main() -> ExitInfo:
        bot = await contain(engine, set_machine(proc, oom_kills=None if kills is None else 7))
        set_machine(proc, oom_kills=kills, free=free)
        bot.note_started(pid=0)
        assert not bot.is_ending
        return await bot.exited

    return asyncio.run(main())


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container_module, "_OOM_NEWS_S", 0.5)
    monkeypatch.setattr(container_module, "_LOOK_AGAIN_S", 0.001)
    monkeypatch.setattr(container_module, "_LOOK_AGAIN_AT_LAST_S", 0.002)


@pytest.mark.parametrize("free", [0.5, 0.01], ids=["room elsewhere", "machine short, too"])
@pytest.mark.parametrize("kills", [8, None])
@pytest.mark.parametrize("oom_at", [1, 2, 30])
def test_a_kill_at_the_limit_is_over_memory_however_late_it_is_told(
    tmp_path: Path, oom_at: int, kills: int | None, free: float
) -> None:
    how = end(LateEngine(KILLED, oom_at=oom_at), tmp_path, kills=kills, free=free)
    verdict = blame(ProcessExited(how, ready=True))
    assert verdict.kind is FaultKind.OVER_MEMORY


def test_a_machine_that_was_short_is_to_blame_though_it_has_room_again(tmp_path: Path) -> None:
    def recover() -> None:
        if engine.asked > 1:
            set_machine(tmp_path, oom_kills=8)

    engine = LateEngine(KILLED, on_asked=recover)

    async def main() -> ExitInfo:
        set_machine(tmp_path, oom_kills=7)
        memory = MachineMemory(proc=tmp_path, now=lambda: 100.0 * engine.asked)
        bot = await contain(engine, memory)
        set_machine(tmp_path, oom_kills=8, free=0.01)
        bot.note_started(pid=0)
        return await bot.exited

    verdict = blame(ProcessExited(asyncio.run(main()), ready=True))
    assert verdict.kind is OurFaultKind.HOST_SHORT


def test_a_signal_through_the_engine_is_ours_whatever_else_is_waited_for(tmp_path: Path) -> None:
    how = end(LateEngine(KILLED, signalled="signal 9"), tmp_path, kills=8)
    assert blame(ProcessExited(how, ready=True)).kind is OurFaultKind.ENGINE_UNREACHABLE


@pytest.mark.parametrize(("code", "kills"), [(137, 7), (1, 8), (139, 8)])
def test_nobody_waits_for_news_that_cannot_come(tmp_path: Path, code: int, kills: int) -> None:
    engine = LateEngine(dataclasses.replace(KILLED, code=code), oom_at=2)
    how = end(engine, tmp_path, kills=kills)
    assert engine.asked == 1
    assert blame(ProcessExited(how, ready=True)).kind is FaultKind.CRASH


def test_the_wait_for_news_has_an_end(tmp_path: Path) -> None:
    how = end(LateEngine(KILLED), tmp_path, kills=8)
    assert blame(ProcessExited(how, ready=True)).kind is FaultKind.CRASH


def test_an_end_is_told_of_before_it_is_judged_and_a_stop_ends_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container_module, "_OOM_NEWS_S", 1000.0)

    async def main() -> ExitInfo:
        is_asked = asyncio.Event()
        engine = LateEngine(KILLED, on_asked=is_asked.set)
        bot = await contain(engine, set_machine(tmp_path, oom_kills=7))
        set_machine(tmp_path, oom_kills=8)
        bot.note_started(pid=0)
        await is_asked.wait()
        assert bot.is_ending
        assert not bot.exited.done()
        return await bot.stop(grace_s=0.0)

    how = asyncio.run(main())
    assert how.host_failure == ""
