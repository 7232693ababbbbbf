"""Does each thing that the referee did to a bot have a fault that explains it?

docs/explanation/fault-policy.md tells what follows from what. Faults are what the referee saw, so
nobody can prove that they happened; but a lost turn, an autopilot or a forfeit without its fault,
or a fault without its consequence, can't come from an honest referee.
"""

from collections import Counter
from typing import Final

from tarneeb_referee.faults import Fault, FaultKind
from tarneeb_referee.record import Ending, MatchRecord, RefereeMoveReason
from tarneeb_referee.settings import Limits
from tarneeb_referee.table import MAX_FAULTS
from tarneeb_sdk.game import SEATS, Seat
from tarneeb_tournaments.verify.finding import DisprovedError, Where
from tarneeb_tournaments.verify.replay import Replayed

_REFUSED: Final = frozenset({FaultKind.ILLEGAL, FaultKind.MALFORMED})

# Each costs a strike wherever it happens.
_STRIKES: Final = frozenset({FaultKind.CRASH, FaultKind.DISCONNECT, FaultKind.OVER_MEMORY})

# Whoever does one of these, or was given up for it elsewhere, is on autopilot from here on.
_FATAL: Final = frozenset({FaultKind.ABSENT, FaultKind.FLOODING, FaultKind.INCOMPATIBLE})

# Each may be a strike of its own, or a part of another one.
_DOUBTFUL: Final = frozenset({FaultKind.MALFORMED, FaultKind.NEVER_READY, FaultKind.FLOODING})

# What can't keep a bot from becoming ready.
_IN_PLAY: Final = frozenset(
    {FaultKind.TIME_OUT, FaultKind.ILLEGAL, FaultKind.DISCONNECT, FaultKind.ABSENT}
)

Place = tuple[int, int]


def check_forfeit(record: MatchRecord, where: Where) -> None:
    """Check a match that was not played.

    Raises:
        DisprovedError: something was played, or its faults do not explain the loss.
    """
    if record.deals or any(record.scores) or any(record.autopilot_from):
        raise DisprovedError(where, "a forfeit with deals, scores or an autopilot")
    if len(record.scores) != record.rules.num_scores:
        raise DisprovedError(where, f"{len(record.scores)} scores, not {record.rules.num_scores}")
    for fault in record.faults:
        if fault.kind in _IN_PLAY or (fault.deal, fault.move_index) != (0, 0):
            raise DisprovedError(where, f"a {fault.kind.value} of seat {fault.seat} in a forfeit")
        if fault.seat not in SEATS:
            raise DisprovedError(where, f"a fault of seat {fault.seat}")
    teams = {fault.seat % 2 for fault in record.faults}
    if not teams:
        raise DisprovedError(where, "a forfeit, and no fault explains it")
    winner = None if len(teams) == 2 else 1 - teams.pop()
    if record.winner != winner:
        raise DisprovedError(
            where, f"winner {record.winner} of a forfeit; by its faults it is {winner}"
        )


def check_faults(record: MatchRecord, replayed: Replayed, limits: Limits, where: Where) -> None:
    """Check the faults of a match that was played against the referee's moves.

    Args:
        record: replayed without a finding.
        replayed: what that told.
        limits: of the tournament.
        where: the match.

    Raises:
        DisprovedError: a fault or a consequence stands alone.
    """
    _Blame(record, replayed, limits, where).check()


class _Blame:
    def __init__(
        self, record: MatchRecord, replayed: Replayed, limits: Limits, where: Where
    ) -> None:
        self._record = record
        self._replayed = replayed
        self._limits = limits
        self._where = where
        self._counts = Counter((each.seat, each.kind, _place(each)) for each in record.faults)
        self._total = Counter(each.seat for each in record.faults)

    def check(self) -> None:
        if self._record.ending is Ending.FORFEIT:
            raise AssertionError("a forfeit has no faults in play")
        places = [_place(each) for each in self._record.faults]
        if places != sorted(places):
            raise DisprovedError(self._where, "the faults are out of order")
        for fault in self._record.faults:
            self._check_place(fault)
        for place, reason in self._replayed.reasons.items():
            self._check_reason(place, reason)
        for seat in SEATS:
            self._check_autopilot(seat)

    def _check_place(self, fault: Fault) -> None:
        deal, move = _place(fault)
        where = self._where.at_deal(deal, move)
        turns = self._replayed.turns
        if fault.seat not in SEATS:
            raise DisprovedError(where, f"a fault of seat {fault.seat}")
        if not (1 <= deal <= len(turns) and 1 <= move <= len(turns[deal - 1])):
            raise DisprovedError(
                where, f"a {fault.kind.value} of seat {fault.seat} where nobody was to move"
            )
        turn = turns[deal - 1][move - 1]
        if fault.kind is FaultKind.ILLEGAL and turn != fault.seat:
            raise DisprovedError(
                where, f"an illegal move of seat {fault.seat}, but seat {turn} was to move"
            )
        if fault.kind is FaultKind.ILLEGAL:
            self._check_refused(fault)
        if fault.kind is FaultKind.TIME_OUT:
            reason = self._replayed.reasons.get((deal, move))
            if turn != fault.seat or reason is not RefereeMoveReason.TIME:
                raise DisprovedError(
                    where, f"a time-out of seat {fault.seat}, but the referee did not move for it"
                )

    def _check_refused(self, fault: Fault) -> None:
        place = _place(fault)
        refused = self._counts[fault.seat, FaultKind.ILLEGAL, place]
        reason = self._replayed.reasons.get(place)
        if refused >= self._limits.retries and reason is not RefereeMoveReason.REFUSED_MOVES:
            raise DisprovedError(
                self._where.at_deal(*place),
                f"{refused} refused moves of seat {fault.seat}, but it moved itself",
            )

    def _check_reason(self, place: Place, reason: RefereeMoveReason) -> None:
        deal, move = place
        seat = self._replayed.turns[deal - 1][move - 1]
        where = self._where.at_deal(deal, move)
        if reason is RefereeMoveReason.TIME and not self._counts[seat, FaultKind.TIME_OUT, place]:
            raise DisprovedError(
                where, f"the referee moved for seat {seat} without a time-out that explains it"
            )
        if reason is RefereeMoveReason.REFUSED_MOVES:
            refused = sum(self._counts[seat, kind, place] for kind in _REFUSED)
            # Of a seat that errs all the time not every fault is told.
            needed = 1 if self._total[seat] >= MAX_FAULTS else self._limits.retries
            if refused < needed:
                raise DisprovedError(
                    where,
                    f"the referee moved for seat {seat} after {refused} refused moves, "
                    f"not {needed}",
                )

    def _check_autopilot(self, seat: Seat) -> None:
        since = self._record.autopilot_from[seat]
        own = [fault for fault in self._record.faults if fault.seat == seat]
        if since == 0:
            fatal = [fault.kind.value for fault in own if fault.kind in _FATAL]
            if fatal or self._strikes(seat, up_to=len(self._record.deals)) >= self._limits.strikes:
                why = fatal[0] if fatal else f"{self._limits.strikes} strikes"
                raise DisprovedError(
                    self._where, f"seat {seat} is not on autopilot in spite of {why}"
                )
            return
        where = self._where.at_deal(since)
        if self._strikes(seat, up_to=since - 1) >= self._limits.strikes:
            raise DisprovedError(where, f"the autopilot of seat {seat} begins too late")
        if self._total[seat] < MAX_FAULTS and not self._explains(seat, since, own):
            raise DisprovedError(where, f"no fault explains the autopilot of seat {seat}")

    def _explains(self, seat: Seat, since: int, own: list[Fault]) -> bool:
        last = [fault for fault in own if fault.deal == since]
        # A message that was too long is a strike, too, and looks like a refused move.
        doubtful = sum(fault.kind in _DOUBTFUL for fault in own if fault.deal <= since)
        strikes = self._strikes(seat, up_to=since) + doubtful
        begins = [
            place
            for place, reason in self._replayed.reasons.items()
            if reason is RefereeMoveReason.AUTOPILOT
            and self._replayed.turns[place[0] - 1][place[1] - 1] == seat
        ]
        if not last or (begins and min(begins) < _place(last[0])):
            return False
        return strikes >= self._limits.strikes or any(fault.kind in _FATAL for fault in last)

    def _strikes(self, seat: Seat, *, up_to: int) -> int:
        """Count the strikes of which there is no doubt."""
        lost_turns = sum(
            reason in {RefereeMoveReason.TIME, RefereeMoveReason.REFUSED_MOVES}
            and self._replayed.turns[deal - 1][move - 1] == seat
            for (deal, move), reason in self._replayed.reasons.items()
            if deal <= up_to
        )
        return lost_turns + sum(
            fault.seat == seat and fault.kind in _STRIKES and fault.deal <= up_to
            for fault in self._record.faults
        )


def _place(fault: Fault) -> Place:
    return fault.deal, fault.move_index + 1
