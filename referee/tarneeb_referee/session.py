"""One half of a pairing, as a reducer: four bots, their streams and processes, and all tables.

Events come in with the time at which they happened, in nanoseconds of a monotonic clock; what is
to be done comes out as commands (`take_commands`) and as bytes to send (`take_output`). There is
no socket, process or timer in here, and an exception at a table stays at that table (`hall.py`).

The order of a session: `launching` and `launched` for each seat; `opened`, `received` (its `Hello`) as the bots
dial in; when all four are ready the boards are played; `Over` is the last command.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tarneeb_referee.attendance import Attendance
from tarneeb_referee.clock import LagMeter
from tarneeb_referee.commands import CloseReason, CloseStream, Over
from tarneeb_referee.deals import TURN_BITS
from tarneeb_referee.faults import Flooded, MoveWasRefused, OurFault, ProcessExited, blame
from tarneeb_referee.hall import Hall
from tarneeb_referee.outcome import LagReport
from tarneeb_referee.seat import Presence, SeatState
from tarneeb_sdk.game import SEATS, MalformedError
from tarneeb_sdk.messages import Answer, Hello
from tarneeb_sdk.wire import request_from_wire

if TYPE_CHECKING:
    from collections.abc import Collection

    from tarneeb_referee.clock import Waiting
    from tarneeb_referee.commands import Command
    from tarneeb_referee.deals import DealSource
    from tarneeb_referee.hosts.base import ExitInfo
    from tarneeb_referee.plan import HalfPlan
    from tarneeb_referee.settings import MatchSettings
    from tarneeb_referee.table import Table
    from tarneeb_sdk.game import Move, Seat
    from tarneeb_sdk.messages import MalformedAnswer


QUICK_NS = 5_000_000
"""A bot that is at work for longer than this does not gain from larger messages, nor do others."""

MAX_HELD_NS = 25_000_000
"""Nothing that is to be sent is held back for longer than this."""


FEW = 0.2
"""A smaller part of the turns that quick bots have, or are to have, is worth no message while another
bot is at work. Messages hold 21 turns with it and 18 without (64 tables, two processors); with a
quarter, processors have nothing to do now and then."""


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
        at_once: int = 4,
    ) -> None:
        """Set a session up; no bot has been started yet.

        Args:
            plan: what is to be played.
            settings: how it is refereed.
            deals: where the cards come from.
            now_ns: the time.
            empty_seats: seats without a bot; the referee plays for them.
            at_once: how many bots may be at work side by side; see `_dispatch`.
        """
        self._settings = settings
        self._limits = settings.limits.of_session(len(plan.boards))
        self._seats = tuple(SeatState(seat) for seat in SEATS)
        for seat in empty_seats:
            self._seats[seat].presence = Presence.GONE
        self._hall = Hall(plan, settings=settings, deals=deals, seats=self._seats)
        self._lag = LagMeter(now_ns)
        self._commands: list[Command] = []
        self._attendance = Attendance(
            plan,
            settings=settings,
            deals=deals,
            seats=self._seats,
            hall=self._hall,
            commands=self._commands,
        )
        self._over = False
        self._at_once = at_once
        self._passed_over = False

    # What the shell asks.

    @property
    def over(self) -> bool:
        """Whether nothing is left to play."""
        return self._over

    @property
    def tick_due_ns(self) -> int:
        """When `tick` is to be called next."""
        due_ns = self._lag.due_ns
        release_ns = self._hall.release_due_ns
        if release_ns is not None:
            due_ns = min(due_ns, release_ns)
        for state in self._seats:
            if state.held_since_ns is not None and state.presence is Presence.READY:
                due_ns = min(due_ns, state.held_since_ns + MAX_HELD_NS)
        return due_ns

    def has_output(self, seat: Seat) -> bool:
        """Whether something is to be sent to a seat."""
        return self._seats[seat].has_output

    def take_output(self, seat: Seat) -> bytes | None:
        """Give the next message for a seat's stream; None if there is none."""
        return self._seats[seat].take_output()

    def take_commands(self) -> list[Command]:
        """Give what is to be done since this was last asked, in order."""
        commands = self._commands[:]
        self._commands.clear()
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

    # Events: processes and streams.

    def launching(self, seat: Seat, now_ns: int) -> None:
        """The seat's process is being started; it may dial in before that is done."""
        self._attendance.launching(self._seats[seat], now_ns)

    def launched(self, seat: Seat, now_ns: int) -> None:
        """The seat's process runs; its start budget counts from now."""
        self._attendance.launched(self._seats[seat], now_ns)

    def ending(self, seat: Seat) -> None:
        """The seat's process has ended; `exited` follows, or another launch if we had ended it."""
        self._seats[seat].ending = True

    def exited(self, seat: Seat, how: ExitInfo, now_ns: int) -> None:
        """The seat's process has ended, and nobody asked it to."""
        state = self._seats[seat]
        if not self._listens_to(state):
            return
        self._notice_lag(now_ns)
        verdict = blame(ProcessExited(how, ready=state.was_ready))
        if isinstance(verdict, OurFault):
            self.void(verdict, now_ns)
        else:
            self._attendance.exited(state, verdict, now_ns)
            self._settle(now_ns)

    def opened(self, seat: Seat, now_ns: int) -> bool:
        """A stream with the seat's token was opened, in place of any other that it had.

        Returns:
            Whether it is wanted; the shell refuses it otherwise.
        """
        state = self._seats[seat]
        if not self._listens_to(state):
            return False
        wanted = self._attendance.opened(state, now_ns)
        self._settle(now_ns)
        return wanted

    def stream_lost(self, seat: Seat, now_ns: int) -> None:
        """The seat's stream has ended, and not by `CloseStream`."""
        if not self._over:
            self._attendance.stream_lost(self._seats[seat], now_ns)

    def void(self, fault: OurFault, now_ns: int) -> None:
        """A fault of ours: every board without an outcome is void, and the session is over."""
        if not self._over:
            self._hall.void_all(fault, now_ns)
            self._finish(now_ns)

    def _listens_to(self, state: SeatState) -> bool:
        # Once a message; a set would hash the members, in Python.
        presence = state.presence
        return not (self._over or presence is Presence.GONE or presence is Presence.DOWN)

    # Events: messages.

    def received(self, seat: Seat, data: bytes, now_ns: int) -> None:
        """A message came on the seat's stream.

        Args:
            seat: whose stream it was.
            data: the message.
            now_ns: when it came; taken as early as possible.
        """
        state = self._seats[seat]
        if not self._listens_to(state):
            return
        lag_ns = self._notice_lag(now_ns)
        state.silent = 0
        if not lag_ns:
            self._expire(state, now_ns)
            # It came too late, and yet it is a sign of life.
            state.silent = 0
        if len(data) > self._limits.message_bytes:
            self._attendance.too_long(state, len(data), now_ns)
        else:
            self._read(state, data, now_ns)
        self._settle(now_ns)

    def _read(self, state: SeatState, data: bytes, now_ns: int) -> None:
        try:
            request = request_from_wire(data)
        except MalformedError as error:
            self._refuse_message(state, str(error), now_ns)
            return
        ready = state.presence is Presence.READY
        if isinstance(request, Hello):
            if ready:
                self._refuse_message(state, "hello came twice", now_ns)
            else:
                self._attendance.greet(state, request, now_ns)
        elif ready:
            self._answers(state, request.answers, now_ns)
        else:
            self._refuse_message(state, "answers came before hello", now_ns)

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
                self._attendance.judge(state, now_ns)
        self._settle(now_ns)

    def _notice_lag(self, now_ns: int) -> int:
        lag_ns = self._lag.notice(now_ns)
        if lag_ns:
            self._forgive(lag_ns, now_ns)
        return lag_ns

    def _forgive(self, lag_ns: int, now_ns: int) -> None:
        for state in self._seats:
            state.forgive(lag_ns, now_ns)
        for table in self._hall.live:
            table.max_lag_ns = max(table.max_lag_ns, lag_ns)

    def _expire(self, state: SeatState, now_ns: int) -> None:
        waiting = state.queue.expired(now_ns)
        if waiting is None:
            return
        table = waiting.payload
        self._hall.run(table, table.timed_out, now_ns)
        self._attendance.was_silent(state, now_ns)

    # What messages say.

    def _answers(
        self, state: SeatState, answers: tuple[Answer | MalformedAnswer, ...], now_ns: int
    ) -> None:
        """Take the answers of one message: refuse, drop or play each, and share out its time."""
        queue = state.queue
        taken: dict[int, tuple[Table, Move]] = {}
        stray: list[Answer | MalformedAnswer] = []
        for answer in answers:
            waiting = queue.get(answer.turn_id)
            if waiting is None or answer.turn_id in taken:
                stray.append(answer)
            elif isinstance(answer, Answer) and _is_legal(waiting, answer.move):
                taken[answer.turn_id] = (waiting.payload, answer.move)
            else:
                self._refuse_answer(waiting.payload, answer, now_ns)
        if taken:
            elapsed_ns = queue.answered(tuple(taken), now_ns)
            for table, move in taken.values():
                event = partial(table.answered, move, elapsed_ns)
                self._hall.run(table, event, now_ns, elapsed_ns=elapsed_ns)
        # Last: these may cost the bot its seat, and the turns above with it.
        for answer in stray:
            if state.presence is Presence.READY:
                self._drop(state, answer, now_ns)
        if not answers:
            self._refuse_message(state, "the message holds no answer", now_ns)

    def _refuse_answer(self, table: Table, answer: Answer | MalformedAnswer, now_ns: int) -> None:
        if isinstance(answer, Answer):
            event = partial(table.refused_move, answer.move)
        else:
            event = partial(table.refused, MoveWasRefused(answer.reason, malformed=True))
        self._hall.run(table, event, now_ns)

    def _drop(self, state: SeatState, answer: Answer | MalformedAnswer, now_ns: int) -> None:
        """Drop an answer to a turn that does not wait; it can land on no other turn."""
        if answer.turn_id == 0 and not isinstance(answer, Answer):
            self._refuse_message(state, answer.reason, now_ns)
        elif state.had_lapsed(answer.turn_id):
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
        if state.strays > self._limits.strays and state.presence is not Presence.GONE:
            often = self._settings.limits.strays
            flooded = Flooded(f"{often} answers a board to turns that did not wait")
            self._attendance.give_up(state, blame(flooded), now_ns)

    # How it goes on.

    def _settle(self, now_ns: int) -> None:
        """After an event: begin to play, begin boards, hand over what has ended."""
        if self._over:
            return
        attendance = self._attendance
        if not attendance.begun and attendance.is_settled:
            attendance.begun = True
            if attendance.failed:
                self._hall.forfeit_all(attendance.failed)
        if attendance.begun:
            self._hall.release(now_ns)
            self._hall.fill(now_ns)
            if self._hall.events:
                self._commands += self._hall.events
                self._hall.events.clear()
            if self._hall.done:
                self._finish(now_ns)
                return
        self._dispatch(now_ns)

    def _dispatch(self, now_ns: int) -> None:
        """Send what is held, to so many bots at a time as the machine has processors.

        A bot that is at work looks at further turns no earlier than when it is done; and bots that
        share a processor are no faster side by side than one after the other. Meanwhile what they
        will be sent grows, and so many turns go in one message, which costs a fraction. For few
        turns no bot is set to work beside another. A bot that is slow holds nobody up: it counts
        for a few milliseconds, and what was held for long is sent in any case.
        """
        free = self._at_once
        on_the_way = 0
        waiting: list[SeatState] = []
        for state in self._seats:
            if state.presence is not Presence.READY:
                continue
            since_ns = state.held_since_ns
            if since_ns is not None and now_ns - since_ns >= MAX_HELD_NS:
                state.dispatch(now_ns)
            elif state.at_work:
                if now_ns - state.sent_ns < QUICK_NS:
                    free -= 1
                    on_the_way += len(state.queue) + state.held
            elif state.held:
                waiting.append(state)
                on_the_way += state.held
        waiting.sort(key=lambda state: state.held, reverse=True)
        few = on_the_way * FEW
        for state in waiting[: max(0, free)]:
            if free < self._at_once and state.held < few:
                break
            state.dispatch(now_ns)
            free -= 1

    def _send_all(self, now_ns: int) -> None:
        """Send what is held, to all bots."""
        for state in self._seats:
            if state.presence is Presence.READY:
                state.dispatch(now_ns)

    def _finish(self, now_ns: int) -> None:
        self._over = True
        # The last news.
        self._send_all(now_ns)
        self._commands += self._hall.events
        self._hall.events.clear()
        self._commands += [CloseStream(seat, CloseReason.DONE) for seat in SEATS]
        self._commands.append(Over())


def _is_legal(waiting: Waiting[Table], move: Move) -> bool:
    turn = waiting.payload.turn
    return turn is not None and move in turn.view.legal
