"""What a session gives back: outcomes as matches end, and a report when all is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_referee.faults import BotFault, OurFault
    from tarneeb_referee.hosts.base import ExitInfo
    from tarneeb_referee.hosts.output import BotLogs
    from tarneeb_referee.record import MatchRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTimings:
    """What was measured of one seat in one match.

    Attributes:
        decisions_us: each decision that was asked for and answered in time, in microseconds.
        bank_left_us: what was left of the match's bank.
        timed_out: turns that lapsed because their time ran out.
        late: answers that came after their turn had lapsed.
    """

    decisions_us: tuple[int, ...] = ()
    bank_left_us: int = 0
    timed_out: int = 0
    late: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTimings:
    """What was measured during one match; equal play need not give equal timings.

    Attributes:
        seats: by seat.
        max_lag_us: the longest that the referee kept bots waiting for reasons of its own. It was
            not charged to them.
    """

    seats: tuple[SeatTimings, ...] = ()
    max_lag_us: int = 0


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """A finished match: what counts, and what was measured beside it."""

    record: MatchRecord
    timings: MatchTimings


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """A board without a result, by a fault of ours; it is to be played again."""

    board: int
    fault: OurFault


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """How one bot fared in a session.

    Attributes:
        entrant_id: whose bot it was.
        start_s: from the start of its process to its `Hello`; None if there was none.
        restarts: how often it was started again.
        gone: why the referee gave it up for the rest of the session; None if it did not.
        incidents: misdeeds that belong to no match, such as a crash while it had no turn.
        late: answers that came after their turn had lapsed.
        strays: answers to turns that never waited, or were answered before.
        exit: how its last process ended; None if it was still running when it was told to stop.
        logs: what its last processes wrote, the latest last.
    """

    entrant_id: str
    start_s: float | None = None
    restarts: int = 0
    gone: BotFault | None = None
    incidents: tuple[BotFault, ...] = ()
    late: int = 0
    strays: int = 0
    exit: ExitInfo | None = None
    logs: tuple[BotLogs, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LagReport:
    """How often and how long the referee itself was late; bots are not charged for it.

    Attributes:
        stalls: how often it was late by more than the tolerance.
        total_s: all of these together.
        max_s: the longest.
    """

    stalls: int = 0
    total_s: float = 0.0
    max_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfReport:
    """What is left to say once a session is over.

    Attributes:
        seats: by seat.
        voids: the boards that have no outcome, and why; all the others have been handed over.
        lag: of the referee.
    """

    seats: tuple[SeatReport, ...]
    voids: tuple[VoidMatch, ...] = ()
    lag: LagReport = LagReport()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What a bot's check before a tournament found.

    Attributes:
        ready_s: from the start of its process to its `Hello`; None if it never came.
        decision_s: the median of its decisions; None if it made none.
        problem: why the bot can't play, in one line; None if it can.
        warning: what it did that costs a turn or a retry, such as an illegal move; None if
            nothing.
        logs: what the bot wrote; None if it could not be started.
    """

    ready_s: float | None
    decision_s: float | None
    problem: str | None
    warning: str | None = None
    logs: BotLogs | None = field(default=None, repr=False)
