"""The host that runs each bot in a container.

What a bot may do there is in `flags.py` and `limits.py`; how it talks to the engine in
`engine.py`. This starts containers, keeps count of them, and removes what is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.hosts.base import BotProcess, HostError, LaunchSpec, SeatFolder, stop_all
from tarneeb_referee.hosts.docker import flags
from tarneeb_referee.hosts.docker.container import BotContainer
from tarneeb_referee.hosts.docker.cores import CorePool
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    NotThereError,
    SandboxUnavailableError,
    exit_code_of_failed_start,
)
from tarneeb_referee.hosts.docker.image_files import files_problem
from tarneeb_referee.hosts.docker.images import ImageStore
from tarneeb_referee.hosts.docker.kept import lifted_limits
from tarneeb_referee.hosts.docker.leftovers import run_labels
from tarneeb_referee.hosts.docker.machine import MachineMemory
from tarneeb_referee.hosts.docker.output_reader import OutputReader
from tarneeb_referee.hosts.docker.powers import machine_has_swap, missing_powers
from tarneeb_referee.hosts.docker.settings import DockerSettings
from tarneeb_referee.hosts.docker.users import any_user, is_known_here, next_user
from tarneeb_referee.hosts.run_folder import RunFolder, remove_tree

__all__ = ["DockerHost"]

_SAMPLE_S: Final = 0.5
_LATE_START_S: Final = 5.0
# Longer than the engine may take to make a container: what comes of it is then seen, and removed.
_LAST_START_S: Final = 45.0

# As a shell says of a command that is there and cannot run.
_CANNOT_RUN: Final = 126

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _FailedStart:
    """A start that failed by the image's own doing.

    Attributes:
        code: what a shell would exit with, 126 or 127.
        reason: for the bot's author.
    """

    code: int
    reason: str


class DockerHost:
    """Runs bots in containers.

    Args:
        run: the folder of this run, which `close` removes.
        engine: the gate to the container engine, which `close` closes.
        info: what `Engine.info` said.
        settings: how to run bots.
        warn: told what the organizer should know; the log if absent.
    """

    def __init__(
        self,
        run: RunFolder,
        *,
        engine: Engine,
        info: Mapping[str, Any],
        settings: DockerSettings,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._run = run
        self._engine = engine
        self._settings = settings
        self._images = ImageStore(
            engine,
            architecture=str(info.get("Architecture") or ""),
            settings=settings,
            note=warn or _logger.warning,
        )
        # An engine whose control groups have no `cpuset`, as many of plain users, pins nobody.
        can_pin = info.get("CPUSet", True)
        cores = int(info.get("NCPU") or 1) if can_pin else 0
        self._cores = CorePool(cores, at_once=settings.at_once)
        self._labels = run_labels(run)
        self._can_limit_swap = bool(info.get("SwapLimit"))
        self._is_podman = "BuildahVersion" in info
        self._is_verified = False
        # Images are pinned by their ids, so one look at their files is enough.
        self._looked_at: set[str] = set()
        self._memory = MachineMemory()
        self._cores_of: dict[BotContainer, str] = {}
        self._seats_of: dict[BotContainer, Path] = {}
        self._starting: dict[asyncio.Task[BotContainer], Path] = {}
        self._closed_seats: set[Path] = set()
        self._is_closed = False
        self._user = any_user()
        self._choosing_user = asyncio.Lock()
        self._sampling: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        run: RunFolder,
        *,
        settings: DockerSettings | None = None,
        engine: Engine | None = None,
        warn: Callable[[str], None] | None = None,
    ) -> DockerHost:
        """Find the engine and make sure that it can hold a bot in its limits.

        The engine is closed if this fails; the run's folder is left to the caller.

        Raises:
            SandboxUnavailableError: there is no engine, or it cannot.
        """
        engine = engine or Engine.from_environment()
        settings = settings or DockerSettings()
        try:
            info = await engine.info()
            missing = missing_powers(info, runtime=settings.runtime, has_swap=machine_has_swap())
            if missing:
                raise SandboxUnavailableError(
                    f"the container engine cannot {', nor '.join(missing)}; no stranger's bot is"
                    " run without that"
                )
            return cls(run, engine=engine, info=info, settings=settings, warn=warn)
        except BaseException:
            await engine.close()
            raise

    @property
    def run_id(self) -> str:
        return self._run.run_id

    async def prepare(self, bot: BotSpec) -> BotSpec:
        """Give the bot with its image pinned; see `ImageStore.pin`."""
        return await self._images.pin(bot)

    def open_seat(self) -> SeatFolder:
        seat = self._run.open_seat()
        # Other users of this machine cannot come so far: the run's folder is closed to them.
        # In the container only this folder is seen, and the bot is no user of this machine.
        seat.path.chmod(0o711)
        return replace(seat, bot_address=flags.BOT_ADDRESS)

    async def close_seat(self, seat: SeatFolder) -> None:
        # Whoever started or stopped a bot here may have been cancelled before that was done.
        self._closed_seats.add(seat.path)
        await self._end(lambda path: path == seat.path)
        await asyncio.to_thread(remove_tree, seat.path)

    async def start(self, spec: LaunchSpec) -> BotProcess:
        if not spec.bot.image:
            raise HostError(f"bot {spec.bot.name!r} has no image; it was not prepared")
        _let_bot_connect(spec.seat.path)
        # A container that the engine is making cannot be called off: the task goes on if we are
        # cancelled, and who closes the seat finds what came of it.
        starting = asyncio.create_task(self._start(spec))
        self._starting[starting] = spec.seat.path
        starting.add_done_callback(self._started)
        return await asyncio.shield(starting)

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._sampling is not None:
            self._sampling.cancel()
        # Upwards from here, each whatever became of those before it.
        async with contextlib.AsyncExitStack() as steps:
            steps.push_async_callback(asyncio.to_thread, self._run.close)
            steps.push_async_callback(self._engine.close)
            steps.push_async_callback(self._remove_rest)
            await self._end(lambda _: True)

    async def _remove_rest(self) -> None:
        """Remove the containers of this run of which nobody here knows any more."""
        if self._starting:
            await asyncio.wait(tuple(self._starting), timeout=_LAST_START_S)
        try:
            for container in await self._engine.containers(self._labels):
                await self._drop(str(container["Id"]))
        except EngineError as error:
            _logger.warning("%s", error)

    async def _end(self, is_wanted: Callable[[Path], bool]) -> None:
        """End what runs, and what is being started, in some of the seats' folders."""
        starting = [task for task, path in self._starting.items() if is_wanted(path)]
        if starting:
            await asyncio.wait(starting, timeout=_LATE_START_S)
        bots = [bot for bot, path in self._seats_of.items() if is_wanted(path)]
        await stop_all(bots, grace_s=0.0)
        for bot in bots:
            self._seats_of.pop(bot, None)

    async def _start(self, spec: LaunchSpec) -> BotContainer:
        core = self._cores.take()
        try:
            plan = self._plan(spec, core, await self._next_user())
            bot = await self._launch(await self._create(plan), plan)
        except BaseException:
            self._cores.give_back(core)
            raise
        self._cores_of[bot] = core
        self._seats_of[bot] = spec.seat.path
        bot.exited.add_done_callback(lambda _: self._cores.give_back(self._cores_of.pop(bot)))
        if self._sampling is None or self._sampling.done():
            self._sampling = asyncio.create_task(self._sample())
        if self._is_closed or spec.seat.path in self._closed_seats:
            # It took so long that whoever closed the seat has not waited for it.
            await bot.stop(grace_s=0.0)
            self._seats_of.pop(bot, None)
        return bot

    def _started(self, starting: asyncio.Task[BotContainer]) -> None:
        self._starting.pop(starting, None)
        if not starting.cancelled():
            starting.exception()  # seen, even if nobody waits for it any more

    async def _next_user(self) -> int:
        async with self._choosing_user:
            # A directory service may take long to answer, and matches go on meanwhile.
            self._user = await asyncio.to_thread(next_user, self._user, is_taken=is_known_here)
            return self._user

    def _plan(self, spec: LaunchSpec, core: str, user: int) -> flags.ContainerPlan:
        return flags.ContainerPlan(
            image_id=spec.bot.image,
            name=f"tarneeb-{self.run_id}-{secrets.token_hex(6)}",
            labels=self._labels,
            seat_path=spec.seat.path,
            token=spec.token,
            user_id=user,
            limits=self._settings.limits,
            env=spec.env,
            runtime=self._settings.runtime,
            cpuset=core,
            is_podman=self._is_podman,
        )

    async def _create(self, plan: flags.ContainerPlan) -> str:
        try:
            return await self._engine.create(
                flags.create_arguments(plan), flags.host_config(plan), flags.masked_paths()
            )
        except NotThereError as error:
            raise HostError(f"the image {plan.image_id} is gone from the engine") from error

    async def _launch(self, container: str, plan: flags.ContainerPlan) -> BotContainer:
        reader: OutputReader | None = None
        try:
            if not self._is_verified:
                self._verify(await self._engine.inspect(container), plan)
                self._is_verified = True
            reader = OutputReader(
                await self._engine.attach(container), cap_bytes=self._settings.limits.log_bytes
            )
            bot = BotContainer(
                self._engine,
                container,
                reader,
                self._memory,
                memory_limit_bytes=self._settings.limits.memory_bytes,
            )
            failed = await self._try_start(container, plan.image_id)
            if failed is not None:
                bot.note_failed_start(code=failed.code, reason=failed.reason)
                return bot
            description = await self._engine.inspect(container)
            self._verify(description, plan)
            state = description.get("State") or {}
            bot.note_started(
                pid=int(state.get("Pid") or 0), started_at=str(state.get("StartedAt") or "")
            )
        except BaseException:
            if reader is not None:
                reader.close()
            await self._drop(container)
            raise
        return bot

    async def _try_start(self, container: str, image: str) -> _FailedStart | None:
        """Start a container; what its image makes of that is given back, and all else raised."""
        if image not in self._looked_at:
            problem = await files_problem(self._engine, container)
            if problem:
                return _FailedStart(_CANNOT_RUN, problem)
            self._looked_at.add(image)
        try:
            await self._engine.start(container)
        except EngineError as error:
            state = (await self._engine.inspect(container)).get("State") or {}
            code = exit_code_of_failed_start(state)
            if code is None:
                raise
            return _FailedStart(code, str(error))
        return None

    def _verify(self, description: Mapping[str, Any], plan: flags.ContainerPlan) -> None:
        """Trust no engine: a limit that it does not know it may leave out in silence.

        The first container is looked at before it starts, and each afterwards.
        """
        lifted = lifted_limits(description, plan=plan, can_limit_swap=self._can_limit_swap)
        if lifted:
            raise SandboxUnavailableError(
                f"the container engine did not set {', '.join(lifted)} as it was told to"
            )

    async def _drop(self, container: str) -> None:
        try:
            await self._engine.remove(container)
        except EngineError as error:
            # Its label stays on it: the next run, or `clean`, removes it.
            _logger.warning("%s", error)

    async def _sample(self) -> None:
        while self._cores_of:
            self._memory.sample()
            for bot in tuple(self._cores_of):
                bot.sample()
                bot.look_around()
            await asyncio.sleep(_SAMPLE_S)


def _let_bot_connect(seat: Path) -> None:
    """Open the seat's socket to the bot's user, who is none of this machine."""
    try:
        (seat / flags.SOCKET_NAME).chmod(0o666)
    except OSError as error:
        raise HostError(f"the seat's socket is not there yet: {error}") from error
