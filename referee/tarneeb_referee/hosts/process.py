"""The host that runs each bot as a process of this machine.

Each bot has a session, a socket folder, a copy of its files (`bot_copies.py`), a home and an
environment of its own, and a keeper (`keeper.py`) that ends its whole tree. That keeps order among bots that mean well and among most
that fail; it is no sandbox. A bot runs as the user who runs the referee and may read, write and
kill what he may.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tarneeb_referee.bot_folder import bot_search_path, local_command
from tarneeb_referee.hosts import keeper
from tarneeb_referee.hosts.base import (
    DEFAULT_GRACE_S,
    BotProcess,
    ExitInfo,
    HostError,
    LaunchSpec,
    SeatFolder,
    stop_all,
)
from tarneeb_referee.hosts.bot_copies import BotCopies
from tarneeb_referee.hosts.keeper_link import KeeperLink
from tarneeb_referee.hosts.marks import MARK_VARIABLE, kill_marked, mark
from tarneeb_referee.hosts.output import BotLogs
from tarneeb_referee.hosts.run_folder import RunFolder, remove_tree

__all__ = ["DEFAULT_OUTPUT_CAP_BYTES", "NOT_A_SANDBOX", "ProcessHost", "bot_environment"]

DEFAULT_OUTPUT_CAP_BYTES: Final = 2 * 1024 * 1024

NOT_A_SANDBOX: Final = (
    "bots run as plain processes of this user, which is not a sandbox: they can read and write"
    " what you can, reach the network and use all memory; run only bots that you trust"
)

_START_S: Final = 10.0
_REPORT_S: Final = 2.0
# A keeper that keeps its time is done within the grace and KILL_S; this is for a busy machine.
_KEEPER_SLACK_S: Final = 1.0
_REAP_S: Final = 1.0

_logger = logging.getLogger(__name__)


class ProcessHost:
    """Runs bots as processes.

    Args:
        run: the folder of this run, which `close` removes.
        output_cap_bytes: how much of a bot's output to keep, both streams together.
        warn: told once, at the first start, that processes are no sandbox; the log if absent.
    """

    def __init__(
        self,
        run: RunFolder,
        *,
        output_cap_bytes: int = DEFAULT_OUTPUT_CAP_BYTES,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self._run = run
        self._output_cap_bytes = output_cap_bytes
        self._warn: Callable[[str], None] | None = warn or _logger.warning
        self._copies = BotCopies(run.path / "bots")
        self._running: set[_KeptBot] = set()

    @property
    def run_id(self) -> str:
        return self._run.run_id

    def open_seat(self) -> SeatFolder:
        return self._run.open_seat()

    async def close_seat(self, seat: SeatFolder) -> None:
        # A bot may have left a million files.
        await asyncio.to_thread(remove_tree, seat.path)

    async def start(self, spec: LaunchSpec) -> BotProcess:
        if self._warn is not None:
            self._warn(NOT_A_SANDBOX)
            self._warn = None
        folder = await self._copies.for_seat(spec.bot, spec.seat)
        bot = await _KeptBot.launch(
            spec, folder, run_id=self.run_id, output_cap_bytes=self._output_cap_bytes
        )
        # Known from here on, so that `close` also ends a bot whose start was given up.
        self._running.add(bot)
        bot.gone.add_done_callback(lambda _: self._running.discard(bot))
        await bot.wait_started(spec.bot.name)
        return bot

    async def close(self) -> None:
        await self._copies.close()
        await stop_all(tuple(self._running), grace_s=0.0)
        await asyncio.to_thread(self._run.close)


class _KeptBot:
    """One bot and its keeper."""

    def __init__(self, link: KeeperLink, process: subprocess.Popen[bytes], marked: str) -> None:
        self._link = link
        self._process = process
        self._mark = marked
        self.gone = asyncio.ensure_future(self._clear_up())

    @classmethod
    async def launch(
        cls, spec: LaunchSpec, folder: Path, *, run_id: str, output_cap_bytes: int
    ) -> _KeptBot:
        # 128 bits, not a count: a bot need not learn how many came before it.
        marked = mark(run_id, secrets.token_hex(16))
        ours, theirs = _socket_pair()
        link = KeeperLink(ours, output_cap_bytes=output_cap_bytes)
        with theirs:
            try:
                await asyncio.get_running_loop().create_connection(lambda: link, sock=ours)
            except BaseException:
                ours.close()
                raise
            # No `await` from here to the object that sees to the process.
            try:
                process = _start_keeper(spec, folder, theirs, marked, output_cap_bytes)
            except HostError:
                link.close()
                raise
        return cls(link, process, marked)

    async def wait_started(self, name: str) -> None:
        try:
            await asyncio.wait_for(asyncio.shield(self._link.started), _START_S)
        except (OSError, TimeoutError) as error:
            await self.stop(grace_s=0.0)
            raise HostError(f"no process for bot {name!r}: {error}") from error
        except asyncio.CancelledError:
            self._link.ask_to_stop(0.0)
            raise

    @property
    def exited(self) -> asyncio.Future[ExitInfo]:
        return self._link.exited

    @property
    def is_ending(self) -> bool:
        return self.exited.done()

    async def stop(self, *, grace_s: float = DEFAULT_GRACE_S) -> ExitInfo:
        self._link.ask_to_stop(grace_s)
        longest_s = grace_s + keeper.KILL_S + _KEEPER_SLACK_S
        _, late = await asyncio.wait({self.gone}, timeout=longest_s)
        if late:
            # The keeper is stopped, or was made to hang. `_clear_up` takes over.
            self._process.kill()
            _, late = await asyncio.wait({self.gone}, timeout=longest_s)
        if late:
            _logger.error("keeper %d does not end", self._process.pid)
            self._link.close()
        return await asyncio.shield(self._link.exited)

    async def logs(self) -> BotLogs:
        # After its end the keeper reports once more by itself, when it has all.
        complete = self.gone if self.exited.done() else self._link.ask_for_report()
        await asyncio.wait({complete}, timeout=_REPORT_S)
        return self._link.logs

    async def _clear_up(self) -> None:
        """See to it that nothing is left once the keeper is gone, in good order or not."""
        await self._link.closed
        if self._link.survivors is None:
            # Somebody killed it. The kernel has then killed the bot itself (PR_SET_PDEATHSIG).
            self._process.kill()
            self._kill_group()
            killed = await asyncio.to_thread(kill_marked, self._mark)
            _logger.warning("a bot's keeper was lost; %d processes were left of the bot", killed)
        elif self._link.survivors:
            _logger.warning("%d processes of a bot cannot be killed", self._link.survivors)
        await self._reap()

    def _kill_group(self) -> None:
        started = self._link.started
        # Only while nobody has waited for the bot: its number then belongs to no one else.
        if started.done() and started.exception() is None and self._link.exited.result().lost:
            with contextlib.suppress(OSError):
                os.killpg(started.result(), signal.SIGKILL)

    async def _reap(self) -> None:
        # It closed the socket in its last microseconds, so this mostly passes at once.
        wait_s = 0.0005
        while self._process.poll() is None and wait_s < _REAP_S:
            await asyncio.sleep(wait_s)
            wait_s *= 2
            if wait_s >= _REAP_S / 4:
                self._process.kill()


def bot_environment(spec: LaunchSpec, *, marked: str) -> dict[str, str]:
    """Give the whole environment of a bot; nothing is inherited but `PATH`.

    Args:
        spec: what is started; its `env` comes first, so that ours stands.
        marked: the value of `TARNEEB_RUN`.
    """
    return {
        **dict(spec.env),
        "PATH": bot_search_path(),
        "LANG": "C.UTF-8",
        "HOME": str(spec.seat.path / "home"),
        "TMPDIR": str(spec.seat.path / "tmp"),
        # What a bot printed before it was killed is what its author needs most.
        "PYTHONUNBUFFERED": "1",
        # Else a set of strings is walked in another order in every process.
        "PYTHONHASHSEED": "0",
        "TARNEEB_ADDRESS": spec.seat.bot_address,
        "TARNEEB_TOKEN": spec.token,
        MARK_VARIABLE: marked,
    }


def _start_keeper(
    spec: LaunchSpec, folder: Path, control: socket.socket, marked: str, output_cap_bytes: int
) -> subprocess.Popen[bytes]:
    try:
        for name in ("home", "tmp"):
            (spec.seat.path / name).mkdir(mode=0o700, exist_ok=True)
        return subprocess.Popen(
            keeper.keeper_command(local_command(spec.bot), output_cap_bytes=output_cap_bytes),
            cwd=folder,
            env=bot_environment(spec, marked=marked),
            stdin=control.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise HostError(f"no process for bot {spec.bot.name!r}: {error}") from error


def _socket_pair() -> tuple[socket.socket, socket.socket]:
    try:
        ours, theirs = socket.socketpair()
    except OSError as error:
        raise HostError(f"no socket to a bot's keeper: {error}") from error
    ours.settimeout(0.0)  # asyncio wants it so
    return ours, theirs
