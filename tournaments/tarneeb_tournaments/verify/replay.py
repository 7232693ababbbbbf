"""A match played again from its record, by the rules core."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from tarneeb_referee.record import MatchRecord, PlayedDeal, RefereeMoveReason
from tarneeb_sdk.game import (
    SEATS,
    Deal,
    IllegalMoveError,
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
        # Of the deal that is being replayed: who has been seen on autopilot.
        self._piloted: set[Seat] = set()

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
        self._piloted.clear()
        for index, move in enumerate(moves_of(played, match.rules)):
            seat = deal.turn
            if seat is None:
                self._fail(number, index, f"{move!r} after the end of the deal")
            turns.append(seat)
            reason = marks.pop(index, None) if marks else None
            problem = self._maker_problem(match, deal, move, reason, number)
            if problem is not None:
                self._fail(number, index, str(deal.verify(move) or problem))
            try:
                match.apply(move)
            except IllegalMoveError as error:
                self._fail(number, index, str(error))
            if reason is not None:
                self._reasons[number, index + 1] = reason
        if marks:
            self._fail(number, min(marks), "a move of the referee that is not")
        self._turns.append(tuple(turns))

    def _fail(self, number: int, index: int, what: str) -> NoReturn:
        raise DisprovedError(self._where.at_deal(number, index + 1), what)

    def _marks(self, number: int, played: PlayedDeal) -> dict[int, RefereeMoveReason]:
        places = [each.move_index for each in played.referee_moves]
        if places != sorted(set(places)):
            raise DisprovedError(
                self._where.at_deal(number), "the referee's moves are doubled or out of order"
            )
        return {each.move_index: each.reason for each in played.referee_moves}

    def _maker_problem(
        self,
        match: Match,
        deal: Deal,
        move: Move,
        reason: RefereeMoveReason | None,
        number: int,
    ) -> str | None:
        """Say why a move can't have been made by whom the record says: seat, referee or rules."""
        seat = deal.turn
        assert seat is not None
        forced = match.forced_move()
        if forced is not None:
            return _forced_problem(deal, move, forced, reason)
        if reason is RefereeMoveReason.MUST_PLAY:
            return "marked as a move that R-8.1 asks for, which it does not"
        since = self._record.autopilot_from[seat]
        if reason is RefereeMoveReason.AUTOPILOT:
            if not 0 < since <= number:
                return f"an autopilot's move, but seat {seat} is not on autopilot"
            self._piloted.add(seat)
        elif 0 < since < number or seat in self._piloted:
            return f"seat {seat} is on autopilot, and this move is its own"
        if reason is None:
            self._decisions[seat] += 1
            return None
        due = fallback_move(deal)
        return None if move == due else f"the referee played {move!r}; it must play {due!r} [R-7.2]"

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


def _forced_problem(
    deal: Deal, move: Move, forced: Move, reason: RefereeMoveReason | None
) -> str | None:
    if move != forced:
        return f"{move!r}, but {forced!r} must be played [R-8.1]"
    if deal.phase is not Phase.AUCTION:
        return None if reason is None else "the only legal card, marked as a move of the referee's"
    if reason is RefereeMoveReason.MUST_PLAY:
        return None
    return "a move of the referee's by R-8.1 that is not marked so"


def _end(record: MatchRecord) -> str:
    return record.ending.value
