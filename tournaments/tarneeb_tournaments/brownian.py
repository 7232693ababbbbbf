"""Brownian motion with drift between two absorbing bounds: what a sequential test looks like.

Let X start at 0 and move by `drift` a step with `variance` a step, until it reaches `lower` < 0 or
`upper` > 0. Outcomes are ordered: a quick end below is the worst, a slow end below is better, then
come places between the bounds, then slow and at last quick ends above.

Paths that have not been absorbed are counted in one of two ways. Late, as a series of sines, each
of which decays at its own rate. Early, by mirror images of the start: from a walled-in lamp one
sees rows of lamps. Each is a handful of terms where it is used, and neither ever multiplies the
very large by the very small.

Sources: D. R. Cox and H. D. Miller, "The Theory of Stochastic Processes" (1965), 5.7; the order of
outcomes is that of D. Siegmund, "Sequential Analysis" (1985), III.5.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import special

Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]

# Sines are used when a path has had time to cross from bound to bound, so few are needed: the tenth
# has fallen to exp(-49).
_SINES: Final = 12
# Images are used before that: the path from the sixth is 12 times as long as there is time for.
_IMAGES: Final = np.arange(-6, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrownianMotion:
    """A motion from 0 between two bounds.

    Attributes:
        lower: below 0; `upper` is above 0.
        drift: mean change a step.
        variance: of the change a step; above 0.
    """

    lower: float
    upper: float
    drift: float
    variance: float

    def chance_of_worse(self, steps: float, place: float) -> float:
        """Give the probability of an outcome worse than this one, 0 to 1.

        Args:
            steps: when; above 0.
            place: where. At or beyond a bound it means that the motion ended there, then.
        """
        if place <= self.lower:
            return _bounded(self._ends_below_by(steps))
        if place >= self.upper:
            mirrored = BrownianMotion(
                lower=-self.upper, upper=-self.lower, drift=-self.drift, variance=self.variance
            )
            return _bounded(1 - mirrored.chance_of_worse(steps, -place))
        return _bounded(self._ends_below_by(steps) + self._still_moving_up_to(steps, place))

    def chance_below(self) -> float:
        """Give the probability that the motion ends at the lower bound, sooner or later."""
        # The scale function of the diffusion is exp(-2 drift x / variance).
        pull = 2 * self.drift / self.variance
        width = self.upper - self.lower
        if abs(pull * width) < 1e-9:
            return self.upper / width
        if pull > 0:
            return (
                math.exp(pull * self.lower)
                * math.expm1(-pull * self.upper)
                / math.expm1(-pull * width)
            )
        return math.expm1(pull * self.upper) / math.expm1(pull * width)

    def _is_late(self, steps: float) -> bool:
        return self.variance * steps > (self.upper - self.lower) ** 2

    def _waves(self) -> tuple[Floats, Floats]:
        """Give the wave number of each sine that matters, and its rate of decay."""
        waves = np.arange(1, _SINES + 1) * math.pi / (self.upper - self.lower)
        return waves, self.drift**2 / (2 * self.variance) + waves**2 * self.variance / 2

    def _ends_below_by(self, steps: float) -> float:
        pull = self.drift / self.variance
        width = self.upper - self.lower
        if self._is_late(steps):
            # The flow out at the lower bound from then on: the slope of each sine, over its rate.
            waves, rates = self._waves()
            flow = waves * np.sin(-waves * self.lower) * np.exp(pull * self.lower - rates * steps)
            return self.chance_below() - float((flow / rates).sum()) * self.variance / width
        ways = 2 * _IMAGES * width - self.lower
        spread = math.sqrt(self.variance * steps)
        moved = self.drift * steps
        ahead = special.log_ndtr((moved - abs(ways)) / spread) - pull * abs(ways)
        behind = special.log_ndtr((-moved - abs(ways)) / spread) + pull * abs(ways)
        terms = np.exp(pull * self.lower + ahead) + np.exp(pull * self.lower + behind)
        return float((np.sign(ways) * terms).sum())

    def _still_moving_up_to(self, steps: float, place: float) -> float:
        pull = self.drift / self.variance
        width = self.upper - self.lower
        if self._is_late(steps):
            waves, rates = self._waves()
            angles = waves * (place - self.lower)
            # The integral of exp(pull y) sin(wave (y - lower)) from the lower bound to the place.
            at_place = (pull * np.sin(angles) - waves * np.cos(angles)) * np.exp(
                pull * place - rates * steps
            )
            at_bound = waves * np.exp(pull * self.lower - rates * steps)
            integrals = (at_place + at_bound) / (pull**2 + waves**2)
            return float((2 / width * np.sin(-waves * self.lower) * integrals).sum())
        spread = math.sqrt(self.variance * steps)
        total = 0.0
        for sign, starts in ((1, 2 * _IMAGES * width), (-1, 2 * _IMAGES * width + 2 * self.lower)):
            middle = starts + self.drift * steps
            mass = _log_mass((self.lower - middle) / spread, (place - middle) / spread)
            total += sign * float(np.exp(pull * starts + mass).sum())
        return total


def _log_mass(low: Floats, high: Floats) -> Floats:
    """Give the logarithm of the normal distribution's mass between two points, also far out."""
    # In the right half both ends are near 1, and the difference would be lost: mirror it.
    mirrors = low > 0
    low, high = np.where(mirrors, -high, low), np.where(mirrors, -low, high)
    upper, lower = special.log_ndtr(high), special.log_ndtr(low)
    return np.asarray(upper + np.log(-np.expm1(np.minimum(lower - upper, -1e-300))))


def _bounded(chance: float) -> float:
    return min(1.0, max(0.0, chance))
