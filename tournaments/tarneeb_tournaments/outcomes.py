"""From what the referee hands over to what is stored."""

from collections.abc import Sequence

from tarneeb_referee.outcome import HalfReport, MatchOutcome, SeatReport, SeatTimings
from tarneeb_referee.plan import HalfPlan
from tarneeb_referee.record import MatchRecord, PlayedDeal
from tarneeb_referee.record_bytes import record_to_bytes, timings_to_bytes
from tarneeb_sdk.game import Game, Pass, RuleSet, Seat, callers, team_of, team_scores
from tarneeb_tournaments.results import (
    FaultRow,
    MatchKey,
    MatchRow,
    ProcessLog,
    SeatSession,
    SeatTimes,
    SessionRow,
    StoredMatch,
)


def stored_match(outcome: MatchOutcome) -> StoredMatch:
    """Sum up a finished match."""
    record = outcome.record
    row = match_row(record)
    return StoredMatch(
        row=row,
        record=record_to_bytes(record),
        timings=timings_to_bytes(outcome.timings),
        faults=tuple(
            FaultRow(
                row.key,
                number,
                entrant=record.entrants[fault.seat],
                seat=fault.seat,
                kind=fault.kind.value,
                deal=fault.deal,
                move_index=fault.move_index,
                detail=fault.detail,
            )
            for number, fault in enumerate(record.faults, start=1)
        ),
        times=tuple(
            _seat_times(seat, record.entrants[seat], timings)
            for seat, timings in enumerate(outcome.timings.seats)
        ),
    )


def match_row(record: MatchRecord) -> MatchRow:
    """Sum up a record: all that standings need of it."""
    scored = [deal for deal in record.deals if not deal.cancelled]
    bids, made = [0, 0], [0, 0]
    for deal in scored:
        for seat in declaring_seats(deal, record.rules):
            bids[team_of(seat)] += 1
            made[team_of(seat)] += is_made(deal, seat)
    score0, score1 = team_scores(record.scores)
    return MatchRow(
        *MatchKey(record.round_, record.pairing, record.board, record.half),
        team0=record.entrants[0],
        team1=record.entrants[1],
        score0=score0,
        score1=score1,
        winner=record.winner,
        ending=record.ending.value,
        deals=len(scored),
        bids0=bids[0],
        bids1=bids[1],
        made0=made[0],
        made1=made[1],
        autopilot0=_was_on_autopilot(record, (0, 2)),
        autopilot1=_was_on_autopilot(record, (1, 3)),
    )


def declaring_seats(deal: PlayedDeal, rules: RuleSet) -> tuple[Seat, ...]:
    """Find who has a contract to make: the declarer [R-3.4], or all four seats [R-6.3]."""
    seats = callers(deal.calls, dealer=deal.dealer)
    if rules.game is Game.SYRIAN41:
        return seats
    bidders = [
        seat for seat, call in zip(seats, deal.calls, strict=True) if call.__class__ is not Pass
    ]
    return (bidders[-1],)


def is_made(deal: PlayedDeal, seat: Seat) -> bool:
    """Tell whether a declaring seat made its contract: else it loses points [R-5.3, R-6.6]."""
    points = deal.points
    return (points[seat] if len(points) == 4 else points[team_of(seat)]) > 0


def session_row(plan: HalfPlan, report: HalfReport) -> SessionRow:
    """Sum up what a session tells beside its matches."""
    return SessionRow(
        round=plan.round_,
        pairing=plan.pairing,
        half=plan.half,
        seats=tuple(_seat_session(seat, each) for seat, each in enumerate(report.seats)),
        voids=tuple(
            (void.board, f"{void.fault.kind.value}: {void.fault.detail}") for void in report.voids
        ),
        stalls=report.lag.stalls,
        stalled_s=report.lag.total_s,
        max_stall_s=report.lag.max_s,
    )


def _was_on_autopilot(record: MatchRecord, seats: Sequence[Seat]) -> bool:
    return any(record.autopilot_from[seat] for seat in seats)


def _seat_times(seat: Seat, entrant: str, timings: SeatTimings) -> SeatTimes:
    return SeatTimes(
        seat=seat,
        entrant=entrant,
        decisions=len(timings.decisions_us),
        total_us=sum(timings.decisions_us),
        max_us=max(timings.decisions_us, default=0),
        timed_out=timings.timed_out,
        late=timings.late,
    )


def _seat_session(seat: Seat, report: SeatReport) -> SeatSession:
    gone, exit_info = report.gone, report.exit
    return SeatSession(
        seat=seat,
        entrant=report.entrant_id,
        start_s=report.start_s,
        restarts=report.restarts,
        exit=None if exit_info is None else exit_info.describe(),
        cpu_s=None if exit_info is None else exit_info.cpu_s,
        peak_memory_bytes=None if exit_info is None else exit_info.peak_memory_bytes,
        gone=None if gone is None else (gone.kind.value, gone.detail),
        incidents=tuple((each.kind.value, each.detail) for each in report.incidents),
        late=report.late,
        strays=report.strays,
        logs=tuple(
            ProcessLog(stdout=each.stdout.to_bytes(), stderr=each.stderr.to_bytes())
            for each in report.logs
        ),
    )
