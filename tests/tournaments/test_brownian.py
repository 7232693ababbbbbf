import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_tournaments.brownian import BrownianMotion

MOTIONS = st.builds(
    BrownianMotion,
    lower=st.floats(-5, -0.5),
    upper=st.floats(0.5, 5),
    drift=st.floats(-2, 2),
    variance=st.floats(0.001, 4),
)


def walk(
    motion: BrownianMotion, steps: float, *, parts: int, paths: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Simulate paths: where each is at the end, and -1 or 1 if it was absorbed.

    Between two moments a path may cross and come back; the chance of that is known exactly for
    a Brownian bridge, so steps need not be small.
    """
    rng = np.random.default_rng(seed)
    step = steps / parts
    place, ended = np.zeros(paths), np.zeros(paths, dtype=int)
    for _ in range(parts):
        after = place + rng.normal(motion.drift * step, math.sqrt(motion.variance * step), paths)
        for bound, name in ((motion.lower, -1), (motion.upper, 1)):
            gap, gap_after = (bound - place) * name, (bound - after) * name
            crossing = np.exp(
                -2 * np.maximum(gap, 0) * np.maximum(gap_after, 0) / (motion.variance * step)
            )
            ended[(ended == 0) & (rng.random(paths) < crossing)] = name
        place = after
    return place, ended


@pytest.mark.parametrize("drift", [-0.6, 0.0, 0.8])
@pytest.mark.parametrize("steps", [0.5, 3.0, 20.0])
def test_chances_are_what_a_simulation_gives(drift: float, steps: float) -> None:
    motion = BrownianMotion(lower=-1.5, upper=2.0, drift=drift, variance=1.2)
    paths = 20_000
    place, ended = walk(motion, steps, parts=400, paths=paths, seed=round(steps * 10))
    for here, worse in (
        (-1.5, (ended < 0).mean()),
        (2.0, 1 - (ended > 0).mean()),
        (0.4, ((ended < 0) | ((ended == 0) & (place <= 0.4))).mean()),
    ):
        error = 4 * math.sqrt(max(worse * (1 - worse), 1e-4) / paths)
        assert motion.chance_of_worse(steps, here) == pytest.approx(worse, abs=error + 0.004)


@given(MOTIONS, st.floats(0.01, 200))
def test_better_outcomes_leave_more_chance_below_them(motion: BrownianMotion, steps: float) -> None:
    places = np.linspace(motion.lower, motion.upper, 9).tolist()
    chances = [motion.chance_of_worse(steps, place) for place in places]
    assert all(0 <= chance <= 1 for chance in chances)
    assert all(later >= earlier - 1e-6 for earlier, later in pairwise(chances))


@given(MOTIONS, st.floats(0.01, 200))
def test_later_ends_below_and_earlier_ends_above_are_better(
    motion: BrownianMotion, steps: float
) -> None:
    low, high = motion.lower, motion.upper
    assert motion.chance_of_worse(steps, low) <= motion.chance_of_worse(2 * steps, low) + 1e-6
    assert motion.chance_of_worse(steps, high) >= motion.chance_of_worse(2 * steps, high) - 1e-6


@given(MOTIONS, st.floats(0, 1))
def test_sines_and_images_say_the_same(motion: BrownianMotion, share: float) -> None:
    """Measured in other units, so that the one or the other is used, nothing may change."""
    place = motion.lower + share * (motion.upper - motion.lower)
    edge = (motion.upper - motion.lower) ** 2 / motion.variance
    before, after = (motion.chance_of_worse(edge * each, place) for each in (1 - 1e-9, 1 + 1e-9))
    assert before == pytest.approx(after, abs=1e-6)


@given(MOTIONS)
def test_the_mirror_image_ends_below_as_often_as_the_motion_ends_above(
    motion: BrownianMotion,
) -> None:
    mirrored = BrownianMotion(
        lower=-motion.upper, upper=-motion.lower, drift=-motion.drift, variance=motion.variance
    )
    assert motion.chance_below() + mirrored.chance_below() == pytest.approx(1)


def test_without_drift_the_nearer_bound_is_likelier() -> None:
    motion = BrownianMotion(lower=-1.0, upper=3.0, drift=0.0, variance=1.0)
    assert motion.chance_below() == pytest.approx(0.75)


@pytest.mark.parametrize("drift", [-50.0, 50.0])
def test_a_motion_that_hardly_scatters_goes_where_it_drifts(drift: float) -> None:
    motion = BrownianMotion(lower=-3.0, upper=3.0, drift=drift, variance=1e-3)
    assert motion.chance_below() == (1.0 if drift < 0 else 0.0)
    assert motion.chance_of_worse(0.01, 0.0) == (1.0 if drift < 0 else 0.0)
