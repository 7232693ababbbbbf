"""How sure Elo ratings are: intervals, ranges of ranks, and who is above whom, by one bootstrap.

The Bayesian bootstrap over boards: in each of many repetitions every board gets a random weight of
mean 1, the imagined draw too, and everybody is rated anew. A usual bootstrap, which draws boards
again, can't make a bot lose that won all, and calls such a bot's rating certain. With random
weights the imagined loss weighs now little, now much. For two entrants this gives the
Beta(won + 1/2, lost + 1/2) distribution, thus Jeffreys' interval, which is known to hold what it promises.

Sources: D. B. Rubin, "The Bayesian bootstrap" (1981); L. D. Brown, T. T. Cai and A. DasGupta,
"Interval estimation for a binomial proportion" (2001).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tarneeb_tournaments.elo import IMAGINED, Floats, Tally, field_of, maximize, to_elo

REPETITIONS: Final = 1_000

# 0.02 points: far below what a thousand repetitions leave open.
_TOLERANCE: Final = 1e-4

# Numbers that are held at once for each quantity: few enough for the processor's caches.
_CHUNK: Final = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EloRow:
    """An entrant's rating with what is known of it.

    Attributes:
        elo: the rating of greatest likelihood; 0 is the mean over all that was played.
        low: with 97.5% it is above this; so `high`.
        best_rank: with 97.5% it ranks no better than this; from 1; so `worst_rank`.
    """

    entrant: str
    elo: float
    low: float
    high: float
    best_rank: int
    worst_rank: int


@dataclass(frozen=True, kw_only=True)
class EloTable:
    """All ratings, highest first.

    Attributes:
        samples: entrants, in the order of `entrants`, by repetitions.
    """

    rows: tuple[EloRow, ...]
    entrants: tuple[str, ...]
    samples: Floats = field(repr=False)

    def chance_above(self, one: str, other: str) -> float:
        """Give the probability that one is stronger than the other, 0 to 1.

        Raises:
            KeyError: it is not in the table.
        """
        places: Mapping[str, int] = {each: place for place, each in enumerate(self.entrants)}
        gaps = self.samples[places[one]] - self.samples[places[other]]
        return float(((gaps > 0) + 0.5 * (gaps == 0)).mean())


def bootstrap_elo(
    entrants: Sequence[str],
    tallies: Iterable[Tally],
    *,
    seed: int,
    repetitions: int = REPETITIONS,
) -> EloTable:
    """Rate everybody, and say how sure that is.

    Args:
        entrants: ids, in the order that is kept among equals.
        tallies: in any order.
        seed: 0 to 2**32 - 1; the same seed and results give the same table.
        repetitions: more make the bounds steadier; 1,000 leave them uncertain by some 2% of the
            interval's width.
    """
    fld = field_of(entrants, tallies)
    won, drawn, lost = (counts[:, None] for counts in fld.counts)
    count = len(fld.entrants)
    imagined = np.full((count, 1), IMAGINED)
    best = maximize(fld.sides, won + drawn / 2, lost + drawn / 2, (imagined, imagined))
    share = _weight_share(won + drawn + lost, count)
    # Of each board's result, and of the imagined draw: half a win, half a loss.
    kinds = (share * won, share * drawn, share * lost, imagined, imagined)
    # RandomState and not Generator: its stream is promised never to change between releases.
    rng = np.random.RandomState(seed)
    chunks = []
    chunk = max(1, _CHUNK // max(1, len(won), count))
    for begin in range(0, repetitions, chunk):
        size = min(chunk, repetitions - begin)
        wins, draws, losses, *made_up = _random_weights(rng, kinds, size)
        chunks.append(
            maximize(
                fld.sides,
                wins + draws / 2,
                losses + draws / 2,
                # Never quite 0, which has no maximum.
                (made_up[0] + 1e-9, made_up[1] + 1e-9),
                start=np.repeat(best, size, axis=1),
                tolerance=_TOLERANCE,
            )
        )
    samples = to_elo(fld, np.concatenate(chunks, axis=1) if chunks else np.zeros((count, 0)))
    return _table(fld.entrants, to_elo(fld, best)[:, 0], samples)


def _random_weights(rng: np.random.RandomState, kinds: Sequence[Floats], size: int) -> list[Floats]:
    """Draw weights, one repetition after the other, so that chunks of any size give the same.

    Args:
        rng: where they come from.
        kinds: for each kind of result the mean weights, a column each.
        size: how many repetitions.

    Returns:
        For each kind the weights, by repetitions.
    """
    means = np.concatenate(kinds)[:, 0]
    drawn = rng.standard_gamma(np.broadcast_to(means, (size, len(means))))
    ends = np.cumsum([len(kind) for kind in kinds])[:-1]
    return [np.ascontiguousarray(part.T) for part in np.split(drawn, ends, axis=1)]


def _weight_share(played: Floats, entrants: int) -> float:
    """Say how much of its weight a board keeps, so that few boards give intervals wide enough.

    Random weights of variance 1 have the spread of a large sample. With m boards an entrant, the
    variance of a mean is m / (m - 1) times that, and Student's t takes the normal distribution's
    place, whose 97.5% point squared is about 1 + 2.4 / m times as large. Less weight gives more
    variance. The imagined draw keeps all of its own.
    """
    each = 2 * float(played.sum()) / max(1, entrants)
    return each / (each + 3.4) if each else 1.0


def _table(entrants: tuple[str, ...], elo: Floats, samples: Floats) -> EloTable:
    if not entrants:
        return EloTable(rows=(), entrants=(), samples=samples)
    ranks = 1 + np.argsort(np.argsort(-samples, axis=0, kind="stable"), axis=0, kind="stable")
    low, high = np.quantile(samples, (0.025, 0.975), axis=1)
    best, worst = np.quantile(ranks, (0.025, 0.975), axis=1, method="inverted_cdf")
    order = np.argsort(-elo, kind="stable").tolist()
    rows = tuple(
        EloRow(
            entrant=entrants[place],
            elo=float(elo[place]),
            low=float(low[place]),
            high=float(high[place]),
            best_rank=int(best[place]),
            worst_rank=int(worst[place]),
        )
        for place in order
    )
    return EloTable(rows=rows, entrants=entrants, samples=samples)
