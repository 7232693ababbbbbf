"""Do 95% intervals hold the truth 95% of the time? 500 tournaments with known strengths."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np
import pytest

from tarneeb_tournaments.elo import Tally
from tarneeb_tournaments.elo_bootstrap import bootstrap_elo
from tarneeb_tournaments.stats.crosstable import BoardScore, crosstable, overall_figures

TOURNAMENTS: Final = 500
NAMES: Final = "abcd"
# One unit of strength, in Elo points, shifts a board's difference by so many points.
POINTS_PER_ELO: Final = 0.06


def chance(strength: float) -> float:
    return float(1 / (1 + 10 ** (-strength / 400)))


def played(rng: np.random.Generator, strengths: np.ndarray, boards: int) -> Iterator[BoardScore]:
    """Play boards whose score has the mean that Elo says, and whose differences have a known mean.

    A difference is the sum of two matches, each won by 3 to 44 points: it has three humps, as those
    of real matches to 41 have.
    """
    for one, other in combinations(range(len(strengths)), 2):
        gap = strengths[one] - strengths[other]
        expected = chance(gap)
        draws = 0.2 * expected * (1 - expected)
        won = rng.choice(
            [1.0, 0.5, 0.0], boards, p=[expected - draws / 2, draws, 1 - expected - draws / 2]
        )
        luck = rng.choice([-1, 0, 0, 1], boards) * 40
        margins = rng.integers(-20, 21, (2, boards)).sum(axis=0)
        differences = luck + margins + POINTS_PER_ELO * gap
        for each, difference in zip(won, differences, strict=True):
            yield BoardScore(NAMES[one], NAMES[other], float(difference), float(each))


def holds(low: float | None, high: float | None, truth: float) -> bool:
    assert low is not None
    assert high is not None
    return low <= truth <= high


@pytest.mark.slow
@pytest.mark.parametrize("boards", [8, 32])
def test_intervals_hold_the_truth_in_93_to_97_of_100_tournaments(boards: int) -> None:
    rng = np.random.default_rng(boards)
    held: dict[str, list[bool]] = {"points": [], "score": [], "overall": [], "elo": []}
    for number in range(TOURNAMENTS):
        strengths = rng.normal(0, 120, len(NAMES))
        strengths -= strengths.mean()
        scores = list(played(rng, strengths, boards))
        table, overall = crosstable(scores), overall_figures(scores)
        for one, other in combinations(range(len(NAMES)), 2):
            cell = table[NAMES[one], NAMES[other]]
            gap = strengths[one] - strengths[other]
            held["points"].append(holds(cell.points.low, cell.points.high, POINTS_PER_ELO * gap))
            held["score"].append(holds(cell.score.low, cell.score.high, chance(gap)))
        for place, name in enumerate(NAMES):
            points = overall[name].points
            # The mean strength is 0, so that of the opponents is -strength / (n - 1).
            truth = POINTS_PER_ELO * strengths[place] * len(NAMES) / (len(NAMES) - 1)
            held["overall"].append(holds(points.low, points.high, truth))
        tallies = [
            Tally((one,), (other,), cell.won, cell.drawn, cell.lost)
            for (one, other), cell in table.items()
            if one < other
        ]
        for row in bootstrap_elo(NAMES, tallies, seed=number, repetitions=200).rows:
            held["elo"].append(holds(row.low, row.high, strengths[NAMES.index(row.entrant)]))
    coverage = {kind: sum(each) / len(each) for kind, each in held.items()}
    assert all(0.93 <= each <= 0.97 for each in coverage.values()), coverage
