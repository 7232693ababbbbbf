"""Rules, views and deal records, as the wire has them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tarneeb.v1 import game_pb2
from tarneeb_sdk.game import (
    CardSet,
    DealResult,
    MalformedError,
    Phase,
    RulesError,
    RuleSet,
    SeatView,
    rule_set,
)
from tarneeb_sdk.game.view import new_view
from tarneeb_sdk.wire.moves import (
    calls_from_wire,
    calls_to_wire,
    card_from_wire,
    cards_from_wire,
    suit_from_wire,
    suit_to_wire,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_sdk.game import Move

_PHASES_TO_WIRE = {
    Phase.AUCTION: game_pb2.PHASE_AUCTION,
    Phase.TRUMP: game_pb2.PHASE_TRUMP,
    Phase.PLAY: game_pb2.PHASE_PLAY,
    Phase.SCORED: game_pb2.PHASE_SCORED,
    Phase.CANCELLED: game_pb2.PHASE_CANCELLED,
}
_PHASES_FROM_WIRE: dict[int, Phase] = {int(wire): phase for phase, wire in _PHASES_TO_WIRE.items()}


def rules_to_wire(rules: RuleSet) -> game_pb2.RuleSet:
    """Write a preset with its options."""
    return game_pb2.RuleSet(
        preset=rules.preset,
        target=rules.target,
        defenders_always_score=rules.defenders_always_score,
        deals=rules.deals or 0,
        max_cancelled=rules.max_cancelled,
        max_deals=rules.max_deals,
    )


def rules_from_wire(message: game_pb2.RuleSet) -> RuleSet:
    """Read a preset with its options.

    Raises:
        MalformedError: no such preset, or the preset does not allow an option.
    """
    try:
        return rule_set(
            message.preset,
            target=message.target or None,
            defenders_always_score=message.defenders_always_score,
            deals=message.deals or None,
            max_cancelled=message.max_cancelled or None,
            max_deals=message.max_deals or None,
        )
    except RulesError as error:
        raise MalformedError(f"rules: {error}") from error


def seat_from_wire(number: int, *, what: str) -> int:
    """Check a seat.

    Raises:
        MalformedError: it is not 0 to 3.
    """
    if number > 3:
        raise MalformedError(f"{what} {number} is not 0 to 3")
    return number


def scores_from_wire(values: Sequence[int], *, sides: int, what: str) -> tuple[int, ...]:
    """Read one number a side.

    Raises:
        MalformedError: there are not as many numbers as sides.
    """
    scores = tuple(values[:])
    if len(scores) != sides:
        raise MalformedError(f"{what} has {len(scores)} numbers, not {sides}")
    return scores


# There are no more ways to share up to 13 tricks.
@lru_cache(maxsize=2380)
def _tricks_from_wire(data: bytes) -> tuple[int, int, int, int]:
    if len(data) != 4:
        raise MalformedError(f"tricks has {len(data)} numbers, not 4")
    first, second, third, fourth = data
    return first, second, third, fourth


def _bid_from_wire(level: int) -> int | None:
    if level > 13 or level == 1:
        raise MalformedError(f"bid {level} is not 2 to 13, or 0 for none")
    return level or None


def view_to_wire(view: SeatView) -> game_pb2.View:
    """Write what a seat sees; its seat and rules are said once, in the welcome."""
    message = game_pb2.View()
    fill_view(message, view)
    return message


def fill_view(message: game_pb2.View, view: SeatView) -> None:
    """Write what a seat sees into an empty message, which saves a copy within a larger one."""
    message.deal_number = view.deal_number
    message.dealer = view.dealer
    message.phase = _PHASES_TO_WIRE[view.phase]
    message.hand = view.hand.mask
    message.calls = calls_to_wire(view.calls)
    if view.declarer is not None:
        message.declarer = view.declarer
    if view.bid is not None:
        message.bid = view.bid
    if view.trump is not None:
        message.trump = suit_to_wire(view.trump)
    if view.revealed is not None:
        message.revealed = view.revealed
    message.plays = bytes(view.plays)
    if view.leader is not None:
        message.leader = view.leader
    message.tricks = bytes(view.tricks)
    message.scores.extend(view.scores)


def view_from_wire(
    message: game_pb2.View, *, seat: int, rules: RuleSet, legal: tuple[Move, ...]
) -> SeatView:
    """Read what a seat sees.

    Args:
        message: the view.
        seat: whose view it is, from the welcome.
        rules: what is played, from the welcome.
        legal: the seat's legal moves, which the turn carries beside the view.

    Raises:
        MalformedError: a number is out of its range, or not there.
    """
    phase = _PHASES_FROM_WIRE.get(message.phase)
    if phase is None:
        raise MalformedError(f"phase {message.phase} is unknown: auction to cancelled are 1 to 5")
    return new_view(
        seat,
        rules,
        message.deal_number,
        seat_from_wire(message.dealer, what="dealer"),
        scores_from_wire(message.scores, sides=rules.num_scores, what="scores"),
        phase,
        seat if legal else None,
        CardSet.from_mask(message.hand),
        calls_from_wire(message.calls),
        seat_from_wire(message.declarer, what="declarer") if message.HasField("declarer") else None,
        _bid_from_wire(message.bid),
        suit_from_wire(message.trump),
        card_from_wire(message.revealed, what="the shown card")
        if message.HasField("revealed")
        else None,
        cards_from_wire(message.plays),
        seat_from_wire(message.leader, what="leader") if message.HasField("leader") else None,
        _tricks_from_wire(message.tricks),
        legal,
    )


def result_to_wire(result: DealResult) -> game_pb2.DealRecord:
    """Write the public record of a deal; the notice around it says if it was cancelled."""
    return game_pb2.DealRecord(
        deal_number=result.deal_number,
        dealer=result.dealer,
        calls=calls_to_wire(result.calls),
        declarer=result.declarer,
        bid=result.bid or 0,
        trump=suit_to_wire(result.trump),
        revealed=result.revealed,
        plays=bytes(result.plays),
        tricks=bytes(result.tricks),
        points=result.points,
        scores=result.scores,
    )


def result_from_wire(
    message: game_pb2.DealRecord, *, rules: RuleSet, cancelled: bool
) -> DealResult:
    """Read the public record of a deal.

    Raises:
        MalformedError: a number is out of its range, or not there.
    """
    sides = rules.num_scores
    return DealResult(
        deal_number=message.deal_number,
        dealer=seat_from_wire(message.dealer, what="dealer"),
        calls=calls_from_wire(message.calls),
        declarer=seat_from_wire(message.declarer, what="declarer")
        if message.HasField("declarer")
        else None,
        bid=_bid_from_wire(message.bid),
        trump=suit_from_wire(message.trump),
        revealed=card_from_wire(message.revealed, what="the shown card")
        if message.HasField("revealed")
        else None,
        plays=cards_from_wire(message.plays),
        tricks=_tricks_from_wire(message.tricks),
        points=scores_from_wire(message.points, sides=sides, what="points"),
        scores=scores_from_wire(message.scores, sides=sides, what="scores"),
        cancelled=cancelled,
    )
