"""The standings: a pure function of the results, computed anew each time."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tarneeb_tournaments.pairs import Outcome, PairResult, pair_results
from tarneeb_tournaments.rating import Rating, rate_pairs
from tarneeb_tournaments.results import FORFEIT, EntrantRow, EntrantTimes, Results

_NO_COUNTS: Final[Mapping[str, int]] = {}

_FOR_SIDES: Final = {
    Outcome.FIRST: ("won", "lost"),
    Outcome.SECOND: ("lost", "won"),
    Outcome.DRAW: ("drawn", "drawn"),
    Outcome.NEITHER: ("lost", "lost"),
}


@dataclass(slots=True)
class Counts:
    """What adds up over an entrant's matches and pairs.

    Attributes:
        won: pairs of halves, see `pair_result`; so `drawn` and `lost`.
        points: own less the opponents', over all matches.
        bids: contracts bid by its seats, or declarations in Syrian 41; `made`, those it made.
        forfeits: matches for which it never became ready.
        autopilots: matches that ended with one of its seats on autopilot.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    matches: int = 0
    deals: int = 0
    points: int = 0
    bids: int = 0
    made: int = 0
    forfeits: int = 0
    autopilots: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One entrant's line. What can't be computed yet is None.

    Attributes:
        rank: from 1; equal ratings share a rank. None if it is not rated.
        counts: what adds up over matches and pairs.
        faults: by kind, in matches.
        incidents: by kind, between matches; not the same in two runs.
        times: not the same in two runs.
    """

    rank: int | None
    entrant: EntrantRow
    rating: Rating | None
    counts: Counts
    is_suspended: bool = False
    faults: Mapping[str, int] = field(default_factory=dict)
    incidents: Mapping[str, int] = field(default_factory=dict)
    times: EntrantTimes = field(default_factory=EntrantTimes)

    @property
    def points_per_deal(self) -> float | None:
        return self.counts.points / self.counts.deals if self.counts.deals else None

    @property
    def made_share(self) -> float | None:
        """Of the contracts that it bid, how many it made: 0 to 1."""
        return self.counts.made / self.counts.bids if self.counts.bids else None

    @property
    def decision_s(self) -> float | None:
        """The mean time of a decision."""
        if not self.times.decisions:
            return None
        return self.times.total_us / self.times.decisions / 1e6


@dataclass(frozen=True, kw_only=True)
class Standings:
    """All lines in order, and how far the tournament is."""

    results: Results
    rows: tuple[StandingsRow, ...]


def compute_standings(results: Results) -> Standings:
    """Put the entrants in order.

    By rating (mu - 3 sigma), then mu, pairs won less pairs lost, points a deal, and the order of
    the tournament's file. Entrants without a rated pair follow, and suspended ones come last. A
    pair with a suspended entrant is not rated for its opponent either, since not everybody has
    met that entrant; it does count as won, drawn or lost.
    """
    suspended = {each for row in results.pairings for each in row.suspended}
    pairs = list(pair_results(results.matches))
    ratings = rate_pairs(
        pair for pair in pairs if pair.first not in suspended and pair.second not in suspended
    )
    counted = _count_matches(results)
    _count_outcomes(pairs, counted)
    rows = [
        StandingsRow(
            rank=None,
            entrant=entrant,
            rating=ratings.get(entrant.id),
            is_suspended=entrant.id in suspended,
            counts=counted[entrant.id],
            faults=results.faults.get(entrant.id, _NO_COUNTS),
            incidents=results.incidents.get(entrant.id, _NO_COUNTS),
            times=results.times.get(entrant.id, EntrantTimes()),
        )
        for entrant in results.info.entrants
    ]
    # Sorting is stable, so equal lines stay in the order of the file.
    return Standings(results=results, rows=tuple(_ranked(sorted(rows, key=_order))))


def _order(row: StandingsRow) -> tuple[float, ...]:
    rating = row.rating
    return (
        row.is_suspended,
        rating is None,
        -rating.conservative if rating else 0.0,
        -rating.mu if rating else 0.0,
        row.counts.lost - row.counts.won,
        -(row.points_per_deal or 0.0),
    )


def _ranked(rows: Iterable[StandingsRow]) -> Iterable[StandingsRow]:
    rank = 0
    before: Rating | None = None
    for place, row in enumerate(rows, start=1):
        if row.rating is None:
            yield row
            continue
        if before is None or row.rating.conservative != before.conservative:
            rank = place
        before = row.rating
        yield replace(row, rank=rank)


def _count_matches(results: Results) -> Mapping[str, Counts]:
    counted: dict[str, Counts] = defaultdict(Counts)
    for match in results.matches:
        lead = match.score0 - match.score1
        first, second = match.sides
        sides = (
            (first, lead, match.bids0, match.made0),
            (second, -lead, match.bids1, match.made1),
        )
        for entrants, points, bids, made in sides:
            for entrant in entrants:
                counts = counted[entrant]
                counts.matches += 1
                counts.deals += match.deals
                counts.points += points
                if len(entrants) == 1:
                    counts.bids += bids
                    counts.made += made
                if match.autopilots:
                    counts.autopilots += match.is_on_autopilot(entrant)
                if match.ending == FORFEIT:
                    counts.forfeits += match.is_absent(entrant)
    return counted


def _count_outcomes(pairs: Iterable[PairResult], counted: Mapping[str, Counts]) -> None:
    for pair in pairs:
        for entrants, what in zip(pair.sides, _FOR_SIDES[pair.outcome], strict=True):
            for entrant in entrants:
                counts = counted[entrant]
                setattr(counts, what, getattr(counts, what) + 1)
