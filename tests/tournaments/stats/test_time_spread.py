import random

import pytest

from tarneeb_tournaments.stats.time_spread import count_steps, percentile_us, step_of


def test_without_times_there_is_no_percentile() -> None:
    assert percentile_us({}, 99) is None


@pytest.mark.parametrize("seed", range(5))
def test_a_percentile_is_at_most_2_percent_above_the_true_one(seed: int) -> None:
    dice = random.Random(seed)
    times = sorted(round(dice.lognormvariate(7, 2)) + 1 for _ in range(1_000))
    found = percentile_us(count_steps(times), 99)
    assert found is not None
    assert times[989] <= found <= 1.0201 * times[989]


def test_steps_rise_with_times() -> None:
    steps = [step_of(time_us) for time_us in range(2_000)]
    assert steps == sorted(steps)
    assert steps[0] == 0


def test_counts_add_up_in_any_order() -> None:
    assert count_steps([5, 900]) + count_steps([900]) == count_steps([900, 5, 900])
