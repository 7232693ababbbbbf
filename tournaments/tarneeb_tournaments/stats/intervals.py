"""Estimates with 95% intervals.

The unit is always a pair of halves: one board, played twice with the teams swapped. Matches and
deals on the same cards are not independent, so counting them one by one would promise too much.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scipy import special

CONFIDENCE: Final = 0.95
_UPPER: Final = (1 + CONFIDENCE) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A figure, how sure it is, and from how much.

    Attributes:
        low: the lower end of the 95% interval; so `high`. Both None if there is too little to tell.
        count: of pairs.
        p_value: how often a difference from 0 at least as large would come by chance alone, 0 to 1;
            None where that is not asked or can't be told.
    """

    value: float
    low: float | None
    high: float | None
    count: int
    p_value: float | None = None


def mean_estimate(differences: Sequence[float]) -> Estimate | None:
    """Average differences of points over boards, with Student's interval.

    Differences of points have short tails, and Student's interval holds from 4 boards on (measured
    in the tests). The p-value is Student's too, but not less than 2^(1-n), the least that flipping
    signs of n differences can give: 2 equal differences prove nothing.

    Args:
        differences: one for each board; none gives None, one gives no interval.

    >>> mean_estimate([4.0, 6.0, 5.0, 9.0]).value
    6.0
    """
    return stratified_mean([differences])


def stratified_mean(groups: Iterable[Sequence[float]]) -> Estimate | None:
    """Average over boards against several opponents.

    Opponents differ, and that is no chance: only the scatter within a pairing counts. Groups of
    one board, which show no scatter, are taken together.

    Args:
        groups: differences of points by board, a group for each pairing.

    Source: W. G. Cochran, "Sampling Techniques" (1977), 5.3 and 5.4, with Satterthwaite's degrees
    of freedom.
    """
    given = [tuple(group) for group in groups if group]
    strata = [group for group in given if len(group) > 1]
    lone = tuple(value for group in given if len(group) == 1 for value in group)
    if lone:
        strata.append(lone)
    count = sum(map(len, strata))
    if not count:
        return None
    value = math.fsum(map(math.fsum, strata)) / count
    # A lone value that stayed alone joins the largest group, lest its scatter be taken for none.
    if len(strata) > 1 and len(strata[-1]) == 1:
        largest = max(range(len(strata) - 1), key=lambda place: len(strata[place]))
        strata[largest] += strata.pop()
    if any(len(group) == 1 for group in strata):
        return Estimate(value=value, low=None, high=None, count=count)
    parts = [(len(group) * _variance(group) / count**2, len(group) - 1) for group in strata]
    variance = math.fsum(part for part, _ in parts)
    if variance == 0:
        p_value = 1.0 if value == 0 else 2.0 ** (1 - count)
        return Estimate(value=value, low=value, high=value, count=count, p_value=p_value)
    freedom = variance**2 / math.fsum(part**2 / each for part, each in parts)
    error = math.sqrt(variance)
    reach = error * float(special.stdtrit(freedom, _UPPER))
    p_value = max(2 * float(special.stdtr(freedom, -abs(value) / error)), 2.0 ** (1 - count))
    return Estimate(
        value=value, low=value - reach, high=value + reach, count=count, p_value=p_value
    )


def score_estimate(won: int, drawn: int, lost: int) -> Estimate | None:
    """Estimate the share of pairs won, a draw being half a win, with Jeffreys' interval.

    Draws scatter less than wins and losses do, so they count as more pairs than they are: as many
    as would give wins and losses alone the same scatter. Never having lost, or won, still gives an
    interval that is not a point.

    Args:
        won: pairs of halves won.
        drawn: pairs without a winner.
        lost: pairs lost. All three 0 give None.

    Source: L. D. Brown, T. T. Cai and A. DasGupta, "Interval estimation for a binomial proportion"
    (2001).

    >>> estimate = score_estimate(8, 0, 0)
    >>> estimate.value, round(estimate.low, 2), estimate.high
    (1.0, 0.74, 1.0)
    """
    count = won + drawn + lost
    if not count:
        return None
    value = (won + drawn / 2) / count
    # With half a win and half a loss more, as in Jeffreys' prior, no scatter is ever 0.
    total = count + 1
    centre = (value * count + 0.5) / total
    scatter = (
        (won + 0.5) * (1 - centre) ** 2 + drawn * (0.5 - centre) ** 2 + (lost + 0.5) * centre**2
    ) / total
    pairs = total * centre * (1 - centre) / scatter
    ends = special.betaincinv(centre * pairs, (1 - centre) * pairs, (1 - _UPPER, _UPPER))
    low, high = (float(end) for end in ends)
    return Estimate(
        value=value,
        low=0.0 if won + drawn == 0 else min(low, value),
        high=1.0 if lost + drawn == 0 else max(high, value),
        count=count,
    )


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
