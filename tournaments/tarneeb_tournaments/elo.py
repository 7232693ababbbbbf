"""Elo ratings by maximum likelihood: they don't depend on the order of results.

The model is that of Bradley and Terry: a side that is d points stronger scores
1 / (1 + 10^(-d/400)) of the pairs of halves, a draw being half a win. A side's strength is the mean of its
seats', so a pair event and an individual event are rated alike.

Everybody has also drawn one imagined pair against an imagined average entrant. Without it, whoever
won or lost everything would be rated infinite, and groups that never met could not be compared;
with it they get finite numbers with wide intervals, and whoever has played a lot hardly moves.

Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952); D. R.
Hunter, "MM algorithms for generalized Bradley-Terry models" (2004) on existence of the maximum.
Solved by Newton's method, many data sets at a time, with conjugate gradients for the linear step:
the matrices of 1,000 entrants would not fit otherwise.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import sparse, special

Floats = np.ndarray[Any, np.dtype[np.float64]]

# 400 points are odds of ten to one.
ELO_PER_UNIT: Final = 400 / math.log(10)

# Of the imagined draw: half a win and half a loss.
IMAGINED: Final = 0.5

# A step is cut to this many units (347 points), since far from the maximum Newton overshoots.
_LONGEST_STEP: Final = 2.0
_TOLERANCE: Final = 1e-7
_MAX_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs of halves that two sides have played against each other.

    Attributes:
        first: the ids of one side: one entrant in a pair event, two in an individual event.
        won: pairs that `first` has won; so `drawn` and `lost`.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class Field:
    """Tallies as arrays.

    Attributes:
        entrants: ids; their places are the columns.
        sides: a row a tally; a product with strengths gives the difference of its two sides.
        counts: won, drawn and lost, each by tally.
    """

    entrants: tuple[str, ...]
    sides: Any
    counts: tuple[Floats, Floats, Floats]


def fit_elo(entrants: Sequence[str], tallies: Iterable[Tally]) -> Mapping[str, float]:
    """Rate everybody; 0 is the mean over all that was played.

    Args:
        entrants: ids; whoever has no pair yet is rated too, as average.
        tallies: in any order; sides that meet several times may have several.

    >>> fit_elo(["a", "b"], [Tally(("a",), ("b",), won=10, drawn=0, lost=0)])["a"] > 100
    True
    """
    field = field_of(entrants, tallies)
    won, drawn, lost = field.counts
    imagined = np.full((len(field.entrants), 1), IMAGINED)
    strengths = maximize(
        field.sides, (won + drawn / 2)[:, None], (lost + drawn / 2)[:, None], (imagined, imagined)
    )
    return dict(zip(field.entrants, to_elo(field, strengths)[:, 0].tolist(), strict=True))


def field_of(entrants: Sequence[str], tallies: Iterable[Tally]) -> Field:
    """Lay out tallies as arrays, in an order that does not depend on theirs.

    Raises:
        ValueError: a tally names somebody who is not among the entrants.
    """
    places = {entrant: place for place, entrant in enumerate(entrants)}
    ordered = sorted(tallies, key=lambda one: (one.first, one.second, one.won, one.drawn, one.lost))
    rows, columns, values = [], [], []
    for row, tally in enumerate(ordered):
        for side, sign in ((tally.first, 1.0), (tally.second, -1.0)):
            for entrant in side:
                if entrant not in places:
                    raise ValueError(f"{entrant} has results but is not an entrant")
                rows.append(row)
                columns.append(places[entrant])
                values.append(sign / len(side))
    sides = sparse.csr_array((values, (rows, columns)), shape=(len(ordered), len(places)))
    counts = np.array([(one.won, one.drawn, one.lost) for one in ordered], dtype=np.float64)
    won, drawn, lost = counts.reshape(-1, 3).T
    return Field(tuple(entrants), sides, (won, drawn, lost))


def to_elo(field: Field, strengths: Floats) -> Floats:
    """Bring strengths, a column a data set, to the Elo scale.

    0 is the mean over all seats of all pairs. Were it the mean over all entrants, one who has not
    played yet would make everybody else's rating uncertain.
    """
    seats = abs(field.sides).T @ sum(field.counts)
    if not seats.sum():
        seats = np.ones(len(field.entrants))
    centred = strengths - (seats @ strengths) / max(seats.sum(), 1.0)
    return np.asarray(centred * ELO_PER_UNIT)


def maximize(
    sides: Any,
    won: Floats,
    lost: Floats,
    imagined: tuple[Floats, Floats],
    *,
    start: Floats | None = None,
    tolerance: float = _TOLERANCE,
) -> Floats:
    """Find the strengths of greatest likelihood for each of several data sets.

    Args:
        sides: tallies by entrants, as in `Field`; common to all data sets.
        won: tallies by data sets, pairs won with half of the drawn ones. Any weights will do.
        lost: the same of pairs lost.
        imagined: entrants by data sets, imagined wins and losses against strength 0; more than 0.
        start: entrants by data sets, where to begin.
        tolerance: the last step, in units of log-odds.

    Returns:
        Entrants by data sets, in units of log-odds.
    """
    across = sides.T.tocsr()
    strengths = np.zeros_like(imagined[0]) if start is None else start.copy()
    if strengths.size == 0:
        return strengths

    def likelihood(at: Floats) -> Floats:
        return _log_likelihood(sides @ at, at, won, lost, imagined)

    value = likelihood(strengths)
    for _ in range(_MAX_STEPS):
        expected = special.expit(sides @ strengths)
        to_zero = special.expit(strengths)
        total, imagined_total = won + lost, imagined[0] + imagined[1]
        slope = across @ (won - total * expected) + imagined[0] - imagined_total * to_zero
        step = _newton_step(
            sides,
            across,
            total * expected * (1 - expected),
            imagined_total * to_zero * (1 - to_zero),
            slope,
            # A step need not be exact while the next one mends it.
            precision=1e-8 if tolerance <= _TOLERANCE else 1e-4,
        )
        longest = np.abs(step).max(axis=0)
        step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, 1e-300))
        strengths, value = _climbed(strengths, step, value, likelihood)
        if longest.max() < tolerance:
            break
    return strengths


def _climbed(
    strengths: Floats, step: Floats, value: Floats, likelihood: Callable[[Floats], Floats]
) -> tuple[Floats, Floats]:
    """Take the step, or a half, a quarter, ... of it in those data sets where it leads down."""
    after, value_after = strengths, value
    for _ in range(30):
        after = strengths + step
        value_after = likelihood(after)
        worse = value_after < value - 1e-9 * (1 + np.abs(value))
        if not worse.any():
            break
        step = np.where(worse, step / 2, step)
    return after, value_after


def _log_likelihood(
    gaps: Floats, strengths: Floats, won: Floats, lost: Floats, imagined: tuple[Floats, Floats]
) -> Floats:
    # log(1 - expit(x)) is log(expit(x)) - x: one logarithm instead of two.
    seen = (won + lost) * special.log_expit(gaps) - lost * gaps
    made_up = (imagined[0] + imagined[1]) * special.log_expit(strengths) - imagined[1] * strengths
    total: Floats = seen.sum(axis=0) + made_up.sum(axis=0)
    return total


def _newton_step(
    sides: Any,
    across: Any,
    weights: Floats,
    own_weights: Floats,
    slope: Floats,
    *,
    precision: float,
) -> Floats:
    """Solve (sides' W sides + D) step = slope by conjugate gradients, preconditioned by diagonals.

    Source: J. R. Shewchuk, "An Introduction to the Conjugate Gradient Method" (1994), B3.
    """
    diagonal = across.power(2) @ weights + own_weights
    step = np.zeros_like(slope)
    rest = slope.copy()
    scaled = rest / diagonal
    direction = scaled.copy()
    energy = (rest * scaled).sum(axis=0)
    goal = precision * energy + 1e-28
    for _ in range(2 * len(slope) + 10):
        if (energy <= goal).all():
            break
        image = across @ (weights * (sides @ direction)) + own_weights * direction
        curvature = (direction * image).sum(axis=0)
        length = np.divide(energy, curvature, out=np.zeros_like(energy), where=curvature > 0)
        step += length * direction
        rest -= length * image
        scaled = rest / diagonal
        before, energy = energy, (rest * scaled).sum(axis=0)
        direction = scaled + direction * np.divide(
            energy, before, out=np.zeros_like(energy), where=before > 0
        )
    return step
