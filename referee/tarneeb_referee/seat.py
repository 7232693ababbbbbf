"""One seat during a session: whether its bot is there, what it owes, and what it is to be sent."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_referee.clock import NS_PER_S, SeatQueue, Waiting
from tarneeb_sdk.messages import Batch, Refusal, Turn, Welcome
from tarneeb_sdk.wire import response_to_wire

if TYPE_CHECKING:
    from tarneeb_referee.faults import BotFault
    from tarneeb_referee.table import Table
    from tarneeb_sdk.game import Seat
    from tarneeb_sdk.messages import Notice

MAX_UNSENT_NOTICES = 4096
"""What is kept for a bot that does not read; of more than this the oldest are dropped. They are
news: what a bot must know to answer is in its turns."""

NOTICES_A_BATCH = 512
"""So a message stays far below the 4 MiB that gRPC clients accept by default."""


class Presence(enum.Enum):
    """Where a seat's bot is."""

    STARTING = "starting"
    """Its process was started and has not said `Hello`."""
    READY = "ready"
    """Its stream is open and it was welcomed."""
    AWAY = "away"
    """Its stream has ended; its process may live and dial again."""
    DOWN = "down"
    """Its process has ended, or is being ended, and is to be started again."""
    GONE = "gone"
    """The referee has given it up for the rest of the session."""


@dataclass(frozen=True, slots=True)
class LostStream:
    """A stream that has ended, for a reason that is not known yet.

    Attributes:
        at_ns: when.
        table: where the turn was that was on the clock; None if there was none.
    """

    at_ns: int
    table: Table | None


class SeatState:
    """What a session keeps of one seat.

    Attributes:
        queue: the turns that wait for the seat's answer.
        hello_due_ns: when the bot must have said `Hello`; None if that is not waited for.
        launched_ns: when its process was last started.
        start_ns: from the first start of its process to its `Hello`.
        was_ready: its present process has said `Hello`.
        ending: its process has ended, and the host is still to tell how.
        gone: why it was given up; None for a seat that was left empty on purpose.
        sent_ns: when it was last sent turns.
        silent: how many of its turns in a row timed out without a sign of life.
        held_since_ns: since when something waits to be sent, turns or news; None if nothing does.
    """

    __slots__ = (
        "_due",
        "_head",
        "_held",
        "_lapsed",
        "_notices",
        "_turns",
        "ending",
        "gone",
        "held_since_ns",
        "hello_due_ns",
        "incidents",
        "late",
        "launched_ns",
        "lost",
        "presence",
        "queue",
        "restarts",
        "seat",
        "sent_ns",
        "silent",
        "start_ns",
        "strays",
        "streams",
        "was_ready",
    )

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.presence = Presence.DOWN
        self.queue: SeatQueue[Table] = SeatQueue()
        self.launched_ns = 0
        self.hello_due_ns: int | None = None
        self.start_ns: int | None = None
        self.was_ready = False
        self.ending = False
        self.lost: LostStream | None = None
        self.gone: BotFault | None = None
        self.incidents: list[BotFault] = []
        self.restarts = 0
        self.streams = 0
        self.sent_ns = 0
        self.silent = 0
        self.late = 0
        self.strays = 0
        self._lapsed: set[int] = set()
        # What is to be sent: the welcome or refusal, then notices, then turns.
        self._head: Welcome | Refusal | None = None
        self._notices: list[Notice] = []
        self._turns: list[Turn] = []
        self._due = False
        # Turns that are not sent yet, and not on the clock.
        self._held: dict[int, Waiting[Table]] = {}
        self.held_since_ns: int | None = None

    def forgive(self, lag_ns: int, now_ns: int) -> None:
        """Take time in which the referee itself was stuck off all of the seat's clocks."""
        self.queue.forgive(lag_ns, now_ns)
        if self.hello_due_ns is not None:
            self.hello_due_ns += lag_ns
        if self.lost is not None:
            self.lost = LostStream(self.lost.at_ns + lag_ns, self.lost.table)

    # What is to be sent.

    @property
    def has_output(self) -> bool:
        """Whether `take_output` has something to give."""
        if self._head is not None:
            return True
        return self._due and self.presence is Presence.READY

    @property
    def at_work(self) -> bool:
        """Whether the bot was sent turns that it has not answered."""
        return len(self.queue) > 0

    @property
    def held(self) -> int:
        """How many turns wait to be sent."""
        return len(self._held)

    def ask(self, turn: Turn, allowance_ns: int, table: Table, now_ns: int) -> None:
        """Take up a turn, to be sent with the next `dispatch`; it is not on the clock before.

        A bot that is not there is on the clock at once.
        """
        self._held[turn.turn_id] = Waiting(turn.turn_id, allowance_ns, table)
        if self.held_since_ns is None:
            self.held_since_ns = now_ns
        if self.presence is not Presence.READY:
            self.dispatch(now_ns)

    def dispatch(self, now_ns: int) -> None:
        """Put what is held on the clock, and send it if the bot is there.

        A bot that is not there is sent all that waits when it is back; see `welcome`.
        """
        ready = self.presence is Presence.READY
        for waiting in self._held.values():
            self.queue.push(waiting, now_ns)
            if ready:
                self._turns.append(_turn_of(waiting))
        if self._held:
            self.sent_ns = now_ns
        self._held.clear()
        self.held_since_ns = None
        self._due = bool(self._turns or self._notices)

    def turns(self) -> tuple[Waiting[Table], ...]:
        """List the turns that wait for the seat, sent or not."""
        return (*self.queue.turns(), *self._held.values())

    def withdraw(self, turn_id: int, now_ns: int) -> None:
        """Take back a turn; one that was not sent yet is not sent at all."""
        if self._held.pop(turn_id, None) is None:
            self.queue.remove(turn_id, now_ns)
            self._turns = [turn for turn in self._turns if turn.turn_id != turn_id]
        self._lapsed.add(turn_id)

    def had_lapsed(self, turn_id: int) -> bool:
        """Tell, once, whether an answer is to a turn that was taken back."""
        if turn_id in self._lapsed:
            self._lapsed.remove(turn_id)
            return True
        return False

    def tell(self, notice: Notice, now_ns: int, *, urgent: bool = False) -> None:
        """Send a notice; a bot that is away for a moment gets it when it is back.

        Args:
            notice: what to tell.
            now_ns: the time.
            urgent: it is about a turn that the bot may be at work on.
        """
        self._due = self._due or urgent
        if self.presence in {Presence.READY, Presence.AWAY}:
            self._notices.append(notice)
            if self.held_since_ns is None:
                self.held_since_ns = now_ns
            if len(self._notices) > MAX_UNSENT_NOTICES:
                del self._notices[0]

    def welcome(self, welcome: Welcome, now_ns: int) -> None:
        """Send the welcome, and after it all that waits for the seat."""
        self._head = welcome
        self._turns.clear()
        for waiting in self.queue.turns():
            turn = _turn_of(waiting)
            spent_s = self.queue.spent_ns(waiting.turn_id, now_ns) / NS_PER_S
            left_s = max(0.001, turn.time_left_s - spent_s)
            self._turns.append(turn._replace(time_left_s=left_s))
        self.held_since_ns = None
        self._due = True

    def refuse(self, refusal: Refusal) -> None:
        """Send a refusal, and nothing after it."""
        self.forget_output(keep_notices=False)
        self._head = refusal

    def leave(self, presence: Presence, now_ns: int, *, keep_notices: bool = False) -> None:
        """The bot is not there any more. Its turns wait on, and its clock runs on."""
        self.presence = presence
        self.dispatch(now_ns)
        self.hello_due_ns = None
        self.lost = None
        self.forget_output(keep_notices=keep_notices)

    def forget_output(self, *, keep_notices: bool) -> None:
        """Drop what was to be sent on a stream that is no more."""
        self._head = None
        self._turns.clear()
        if not keep_notices:
            self._notices.clear()

    def take_output(self) -> bytes | None:
        """Give the next message to send; None if there is none."""
        if self._head is not None:
            head, self._head = self._head, None
            return response_to_wire(head)
        if not self.has_output:
            return None
        notices, self._notices = self._notices[:NOTICES_A_BATCH], self._notices[NOTICES_A_BATCH:]
        turns: list[Turn] = []
        if not self._notices:
            turns, self._turns = self._turns, turns
            self._due = False
        if not (notices or turns):
            return None
        return response_to_wire(Batch(tuple(notices), tuple(turns)))


def _turn_of(waiting: Waiting[Table]) -> Turn:
    turn = waiting.payload.turn
    assert turn is not None, "a waiting turn is its table's"
    return turn
