"""One bot in one container, from its start until nothing of it is left."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from tarneeb_referee.hosts.base import DEFAULT_GRACE_S, ExitInfo
from tarneeb_referee.hosts.docker.engine import ContainerExit, Engine
from tarneeb_referee.hosts.docker.exits import EndEvidence, exit_info
from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    EngineSilentError,
    EngineUnreachableError,
)
from tarneeb_referee.hosts.docker.machine import MachineMemory
from tarneeb_referee.hosts.docker.output_reader import OutputReader
from tarneeb_referee.hosts.docker.usage import CgroupMeter, Usage
from tarneeb_referee.hosts.output import BotLogs, Output

__all__ = ["BotContainer"]

_KILL_S: Final = 5.0
_LAST_OUTPUT_S: Final = 1.0
# An engine hears of a kill at the memory limit on another way than of the end that it causes, and on
# a busy machine many seconds later.
_OOM_NEWS_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.03
_LOOK_AGAIN_AT_LAST_S: Final = 0.5
_SIGKILLED: Final = 137
# Engines themselves pause a container for a moment when they change its limits.
_PAUSED_LOOKS: Final = 2

_logger = logging.getLogger(__name__)


class BotContainer:
    """A container and what becomes of it. It belongs to the event loop that made it.

    Args:
        engine: the gate to the engine.
        container: the container's id.
        reader: reads its output already.
        memory: tells when the machine is out of memory.
        memory_limit_bytes: its own limit; 0 if that is not known.
    """

    def __init__(
        self,
        engine: Engine,
        container: str,
        reader: OutputReader,
        memory: MachineMemory,
        *,
        memory_limit_bytes: int = 0,
    ) -> None:
        self._engine = engine
        self._container = container
        self._reader = reader
        self._memory = memory
        self._memory_limit_bytes = memory_limit_bytes
        self._kills_before = memory.kills()
        self._meter: CgroupMeter | None = None
        self._stop_asked = False
        self._is_ending = False
        self._final_logs: BotLogs | None = None
        self._watch: asyncio.Task[None] | None = None
        self._started_at = ""
        self._paused = 0
        self._stopping: asyncio.Task[None] | None = None
        self._removal: asyncio.Task[None] | None = None
        self.exited: asyncio.Future[ExitInfo] = asyncio.get_running_loop().create_future()

    @property
    def id(self) -> str:
        """The engine's name for it."""
        return self._container

    @property
    def is_ending(self) -> bool:
        """Whether it has ended, though it may not be known yet how."""
        return self._is_ending or self.exited.done()

    def note_started(self, *, pid: int, started_at: str = "") -> None:
        """Watch for its end from now on, and measure what it uses.

        Args:
            pid: of its main process on this machine; 0 if that is not known, or it has ended.
            started_at: when it started, in the engine's words; empty if that is not known.
        """
        self._started_at = started_at
        self._meter = CgroupMeter(pid) if pid else None
        self.sample()
        self._watch = asyncio.create_task(self._watch_exit(), name=f"watch-{self._container[:12]}")

    def note_failed_start(self, *, code: int, reason: str) -> None:
        """Let it look as a shell would have it whose command cannot run: ended, with its reason."""
        self._final_logs = BotLogs(stderr=Output(head=f"{reason}\n".encode()))
        self._reader.close()
        self._settle(ExitInfo(code=code))

    def sample(self) -> Usage:
        """Read its counters now."""
        return self._meter.sample() if self._meter is not None else Usage()

    def look_around(self) -> None:
        """Notice that somebody pauses it, of which the engine's waiting hears nothing."""
        if self._meter is None or self.exited.done():
            return
        self._paused = self._paused + 1 if self._meter.is_paused() else 0
        if self._paused == _PAUSED_LOOKS:
            how = ExitInfo(stopped=self._stop_asked, host_failure="somebody paused the container")
            self._settle(how)

    async def stop(self, *, grace_s: float = DEFAULT_GRACE_S) -> ExitInfo:
        """Ask it to end, kill it after the grace, and remove it.

        Once begun this goes on to its end, even if whoever asked for it is cancelled.
        """
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop(grace_s))
        await asyncio.shield(self._stopping)
        return self.exited.result()

    async def _stop(self, grace_s: float) -> None:
        if not self.exited.done():
            self._stop_asked = True
            self.sample()
            if grace_s > 0:
                await self._signal("SIGTERM")
                await asyncio.wait({self.exited}, timeout=grace_s)
        if not self.exited.done():
            self.sample()
            await self._signal("SIGKILL")
            await asyncio.wait({self.exited}, timeout=_KILL_S)
        if not self.exited.done():
            if self._watch is not None:
                self._watch.cancel()
            self._settle(ExitInfo(stopped=True, host_failure="the engine cannot stop a container"))
        await self.remove()

    async def remove(self) -> None:
        """Remove the container once its output has been read; may be called again."""
        if self._removal is None:
            self._removal = asyncio.create_task(self._remove())
        await asyncio.shield(self._removal)

    async def logs(self) -> BotLogs:
        """Give what it has printed so far; all of it after its end."""
        if self.exited.done():
            await self._read_rest()
        return self._reader.logs() if self._final_logs is None else self._final_logs

    def _settle(self, how: ExitInfo) -> None:
        if not self.exited.done():
            self.exited.set_result(how)

    async def _signal(self, name: str) -> None:
        try:
            await self._engine.kill(self._container, name)
        except EngineError as error:
            _logger.warning("%s", error)

    async def _watch_exit(self) -> None:
        try:
            await self._engine.wait(self._container)
            self._is_ending = True
            self._settle(await self._judge(await self._engine.exit_of(self._container)))
        except EngineError as error:
            # It may play on, but nobody would notice its end: what it plays is worth nothing.
            self._settle(ExitInfo(stopped=self._stop_asked, host_failure=str(error)))
        except Exception as error:  # the fence of this task: nobody waits for it, but for its word
            _logger.exception("cannot tell how a container ended")
            reason = f"{type(error).__name__}: {error}"
            self._settle(ExitInfo(stopped=self._stop_asked, host_failure=reason))

    async def _judge(self, ended: ContainerExit) -> ExitInfo:
        """Say how it ended, within a bounded time, from all that is known of it.

        The news may come in any order. Nobody is blamed before all of it is there.
        """
        stopped = self._stop_asked
        if self._started_at and ended.started_at != self._started_at:
            # What the engine tells is of another process than ours.
            failure = "somebody started the container again through the engine"
            return ExitInfo(stopped=stopped, host_failure=failure)
        # This is remembered for some seconds only.
        machine_out_of_memory = self._memory.ran_out(kills_before=self._kills_before)
        if ended.code == _SIGKILLED and not stopped:
            ended = await self._await_oom_news(ended)
        signalled = "" if stopped else await self._signal_sent(ended)
        return exit_info(
            EndEvidence(
                code=ended.code,
                at_memory_limit=ended.out_of_memory,
                stopped=stopped,
                signalled=signalled,
                machine_out_of_memory=machine_out_of_memory,
                usage=self.sample(),
                memory_limit_bytes=self._memory_limit_bytes,
            )
        )

    async def _signal_sent(self, ended: ContainerExit) -> str | None:
        try:
            return await self._engine.signal_sent(self._container, ended)
        except (EngineUnreachableError, EngineSilentError):
            # It may be on its way down, and have sent the signal itself. A bot that obeys one ends
            # with any code it likes.
            raise
        except EngineError as error:
            _logger.warning("%s", error)
            return None

    async def _await_oom_news(self, ended: ContainerExit) -> ContainerExit:
        """Wait for the engine's word that the kernel killed it at its limit, where that may come."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _OOM_NEWS_S
        wait_s = _LOOK_AGAIN_S
        while not ended.out_of_memory and loop.time() < deadline and not self._stop_asked:
            if not self._memory.may_have_killed(kills_before=self._kills_before):
                break
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LOOK_AGAIN_AT_LAST_S)
            ended = await self._engine.exit_of(self._container)
        return ended

    async def _read_rest(self) -> None:
        if self._final_logs is None:
            self._final_logs = await asyncio.to_thread(self._reader.finish, _LAST_OUTPUT_S)

    async def _remove(self) -> None:
        await self._read_rest()
        try:
            await self._engine.remove(self._container)
        except EngineError as error:
            # Its label stays on it: the next run, or `clean`, removes it.
            _logger.warning("%s", error)
