"""The port through which the referee starts and stops bots, and the values that cross it.

A host knows how a bot runs: as a process of its own (`process.py`), inside the referee for tests
(`memory.py`). It knows nothing of cards, clocks or faults; it reports what happened to a bot and
leaves the blame to others.

The order of a session is `open_seat`, serve at `SeatFolder.listen_address`, `start` (again after
a crash), `BotProcess.stop`, `close_seat`; `close` at the end of the run stops what is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.hosts.output import BotLogs
from tarneeb_sdk.errors import HarnessError

__all__ = [
    "DEFAULT_GRACE_S",
    "BotProcess",
    "ExitInfo",
    "Host",
    "HostError",
    "LaunchSpec",
    "SeatFolder",
    "stop_all",
]

DEFAULT_GRACE_S: Final = 0.3
"""How long a bot may take to end by itself once it was asked to: time to write a last line."""


class HostError(HarnessError):
    """The host could not do its part: no process to be had, no folder, no keeper."""


@dataclass(frozen=True, slots=True)
class SeatFolder:
    """A place of its own for one bot, which no other seat is told of.

    Attributes:
        path: the folder, readable by its owner alone.
        listen_address: where the referee serves this seat, as gRPC writes it (`unix:/…`).
        bot_address: the same place as the bot sees it; inside a container the path differs.
    """

    path: Path
    listen_address: str
    bot_address: str


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """All that a host needs to start one bot in one seat.

    Attributes:
        bot: what to run.
        seat: where the bot finds the referee.
        token: what the bot proves its seat with; reaches it as `TARNEEB_TOKEN`, never on a
            command line, where every user of the machine could read it.
        env: further variables for the bot as pairs; they may not replace the host's own.
    """

    bot: BotSpec
    seat: SeatFolder
    token: str = field(repr=False)
    env: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ExitInfo:
    """How a bot's main process ended.

    Attributes:
        code: the exit code, or None when a signal ended it or nobody saw the end.
        signal_name: such as `SIGSEGV`, or None.
        stopped: we had asked it to stop before it ended, so this is no crash.
        over_memory: it is to blame for having been killed for memory: by a limit of its own
            (containers only) or, with `host_out_of_memory`, as it held much of the machine's.
        host_out_of_memory: it was killed while the whole machine ran out of memory.
        lost: nobody saw the end: the process that watches the bot was itself killed, which
            on a quiet machine only the bot does.
        host_failure: the host itself failed while the bot ran, and this is how; empty if not.
        cpu_s: processor time of the main process and the children it waited for, in seconds.
        peak_memory_bytes: the most memory that one of its processes held at once; helpers that
            outlived the main process are left out.
    """

    code: int | None = None
    signal_name: str | None = None
    stopped: bool = False
    over_memory: bool = False
    host_out_of_memory: bool = False
    lost: bool = False
    host_failure: str = ""
    cpu_s: float | None = None
    peak_memory_bytes: int | None = None

    def describe(self, *, before_ready: bool = False, last_line: str = "") -> str:
        """Tell in a few words how the bot ended, the same words for the same end.

        Args:
            before_ready: it had not yet said `Hello`.
            last_line: the end of its error output (`BotLogs.last_line()`), where wanted.

        >>> ExitInfo(code=127).describe(before_ready=True, last_line="exec: not found")
        'exited with 127 before ready: exec: not found'
        >>> ExitInfo(code=0).describe(before_ready=True)
        'exited with 0 before ready (does it end with run(MyBot)?)'
        >>> ExitInfo(signal_name="SIGSEGV").describe()
        'killed by SIGSEGV'
        >>> ExitInfo(signal_name="SIGKILL", stopped=True).describe()
        'ended by the referee with SIGKILL'
        >>> ExitInfo(stopped=True).describe()
        'not seen to end: it runs elsewhere'
        """
        if self.over_memory:
            where = "for the memory it held" if self.host_out_of_memory else "at its memory limit"
            what = f"killed {where}"
        elif self.host_failure:
            what = f"lost: the host failed: {self.host_failure}"
        elif self.lost:
            what = "lost: the process that watches it was killed"
        elif self.signal_name is not None:
            by = "ended by the referee with" if self.stopped else "killed by"
            what = f"{by} {self.signal_name}"
        elif self.code is None:
            what = "not seen to end: it runs elsewhere"
        else:
            what = f"exited with {self.code}"
        if self.host_out_of_memory:
            what += " while the machine was out of memory"
        if before_ready:
            what += " before ready"
            if self.code == 0 and not self.stopped:
                what += " (does it end with run(MyBot)?)"
        return f"{what}: {last_line}" if last_line else what


class BotProcess(Protocol):
    """One running bot. All its methods belong to the event loop that started it."""

    @property
    def exited(self) -> asyncio.Future[ExitInfo]:
        """Done at the moment the main process ends, whatever its children do.

        Closed output is no end. Await it through `asyncio.shield` or `asyncio.wait`, so that a
        cancelled waiter does not cancel it for others.
        """
        ...

    @property
    def is_ending(self) -> bool:
        """Whether the main process has ended, though `exited` may not say yet how.

        Then `exited` follows within a time that the host bounds.
        """
        ...

    async def stop(self, *, grace_s: float = DEFAULT_GRACE_S) -> ExitInfo:
        """End the bot and all that it started; may be called again, and after its end.

        Bounded by the grace and a few seconds whatever the bot does. The bot is asked first
        and, after the grace, killed.
        """
        ...

    async def logs(self) -> BotLogs:
        """Fetch what the bot has printed so far; all of it after its end."""
        ...


class Host(Protocol):
    """Starts and stops bots."""

    @property
    def run_id(self) -> str:
        """The name by which all that belongs to this run can be found and removed."""
        ...

    def open_seat(self) -> SeatFolder:
        """Make the place where the referee will serve one seat.

        Raises:
            HostError: it cannot be made: no space, no right, a path too long for a socket.
        """
        ...

    async def close_seat(self, seat: SeatFolder) -> None:
        """Remove a seat's place and all that the bot left in it. Stop its bot first."""
        ...

    async def start(self, spec: LaunchSpec) -> BotProcess:
        """Start a bot. A command that cannot run shows as an exit with 126 or 127.

        Raises:
            HostError: the machine would not give us a process; not the bot's fault.
        """
        ...

    async def close(self) -> None:
        """Stop every bot that still runs and remove all places. May be called again."""
        ...


async def stop_all(
    processes: Iterable[BotProcess], *, grace_s: float = DEFAULT_GRACE_S
) -> tuple[ExitInfo, ...]:
    """Stop several bots at once, so that their graces pass side by side."""
    stops = [process.stop(grace_s=grace_s) for process in processes]
    return tuple(await asyncio.gather(*stops))
