"""The ranking of a Swiss tournament: points, and what decides when they are equal.

In this order:

1. points: 1 for a pairing won, 0.5 for one drawn; a bye gives what a win gives;
2. median Buchholz: the points of all opponents, without the highest and the lowest;
3. Buchholz: the points of all opponents;
4. head to head: points against those still equal, if all of them have met equally often;
5. board points: 1 for a board won, 0.5 for one drawn.

Who is equal in all of them shares a place.

A round without an opponent (a bye, or one who had left) would make Buchholz smaller through no
fault of the entrant's. It counts as if against somebody with the entrant's own points, so it
changes no average. An opponent who leaves stops scoring; each round missed counts as half a point
for those who met that opponent.

Source: FIDE Handbook C.07, "Tie-Break Regulations" (2024): Buchholz and its cut variants, the dummy
opponent of a participant's own unplayed rounds, and missed rounds of opponents as draws.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from tarneeb_tournaments.schedule.base import PairingResult, last_round


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRow:
    """An entrant's line.

    Attributes:
        place: from 1; shared by those who are equal in everything.
        played: pairings with an opponent that count as played.
        byes: rounds without an opponent that were awarded to the entrant.
        head_to_head: None where nobody is equal up to there, or not all have met.
    """

    place: int
    entrant: str
    points: float
    median_buchholz: float
    buchholz: float
    head_to_head: float | None
    board_points: float
    played: int
    byes: int


def rank_entrants(entrants: Sequence[str], results: Iterable[PairingResult]) -> tuple[RankRow, ...]:
    """Rank the entrants of a pair event from the results so far.

    Args:
        entrants: in the order of the draw, which is kept among equals.
        results: in any order.
    """
    results = tuple(results)
    rows = _unranked(entrants, results)
    played: dict[str, list[PairingResult]] = {entrant: [] for entrant in entrants}
    for result in results:
        if result.boards is not None:
            played[result.pairing.first].append(result)
    rows.sort(key=lambda row: (-row.points, -row.median_buchholz, -row.buchholz))
    ranked: list[RankRow] = []
    for _, group in groupby(rows, key=lambda r: (r.points, r.median_buchholz, r.buchholz)):
        tied = _with_head_to_head(list(group), played)
        tied.sort(key=lambda row: (-(row.head_to_head or 0.0), -row.board_points))
        for row in tied:
            shares = ranked and _key(ranked[-1]) == _key(row)
            ranked.append(replace(row, place=ranked[-1].place if shares else len(ranked) + 1))
    return tuple(ranked)


def _key(row: RankRow) -> tuple[float, ...]:
    head_to_head = row.head_to_head or 0.0
    return row.points, row.median_buchholz, row.buchholz, head_to_head, row.board_points


def _unranked(entrants: Sequence[str], results: Sequence[PairingResult]) -> list[RankRow]:
    rounds = last_round(results)
    points = dict.fromkeys(entrants, 0.0)
    board_points = dict.fromkeys(entrants, 0.0)
    opponents: dict[str, list[str]] = {entrant: [] for entrant in entrants}
    paired: Counter[str] = Counter()
    byes: Counter[str] = Counter()
    for result in results:
        first, second = result.pairing.first, result.pairing.second
        boards = result.boards or (0.0, 0.0)
        sides = [first] if second is None else [first, second]
        for entrant, scored, on_boards in zip(sides, result.points, boards, strict=False):
            points[entrant] += scored
            board_points[entrant] += on_boards
            paired[entrant] += 1
            byes[entrant] += result.boards is None and scored > 0
        if second is not None and result.boards is not None:
            opponents[first].append(second)
            opponents[second].append(first)
    rows = []
    for entrant in entrants:
        met = [points[each] + (rounds - paired[each]) / 2 for each in opponents[entrant]]
        alone = [points[entrant]] * (rounds - len(met))
        sums = sorted(met + alone)
        rows.append(
            RankRow(
                place=0,
                entrant=entrant,
                points=points[entrant],
                median_buchholz=sum(sums[1:-1]),
                buchholz=sum(sums),
                head_to_head=None,
                board_points=board_points[entrant],
                played=len(met),
                byes=byes[entrant],
            )
        )
    return rows


def _with_head_to_head(
    rows: list[RankRow], played: Mapping[str, Sequence[PairingResult]]
) -> list[RankRow]:
    """Score what those who are equal played among themselves.

    Args:
        rows: of those who are equal so far.
        played: results by who came first.
    """
    tied = {row.entrant for row in rows}
    among = [
        result
        for entrant in sorted(tied)
        for result in played[entrant]
        if result.pairing.second in tied
    ]
    met = Counter(frozenset(result.pairing.entrants) for result in among)
    times = {met[frozenset(pair)] for pair in combinations(tied, 2)}
    # One tied entrant alone gives no times at all.
    if len(times) != 1 or times == {0}:
        return rows
    scored: Counter[str] = Counter()
    for result in among:
        for entrant, points in zip(result.pairing.entrants, result.points, strict=True):
            scored[entrant] += round(2 * points)
    return [replace(row, head_to_head=scored[row.entrant] / 2) for row in rows]
