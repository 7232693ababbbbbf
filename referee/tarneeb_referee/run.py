"""Play one half of a pairing: the shell that carries bytes, processes and time to the session."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING, TypeVar, assert_never

from tarneeb_referee.commands import (
    BoardVoid,
    CloseReason,
    CloseStream,
    MatchFinished,
    Over,
    Restart,
    Stop,
)
from tarneeb_referee.faults import HostFailed, RefereeRaised, blame
from tarneeb_referee.hosts.base import LaunchSpec
from tarneeb_referee.outcome import HalfReport, VoidMatch
from tarneeb_referee.processors import available_processors
from tarneeb_referee.seat_run import SeatRun
from tarneeb_referee.server import Door, Stream, StreamEnd
from tarneeb_referee.session import Session
from tarneeb_sdk.errors import HarnessError
from tarneeb_sdk.game import SEATS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Coroutine

    from tarneeb_referee.commands import Command
    from tarneeb_referee.deals import DealSource
    from tarneeb_referee.faults import OurFault
    from tarneeb_referee.hosts.base import BotProcess, ExitInfo, Host
    from tarneeb_referee.outcome import MatchOutcome
    from tarneeb_referee.plan import HalfPlan
    from tarneeb_referee.settings import MatchSettings
    from tarneeb_sdk.game import Seat

    OnMatch = Callable[[MatchOutcome], Awaitable[None]]

Result = TypeVar("Result")

STOP_S = 2.0
"""How long stops and restarts that are under way at the end may still take."""

LAST_WORDS_S = 1.0
"""How long to wait, after a process has ended, for what it sent before that."""

MAX_UNSTORED = 100
"""Outcomes that may wait to be stored; with more, no new board is begun."""

_ENDS = {
    CloseReason.DONE: StreamEnd.DONE,
    CloseReason.MESSAGE_TOO_LONG: StreamEnd.MESSAGE_TOO_LONG,
    CloseReason.GIVEN_UP: StreamEnd.GIVEN_UP,
}

_log = logging.getLogger(__name__)


async def play_half(
    plan: HalfPlan,
    *,
    host: Host,
    settings: MatchSettings,
    deals: DealSource,
    on_match: OnMatch,
    processors: int | None = None,
) -> HalfReport:
    """Start four bots, play the boards, stop the bots.

    Cancelling it stops the bots, within a bounded time, and hands over no outcome after that.

    Args:
        plan: who plays what.
        host: where the bots run.
        settings: how matches are refereed.
        deals: where the cards come from.
        on_match: takes each outcome as its match ends, one at a time; play goes on meanwhile.
        processors: the session's share of them, if others play at the same time; it changes speed
            and no result. All that there are if None.

    Returns:
        What is left to say. A board without an outcome is in its `voids`.

    Raises:
        Exception: whatever `on_match` raises; the bots have been stopped.
    """
    run = HalfRun(
        plan,
        host=host,
        settings=settings,
        deals=deals,
        on_match=on_match,
        processors=processors,
    )
    return await run.play()


class HalfRun:
    """One run of a half; made for one call of `play`."""

    def __init__(
        self,
        plan: HalfPlan,
        *,
        host: Host,
        settings: MatchSettings,
        deals: DealSource,
        on_match: OnMatch,
        empty_seats: Collection[Seat] = (),
        processors: int | None = None,
    ) -> None:
        self._plan = plan
        self._host = host
        self._on_match = on_match
        self.session = Session(
            plan,
            settings=settings,
            deals=deals,
            now_ns=time.monotonic_ns(),
            empty_seats=empty_seats,
            at_once=processors or available_processors(),
        )
        self._seats = tuple(SeatRun(Door(seat, self)) for seat in SEATS)
        self._bots = tuple(seat for seat in SEATS if seat not in empty_seats)
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._outcomes: asyncio.Queue[MatchOutcome] = asyncio.Queue()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._voids: list[VoidMatch] = []
        self._left = set(plan.boards)

    async def play(self) -> HalfReport:
        """Play it all; see `play_half`."""
        if not self._plan.boards:
            return self._report()
        storing = asyncio.create_task(self._store())
        try:
            await self._play_until_over(storing)
            await self._drain(storing)
        finally:
            storing.cancel()
            await asyncio.shield(asyncio.create_task(self._shut_down()))
        return self._report()

    async def _play_until_over(self, storing: asyncio.Task[None]) -> None:
        self._tick()
        try:
            async with asyncio.TaskGroup() as group:
                for seat in self._bots:
                    group.create_task(self._open(seat))
        except* HarnessError as errors:
            self._void(blame(HostFailed(str(errors.exceptions[0]))))
        except* Exception as errors:  # noqa: BLE001  # the fence of the session
            self._failed(errors.exceptions[0])
        over = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({over, storing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            over.cancel()

    # Outcomes.

    async def _store(self) -> None:
        while True:
            outcome = await self._outcomes.get()
            await self._on_match(outcome)
            self._outcomes.task_done()
            self.session.hold(on=self._outcomes.qsize() > MAX_UNSTORED)

    async def _drain(self, storing: asyncio.Task[None]) -> None:
        """Wait until all outcomes are handed over; raise what handing over has raised."""
        stored = asyncio.create_task(self._outcomes.join())
        try:
            await asyncio.wait({stored, storing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stored.cancel()
        if storing.done():
            storing.result()

    # Bots.

    async def _open(self, seat: Seat) -> None:
        run = self._seats[seat]
        run.folder = self._host.open_seat()
        await run.door.open(run.folder.listen_address)
        await self._launch(seat)

    async def _launch(self, seat: Seat) -> None:
        run = self._seats[seat]
        assert run.folder is not None, "the seat was opened"
        bot = self._plan.seats[seat].spec
        token = run.door.new_token()
        self._happen(self.session.launching, seat, time.monotonic_ns())
        process = await self._host.start(LaunchSpec(bot=bot, seat=run.folder, token=token))
        run.process = process
        self._happen(self.session.launched, seat, time.monotonic_ns())
        process.exited.add_done_callback(lambda ended: self._exited(seat, process, ended.result()))

    def _exited(self, seat: Seat, process: BotProcess, how: ExitInfo) -> None:
        run = self._seats[seat]
        run.exit = how
        if how.stopped or run.process is not process:
            return
        self._spawn(self._hear_last_words(seat, process, how))

    async def _hear_last_words(self, seat: Seat, process: BotProcess, how: ExitInfo) -> None:
        """What a process sent before its end counts: read it before the end is judged."""
        run = self._seats[seat]
        if run.stream is not None:
            await run.stream.wait_ended(LAST_WORDS_S)
        if run.process is process:
            self._happen(self.session.exited, seat, how, time.monotonic_ns())

    async def _restart(self, seat: Seat) -> None:
        await self._seats[seat].stop()
        if self._ended.is_set():
            return
        try:
            await self._launch(seat)
        except HarnessError as error:
            self._void(blame(HostFailed(str(error))))

    # What doors tell (server.DoorEvents).

    def stream_opened(self, seat: Seat, stream: Stream) -> bool:
        """A bot has dialled in; a stream that it had before is replaced."""
        run = self._seats[seat]
        if not self._happen(self.session.opened, seat, time.monotonic_ns()):
            return False
        old, run.stream = run.stream, stream
        if old is not None:
            old.cut(StreamEnd.REPLACED, "a newer stream with this token has replaced this one")
        return True

    def message_came(self, seat: Seat, stream: Stream, data: bytes, now_ns: int) -> None:
        """Hand a message on, unless it comes from a stream that was replaced."""
        if self._seats[seat].stream is stream:
            self._happen(self.session.received, seat, data, now_ns)

    def stream_ended(self, seat: Seat, stream: Stream) -> None:
        """Tell the session, unless the referee ended the stream itself."""
        run = self._seats[seat]
        if run.stream is stream:
            run.stream = None
            self._happen(self.session.stream_lost, seat, time.monotonic_ns())

    def next_message(self, seat: Seat, stream: Stream) -> bytes | None:
        """Fetch what the session has for a seat."""
        if self._seats[seat].stream is not stream:
            return None
        try:
            return self.session.take_output(seat)
        except Exception as error:  # noqa: BLE001  # the fence of the session
            self._failed(error)
            return None

    # Events and commands.

    def _happen(self, event: Callable[..., Result], *args: object) -> Result | None:
        """Let an event happen in the session and carry out what follows.

        An exception in here is ours: what is not finished is void.
        """
        try:
            result = event(*args)
            self._carry_out()
        except Exception as error:  # noqa: BLE001  # the fence of the session
            self._failed(error)
            return None
        return result

    def _void(self, fault: OurFault) -> None:
        self._happen(self.session.void, fault, time.monotonic_ns())

    def _failed(self, error: BaseException) -> None:
        _log.error("the session failed", exc_info=error)
        fault = blame(RefereeRaised(f"{type(error).__name__}: {error}"))
        self._voids += [VoidMatch(board, fault) for board in sorted(self._left)]
        self._left.clear()
        self._ended.set()

    def _carry_out(self) -> None:
        session = self.session
        for command in session.take_commands():
            self._obey(command)
        self._hasten_tick()
        for seat in SEATS:
            stream = self._seats[seat].stream
            if stream is not None and session.has_output(seat):
                stream.wake()

    def _obey(self, command: Command) -> None:
        match command:
            case MatchFinished(outcome):
                self._left.discard(outcome.record.board)
                self._outcomes.put_nowait(outcome)
                if self._outcomes.qsize() > MAX_UNSTORED:
                    self.session.hold(on=True)
            case BoardVoid(void, error):
                self._left.discard(void.board)
                self._voids.append(void)
                if error is not None:
                    _log.error("board %d is void", void.board, exc_info=error)
            case CloseStream(seat, reason, detail):
                stream = self._seats[seat].stream
                if stream is not None:
                    stream.finish(_ENDS[reason], detail)
            case Restart(seat):
                self._spawn(self._restart(seat))
            case Stop(seat):
                self._spawn(self._seats[seat].see_off())
            case Over():
                self._ended.set()
            case _:
                assert_never(command)

    def _tick(self) -> None:
        now_ns = time.monotonic_ns()
        for seat in self._bots:
            process = self._seats[seat].process
            if process is not None and process.is_ending:
                self.session.ending(seat)
        if now_ns >= self.session.tick_due_ns:
            self._happen(self.session.tick, now_ns)
        if not self._ended.is_set():
            self._timer = self._loop.call_at(self.session.tick_due_ns / 1e9, self._tick)

    def _hasten_tick(self) -> None:
        """Wake up earlier if something that was kept back is due earlier."""
        timer, due_s = self._timer, self.session.tick_due_ns / 1e9
        if timer is not None and due_s < timer.when() and not self._ended.is_set():
            timer.cancel()
            self._timer = self._loop.call_at(due_s, self._tick)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(error)

    # The end.

    async def _shut_down(self) -> None:
        """Stop everything, whatever state it is in, within a bounded time."""
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()
        if self._tasks:
            # Stops and restarts under way; the former must not be broken off, or logs are lost.
            await asyncio.wait(self._tasks, timeout=STOP_S)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*(self._leave(seat) for seat in self._bots), return_exceptions=True)

    async def _leave(self, seat: Seat) -> None:
        run = self._seats[seat]
        if self.session.over:
            await run.see_off()
        else:
            await run.stop()
        await run.door.close()
        if run.folder is not None:
            with contextlib.suppress(HarnessError):
                await self._host.close_seat(run.folder)

    def _report(self) -> HalfReport:
        return HalfReport(
            seats=tuple(
                run.report(bot.entrant_id, self.session.seat_state(run.door.seat))
                for run, bot in zip(self._seats, self._plan.seats, strict=True)
            ),
            voids=tuple(sorted(self._voids, key=lambda void: void.board)),
            lag=self.session.lag_report(),
        )
