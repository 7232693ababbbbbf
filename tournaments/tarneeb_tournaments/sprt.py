"""Stop when it is known: a sequential test whether a new bot is stronger than its base.

A generalized sequential probability ratio test (GSPRT) over paired boards. Each board is played
twice with the teams swapped, and its outcome has one of k values from 0 to 1. Here they are three:
the pair of halves is lost, drawn or won. Chess testing has five, the sums of two games scored one by
one (pentanomial counts); the formulas are the same. The test compares the greatest likelihoods of the
counts under two mean scores, those that belong to `elo0` and `elo1`, and stops when their ratio leaves
Wald's bounds.

Estimates are not the plain mean: a test that stops at a lucky moment would exaggerate. They are the
strengths at which an outcome worse than the one seen has a probability of 1/2, 2.5% and 97.5%, the
log-likelihood ratio being taken for a Brownian motion.

Sources: A. Wald, "Sequential tests of statistical hypotheses" (1945); X. Li, J. Liu and Z. Ying,
"Generalized sequential probability ratio test for separate families of hypotheses" (2014); the
notes of M. Van den Bergh on the likelihood of an expected score (support_MLE_multinomial) and on
the GSPRT as a Brownian motion (GSPRT_approximation), which fishtest and fastchess go by.
"""

import enum
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tarneeb_tournaments.brownian import BrownianMotion, Floats

# What counts as seen of a value that has not been: without it the first boards could have no
# distribution of the mean asked for. fishtest and fastchess take the same.
_UNSEEN: Final = 1e-3

# Lost, drawn, won.
_OUTCOMES: Final = 3

# Beyond, a score is 0 or 1 for all purposes.
_MAX_ELO: Final = 1_500.0

_HALVINGS: Final = 44
# Every 5 points.
_GRID: Final = 601


class Decision(enum.Enum):
    """What the test says so far."""

    GO_ON = "go on"
    # At most elo0, as far as the test is concerned.
    NOT_STRONGER = "not stronger"
    # At least elo1.
    STRONGER = "stronger"


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtSettings:
    """What is tested, and how often the test may be wrong.

    Attributes:
        elo0: a bot that is so much stronger, or less, should not pass.
        elo1: a bot that is so much stronger, or more, should pass; above `elo0`.
        alpha: the probability of passing at `elo0`.
        beta: the probability of failing at `elo1`.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log-likelihood ratio ends the test."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def scores(self) -> tuple[float, float]:
        """The mean scores that belong to `elo0` and `elo1`."""
        return score_of_elo(self.elo0), score_of_elo(self.elo1)

    def verify(self) -> str | None:
        """Say why this can't be tested, or give None if it can."""
        if not all(map(math.isfinite, (self.elo0, self.elo1, self.alpha, self.beta))):
            return "elo0, elo1, alpha and beta must be numbers"
        if self.elo0 >= self.elo1:
            return f"elo0 must be below elo1, not {self.elo0:g} and {self.elo1:g}"
        if max(abs(self.elo0), abs(self.elo1)) > _MAX_ELO / 2:
            return f"elo0 and elo1 must lie between -{_MAX_ELO / 2:g} and {_MAX_ELO / 2:g}"
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                return f"{name} must be above 0 and below 0.5, not {value:g}"
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtState:
    """How far the test is.

    Attributes:
        counts: boards by outcome, from the worst to the best.
        llr: the log-likelihood ratio; `lower` and `upper` end the test.
        elo: how much stronger the new bot is, as far as is known.
        elo_low: with 97.5% it is stronger than that; so `elo_high`.
    """

    counts: tuple[int, ...]
    llr: float
    lower: float
    upper: float
    decision: Decision
    elo: float
    elo_low: float
    elo_high: float


def sprt_state(settings: SprtSettings, outcomes: Iterable[int]) -> SprtState:
    """Look at boards one after the other, up to the one that ends the test.

    Boards after that one don't count, so the state depends on the order of boards alone: not on how
    many were played at once, or had been when somebody looked.

    Args:
        settings: what is tested.
        outcomes: by board, in schedule order: 0 for lost, 1 for drawn, 2 for won.

    >>> sprt_state(SprtSettings(elo1=100), [2] * 40).decision
    <Decision.STRONGER: 'stronger'>
    """
    seen = np.fromiter(outcomes, dtype=np.intp)
    lower, upper = settings.bounds
    counts: Floats = np.zeros((1, _OUTCOMES))
    ratios: Floats = np.zeros(1)
    if len(seen):
        counts = np.cumsum(np.eye(_OUTCOMES)[seen], axis=0)
        ratios = log_likelihood_ratios(counts, *settings.scores)
        ends = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        last = int(ends[0]) if len(ends) else len(seen) - 1
        counts, ratios = counts[last : last + 1], ratios[last : last + 1]
    llr = float(ratios[0])
    decision = Decision.GO_ON
    if llr >= upper:
        decision = Decision.STRONGER
    elif llr <= lower:
        decision = Decision.NOT_STRONGER
    low, middle, high = _estimates(settings, counts[0], llr)
    return SprtState(
        counts=tuple(int(each) for each in counts[0]),
        llr=llr,
        lower=lower,
        upper=upper,
        decision=decision,
        elo=middle,
        elo_low=low,
        elo_high=high,
    )


def log_likelihood_ratios(counts: Floats, score0: float, score1: float) -> Floats:
    """Compare the best distribution of mean `score1` with the best of mean `score0`.

    Args:
        counts: samples by outcome, from the worst to the best.
        score0: a mean, above 0 and below 1.
        score1: the other.
    """
    seen = np.where(counts > 0, counts, _UNSEEN)
    ratios: Floats = (seen * _gains(seen, score0, score1)).sum(axis=-1)
    return ratios


def score_of_elo(elo: float) -> float:
    """Give the mean score of a bot that is so much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def _gains(seen: Floats, score0: float, score1: float) -> Floats:
    """Give for each outcome what one more board adds to the log-likelihood ratio."""
    gains: Floats = np.log(_with_mean(seen, score1)) - np.log(_with_mean(seen, score0))
    return gains


def _with_mean(seen: Floats, score: float | Floats) -> Floats:
    """Find the distribution with this mean under which what was seen is most likely.

    It is p / (1 + x g), g being the gap of an outcome to the mean, with sum p g / (1 + x g) = 0.
    That sum falls from infinity to minus infinity between its two poles, so halving finds its zero.

    Args:
        seen: samples by outcome, or outcomes; more than 0.
        score: one for all samples, or one for each.
    """
    shares = seen / seen.sum(axis=-1, keepdims=True)
    gaps = np.linspace(0, 1, seen.shape[-1]) - np.asarray(score)[..., None]
    low, high = np.broadcast_arrays(-1 / gaps[..., -1], -1 / gaps[..., 0], shares[..., 0])[:2]
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_left = (shares * gaps / (1 + middle[..., None] * gaps)).sum(axis=-1) > 0
        low, high = np.where(is_left, middle, low), np.where(is_left, high, middle)
    tilted: Floats = shares / (1 + ((low + high) / 2)[..., None] * gaps)
    return tilted


def _estimates(settings: SprtSettings, counts: Floats, llr: float) -> tuple[float, float, float]:
    """Give the Elo at which worse outcomes have probability 97.5%, 50% and 2.5%."""
    count = float(counts.sum())
    if not count:
        return -_MAX_ELO, 0.0, _MAX_ELO
    lower, upper = settings.bounds
    gains = _gains(np.where(counts > 0, counts, _UNSEEN), *settings.scores)
    # Half a board lost and half a board won more: what has not been seen is not impossible.
    seen = np.where(counts > 0, counts, _UNSEEN)
    seen[[0, -1]] += 0.5
    elos = np.linspace(-_MAX_ELO, _MAX_ELO, _GRID)
    chances = _with_mean(seen, np.array([score_of_elo(elo) for elo in elos]))
    drifts = chances @ gains
    variances = chances @ gains**2 - drifts**2
    # The motion ended on the bound; that it went a bit beyond is because boards are whole.
    place = min(max(llr, lower), upper)
    steps = count * place / llr if place != llr else count

    def chance_of_worse(elo: float) -> float:
        motion = BrownianMotion(
            lower=lower,
            upper=upper,
            drift=float(np.interp(elo, elos, drifts)),
            variance=float(np.interp(elo, elos, variances)),
        )
        return motion.chance_of_worse(steps, place)

    low, middle, high = (_root(chance_of_worse, 1 - share) for share in (0.025, 0.5, 0.975))
    if count in {counts[0], counts[-1]}:
        # All lost or all won: the likeliest strength has no end. Half a board less than all has.
        score = (counts[-1] + 0.5) / (count + 1)
        middle = min(max(400 * math.log10(score / (1 - score)), low), high)
    return low, middle, high


def _root(falling: Callable[[float], float], value: float) -> float:
    """Find where a falling function of Elo takes the value, within the range of Elo."""
    low, high = -_MAX_ELO, _MAX_ELO
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if falling(middle) > value:
            low = middle
        else:
            high = middle
    return (low + high) / 2
