"""From pairs of halves to what ratings, tables and schedules take in."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tarneeb_tournaments.elo import Tally
from tarneeb_tournaments.pairs import Outcome, PairResult
from tarneeb_tournaments.results import PairingRow
from tarneeb_tournaments.schedule import Pairing, PairingResult
from tarneeb_tournaments.stats.crosstable import BoardScore, Lead, Overall, overall_of

# Of the first side; nobody has won what both forfeited.
_WON: Final[Mapping[Outcome, float]] = {Outcome.FIRST: 1.0, Outcome.DRAW: 0.5, Outcome.SECOND: 0.0}

_SPRT: Final[Mapping[Outcome, int]] = {Outcome.FIRST: 2, Outcome.DRAW: 1, Outcome.SECOND: 0}


def board_scores(pairs: Iterable[PairResult]) -> Iterator[BoardScore]:
    """Give what the crosstable takes in; a board that both forfeited is left out."""
    for pair in pairs:
        if pair.is_rated:
            yield BoardScore(pair.first, pair.second, pair.difference, _WON[pair.outcome])


def individual_overall(pairs: Iterable[PairResult]) -> Mapping[str, Overall]:
    """Sum up each entrant of an individual event, with whatever partners it had."""
    groups: dict[str, dict[tuple[int, int], list[Lead]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        if not pair.is_rated:
            continue
        won = _WON[pair.outcome]
        seen = (
            (pair.sides[0], Lead(pair.difference, won)),
            (pair.sides[1], Lead(-pair.difference, 1 - won)),
        )
        for entrants, lead in seen:
            for entrant in entrants:
                groups[entrant][pair.key.round, pair.key.pairing].append(lead)
    return {each: overall_of(tuple(groups[each].values())) for each in sorted(groups)}


def elo_tallies(pairs: Iterable[PairResult]) -> tuple[Tally, ...]:
    """Count who won how many boards against whom, as the Elo ratings take in."""
    counts: dict[tuple[tuple[str, ...], tuple[str, ...]], Counter[Outcome]] = defaultdict(Counter)
    for pair in pairs:
        if pair.is_rated:
            counts[pair.sides][pair.outcome] += 1
    return tuple(
        Tally(first, second, each[Outcome.FIRST], each[Outcome.DRAW], each[Outcome.SECOND])
        for (first, second), each in sorted(counts.items())
    )


def sprt_outcomes(pairs: Iterable[PairResult], *, new: str) -> Iterator[int]:
    """Give 2, 1 or 0 for each board that the new bot won, drew or lost.

    Args:
        pairs: in schedule order, up to the first board that is not finished.
        new: its id.
    """
    for pair in pairs:
        if pair.is_rated:
            outcome = _SPRT[pair.outcome]
            yield outcome if pair.first == new else 2 - outcome


def pairing_results(
    rows: Sequence[PairingRow], pairs: Iterable[PairResult], *, scores_byes: bool
) -> tuple[PairingResult, ...]:
    """Score pairings for the next round, and for the ranking.

    A board that both forfeited gives points to nobody. A pairing that was not played because one
    side had left is awarded to the other.

    Args:
        rows: pairings whose boards are all finished, or that are not played.
        pairs: of these, in any order.
        scores_byes: whether a bye is scored: in Swiss, where not everybody has one.
    """
    boards: dict[tuple[int, int], list[PairResult]] = defaultdict(list)
    for pair in pairs:
        boards[pair.key.round, pair.key.pairing].append(pair)
    results = []
    for row in rows:
        pairing = row.pairing
        if pairing.is_bye:
            bye = PairingResult.bye(pairing)
            results.append(bye if scores_byes else PairingResult(pairing, None))
        elif row.suspended or row.withdrawn:
            gone = (*row.suspended, *row.withdrawn)
            results.append(PairingResult(pairing, None, _left(pairing, gone)))
        else:
            results.append(
                PairingResult(pairing, _board_points(boards[pairing.round, pairing.number]))
            )
    return tuple(results)


def _left(pairing: Pairing, gone: Sequence[str]) -> str | None:
    for side in pairing.sides:
        if not set(side) & set(gone):
            return side[0]
    return None


def _board_points(pairs: Iterable[PairResult]) -> tuple[float, float]:
    first = second = 0.0
    for pair in pairs:
        if pair.is_rated:
            first += _WON[pair.outcome]
            second += 1 - _WON[pair.outcome]
    return first, second
