"""The clock of a seat: which of its turns is being paid for, and how much of it.

A seat's turns wait in a queue, in the order in which they were sent. The first one, the head, is
on the clock, from when it became the head; the others are not. Time is a parameter everywhere, in
nanoseconds of a monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_referee.settings import TimeBudgets

NS_PER_S = 1_000_000_000

Payload = TypeVar("Payload")


@dataclass(frozen=True, slots=True)
class Budget:
    """What one decision may take, and what of it draws on the match's bank.

    Attributes:
        decision_ns: free for each decision.
        margin_ns: free as well, for transport; a bot is not told that it has it.
    """

    decision_ns: int
    margin_ns: int

    @classmethod
    def of(cls, time: TimeBudgets) -> Budget:
        """Convert the settings' seconds."""
        return cls(ns(time.decision_s), ns(time.margin_s))

    def allowance_ns(self, bank_ns: int) -> int:
        """Give the time on the clock after which a turn is lost."""
        return self.decision_ns + self.margin_ns + bank_ns

    def charge(self, bank_ns: int, elapsed_ns: int) -> int:
        """Give what is left of the bank after a decision; never less than nothing."""
        over = elapsed_ns - self.decision_ns - self.margin_ns
        return bank_ns if over <= 0 else max(0, bank_ns - over)


def ns(seconds: float) -> int:
    """Convert a setting in seconds."""
    return round(seconds * NS_PER_S)


def release_after_ns(elapsed_ns: int, *, quantum_ns: int) -> int:
    """Round a decision's time up to the next step, for when others may see it.

    Args:
        elapsed_ns: what the seat took; this alone is charged.
        quantum_ns: the step; 0 for no delay.

    >>> release_after_ns(1, quantum_ns=50), release_after_ns(100, quantum_ns=50)
    (50, 100)
    """
    if quantum_ns <= 0:
        return elapsed_ns
    return -(-elapsed_ns // quantum_ns) * quantum_ns


class Waiting(Generic[Payload]):
    """A turn that waits for its answer.

    Attributes:
        turn_id: by which the answer names it.
        allowance_ns: how long it may be on the clock.
        payload: whatever the turn is about.
    """

    __slots__ = ("allowance_ns", "payload", "turn_id")

    def __init__(self, turn_id: int, allowance_ns: int, payload: Payload) -> None:
        self.turn_id = turn_id
        self.allowance_ns = allowance_ns
        self.payload = payload


class SeatQueue(Generic[Payload]):
    """The turns of one seat, in the order in which they were sent."""

    __slots__ = ("_head_since_ns", "_mark_ns", "_turns")

    def __init__(self) -> None:
        self._turns: dict[int, Waiting[Payload]] = {}
        self._head_since_ns = 0
        # When time was last shared out; it differs from the above once a bot answers out of order.
        self._mark_ns = 0

    def __len__(self) -> int:
        return len(self._turns)

    def __contains__(self, turn_id: int) -> bool:
        return turn_id in self._turns

    @property
    def head(self) -> Waiting[Payload] | None:
        """The turn that is on the clock."""
        for waiting in self._turns.values():
            return waiting
        return None

    def turns(self) -> tuple[Waiting[Payload], ...]:
        """List all turns in the order sent."""
        return tuple(self._turns.values())

    def push(self, waiting: Waiting[Payload], now_ns: int) -> None:
        """Add a turn at the end; it is on the clock at once if no other waits."""
        if not self._turns:
            self._head_since_ns = self._mark_ns = now_ns
        self._turns[waiting.turn_id] = waiting

    def get(self, turn_id: int) -> Waiting[Payload] | None:
        """Find a waiting turn."""
        return self._turns.get(turn_id)

    def answered(self, turn_ids: Sequence[int], now_ns: int) -> int:
        """Take out the turns that one message answered; give the time of each of them.

        All that is known is when the message came, so each gets the same share: of the time since
        the head came on the clock if the head is among them, otherwise of the time since the last
        message. A share is never more than the whole, and the whole was within the head's
        allowance, or `expired` would have named it.

        Args:
            turn_ids: of turns that wait, at least one, each once.
            now_ns: when the message came.
        """
        turns = self._turns
        head = next(iter(turns))
        for turn_id in turn_ids:
            del turns[turn_id]
        if head in turns:
            period_ns = now_ns - self._mark_ns
        else:
            period_ns = now_ns - self._head_since_ns
            self._head_since_ns = now_ns
        self._mark_ns = now_ns
        return period_ns // len(turn_ids)

    def remove(self, turn_id: int, now_ns: int) -> None:
        """Take out a turn that lapsed; the next one comes on the clock if it was the head."""
        turns = self._turns
        was_head = next(iter(turns)) == turn_id
        del turns[turn_id]
        if was_head:
            self._head_since_ns = self._mark_ns = now_ns

    def expired(self, now_ns: int) -> Waiting[Payload] | None:
        """Give the turn on the clock if its time is over."""
        for waiting in self._turns.values():
            if now_ns - self._head_since_ns > waiting.allowance_ns:
                return waiting
            return None
        return None

    def forgive(self, lag_ns: int, now_ns: int) -> None:
        """Take time in which the referee itself was stuck off the clock."""
        self._head_since_ns = min(self._head_since_ns + lag_ns, now_ns)
        self._mark_ns = min(self._mark_ns + lag_ns, now_ns)

    def spent_ns(self, turn_id: int, now_ns: int) -> int:
        """Tell how long a turn has been on the clock; 0 unless it is the head."""
        if self._turns and next(iter(self._turns)) == turn_id:
            return max(0, now_ns - self._head_since_ns)
        return 0


class LagMeter:
    """Notices when the referee itself was late.

    The referee means to wake up every `interval_ns`. If it wakes up later than that, whatever the
    reason, then bots' answers may have lain unread, and they shall not pay for it.

    Attributes:
        stalls: how often it was late by more than the tolerance.
        total_ns: all of these together.
        max_ns: the longest.
    """

    __slots__ = (
        "_due_ns",
        "_interval_ns",
        "_last_ns",
        "_late",
        "_tolerance_ns",
        "max_ns",
        "stalls",
        "total_ns",
    )

    def __init__(
        self, now_ns: int, *, interval_ns: int = 25_000_000, tolerance_ns: int = 5_000_000
    ) -> None:
        self._interval_ns = interval_ns
        self._tolerance_ns = tolerance_ns
        self._last_ns = now_ns
        self._late = False
        self._due_ns = now_ns + interval_ns
        self.stalls = 0
        self.total_ns = 0
        self.max_ns = 0

    @property
    def due_ns(self) -> int:
        """When to wake up next."""
        return self._due_ns

    def notice(self, now_ns: int) -> int:
        """Look at the time on any event; give the time to forgive, usually 0.

        After a lag that is all the time since the last event, for nobody knows when in it the
        referee got stuck. One lag after the other counts for itself alone: on a machine where the
        referee is always late, clocks must go slow and not stand still.
        """
        last_ns, self._last_ns = self._last_ns, now_ns
        was_late, self._late = self._late, False
        lag_ns = now_ns - self._due_ns
        if lag_ns <= self._tolerance_ns:
            return 0
        self._late = True
        self._due_ns = now_ns + self._interval_ns
        self.stalls += 1
        self.total_ns += lag_ns
        self.max_ns = max(self.max_ns, lag_ns)
        return lag_ns if was_late else now_ns - last_ns

    def beat(self, now_ns: int) -> int:
        """Wake up; give the time to forgive, usually 0."""
        forgiven_ns = self.notice(now_ns)
        if now_ns >= self._due_ns:
            self._due_ns = now_ns + self._interval_ns
        return forgiven_ns
