"""What the referee finds of a hand record, and how that is written.

docs/reference/hand-records.md describes the written form.
"""

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tarneeb_sdk.game import Bid, Card, Contract, Declarations, Move, Phase, Seat, Team

__all__ = [
    "Fallback",
    "Field",
    "MalformedLine",
    "Outcome",
    "Rejection",
    "Verdict",
    "format_verdict",
]

Field: TypeAlias = Literal["calls", "trump", "plays"]


@dataclass(frozen=True, slots=True)
class MalformedLine:
    """A line that is no record.

    Attributes:
        reason: what is wrong with it.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """The first move of a record that breaks a rule.

    Attributes:
        field: the list it stands in.
        index: its place there, from 0; always 0 for trump.
        reason: why it is refused, with the rule's number.
    """

    field: Field
    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Fallback:
    """The move that the referee makes where a record has a time-out [R-7.2]."""

    field: Field
    index: int
    move: Move


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a deal that is over has led to.

    Attributes:
        points: of the deal, by team, or by seat in Syrian 41; `None` if it was cancelled.
        scores: after the deal, in the same order.
        next_dealer: who deals next if the match goes on.
        winner: the team that has won the match; `None` while it goes on.
    """

    points: tuple[int, ...] | None
    scores: tuple[int, ...]
    next_dealer: Seat
    winner: Team | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where the moves of a record lead, up to the first that breaks a rule.

    Attributes:
        rejection: that move; `None` if all moves keep the rules.
        phase: the phase then reached.
        turn: who must move; `None` when the deal is over.
        legal: its legal moves; empty for cards if the record has no hands.
        contract: `None` until the auction is over, and if the deal was cancelled.
        tricks: taken by each seat; `None` before the play.
        trick: the cards of the unfinished trick; `None` before the play.
        fallbacks: the moves that the referee made, in order.
        outcome: `None` until the deal is over.
    """

    rejection: Rejection | None
    phase: Phase
    turn: Seat | None
    legal: tuple[Move, ...]
    contract: Contract | Declarations | None
    tricks: tuple[int, ...] | None
    trick: tuple[Card, ...] | None
    fallbacks: tuple[Fallback, ...]
    outcome: Outcome | None


def format_verdict(verdict: Verdict | MalformedLine) -> str:
    """Write a verdict as one line of JSON in ASCII, without the line's end."""
    if isinstance(verdict, MalformedLine):
        return json.dumps({"status": "malformed", "reason": verdict.reason})
    return json.dumps(_verdict_keys(verdict))


def _verdict_keys(verdict: Verdict) -> dict[str, object]:
    keys: dict[str, object] = {"status": "accepted"}
    if (rejection := verdict.rejection) is not None:
        keys["status"] = "rejected"
        keys["at"] = {"field": rejection.field, "index": rejection.index}
        keys["reason"] = rejection.reason
    keys["phase"] = verdict.phase.value
    keys["turn"] = verdict.turn
    keys["legal"] = [_move_value(move) for move in verdict.legal]
    if verdict.contract is not None:
        keys["contract"] = _contract_keys(verdict.contract)
    if verdict.tricks is not None:
        keys["tricks"] = verdict.tricks
    if verdict.trick is not None:
        keys["trick"] = [str(card) for card in verdict.trick]
    keys["fallbacks"] = [
        {"field": made.field, "index": made.index, "move": _move_value(made.move)}
        for made in verdict.fallbacks
    ]
    if (outcome := verdict.outcome) is not None:
        if outcome.points is not None:
            keys["points"] = outcome.points
        keys["scores"] = outcome.scores
        keys["next_dealer"] = outcome.next_dealer
        keys["winner"] = outcome.winner
    return keys


def _contract_keys(contract: Contract | Declarations) -> dict[str, object]:
    trump = None if contract.trump is None else contract.trump.letter
    if isinstance(contract, Contract):
        return {"seat": contract.declarer, "bid": contract.bid, "trump": trump}
    return {"bids": contract.bids, "trump": trump}


def _move_value(move: Move) -> str | int:
    return move.level if isinstance(move, Bid) else str(move)
