"""How decision times are spread, in counts that add up: percentiles without keeping every time.

Times are counted by steps, each 2% longer than the one before, so a percentile read from the counts
is at most 2% above the true one.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

_STEP: Final = math.log(1.02)


def step_of(time_us: int) -> int:
    """Find the step of a time; 0 is for less than a microsecond.

    >>> step_of(0), step_of(1), step_of(1_000_000)
    (0, 1, 698)
    """
    return 0 if time_us < 1 else 1 + math.floor(math.log(time_us) / _STEP)


def count_steps(times_us: Iterable[int]) -> Counter[int]:
    """Count times by their steps."""
    return Counter(step_of(time_us) for time_us in times_us)


def percentile_us(counts: Mapping[int, int], percent: int) -> float | None:
    """Give a time that so many of a hundred decisions did not exceed; None without any.

    >>> round(percentile_us({step_of(1_000): 99, step_of(9_000): 1}, 99))
    1003
    """
    total = sum(counts.values())
    if not total:
        return None
    seen = 0
    step = 0
    for step in sorted(counts):
        seen += counts[step]
        if 100 * seen >= percent * total:
            break
    return math.exp(step * _STEP)
