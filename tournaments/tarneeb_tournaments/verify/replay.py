"""A match played again from its record, by the rules core."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tarneeb_referee.record import MatchRecord, PlayedDeal, RefereeMoveReason
from tarneeb_sdk.game import (
    SEATS,
    Deal,
    Match,
    Move,
    Phase,
    RulesError,
    Seat,
    fallback_move,
)
from tarneeb_tournaments.stats.record_inputs import moves_of
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.finding import DisprovedError, Where

_CHOICES: Final = frozenset(RefereeMoveReason) - {RefereeMoveReason.MUST_PLAY}


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay tells beside that the record is right.

    Attributes:
        turns: by deal, the seat of each move.
        reasons: the referee's moves by (deal, move), both from 1, and why it made them.
        decisions: by seat, how many moves were its own choice.
    """

    turns: tuple[tuple[Seat, ...], ...]
    reasons: Mapping[tuple[int, int], RefereeMoveReason]
    decisions: tuple[int, ...]


def replay_match(record: MatchRecord, where: Where) -> Replayed:
    """Play a match that was no forfeit again: every move, mark, score, and its end.

    Raises:
        DisprovedError: the record breaks the rules, or is not what follows from its moves.
    """
    return _Replay(record, where).run()


class _Replay:
    def __init__(self, record: MatchRecord, where: Where) -> None:
        self._record = record
        self._where = where
        self._turns: list[tuple[Seat, ...]] = []
        self._reasons: dict[tuple[int, int], RefereeMoveReason] = {}
        self._decisions = [0] * len(SEATS)

    def run(self) -> Replayed:
        record = self._record
        if not record.deals:
            raise DisprovedError(self._where, f"no deal, but the match ended by {_end(record)}")
        try:
            match = Match(record.rules, first_dealer=record.deals[0].dealer)
        except RulesError as error:
            raise DisprovedError(self._where.at_deal(1), str(error)) from error
        for number, played in enumerate(record.deals, start=1):
            self._replay_deal(match, number, played)
        self._check_end(match)
        return Replayed(tuple(self._turns), self._reasons, tuple(self._decisions))

    def _replay_deal(self, match: Match, number: int, played: PlayedDeal) -> None:
        where = self._where.at_deal(number)
        if match.over:
            raise DisprovedError(where, "the match was over before this deal")
        expected = (match.deal_number, match.redeal_number, match.dealer)
        if (played.deal_number, played.redeal_number, played.dealer) != expected:
            raise DisprovedError(
                where,
                f"is deal {played.deal_number}.{played.redeal_number} of dealer {played.dealer}; "
                f"it must be {expected[0]}.{expected[1]} of dealer {expected[2]}",
            )
        try:
            deal = match.start_deal(played.hands)
        except RulesError as error:
            raise DisprovedError(where, printable(error)) from error
        self._replay_moves(match, deal, number, played)
        if deal.turn is not None:
            raise DisprovedError(where, f"stops while seat {deal.turn} is to move")
        result = match.last_result
        assert result is not None, "the match books a deal that ends"
        for name in ("cancelled", "trump", "points", "scores"):
            stored, found = getattr(played, name), getattr(result, name)
            if stored != found:
                raise DisprovedError(where, f"{name} {stored} must be {found} by the rules")

    def _replay_moves(self, match: Match, deal: Deal, number: int, played: PlayedDeal) -> None:
        marks = self._marks(number, played)
        turns: list[Seat] = []
        seen_autopilot: set[Seat] = set()
        for index, move in enumerate(moves_of(played, match.rules)):
            where = self._where.at_deal(number, index + 1)
            seat = deal.turn
            if seat is None:
                raise DisprovedError(where, f"{move!r} after the end of the deal")
            turns.append(seat)
            reason = marks.pop(index, None)
            refusal = deal.verify(move)
            if refusal is not None:
                raise DisprovedError(where, str(refusal))
            self._check_maker(match, deal, move, reason, where)
            if reason is not None:
                self._reasons[number, index + 1] = reason
            if reason is RefereeMoveReason.AUTOPILOT:
                seen_autopilot.add(seat)
            elif seat in seen_autopilot and reason in {None, *_CHOICES} and _is_asked(match):
                raise DisprovedError(where, f"seat {seat} moved after its autopilot had begun")
            match.apply(move)
        if marks:
            raise DisprovedError(
                self._where.at_deal(number, min(marks) + 1), "a move of the referee that is not"
            )
        self._turns.append(tuple(turns))

    def _marks(self, number: int, played: PlayedDeal) -> dict[int, RefereeMoveReason]:
        places = [each.move_index for each in played.referee_moves]
        if places != sorted(set(places)):
            raise DisprovedError(
                self._where.at_deal(number), "the referee's moves are doubled or out of order"
            )
        return {each.move_index: each.reason for each in played.referee_moves}

    def _check_maker(
        self,
        match: Match,
        deal: Deal,
        move: Move,
        reason: RefereeMoveReason | None,
        where: Where,
    ) -> None:
        """Check who made a legal move: the seat, the referee, or the rules."""
        seat = deal.turn
        assert seat is not None
        forced = match.forced_move()
        if forced is not None:
            self._check_forced(deal, move, forced, reason, where)
            return
        if reason is RefereeMoveReason.MUST_PLAY:
            raise DisprovedError(where, "marked as a move that R-8.1 asks for, which it does not")
        must, may = self._autopilot(seat, where.deal or 0)
        if must and reason is not RefereeMoveReason.AUTOPILOT:
            raise DisprovedError(where, f"seat {seat} is on autopilot, and this move is its own")
        if reason is RefereeMoveReason.AUTOPILOT and not may:
            raise DisprovedError(where, f"an autopilot's move, but seat {seat} is not on autopilot")
        if reason is None:
            self._decisions[seat] += 1
            return
        due = fallback_move(deal)
        if move != due:
            raise DisprovedError(
                where, f"the referee played {move!r}; it must play {due!r} [R-7.2]"
            )

    def _check_forced(
        self,
        deal: Deal,
        move: Move,
        forced: Move,
        reason: RefereeMoveReason | None,
        where: Where,
    ) -> None:
        if move != forced:
            raise DisprovedError(where, f"{move!r}, but {forced!r} must be played [R-8.1]")
        due = RefereeMoveReason.MUST_PLAY if deal.phase is Phase.AUCTION else None
        if reason is not due:
            raise DisprovedError(
                where,
                "a move of the referee's by R-8.1 that is not marked so"
                if due
                else "the only legal card, marked as a move of the referee's",
            )

    def _autopilot(self, seat: Seat, number: int) -> tuple[bool, bool]:
        """Tell whether the referee must, and whether it may, play for a seat in a deal."""
        since = self._record.autopilot_from[seat]
        return 0 < since < number, 0 < since <= number

    def _check_end(self, match: Match) -> None:
        record = self._record
        if match.end is None:
            raise DisprovedError(self._where, "the match is not over after its last deal")
        if any(since > len(record.deals) for since in record.autopilot_from):
            raise DisprovedError(self._where, "an autopilot begins after the last deal")
        if record.scores != match.scores:
            raise DisprovedError(
                self._where, f"scores {record.scores} must be {match.scores} by the rules"
            )
        if record.ending.name != match.end.termination.name:
            raise DisprovedError(
                self._where,
                f"ended by {_end(record)}; by the rules it ended by {match.end.termination.value}",
            )
        if record.winner != match.end.winner:
            raise DisprovedError(
                self._where, f"winner {record.winner} must be {match.end.winner} by the rules"
            )


def _is_asked(match: Match) -> bool:
    return match.forced_move() is None


def _end(record: MatchRecord) -> str:
    return record.ending.value
