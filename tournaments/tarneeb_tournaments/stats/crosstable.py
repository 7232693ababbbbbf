"""Everybody against everybody: what each pairing says, and whether it says anything."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from tarneeb_tournaments.stats.intervals import (
    CONFIDENCE,
    Estimate,
    mean_estimate,
    score_estimate,
    stratified_mean,
)

_LEVEL: Final = 1 - CONFIDENCE


class Lead(NamedTuple):
    """A board that has been played twice, seen from one side: as in `BoardScore`."""

    difference: float
    won: float


class BoardScore(NamedTuple):
    """A board that has been played twice, with the teams swapped.

    Attributes:
        first: the id of one entrant.
        second: the id of the other.
        difference: points of the first less points of the second, over both halves.
        won: 1 if the first won the pair of halves, 0 if the second did, 0.5 if nobody did.
    """

    first: str
    second: str
    difference: float
    won: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one entrant did against another.

    Attributes:
        won: pairs of halves; so `drawn` and `lost`.
        points: points a board more than the other.
        score: share of pairs won, a draw being half a win.
        is_significant: whether `points` differs from 0 by more than chance would give, seen on
            its own: 1 of 20 equal pairings looks so.
        is_significant_in_table: the same, but so strict that in a table of equal entrants not even
            one cell would look so, 19 times of 20.
    """

    won: int
    drawn: int
    lost: int
    points: Estimate
    score: Estimate
    is_significant: bool
    is_significant_in_table: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Overall:
    """What one entrant did against all others: as in `Cell`."""

    won: int
    drawn: int
    lost: int
    points: Estimate
    score: Estimate


Crosstable = Mapping[tuple[str, str], Cell]
"""Cells by entrant and opponent; pairings without a finished board are absent."""


def crosstable(boards: Iterable[BoardScore]) -> Crosstable:
    """Fill all cells; the order of boards does not matter."""
    met: dict[tuple[str, str], list[Lead]] = defaultdict(list)
    for first, second, difference, won in boards:
        if first <= second:
            met[first, second].append(Lead(difference, won))
        else:
            met[second, first].append(Lead(-difference, 1 - won))
    cells: dict[tuple[str, str], Cell] = {}
    for (one, other), cell in _corrected({pair: _cell(met[pair]) for pair in sorted(met)}).items():
        cells[one, other] = cell
        cells[other, one] = _mirrored(cell)
    return cells


def overall_figures(boards: Iterable[BoardScore]) -> Mapping[str, Overall]:
    """Sum up what each entrant did against all others; the order of boards does not matter."""
    groups: dict[str, dict[str, list[Lead]]] = defaultdict(lambda: defaultdict(list))
    for first, second, difference, won in boards:
        groups[first][second].append(Lead(difference, won))
        groups[second][first].append(Lead(-difference, 1 - won))
    return {
        entrant: overall_of([groups[entrant][other] for other in sorted(groups[entrant])])
        for entrant in sorted(groups)
    }


def _cell(boards: Sequence[Lead]) -> Cell:
    points = mean_estimate([board.difference for board in boards])
    won, drawn, lost = _outcomes(boards)
    score = score_estimate(won, drawn, lost)
    assert points is not None
    assert score is not None
    return Cell(
        won=won,
        drawn=drawn,
        lost=lost,
        points=points,
        score=score,
        is_significant=points.p_value is not None and points.p_value < _LEVEL,
    )


def overall_of(groups: Sequence[Sequence[Lead]]) -> Overall:
    """Sum up one entrant's boards, seen from its side, a group for each pairing of two sides."""
    points = stratified_mean([board.difference for board in group] for group in groups)
    won, drawn, lost = _outcomes([board for group in groups for board in group])
    score = score_estimate(won, drawn, lost)
    assert points is not None
    assert score is not None
    return Overall(won=won, drawn=drawn, lost=lost, points=points, score=score)


def _outcomes(boards: Sequence[Lead]) -> tuple[int, int, int]:
    won = sum(board.won == 1 for board in boards)
    lost = sum(board.won == 0 for board in boards)
    return won, len(boards) - won - lost, lost


def _corrected(cells: Mapping[tuple[str, str], Cell]) -> Mapping[tuple[str, str], Cell]:
    """Mark what is significant in the table as a whole.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure" (1979).
    """
    tested = [(cell.points.p_value, pair) for pair, cell in cells.items()]
    in_order = sorted((p_value, pair) for p_value, pair in tested if p_value is not None)
    corrected = dict(cells)
    for place, (p_value, pair) in enumerate(in_order):
        if p_value >= _LEVEL / (len(in_order) - place):
            break
        corrected[pair] = replace(cells[pair], is_significant_in_table=True)
    return corrected


def _mirrored(cell: Cell) -> Cell:
    return replace(
        cell,
        won=cell.lost,
        lost=cell.won,
        points=_reflected(cell.points, about=0.0),
        score=_reflected(cell.score, about=0.5),
    )


def _reflected(estimate: Estimate, *, about: float) -> Estimate:
    return replace(
        estimate,
        # Adding 0.0 makes -0.0 a plain 0.
        value=2 * about - estimate.value + 0.0,
        low=None if estimate.high is None else 2 * about - estimate.high + 0.0,
        high=None if estimate.low is None else 2 * about - estimate.low + 0.0,
    )
