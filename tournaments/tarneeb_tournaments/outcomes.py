"""From what the referee hands over to what is stored."""

from collections import Counter
from collections.abc import Iterable

from tarneeb_referee.outcome import HalfReport, MatchOutcome, SeatReport, SeatTimings
from tarneeb_referee.plan import HalfPlan
from tarneeb_referee.record import Ending, MatchRecord
from tarneeb_referee.record_bytes import record_to_bytes, timings_to_bytes
from tarneeb_sdk.game import SEATS, Seat, team_of, team_scores
from tarneeb_tournaments.declarations import declaring_seats, is_made
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
from tarneeb_tournaments.stats.behaviour import behaviour_of
from tarneeb_tournaments.stats.record_inputs import deal_summaries
from tarneeb_tournaments.stats.time_spread import count_steps


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
        behaviour=behaviour_of(deal_summaries(record)),
        time_spread=_time_spread(outcome),
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
    is_pair_event = record.entrants[:2] == record.entrants[2:]
    is_forfeit = record.ending is Ending.FORFEIT
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
        autopilots=_mask(seat for seat in SEATS if record.autopilot_from[seat]),
        absent=_mask(fault.seat for fault in record.faults) if is_forfeit else 0,
        partner0=None if is_pair_event else record.entrants[2],
        partner1=None if is_pair_event else record.entrants[3],
    )


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


def _mask(seats: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in set(seats))


def _time_spread(outcome: MatchOutcome) -> dict[str, Counter[int]]:
    spread: dict[str, Counter[int]] = {}
    for entrant, seat in zip(outcome.record.entrants, outcome.timings.seats, strict=False):
        spread.setdefault(entrant, Counter()).update(count_steps(seat.decisions_us))
    return spread


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
