"""One half of a pairing, as a reducer: four bots, their streams and processes, and all tables.

Events come in with the time at which they happened, in nanoseconds of a monotonic clock; what is
to be done comes out as commands (`take_commands`) and as bytes to send (`take_output`). There is
no socket, process or timer in here, and an exception at a table stays at that table (`hall.py`).

The order of a session: `launched` for each seat; `opened`, `received` (its `Hello`) as the bots
dial in; when all four are ready the boards are played; `Over` is the last command.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tarneeb_referee.clock import LagMeter, ns
from tarneeb_referee.deals import TURN_BITS
from tarneeb_referee.faults import (
    BotFault,
    Flooded,
    MessageWasRefused,
    MoveWasRefused,
    NotReady,
    OurFault,
    ProcessExited,
    StreamEnded,
    Unresponsive,
    VersionsDiffer,
    blame,
)
from tarneeb_referee.hall import BoardVoid, Hall, MatchFinished
from tarneeb_referee.outcome import LagReport
from tarneeb_referee.seat import LostStream, Presence, SeatState
from tarneeb_sdk.game import SEATS, MalformedError
from tarneeb_sdk.messages import (
    PROTOCOL_VERSIONS,
    Answer,
    Hello,
    Refusal,
    TimeControl,
    Welcome,
)
from tarneeb_sdk.wire import request_from_wire

if TYPE_CHECKING:
    from collections.abc import Collection

    from tarneeb_referee.clock import Waiting
    from tarneeb_referee.deals import DealSource
    from tarneeb_referee.hosts.base import ExitInfo
    from tarneeb_referee.plan import HalfPlan
    from tarneeb_referee.settings import MatchSettings
    from tarneeb_referee.table import Table
    from tarneeb_sdk.game import Move, Seat
    from tarneeb_sdk.messages import MalformedAnswer

EXIT_GRACE_NS = 1_000_000_000
"""A stream that ends is first thought to be part of its process's end, which may take a moment to
be seen; after this long it counts as a disconnect."""

HANGS_AFTER = 3
"""Turns in a row that time out without any message from the bot; then its process is started
again. With many tables it would otherwise be waited for at each of them in turn."""


class CloseReason(enum.Enum):
    """Why the referee ends a stream."""

    DONE = "the session is over"
    MESSAGE_TOO_LONG = "a message was too long"
    GIVEN_UP = "the bot was given up"


@dataclass(frozen=True, slots=True)
class CloseStream:
    """End the seat's stream once all that waits for it has been sent.

    `stream_lost` is not called for it.

    Attributes:
        detail: for the bot's author.
    """

    seat: Seat
    reason: CloseReason
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Restart:
    """Make sure that the seat's process has ended, start it again, and call `launched`."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Stop:
    """End the seat's process for good; its stream is closed by a command of its own."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is left to play."""


Command = MatchFinished | BoardVoid | CloseStream | Restart | Stop | Over


class Session:
    """The state of one session."""

    def __init__(
        self,
        plan: HalfPlan,
        *,
        settings: MatchSettings,
        deals: DealSource,
        now_ns: int,
        empty_seats: Collection[Seat] = (),
    ) -> None:
        """Set a session up; no bot has been started yet.

        Args:
            plan: what is to be played.
            settings: how it is refereed.
            deals: where the cards come from.
            now_ns: the time.
            empty_seats: seats without a bot; the referee plays for them.
        """
        self._plan = plan
        self._settings = settings
        self._deals = deals
        self._limits = settings.limits
        self._start_ns = ns(settings.time.start_s)
        self._seats = tuple(SeatState(seat) for seat in SEATS)
        for seat in empty_seats:
            self._seats[seat].presence = Presence.GONE
        self._hall = Hall(plan, settings=settings, deals=deals, seats=self._seats)
        self._lag = LagMeter(now_ns)
        self._commands: list[Command] = []
        self._begun = False
        self._over = False
        self._passed_over = False

    # What the shell asks.

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self._over

    @property
    def tick_due_ns(self) -> int:
        """When `tick` is to be called next."""
        return self._lag.due_ns

    def has_output(self, seat: Seat) -> bool:
        """Whether something is to be sent to a seat."""
        return self._seats[seat].has_output

    def take_output(self, seat: Seat) -> bytes | None:
        """Give the next message for a seat's stream; None if there is none."""
        return self._seats[seat].take_output()

    def take_commands(self) -> list[Command]:
        """Give what is to be done since this was last asked, in order."""
        commands, self._commands = self._commands, []
        return commands

    def hold(self, *, on: bool) -> None:
        """Begin no new board while this is on: results can't be stored as fast as they come."""
        self._hall.hold = on

    def seat_state(self, seat: Seat) -> SeatState:
        """Give what is known of a seat, for a report."""
        return self._seats[seat]

    def lag_report(self) -> LagReport:
        """Tell how late the referee itself was."""
        lag = self._lag
        return LagReport(stalls=lag.stalls, total_s=lag.total_ns / 1e9, max_s=lag.max_ns / 1e9)

    # Events: processes.

    def launched(self, seat: Seat, now_ns: int) -> None:
        """The seat's process has been started."""
        state = self._seats[seat]
        if state.presence is Presence.GONE:
            return
        state.presence = Presence.STARTING
        state.launched_ns = now_ns
        state.was_ready = False
        state.hello_due_ns = now_ns + self._start_ns

    def exited(self, seat: Seat, how: ExitInfo, now_ns: int) -> None:
        """The seat's process has ended, and nobody asked it to."""
        state = self._seats[seat]
        if self._over or state.presence in {Presence.GONE, Presence.DOWN}:
            return
        self._notice_lag(now_ns)
        verdict = blame(ProcessExited(how, ready=state.was_ready))
        if isinstance(verdict, OurFault):
            self.void(verdict)
            return
        lost, state.lost = state.lost, None
        if not self._begun and not state.was_ready:
            self._fail(state, verdict)
        else:
            # Where it was deciding. A process that ends later than its stream has been judged.
            table = _head_table(state) if state.presence is Presence.READY else None
            self._book(state, verdict, lost.table if lost is not None else table, now_ns)
            self._restart(state, verdict, now_ns)
        self._settle(now_ns)

    def void(self, fault: OurFault) -> None:
        """A fault of ours: every board without an outcome is void, and the session is over."""
        if not self._over:
            self._hall.void_all(fault)
            self._finish()

    # Events: streams.

    def opened(self, seat: Seat, now_ns: int) -> bool:
        """A stream with the seat's token was opened, in place of any other that it had.

        Returns:
            Whether it is wanted; the shell refuses it otherwise.
        """
        state = self._seats[seat]
        if self._over or state.presence in {Presence.GONE, Presence.DOWN}:
            return False
        self.stream_lost(seat, now_ns)
        state.streams += 1
        if state.streams > self._limits.streams:
            self._give_up(state, blame(Flooded(f"{self._limits.streams} streams")), now_ns)
            self._settle(now_ns)
            return False
        return True

    def stream_lost(self, seat: Seat, now_ns: int) -> None:
        """The seat's stream has ended, and not by `CloseStream`."""
        state = self._seats[seat]
        if self._over or state.presence is not Presence.READY:
            return
        state.lost = LostStream(now_ns, _head_table(state))
        self._go_away(state, now_ns)

    def received(self, seat: Seat, data: bytes, now_ns: int) -> None:
        """A message came on the seat's stream.

        Args:
            seat: whose stream it was.
            data: the message.
            now_ns: when it came; taken as early as possible.
        """
        state = self._seats[seat]
        if self._over or state.presence in {Presence.GONE, Presence.DOWN}:
            return
        lag_ns = self._notice_lag(now_ns)
        if len(data) > self._limits.message_bytes:
            self.too_long(seat, len(data), now_ns)
            return
        state.silent = 0
        if not lag_ns:
            self._expire(state, now_ns)
            state.silent = 0
        try:
            request = request_from_wire(data)
        except MalformedError as error:
            self._refuse_message(state, str(error), now_ns)
        else:
            if isinstance(request, Hello):
                self._hello(state, request, now_ns)
            elif state.presence is Presence.READY:
                self._answers(state, request.answers, now_ns)
            else:
                self._refuse_message(state, "answers came before hello", now_ns)
        self._settle(now_ns)

    def too_long(self, seat: Seat, size: int, now_ns: int) -> None:
        """A message was longer than allowed. Its stream is closed; the bot may dial again."""
        state = self._seats[seat]
        if self._over or state.presence in {Presence.GONE, Presence.DOWN}:
            return
        limit = self._limits.message_bytes
        verdict = blame(MessageWasRefused(f"message of {size} bytes exceeds {limit}"))
        table = _head_table(state)
        self._close(state, CloseReason.MESSAGE_TOO_LONG, verdict)
        if state.presence is Presence.READY:
            self._go_away(state, now_ns)
        self._book(state, verdict, table, now_ns)
        self._settle(now_ns)

    # Events: time.

    def tick(self, now_ns: int) -> None:
        """Judge what is due. To be called at `tick_due_ns`.

        After a lag nothing is judged before the next tick, so that answers which came during it
        are read first.
        """
        if self._over:
            return
        lag_ns = self._lag.beat(now_ns)
        if lag_ns:
            self._forgive(lag_ns, now_ns)
        # Twice in a row would be for ever on a machine that is always late.
        self._passed_over = lag_ns > 0 and not self._passed_over
        if not self._passed_over:
            for state in self._seats:
                self._expire(state, now_ns)
                self._judge_absence(state, now_ns)
        self._settle(now_ns)

    def _notice_lag(self, now_ns: int) -> int:
        lag_ns = self._lag.notice(now_ns)
        if lag_ns:
            self._forgive(lag_ns, now_ns)
        return lag_ns

    def _forgive(self, lag_ns: int, now_ns: int) -> None:
        for state in self._seats:
            state.queue.forgive(lag_ns, now_ns)
            if state.hello_due_ns is not None:
                state.hello_due_ns += lag_ns
            if state.lost is not None:
                state.lost = LostStream(state.lost.at_ns + lag_ns, state.lost.table)
        for table in self._hall.live:
            table.max_lag_ns = max(table.max_lag_ns, lag_ns)

    def _expire(self, state: SeatState, now_ns: int) -> None:
        waiting = state.queue.expired(now_ns)
        if waiting is None:
            return
        table = waiting.payload
        self._hall.run(table, table.timed_out, now_ns)
        if state.presence is not Presence.READY:
            return
        state.silent += 1
        if state.silent >= HANGS_AFTER:
            # It hangs. Waiting for it at every one of its tables would take hours.
            state.silent = 0
            verdict = blame(Unresponsive(HANGS_AFTER))
            self._close(state, CloseReason.GIVEN_UP, verdict)
            self._go_away(state, now_ns)
            self._restart(state, verdict, now_ns)

    def _judge_absence(self, state: SeatState, now_ns: int) -> None:
        if state.lost is not None and now_ns - state.lost.at_ns > EXIT_GRACE_NS:
            self._book_disconnect(state, now_ns)
        due_ns = state.hello_due_ns
        if due_ns is None or now_ns <= due_ns:
            return
        state.hello_due_ns = None
        verdict = blame(NotReady(self._settings.time.start_s))
        if not self._begun and not state.was_ready:
            self._fail(state, verdict)
        elif state.presence is Presence.AWAY:
            self._restart(state, verdict, now_ns)
        else:
            self._give_up(state, verdict, now_ns)

    # Messages.

    def _hello(self, state: SeatState, hello: Hello, now_ns: int) -> None:
        if state.presence is Presence.READY:
            self._refuse_message(state, "hello came twice", now_ns)
            return
        common = set(hello.protocol_versions) & set(PROTOCOL_VERSIONS)
        if not common:
            self._refuse_version(state, hello, now_ns)
            return
        if state.lost is not None:
            self._book_disconnect(state, now_ns)
        if state.start_ns is None:
            state.start_ns = now_ns - state.launched_ns
        state.presence = Presence.READY
        state.was_ready = True
        state.hello_due_ns = None
        state.silent = 0
        state.welcome(self._welcome(state.seat, max(common)), now_ns)

    def _welcome(self, seat: Seat, version: int) -> Welcome:
        plan, time = self._plan, self._settings.time
        return Welcome(
            protocol_version=version,
            seat=seat,
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
                round_=plan.round_, pairing=plan.pairing, half=plan.half, seat=seat
            ),
        )

    def _refuse_version(self, state: SeatState, hello: Hello, now_ns: int) -> None:
        verdict = blame(VersionsDiffer(PROTOCOL_VERSIONS, hello.protocol_versions))
        self._give_up(state, verdict, now_ns)
        state.refuse(Refusal(verdict.detail, PROTOCOL_VERSIONS))

    def _answers(
        self, state: SeatState, answers: tuple[Answer | MalformedAnswer, ...], now_ns: int
    ) -> None:
        """Take the answers of one message: refuse, drop or play each, and share out its time."""
        queue = state.queue
        taken: dict[int, tuple[Table, Move]] = {}
        for answer in answers:
            waiting = queue.get(answer.turn_id)
            if waiting is None or answer.turn_id in taken:
                self._not_waited_for(state, answer, now_ns)
            elif isinstance(answer, Answer) and _is_legal(waiting, answer.move):
                taken[answer.turn_id] = (waiting.payload, answer.move)
            else:
                self._refuse_answer(waiting, answer, now_ns)
        if not taken:
            if not answers:
                self._refuse_message(state, "the message holds no answer", now_ns)
            return
        elapsed_ns = queue.answered(tuple(taken), now_ns)
        for table, move in taken.values():
            self._hall.run(table, partial(table.answered, move, elapsed_ns), now_ns)

    def _refuse_answer(
        self, waiting: Waiting[Table], answer: Answer | MalformedAnswer, now_ns: int
    ) -> None:
        table = waiting.payload
        if isinstance(answer, Answer):
            evidence = MoveWasRefused(table.why_illegal(answer.move), malformed=False)
        else:
            evidence = MoveWasRefused(answer.reason, malformed=True)
        self._hall.run(table, partial(table.refused, evidence), now_ns)

    def _not_waited_for(
        self, state: SeatState, answer: Answer | MalformedAnswer, now_ns: int
    ) -> None:
        """Drop an answer to a turn that does not wait; it can land on no other turn."""
        if answer.turn_id == 0 and not isinstance(answer, Answer):
            self._refuse_message(state, answer.reason, now_ns)
        elif self._hall.had_lapsed(answer.turn_id):
            state.late += 1
            table = self._hall.find(answer.turn_id >> TURN_BITS)
            if table is not None:
                table.came_late(state.seat)
        else:
            self._stray(state, now_ns)

    def _refuse_message(self, state: SeatState, reason: str, now_ns: int) -> None:
        """Refuse a message that says nothing: it counts as the answer to the turn on the clock."""
        head = state.queue.head
        if head is None or state.presence is not Presence.READY:
            self._stray(state, now_ns)
            return
        evidence = MoveWasRefused(reason, malformed=True)
        self._hall.run(head.payload, partial(head.payload.refused, evidence), now_ns)

    def _stray(self, state: SeatState, now_ns: int) -> None:
        state.strays += 1
        limit = self._limits.strays
        if state.strays > limit and state.presence is not Presence.GONE:
            flooded = Flooded(f"{limit} answers to turns that did not wait")
            self._give_up(state, blame(flooded), now_ns)

    # Absence.

    def _close(self, state: SeatState, reason: CloseReason, verdict: BotFault) -> None:
        self._commands.append(CloseStream(state.seat, reason, verdict.detail))

    def _go_away(self, state: SeatState, now_ns: int) -> None:
        state.presence = Presence.AWAY
        state.hello_due_ns = now_ns + self._start_ns
        state.forget_output(keep_notices=True)

    def _book_disconnect(self, state: SeatState, now_ns: int) -> None:
        lost, state.lost = state.lost, None
        verdict = blame(StreamEnded())
        self._book(state, verdict, None if lost is None else lost.table, now_ns)

    def _book(self, state: SeatState, verdict: BotFault, table: Table | None, now_ns: int) -> None:
        """Book a fault as a strike at the table where it happened, or beside all matches."""
        if table is None or self._hall.find(table.table_id) is not table:
            state.incidents.append(verdict)
        else:
            self._hall.run(table, partial(table.struck, state.seat, verdict), now_ns)

    def _restart(self, state: SeatState, verdict: BotFault, now_ns: int) -> None:
        """Have the seat's process started again, or give the seat up for this reason."""
        state.forget_output(keep_notices=False)
        limit = self._limits.restarts
        if state.restarts >= limit:
            often = f"{verdict.detail}, after {limit} restarts"
            self._give_up(state, BotFault(verdict.kind, often), now_ns)
            return
        state.restarts += 1
        state.presence = Presence.DOWN
        state.hello_due_ns = None
        state.lost = None
        self._commands.append(Restart(state.seat))

    def _fail(self, state: SeatState, verdict: BotFault) -> None:
        """Note that a bot was not ready at the start of the session."""
        state.failed = verdict
        state.presence = Presence.GONE
        state.gone = verdict
        state.hello_due_ns = None
        self._close(state, CloseReason.GIVEN_UP, verdict)
        self._commands.append(Stop(state.seat))

    def _give_up(self, state: SeatState, verdict: BotFault, now_ns: int) -> None:
        """Play without a bot for the rest of the session."""
        if not self._begun:
            self._fail(state, verdict)
            return
        state.presence = Presence.GONE
        state.gone = verdict
        state.hello_due_ns = None
        state.lost = None
        state.forget_output(keep_notices=False)
        self._close(state, CloseReason.GIVEN_UP, verdict)
        self._commands.append(Stop(state.seat))
        for table in self._hall.live:
            self._hall.run(table, partial(table.given_up, state.seat, verdict), now_ns)

    # How it goes on.

    def _settle(self, now_ns: int) -> None:
        """After an event: begin to play, begin boards, hand over what has ended."""
        if self._over:
            return
        if not self._begun:
            self._try_to_begin()
        if self._begun:
            self._hall.fill(now_ns)
            if self._hall.events:
                self._commands += self._hall.events
                self._hall.events.clear()
            if self._hall.done:
                self._finish()

    def _try_to_begin(self) -> None:
        """Begin once it is known of each bot whether it is there."""
        states = [state for state in self._seats if state.failed is None]
        if any(state.presence not in {Presence.READY, Presence.GONE} for state in states):
            return
        self._begun = True
        failed = {state.seat: state.failed for state in self._seats if state.failed is not None}
        if failed:
            self._hall.forfeit_all(failed)

    def _finish(self) -> None:
        self._over = True
        self._commands += self._hall.events
        self._hall.events.clear()
        self._commands += [CloseStream(seat, CloseReason.DONE) for seat in SEATS]
        self._commands.append(Over())


def _head_table(state: SeatState) -> Table | None:
    head = state.queue.head
    return None if head is None else head.payload


def _is_legal(waiting: Waiting[Table], move: Move) -> bool:
    turn = waiting.payload.turn
    return turn is not None and any(move is legal for legal in turn.view.legal)
