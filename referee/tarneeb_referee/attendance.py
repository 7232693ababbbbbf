"""Whether each seat's bot is there: starts, greetings, lost streams, crashes, restarts, the end.

A part of the session, and a reducer like it: it changes the seats' states, books faults at the
tables and adds commands. docs/explanation/fault-policy.md tells what follows from what.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tarneeb_referee.clock import ns
from tarneeb_referee.commands import CloseReason, CloseStream, Restart, Stop
from tarneeb_referee.faults import (
    BotFault,
    Flooded,
    MessageWasRefused,
    NotReady,
    StreamEnded,
    Unresponsive,
    VersionsDiffer,
    absence,
    blame,
)
from tarneeb_referee.seat import LostStream, Presence
from tarneeb_sdk.messages import PROTOCOL_VERSIONS, Refusal, TimeControl, Welcome

if TYPE_CHECKING:
    from tarneeb_referee.commands import Command
    from tarneeb_referee.deals import DealSource
    from tarneeb_referee.hall import Hall
    from tarneeb_referee.plan import HalfPlan
    from tarneeb_referee.seat import SeatState
    from tarneeb_referee.settings import MatchSettings
    from tarneeb_referee.table import Table
    from tarneeb_sdk.messages import Hello

EXIT_GRACE_NS = 10_000_000_000
"""A stream that ends is first thought to be part of its process's end, which on a busy machine may
take a while to be seen; after this long it counts as a disconnect. How that end came about may take
longer still: once it is seen, nothing is judged before that is told."""

HANGS_AFTER = 3
"""Turns in a row that time out without any message from the bot; then its process is started
again. With many tables it would otherwise be waited for at each of them in turn."""


class Attendance:
    """Keeps the presence of all four seats.

    Attributes:
        begun: play has begun; before that a bot's failure is a forfeit.
    """

    def __init__(
        self,
        plan: HalfPlan,
        *,
        settings: MatchSettings,
        deals: DealSource,
        seats: tuple[SeatState, ...],
        hall: Hall,
        commands: list[Command],
    ) -> None:
        self.begun = False
        self._plan = plan
        self._settings = settings
        self._deals = deals
        self._seats = seats
        self._hall = hall
        self._commands = commands
        self._limits = settings.limits.of_session(len(plan.boards))
        self._start_ns = ns(settings.time.start_s)

    # The start.

    def launching(self, state: SeatState, now_ns: int) -> None:
        """The seat's process is being started; it may dial in before that is done."""
        if state.presence is not Presence.GONE:
            state.presence = Presence.STARTING
            state.launched_ns = now_ns
            state.was_ready = False
            state.ending = False
            state.hello_due_ns = None

    def launched(self, state: SeatState, now_ns: int) -> None:
        """The seat's process runs; its start budget counts from now."""
        if state.presence is Presence.STARTING:
            state.launched_ns = now_ns
            state.hello_due_ns = now_ns + self._start_ns

    @property
    def is_settled(self) -> bool:
        """Whether it is known of each bot if it is there."""
        return all(state.presence in {Presence.READY, Presence.GONE} for state in self._seats)

    @property
    def failed(self) -> dict[int, BotFault]:
        """By seat, why a bot was not ready when play was to begin."""
        return {state.seat: state.gone for state in self._seats if state.gone is not None}

    def greet(self, state: SeatState, hello: Hello, now_ns: int) -> None:
        """Answer the first `Hello` of a stream."""
        common = set(hello.protocol_versions) & set(PROTOCOL_VERSIONS)
        if not common:
            verdict = blame(VersionsDiffer(PROTOCOL_VERSIONS, hello.protocol_versions))
            self.give_up(state, verdict, now_ns)
            state.refuse(Refusal(verdict.detail, PROTOCOL_VERSIONS))
            return
        if state.lost is not None:
            self._book_disconnect(state, now_ns)
        if state.start_ns is None:
            state.start_ns = now_ns - state.launched_ns
        state.presence = Presence.READY
        state.was_ready = True
        state.hello_due_ns = None
        state.silent = 0
        state.welcome(self._welcome(state, max(common)), now_ns)

    def _welcome(self, state: SeatState, version: int) -> Welcome:
        plan, time = self._plan, self._settings.time
        return Welcome(
            protocol_version=version,
            seat=state.seat,
            rules=self._settings.rules,
            time=TimeControl(
                decision_s=time.decision_s,
                bank_s=time.bank_s,
                margin_s=time.margin_s,
                retries=self._limits.retries,
                strikes=self._limits.strikes,
            ),
            tables=plan.tables,
            seed=self._deals.bot_seed(
                round_=plan.round_, pairing=plan.pairing, half=plan.half, seat=state.seat
            ),
        )

    # Streams.

    def opened(self, state: SeatState, now_ns: int) -> bool:
        """A stream was opened in place of any other; tell whether it is wanted."""
        self.stream_lost(state, now_ns)
        state.streams += 1
        if state.streams > self._limits.streams:
            often = f"{self._settings.limits.streams} streams a board"
            self.give_up(state, blame(Flooded(often)), now_ns)
            return False
        return True

    def stream_lost(self, state: SeatState, now_ns: int) -> None:
        """The stream has ended; why will be seen."""
        if state.presence is Presence.READY:
            lost = LostStream(now_ns, _deciding_at(state))
            self._go_away(state, now_ns)
            state.lost = lost

    def too_long(self, state: SeatState, size: int, now_ns: int) -> None:
        """A message was longer than allowed: close its stream. The bot may dial again."""
        limit = self._limits.message_bytes
        verdict = blame(MessageWasRefused(f"message of {size} bytes exceeds {limit}"))
        table = _deciding_at(state)
        self._close(state, CloseReason.MESSAGE_TOO_LONG, verdict)
        if state.presence is Presence.READY:
            self._go_away(state, now_ns)
        self._book(state, verdict, table, now_ns)

    def _go_away(self, state: SeatState, now_ns: int) -> None:
        state.leave(Presence.AWAY, now_ns, keep_notices=True)
        state.hello_due_ns = now_ns + self._start_ns

    def _close(self, state: SeatState, reason: CloseReason, verdict: BotFault) -> None:
        self._commands.append(CloseStream(state.seat, reason, verdict.detail))

    # Failures.

    def exited(self, state: SeatState, verdict: BotFault, now_ns: int) -> None:
        """The process has ended, by the bot's own fault."""
        if not self.begun and not state.was_ready:
            self.give_up(state, verdict, now_ns)
            return
        if state.presence is Presence.READY:
            table = _deciding_at(state)
        else:
            # If its stream ended just before, then where it was deciding at that time. Otherwise
            # the end of its stream has been judged, and this is part of the same failure.
            table = None if state.lost is None else state.lost.table
        self._book(state, verdict, table, now_ns)
        self._restart(state, verdict, now_ns)

    def was_silent(self, state: SeatState, now_ns: int) -> None:
        """A turn timed out; start the process again if it has hung for several turns."""
        if state.presence is not Presence.READY:
            return
        state.silent += 1
        if state.silent >= HANGS_AFTER:
            verdict = blame(Unresponsive(HANGS_AFTER))
            state.incidents.append(verdict)
            self._close(state, CloseReason.GIVEN_UP, verdict)
            self._restart(state, verdict, now_ns)

    def judge(self, state: SeatState, now_ns: int) -> None:
        """Judge what has become due with time; nothing of a process whose end is being judged."""
        if state.ending:
            return
        overdue = state.hello_due_ns is not None and now_ns > state.hello_due_ns
        if state.lost is not None and (overdue or now_ns - state.lost.at_ns > EXIT_GRACE_NS):
            self._book_disconnect(state, now_ns)
        if not overdue:
            return
        verdict = blame(NotReady(self._settings.time.start_s))
        if state.presence is Presence.AWAY:
            state.incidents.append(verdict)
            self._restart(state, verdict, now_ns)
        else:
            self.give_up(state, verdict, now_ns)

    def _book_disconnect(self, state: SeatState, now_ns: int) -> None:
        lost, state.lost = state.lost, None
        table = None if lost is None else lost.table
        self._book(state, blame(StreamEnded()), table, now_ns)

    def _book(self, state: SeatState, verdict: BotFault, table: Table | None, now_ns: int) -> None:
        """Book a fault as a strike at the table where it happened, or beside all matches."""
        if table is None or self._hall.find(table.table_id) is not table:
            state.incidents.append(verdict)
        else:
            self._hall.run(table, partial(table.struck, state.seat, verdict), now_ns)

    def _restart(self, state: SeatState, verdict: BotFault, now_ns: int) -> None:
        """Have the seat's process started again, or give the seat up for this reason."""
        if state.restarts >= self._limits.restarts:
            often = f"{verdict.detail}, after {self._settings.limits.restarts} restarts a board"
            self.give_up(state, BotFault(verdict.kind, often), now_ns, booked=True)
            return
        state.restarts += 1
        state.leave(Presence.DOWN, now_ns)
        self._commands.append(Restart(state.seat))

    def give_up(
        self, state: SeatState, verdict: BotFault, now_ns: int, *, booked: bool = False
    ) -> None:
        """Play without a bot for the rest of the session.

        Args:
            state: whose bot it is.
            verdict: what for.
            now_ns: when.
            booked: the fault itself has been booked; otherwise that is done here. The matches that
                suffer note an absence, and not the fault once more.
        """
        if self.begun and not booked:
            self._book(state, verdict, _deciding_at(state), now_ns)
        state.leave(Presence.GONE, now_ns)
        state.gone = verdict
        self._close(state, CloseReason.GIVEN_UP, verdict)
        self._commands.append(Stop(state.seat))
        absent = absence(verdict)
        for table in self._hall.live:
            self._hall.run(table, partial(table.given_up, state.seat, absent), now_ns)


def _deciding_at(state: SeatState) -> Table | None:
    """Find the table whose turn is on the seat's clock."""
    head = state.queue.head
    return None if head is None else head.payload
