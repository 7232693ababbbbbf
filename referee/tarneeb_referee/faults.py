"""What went wrong, and whose fault it is.

Only a fault of the bot's may cost a bot. A fault of ours makes a match void: it has no result and
is played again. `blame` is the one place that decides between the two; in doubt it is ours.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never, overload

if TYPE_CHECKING:
    from tarneeb_referee.hosts.base import ExitInfo
    from tarneeb_sdk.game import Seat


class FaultKind(enum.Enum):
    """What a bot did wrong."""

    TIME_OUT = "time-out"
    CRASH = "crash"
    DISCONNECT = "disconnect"
    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    OVER_MEMORY = "over memory"
    NEVER_READY = "never ready"
    FLOODING = "flooding"
    INCOMPATIBLE = "incompatible"
    ABSENT = "absent"
    """It had been given up, for a fault that is booked elsewhere: no new misdeed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One misdeed of a bot, as a match's record keeps it.

    Attributes:
        seat: whose bot it was.
        deal: 1 for the first deal of the record, cancelled ones counted; 0 before any deal.
        move_index: how many moves of that deal (calls, trump, plays) had been made.
        detail: one line. It holds nothing that was measured, so equal play gives equal records.
    """

    kind: FaultKind
    seat: Seat
    deal: int
    move_index: int
    detail: str


class OurFaultKind(enum.Enum):
    """What went wrong on our side."""

    ENGINE_UNREACHABLE = "engine unreachable"
    HOST_SHORT = "host out of memory or disk"
    REFEREE_ERROR = "error in the referee"


@dataclass(frozen=True, slots=True)
class BotFault:
    """A verdict: the bot is to blame."""

    kind: FaultKind
    detail: str


@dataclass(frozen=True, slots=True)
class OurFault:
    """A verdict: we are to blame, and what was being played is void."""

    kind: OurFaultKind
    detail: str


Verdict = BotFault | OurFault


# Evidence: what was seen.


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """A turn was on the clock for longer than its budget, its bank and the margin."""


@dataclass(frozen=True, slots=True)
class MoveWasRefused:
    """An answer broke a rule or, if `malformed`, named no move."""

    reason: str
    malformed: bool


@dataclass(frozen=True, slots=True)
class ProcessExited:
    """A bot's process ended while it was still needed.

    Attributes:
        how: as the host saw it.
        ready: it had said `Hello` before.
    """

    how: ExitInfo
    ready: bool


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """A bot's stream ended and its process lives on."""


@dataclass(frozen=True, slots=True)
class MessageWasRefused:
    """A whole message was malformed, or longer than allowed."""

    reason: str


@dataclass(frozen=True, slots=True)
class NotReady:
    """A bot did not say `Hello` within its start budget.

    Attributes:
        start_s: the budget, a setting.
        reason: what came instead, if anything.
    """

    start_s: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unresponsive:
    """A bot let so many turns in a row time out without a sign of life."""

    turns: int


@dataclass(frozen=True, slots=True)
class VersionsDiffer:
    """A bot speaks no version of the protocol that the referee speaks."""

    referee: tuple[int, ...]
    bot: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flooded:
    """A bot sent more than anybody can need.

    Attributes:
        what: more than what, such as `1000 answers to turns that did not wait`.
    """

    what: str


@dataclass(frozen=True, slots=True)
class HostFailed:
    """The host could not start or reach a bot: no process, no memory, no engine."""

    reason: str
    out_of_resources: bool = False


@dataclass(frozen=True, slots=True)
class RefereeRaised:
    """Our own code raised an exception."""

    error: str


AgainstBot = (
    TurnTimedOut
    | MoveWasRefused
    | StreamEnded
    | MessageWasRefused
    | NotReady
    | Unresponsive
    | VersionsDiffer
    | Flooded
)
# gRPC ends the stream at a message that it does not take, and tells the server no more than that.
_STREAM_ENDED = "the stream ended, or a message was longer than the transport's 8 MiB"

AgainstUs = HostFailed | RefereeRaised
Evidence = AgainstBot | AgainstUs | ProcessExited


@overload
def blame(evidence: AgainstBot) -> BotFault: ...
@overload
def blame(evidence: AgainstUs) -> OurFault: ...
@overload
def blame(evidence: ProcessExited) -> Verdict: ...
def blame(evidence: Evidence) -> Verdict:
    """Decide whose fault it is.

    >>> blame(TurnTimedOut()).kind
    <FaultKind.TIME_OUT: 'time-out'>
    >>> blame(RefereeRaised("ZeroDivisionError")).kind
    <OurFaultKind.REFEREE_ERROR: 'error in the referee'>
    """
    match evidence:
        case TurnTimedOut():
            return BotFault(FaultKind.TIME_OUT, "no answer in time")
        case MoveWasRefused(reason=reason, malformed=malformed):
            return BotFault(FaultKind.MALFORMED if malformed else FaultKind.ILLEGAL, reason)
        case ProcessExited():
            return _blame_exit(evidence)
        case StreamEnded():
            return BotFault(FaultKind.DISCONNECT, _STREAM_ENDED)
        case MessageWasRefused(reason=reason):
            return BotFault(FaultKind.MALFORMED, reason)
        case NotReady(start_s=start_s, reason=reason):
            late = f"did not become ready within {start_s:.1f} s (start limit)"
            return BotFault(FaultKind.NEVER_READY, f"{late}: {reason}" if reason else late)
        case Unresponsive(turns=turns):
            return BotFault(FaultKind.TIME_OUT, f"gave no sign of life for {turns} turns in a row")
        case VersionsDiffer(referee=referee, bot=bot):
            return BotFault(
                FaultKind.INCOMPATIBLE,
                f"the referee speaks version {_list(referee)}, the bot said {_list(bot)}",
            )
        case Flooded(what=what):
            return BotFault(FaultKind.FLOODING, f"more than {what}")
        case HostFailed(reason=reason, out_of_resources=short):
            kind = OurFaultKind.HOST_SHORT if short else OurFaultKind.ENGINE_UNREACHABLE
            return OurFault(kind, reason)
        case RefereeRaised(error=error):
            return OurFault(OurFaultKind.REFEREE_ERROR, error)
        case _:
            assert_never(evidence)


def absence(why: BotFault) -> BotFault:
    """Give what a match notes that is played without a bot, after this was judged of the bot."""
    return BotFault(FaultKind.ABSENT, f"given up: {why.kind.value}: {why.detail}")


def _blame_exit(exited: ProcessExited) -> Verdict:
    how = exited.how
    detail = how.describe(before_ready=not exited.ready)
    if how.host_failure:
        return OurFault(OurFaultKind.ENGINE_UNREACHABLE, detail)
    if how.over_memory:
        # Its own limit: to blame even on a machine that is short of memory itself.
        return BotFault(FaultKind.OVER_MEMORY, detail)
    if how.host_out_of_memory:
        return OurFault(OurFaultKind.HOST_SHORT, f"a bot was {detail}")
    return BotFault(FaultKind.CRASH if exited.ready else FaultKind.NEVER_READY, detail)


def _list(versions: tuple[int, ...]) -> str:
    # A stranger's list: as long as it likes.
    shown = ", ".join(map(str, versions[:8])) or "none"
    return f"{shown}, …" if len(versions) > 8 else shown
