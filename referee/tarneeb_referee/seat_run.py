"""What the shell keeps of one seat: its door, its folder, its stream, its process, what that wrote."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tarneeb_referee.outcome import SeatReport

if TYPE_CHECKING:
    from tarneeb_referee.hosts.base import BotProcess, ExitInfo, SeatFolder
    from tarneeb_referee.hosts.output import BotLogs
    from tarneeb_referee.seat import SeatState
    from tarneeb_referee.server import Door, Stream

END_S = 0.5
"""How long a bot may take to end by itself once its stream was closed."""

KEPT_LOGS = 3
"""Of so many of a seat's processes the output is kept, the latest ones."""


class SeatRun:
    """One seat of a run.

    Attributes:
        process: the one that plays; None while there is none.
        stream: the one that is heard; None while there is none.
        exit: how the last process ended.
    """

    def __init__(self, door: Door) -> None:
        self.door = door
        self.folder: SeatFolder | None = None
        self.process: BotProcess | None = None
        self.stream: Stream | None = None
        self.exit: ExitInfo | None = None
        self._logs: list[BotLogs] = []

    async def see_off(self) -> None:
        """Stop a bot whose stream was closed, after a time to end by itself.

        It may have a word to say; one that was refused has to tell its author why.
        """
        if self.process is not None:
            await asyncio.wait({self.process.exited}, timeout=END_S)
        await self.stop()

    async def stop(self) -> None:
        """Stop the process, if there is one, and keep what it wrote."""
        process, self.process = self.process, None
        if process is None:
            return
        self.exit = await process.stop(grace_s=0.0)
        self._logs.append(await process.logs())
        del self._logs[:-KEPT_LOGS]

    def report(self, entrant_id: str, state: SeatState) -> SeatReport:
        """Tell how the bot fared; `state` is what the session knows of it."""
        return SeatReport(
            entrant_id=entrant_id,
            start_s=None if state.start_ns is None else state.start_ns / 1e9,
            restarts=state.restarts,
            gone=state.gone,
            incidents=tuple(state.incidents),
            late=state.late,
            strays=state.strays,
            exit=self.exit,
            logs=tuple(self._logs),
        )
