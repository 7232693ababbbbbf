"""What a bot and the referee say to each other, as values.

These are the messages of `protos/tarneeb/v1/referee_service.proto` in the words of the rules core:
moves are moves and views are views. `tarneeb_sdk.wire` turns them into bytes and back; nothing
else knows the bytes. The two that each decision makes anew, `Turn` and `Answer`, are named tuples:
these are made in a third of the time.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tarneeb_sdk.game import DealResult, Move, RuleSet, SeatView

PROTOCOL_VERSIONS = (1,)
"""The versions of the protocol that this package speaks, best last."""


class LapseReason(enum.Enum):
    """Why the referee moved for a seat [R-7.2]."""

    TIME = "time"
    REFUSED_MOVES = "refused moves"
    AUTOPILOT = "autopilot"


@dataclass(frozen=True, slots=True)
class Hello:
    """A bot's first message.

    The names are for logs alone: the token of the stream decides who the bot is.
    """

    protocol_versions: tuple[int, ...]
    name: str = ""
    version: str = ""
    sdk: str = ""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a bot may think, and how often it may fail, in one match.

    Attributes:
        decision_s: the budget of one decision.
        bank_s: what all decisions of a match together may take beyond their own budgets.
        margin_s: what comes on top, for transport; never charged.
        retries: so many refused moves on one turn, and the referee moves instead.
        strikes: so many turns lost, and the referee plays on for the seat.
    """

    decision_s: float
    bank_s: float
    margin_s: float
    retries: int
    strikes: int


@dataclass(frozen=True, slots=True)
class Welcome:
    """The referee's answer to a `Hello` that it accepts.

    Attributes:
        protocol_version: the version that both speak from here on.
        seat: the bot's seat at every one of its tables.
        tables: how many tables may wait for the bot at once.
        seed: for the bot's own randomness; it tells nothing of a deal.
    """

    protocol_version: int
    seat: int
    rules: RuleSet
    time: TimeControl
    tables: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """The referee's answer to a `Hello` that it does not accept.

    Attributes:
        protocol_versions: what the referee speaks.
    """

    reason: str
    protocol_versions: tuple[int, ...]


class Turn(NamedTuple):
    """A decision that waits for the seat.

    Attributes:
        turn_id: names this decision alone; the same after a reconnection. Never 0.
        time_left_s: until the turn times out, from when it is the first unanswered one: what is
            left of its own budget and of the match's bank.
        view: what the seat sees; its `legal` holds the moves to choose from.
    """

    turn_id: int
    table_id: int
    time_left_s: float
    view: SeatView


class Answer(NamedTuple):
    """A move for one turn."""

    turn_id: int
    move: Move


@dataclass(frozen=True, slots=True)
class MalformedAnswer:
    """An answer, within a message that parses, that names no move (or no turn).

    Attributes:
        turn_id: 0 if the answer named no turn.
        reason: what is wrong with it, as `MalformedError` says it.
    """

    turn_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class Answers:
    """What a bot decided since its last message, in the order of its decisions."""

    answers: tuple[Answer | MalformedAnswer, ...]


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal was played to its end."""

    table_id: int
    result: DealResult


@dataclass(frozen=True, slots=True)
class DealCancelled:
    """Nobody bid, or the declarations were too low [R-3.6, R-6.4]."""

    table_id: int
    result: DealResult


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match at this table has ended; nothing follows at it.

    Attributes:
        scores: of the two teams, or of the four seats in Syrian 41.
        winner: the team, or None for a draw.
    """

    table_id: int
    scores: tuple[int, ...]
    winner: int | None


@dataclass(frozen=True, slots=True)
class MoveRefused:
    """The answer to a turn broke a rule or did not parse; the turn still waits [R-7.1].

    Attributes:
        reason: what the move broke, with the rule's number.
        retries_left: so many more refused moves, and the referee moves instead.
    """

    table_id: int
    turn_id: int
    reason: str
    legal: tuple[Move, ...]
    retries_left: int


@dataclass(frozen=True, slots=True)
class TurnLapsed:
    """The referee moved for the seat; an answer to this turn comes too late [R-7.2]."""

    table_id: int
    turn_id: int
    reason: LapseReason
    move: Move


Notice = DealScored | DealCancelled | MatchOver | MoveRefused | TurnLapsed


@dataclass(frozen=True, slots=True)
class Batch:
    """What the referee has for a bot at one moment.

    Attributes:
        notices: what happened; they come before the turns that follow from them.
        turns: to be answered in this order.
    """

    notices: tuple[Notice, ...] = ()
    turns: tuple[Turn, ...] = ()


Request = Hello | Answers
Response = Welcome | Refusal | Batch
