"""The host for tests: bots are functions, run inside the referee.

A bot is a plain function, which gets a thread, or a coroutine function, which gets a task. Or it
is nothing at all: `idle`, which plays dead until the test ends it by `MemoryBot.finish`. The seats'
folders are real, so a gRPC server may serve in them.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import inspect
import threading
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.hosts.base import (
    DEFAULT_GRACE_S,
    ExitInfo,
    HostError,
    LaunchSpec,
    SeatFolder,
    stop_all,
)
from tarneeb_referee.hosts.output import BotLogs, Output
from tarneeb_referee.hosts.output_buffer import OutputBuffer
from tarneeb_referee.hosts.run_folder import RunFolder, remove_tree

__all__ = ["BotContext", "BotMain", "MemoryBot", "MemoryHost", "idle", "memory_bot"]

_OUTPUT_CAP_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class BotContext:
    """What a bot inside the referee has of the world.

    Attributes:
        env: the variables that a process would have, `TARNEEB_ADDRESS` and `TARNEEB_TOKEN`.
        stop_asked: set when the bot is to end; one that does not look is left behind.
        write_stdout: takes what the bot prints.
        write_stderr: takes what the bot complains.
    """

    env: Mapping[str, str]
    stop_asked: threading.Event
    write_stdout: Callable[[bytes], None]
    write_stderr: Callable[[bytes], None]


Ending = ExitInfo | int | None
"""How a bot's function may end: None is exit code 0. An exception is code 1, as in a process."""

BotMain = Callable[[BotContext], Ending] | Callable[[BotContext], Awaitable[Ending]]


async def idle(_: BotContext) -> None:
    """Do nothing for ever: a bot whose test speaks for it."""
    await asyncio.get_running_loop().create_future()


def memory_bot(name: str) -> BotSpec:
    """Make up a bot by name, with no folder behind it."""
    return BotSpec(
        name=name, version="0", command=(name,), folder=Path("/nowhere"), digest="0" * 64
    )


class MemoryHost:
    """Runs functions as bots.

    Args:
        run: the folder of this run, which `close` removes.
        mains: the function of each bot, by the bot's name.

    Attributes:
        started: every bot started so far, in that order.
    """

    def __init__(self, run: RunFolder, mains: Mapping[str, BotMain]) -> None:
        self.started: list[MemoryBot] = []
        self._run = run
        self._mains = mains

    @property
    def run_id(self) -> str:
        return self._run.run_id

    def open_seat(self) -> SeatFolder:
        return self._run.open_seat()

    async def close_seat(self, seat: SeatFolder) -> None:
        remove_tree(seat.path)

    async def start(self, spec: LaunchSpec) -> MemoryBot:
        try:
            main = self._mains[spec.bot.name]
        except KeyError as error:
            raise HostError(f"no function for bot {spec.bot.name!r}") from error
        bot = MemoryBot(spec, main)
        self.started.append(bot)
        return bot

    async def close(self) -> None:
        await stop_all(self.started, grace_s=0.0)
        self._run.close()


class MemoryBot:
    """One function at work as a bot.

    Args:
        spec: how it was started, kept as an attribute.
        main: the function.
    """

    def __init__(self, spec: LaunchSpec, main: BotMain) -> None:
        self.spec = spec
        self._loop = asyncio.get_running_loop()
        self._exited: asyncio.Future[ExitInfo] = self._loop.create_future()
        self._lock = threading.Lock()
        self._outputs = (OutputBuffer(_OUTPUT_CAP_BYTES), OutputBuffer(_OUTPUT_CAP_BYTES))
        self._stop_asked = threading.Event()
        self._task: asyncio.Task[None] | None = None
        context = BotContext(
            env={
                **dict(spec.env),
                "TARNEEB_ADDRESS": spec.seat.bot_address,
                "TARNEEB_TOKEN": spec.token,
            },
            stop_asked=self._stop_asked,
            write_stdout=lambda data: self._write(0, data),
            write_stderr=lambda data: self._write(1, data),
        )
        if inspect.iscoroutinefunction(main):
            self._task = self._loop.create_task(self._run_task(main, context))
            self._task.add_done_callback(self._note_cancelled)
        else:
            thread = threading.Thread(
                target=self._run_thread, args=(main, context), name=spec.bot.name, daemon=True
            )
            thread.start()

    @property
    def exited(self) -> asyncio.Future[ExitInfo]:
        return self._exited

    @property
    def is_ending(self) -> bool:
        return self._exited.done()

    async def stop(self, *, grace_s: float = DEFAULT_GRACE_S) -> ExitInfo:
        self._stop_asked.set()
        # A coroutine is asked by cancelling it, as a process is by SIGTERM.
        if self._task is not None:
            self._task.cancel()
        await asyncio.wait({self._exited}, timeout=grace_s)
        self.finish(ExitInfo(signal_name="SIGKILL"))
        return self._exited.result()

    async def logs(self) -> BotLogs:
        with self._lock:
            stdout, stderr = (Output(*buffer.parts()) for buffer in self._outputs)
        return BotLogs(stdout=stdout, stderr=stderr)

    def finish(self, how: ExitInfo) -> None:
        """End the bot now, as its host would have seen it end; the first end counts."""
        if not self._exited.done():
            self._exited.set_result(dataclasses.replace(how, stopped=self._stop_asked.is_set()))
        if self._task is not None:
            self._task.cancel()

    async def _run_task(self, main: BotMain, context: BotContext) -> None:
        try:
            result = main(context)
            assert isinstance(result, Awaitable)
            how = _exit_info(await result)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - ends the bot, not the referee
            how = self._note_exception(error)
        self.finish(how)

    def _note_cancelled(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            self.finish(ExitInfo(signal_name="SIGTERM"))

    def _run_thread(self, main: BotMain, context: BotContext) -> None:
        try:
            result = main(context)
            assert not isinstance(result, Awaitable)
            how = _exit_info(result)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - ends the bot, not the referee
            how = self._note_exception(error)
        with contextlib.suppress(RuntimeError):  # the referee's loop has closed meanwhile
            self._loop.call_soon_threadsafe(self.finish, how)

    def _note_exception(self, error: Exception | SystemExit) -> ExitInfo:
        if isinstance(error, SystemExit):
            return _exit_info(error.code if isinstance(error.code, int | None) else 1)
        self._write(1, "".join(traceback.format_exception(error)).encode())
        return ExitInfo(code=1)

    def _write(self, stream: int, data: bytes) -> None:
        with self._lock:
            self._outputs[stream].add(data)


def _exit_info(ending: Ending) -> ExitInfo:
    return ending if isinstance(ending, ExitInfo) else ExitInfo(code=ending or 0)
