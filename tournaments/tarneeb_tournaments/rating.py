"""TrueSkill over pairs of halves, in schedule order.

Two teams have a closed form, which is what the message passing of the `trueskill` package
converges to: the tests compare the two. It is some thirty times faster, so that standings can be
computed anew from the results each time, and with the tails of the normal distribution taken from
their asymptotic series it has no result that it can't rate.

Source: Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System" (2006).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from tarneeb_tournaments.pairs import Outcome, PairResult

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2

# More than 0: else a draw would be a surprise without bound, and raise the uncertainty.
DRAW_PROBABILITY: Final = 0.1

# There is no tau: a bot does not change during a tournament, its digest sees to that, so nothing
# is added to the uncertainty between results. With the usual tau a bot that wins for ever would
# be rated lower and lower after some 1,300 pairs.

# Both teams together.
_PLAYERS: Final = 4

# Beyond some 38 deviations the tail is 0 in floating point.
_FAR: Final = 30.0

# How much worse than equal partners' play the better team's may be and still give a draw.
_DRAW_MARGIN: Final = NormalDist().inv_cdf((DRAW_PROBABILITY + 1) / 2) * math.sqrt(_PLAYERS) * BETA


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong an entrant is believed to be.

    Attributes:
        mu: the mean.
        sigma: the standard deviation.
    """

    mu: float = MU
    sigma: float = SIGMA

    @property
    def conservative(self) -> float:
        """What the strength is above with 99.9%: mu - 3 sigma. Standings go by it."""
        return self.mu - 3 * self.sigma


def rate_pairs(results: Iterable[PairResult]) -> Mapping[str, Rating]:
    """Rate entrants from their results, one after the other.

    In an individual event each of the four has a rating of its own.

    Args:
        results: in schedule order: the order of updates changes ratings.

    Returns:
        By entrant, those with at least one rated pair.
    """
    ratings: dict[str, Rating] = {}
    unrated = Rating()
    for result in results:
        if not result.is_rated:
            continue
        if result.partners is not None:
            _rate_individuals(result, ratings)
            continue
        first, second = result.first, result.second
        if result.outcome is Outcome.SECOND:
            first, second = second, first
        ratings[first], ratings[second] = rate_pair(
            ratings.get(first, unrated),
            ratings.get(second, unrated),
            is_draw=result.outcome is Outcome.DRAW,
        )
    return ratings


def _rate_individuals(result: PairResult, ratings: dict[str, Rating]) -> None:
    winners, losers = result.sides
    if result.outcome is Outcome.SECOND:
        winners, losers = losers, winners
    sides = [
        (ratings.get(one, Rating()), ratings.get(other, Rating()))
        for one, other in (winners, losers)
    ]
    won, lost = rate_table(sides[0], sides[1], is_draw=result.outcome is Outcome.DRAW)
    ratings.update(zip((*winners, *losers), (*won, *lost), strict=True))


def rate_pair(winner: Rating, loser: Rating, *, is_draw: bool) -> tuple[Rating, Rating]:
    """Rate one result, as a match of two against two.

    Both seats of a team are the same bot, so they have one rating, which moves as that of each of
    two partners would.

    Args:
        winner: the better team's, or either one's after a draw.
        loser: the other's.
        is_draw: nobody won.

    Returns:
        The new ratings, always finite.

    >>> won, lost = rate_pair(Rating(), Rating(), is_draw=False)
    >>> round(won.mu, 3), round(won.sigma, 3), round(lost.mu, 3)
    (28.108, 7.774, 21.892)
    """
    spread = math.sqrt(2 * winner.sigma**2 + 2 * loser.sigma**2 + _PLAYERS * BETA**2)
    gap = 2 * (winner.mu - loser.mu) / spread
    margin = _DRAW_MARGIN / spread
    shift, shrinkage = _after_draw(gap, margin) if is_draw else _after_win(gap - margin)
    return (
        _moved(winner, shift, shrinkage, spread),
        _moved(loser, -shift, shrinkage, spread),
    )


def rate_table(
    winners: tuple[Rating, Rating], losers: tuple[Rating, Rating], *, is_draw: bool
) -> tuple[tuple[Rating, Rating], tuple[Rating, Rating]]:
    """Rate one result of an individual event, in which all four are different bots.

    A team plays as well as its two together, and whoever is known less moves more.

    Args:
        winners: the better team, or either one after a draw.
        losers: the other.
        is_draw: nobody won.

    Returns:
        The new ratings in the same order, always finite.
    """
    everybody = (*winners, *losers)
    spread = math.sqrt(sum(each.sigma**2 for each in everybody) + _PLAYERS * BETA**2)
    gap = (sum(each.mu for each in winners) - sum(each.mu for each in losers)) / spread
    margin = _DRAW_MARGIN / spread
    shift, shrinkage = _after_draw(gap, margin) if is_draw else _after_win(gap - margin)
    won = [_moved(each, shift, shrinkage, spread) for each in winners]
    lost = [_moved(each, -shift, shrinkage, spread) for each in losers]
    return (won[0], won[1]), (lost[0], lost[1])


def _moved(rating: Rating, shift: float, shrinkage: float, spread: float) -> Rating:
    part = rating.sigma**2 / spread
    left = 1 - part / spread * shrinkage
    return Rating(rating.mu + part * shift, rating.sigma * math.sqrt(left))


def _after_win(surprise: float) -> tuple[float, float]:
    """Give v and w of the paper for a win; `surprise` is negative for an upset."""
    # Mills' ratio: pdf(x) / cdf(x) is -x - 1/x, and less than 2/|x|**3 off, far below 0.
    far = surprise < -_FAR
    v = -surprise - 1 / surprise if far else _pdf(surprise) / _cdf(surprise)
    return v, min(max(v * (v + surprise), 0.0), 1.0)


def _after_draw(gap: float, margin: float) -> tuple[float, float]:
    """Give v and w of the paper for a draw."""
    distance = abs(gap)
    if distance - margin > _FAR:
        # So far out that a draw tells as much as the stronger one's loss.
        v, w = _after_win(margin - distance)
        return (-v if gap > 0 else v), w
    low, high = -margin - distance, margin - distance
    mass = _cdf(high) - _cdf(low)
    v = (_pdf(low) - _pdf(high)) / mass
    w = v**2 + (high * _pdf(high) - low * _pdf(low)) / mass
    return (v if gap > 0 else -v), min(max(w, 0.0), 1.0)


def _pdf(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _cdf(x: float) -> float:
    # Not NormalDist.cdf, which is 1 + erf: 0 from -9 on.
    return math.erfc(-x / math.sqrt(2)) / 2
