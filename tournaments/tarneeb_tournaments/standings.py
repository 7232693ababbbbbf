"""The standings: a pure function of the results, computed anew each time."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal

from tarneeb_referee.faults import FaultKind
from tarneeb_tournaments.counts import Counts, count_matches, count_outcomes
from tarneeb_tournaments.elo_bootstrap import REPETITIONS, EloRow, EloTable, bootstrap_elo
from tarneeb_tournaments.pairs import PairResult, pair_results
from tarneeb_tournaments.rating import Rating, rate_pairs
from tarneeb_tournaments.results import (
    EntrantRow,
    EntrantTimes,
    LagBesideTimeOuts,
    Results,
)
from tarneeb_tournaments.rounds import entrant_order, settled_results, tournament_schedule
from tarneeb_tournaments.schedule import Individual, Swiss
from tarneeb_tournaments.stats.behaviour import Behaviour
from tarneeb_tournaments.stats.crosstable import Crosstable, Overall, crosstable, overall_figures
from tarneeb_tournaments.stats.pair_inputs import board_scores, elo_tallies, individual_overall
from tarneeb_tournaments.stats.tempo import Tempo
from tarneeb_tournaments.stats.time_spread import percentile_us
from tarneeb_tournaments.suspension import suspended_entrants
from tarneeb_tournaments.tiebreaks import RankRow, rank_entrants

RatingKind = Literal["trueskill", "elo"]

_NO_COUNTS: Final[Mapping[str, int]] = {}

# Above so many entrants the bootstrap would take too long in full.
_FULL_BOOTSTRAP: Final = 100
_MIN_REPETITIONS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One entrant's line. What can't be computed yet, or was not asked for, is None.

    Attributes:
        rank: from 1; equal ones share a rank. None if it is suspended or has no result.
        counts: what adds up over matches and pairs.
        elo: with its interval and range of ranks.
        swiss: points and tie-breaks, in a Swiss tournament.
        overall: points a board and boards won, with their intervals.
        behaviour: how it bid and scored.
        faults: by kind, in matches.
        incidents: by kind, between matches; not the same in two runs.
        times: not the same in two runs.
        slow_s: the time that 99 of 100 decisions did not exceed, to 2%; measured, too.
        lag: of the referee's own, beside the time-outs; measured, too.
    """

    rank: int | None
    entrant: EntrantRow
    rating: Rating | None
    counts: Counts
    elo: EloRow | None = None
    swiss: RankRow | None = None
    overall: Overall | None = None
    is_suspended: bool = False
    behaviour: Behaviour = field(default_factory=Behaviour)
    faults: Mapping[str, int] = field(default_factory=dict)
    incidents: Mapping[str, int] = field(default_factory=dict)
    times: EntrantTimes = field(default_factory=EntrantTimes)
    slow_s: float | None = None
    lag: LagBesideTimeOuts = field(default_factory=LagBesideTimeOuts)

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
    """All lines in order, and how far the tournament is.

    Attributes:
        pairs: that count for ratings and tables, in schedule order.
        elo: None unless it was asked for.
        tempo: by entrant; None unless it was asked for.
    """

    results: Results
    rows: tuple[StandingsRow, ...]
    pairs: tuple[PairResult, ...] = field(repr=False)
    rating: RatingKind = "trueskill"
    elo: EloTable | None = None
    tempo: Mapping[str, Tempo] | None = None

    @property
    def is_swiss(self) -> bool:
        return isinstance(tournament_schedule(self.results.info), Swiss)

    @cached_property
    def crosstable(self) -> Crosstable | None:
        """Everybody against everybody; None in an individual event, where sides change."""
        if _is_individual(self.results):
            return None
        return crosstable(board_scores(self.pairs))


def compute_standings(results: Results, *, rating: RatingKind = "trueskill") -> Standings:
    """Put the entrants in order.

    In a Swiss tournament by points and tie-breaks. In others by rating: TrueSkill's mu - 3 sigma,
    then mu; or Elo. Then by pairs won less pairs lost, points a deal, and the order of the
    tournament's file. Entrants without a rated pair follow. Suspended ones come last, whatever
    they have won, and without a rank. A pair with a suspended entrant is not rated for its
    opponent either; it does count as won, drawn or lost.

    Args:
        results: all there are.
        rating: which one to compute. Elo with its bootstrap takes longer.
    """
    out = suspended_entrants(results)
    every_pair = list(pair_results(results.matches))
    pairs = tuple(pair for pair in every_pair if not out.intersection(pair.entrants))
    counted = count_matches(results.matches)
    count_outcomes(every_pair, counted)
    table = _elo_table(results, pairs, out) if rating == "elo" else None
    ranked = _swiss_ranking(results, every_pair)
    figures = _Figures(
        counted=counted,
        out=out,
        ratings=rate_pairs(pairs),
        elo={} if table is None else {row.entrant: row for row in table.rows},
        swiss={row.entrant: row for row in ranked},
        overall=_overall(results, pairs),
    )
    rows = [_row(results, entrant, figures) for entrant in results.info.entrants]
    if ranked:
        # The order of the draw, which tie-breaks leave, is kept among equals.
        places = {row.entrant: place for place, row in enumerate(ranked)}
        rows.sort(key=lambda row: (row.is_suspended, places[row.entrant.id]))
    else:
        # Sorting is stable, so equal lines stay in the order of the file.
        rows.sort(key=_order)
    return Standings(
        results=results, rows=tuple(_ranked(rows)), pairs=pairs, rating=rating, elo=table
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figures:
    """What is known of everybody, by entrant; `out` are the suspended ones."""

    counted: Mapping[str, Counts]
    out: AbstractSet[str]
    ratings: Mapping[str, Rating]
    elo: Mapping[str, EloRow]
    swiss: Mapping[str, RankRow]
    overall: Mapping[str, Overall]


def _row(results: Results, entrant: EntrantRow, figures: _Figures) -> StandingsRow:
    id_ = entrant.id
    behaviour = results.behaviour.get(id_, Behaviour())
    counts = figures.counted.get(id_, Counts())
    if not counts.bids:
        # A match's line knows its teams' contracts, not those of partners who differ.
        counts.bids = behaviour.contracts
        counts.made = sum(level.made for level in behaviour.levels.values())
    slow_us = percentile_us(results.time_spread.get(id_, {}), 99)
    return StandingsRow(
        rank=None,
        entrant=entrant,
        rating=figures.ratings.get(id_),
        elo=figures.elo.get(id_) if id_ in figures.ratings else None,
        swiss=figures.swiss.get(id_),
        overall=figures.overall.get(id_),
        is_suspended=id_ in figures.out,
        counts=counts,
        behaviour=behaviour,
        faults=_misdeeds(results.faults.get(id_, _NO_COUNTS)),
        incidents=results.incidents.get(id_, _NO_COUNTS),
        times=results.times.get(id_, EntrantTimes()),
        slow_s=None if slow_us is None else slow_us / 1e6,
        lag=results.lags.get(id_, LagBesideTimeOuts()),
    )


def _is_individual(results: Results) -> bool:
    return isinstance(tournament_schedule(results.info), Individual)


def _overall(results: Results, pairs: Sequence[PairResult]) -> Mapping[str, Overall]:
    if _is_individual(results):
        return individual_overall(pairs)
    return overall_figures(board_scores(pairs))


def _swiss_ranking(results: Results, pairs: Sequence[PairResult]) -> Sequence[RankRow]:
    """Rank by points and tie-breaks in a Swiss tournament; nobody in others."""
    if not isinstance(tournament_schedule(results.info), Swiss):
        return ()
    return rank_entrants(entrant_order(results.info), settled_results(results, pairs))


def _misdeeds(faults: Mapping[str, int]) -> Mapping[str, int]:
    """Leave out what follows from another fault: the absence of who was given up for it."""
    return {kind: count for kind, count in faults.items() if kind != FaultKind.ABSENT.value}


def _elo_table(results: Results, pairs: Sequence[PairResult], out: AbstractSet[str]) -> EloTable:
    entrants = [each.id for each in results.info.entrants if each.id not in out]
    digest = hashlib.sha256(b"tarneeb bootstrap\0" + results.info.public_seed.encode()).digest()
    many = max(1, len(entrants))
    return bootstrap_elo(
        entrants,
        elo_tallies(pairs),
        seed=int.from_bytes(digest[:4], "big"),
        repetitions=max(_MIN_REPETITIONS, min(REPETITIONS, REPETITIONS * _FULL_BOOTSTRAP // many)),
    )


def _order(row: StandingsRow) -> tuple[float, ...]:
    rating = row.rating
    return (
        row.is_suspended,
        rating is None,
        -row.elo.elo if row.elo else 0.0,
        -rating.conservative if rating else 0.0,
        -rating.mu if rating else 0.0,
        row.counts.lost - row.counts.won,
        -(row.points_per_deal or 0.0),
    )


def _ranked(rows: Iterable[StandingsRow]) -> Iterable[StandingsRow]:
    rank = 0
    before: float | None = None
    for place, row in enumerate(rows, start=1):
        key = _rank_key(row)
        if key is None:
            yield row
            continue
        if key != before:
            rank = place
        before = key
        yield replace(row, rank=rank)


def _rank_key(row: StandingsRow) -> float | None:
    """Give what those who share a rank have in common; None if there is no rank."""
    if row.is_suspended:
        return None
    if row.swiss is not None:
        return row.swiss.place if row.swiss.played or row.swiss.byes else None
    if row.elo is not None:
        return row.elo.elo
    return None if row.rating is None else row.rating.conservative
