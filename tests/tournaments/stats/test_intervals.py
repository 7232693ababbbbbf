import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_tournaments.stats.intervals import mean_estimate, score_estimate, stratified_mean

DIFFERENCES = st.lists(st.integers(-120, 120).map(float), min_size=1, max_size=40)


def test_a_mean_has_students_interval() -> None:
    # Student's data of the extra hours of sleep (1908): mean 1.58, t(9) = 4.0621, p = 0.00283.
    hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    estimate = mean_estimate(hours)
    assert estimate is not None
    assert estimate.value == pytest.approx(1.58)
    assert (estimate.low, estimate.high) == pytest.approx((0.7001, 2.4599), abs=1e-4)
    assert estimate.p_value == pytest.approx(0.00283, abs=1e-5)


def test_nothing_gives_nothing() -> None:
    assert mean_estimate([]) is None
    assert stratified_mean([[], []]) is None
    assert score_estimate(0, 0, 0) is None


def test_one_board_gives_a_mean_without_interval() -> None:
    estimate = mean_estimate([7.0])
    assert estimate is not None
    assert (estimate.value, estimate.low, estimate.high, estimate.p_value) == (
        7.0,
        None,
        None,
        None,
    )


def test_two_equal_differences_prove_nothing() -> None:
    estimate = mean_estimate([9.0, 9.0])
    assert estimate is not None
    assert estimate.p_value == 0.5


def test_equal_bots_that_always_tie_are_certainly_not_different() -> None:
    estimate = mean_estimate([0.0] * 50)
    assert estimate is not None
    assert (estimate.value, estimate.low, estimate.high, estimate.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_opponents_of_different_strength_add_no_scatter() -> None:
    weak, strong = [20.0, 22.0, 21.0, 19.0], [-20.0, -22.0, -21.0, -19.0]
    together, apart = mean_estimate(weak + strong), stratified_mean([weak, strong])
    assert together is not None
    assert apart is not None
    assert together.value == apart.value == 0
    assert apart.high is not None
    assert together.high is not None
    assert apart.high < together.high / 5


def test_single_boards_against_many_are_taken_together() -> None:
    assert stratified_mean([[4.0], [6.0], [5.0], [9.0]]) == mean_estimate([4.0, 6.0, 5.0, 9.0])


def test_a_single_board_that_is_left_joins_the_largest_group() -> None:
    estimate = stratified_mean([[1.0, 2.0, 3.0], [4.0, 5.0], [9.0]])
    assert estimate is not None
    assert estimate.count == 6
    assert estimate == stratified_mean([[1.0, 2.0, 3.0, 9.0], [4.0, 5.0]])


@given(st.lists(DIFFERENCES, max_size=6))
def test_any_differences_give_finite_numbers(groups: list[list[float]]) -> None:
    estimate = stratified_mean(groups)
    if estimate is not None:
        assert estimate.count == sum(map(len, groups))
        for number in (estimate.value, estimate.low, estimate.high, estimate.p_value):
            assert number is None or math.isfinite(number)
        if estimate.low is not None and estimate.high is not None:
            assert estimate.low <= estimate.value <= estimate.high


@given(DIFFERENCES)
def test_swapping_sides_mirrors_the_interval(differences: list[float]) -> None:
    estimate, mirrored = mean_estimate(differences), mean_estimate([-each for each in differences])
    assert estimate is not None
    assert mirrored is not None
    assert mirrored.value == -estimate.value
    if estimate.low is not None:
        assert mirrored.high == pytest.approx(-estimate.low)
    assert mirrored.p_value == estimate.p_value


def test_a_share_without_draws_has_jeffreys_interval() -> None:
    # Brown, Cai and DasGupta (2001), table 5: n = 10.
    for won, expected in ((1, (0.011, 0.381)), (3, (0.093, 0.606)), (5, (0.224, 0.776))):
        estimate = score_estimate(won, 0, 10 - won)
        assert estimate is not None
        assert (estimate.low, estimate.high) == pytest.approx(expected, abs=5e-4)


def test_draws_make_the_interval_narrower() -> None:
    decided, drawn = score_estimate(50, 0, 50), score_estimate(10, 80, 10)
    assert decided is not None
    assert drawn is not None
    assert drawn.value == decided.value == 0.5
    assert drawn.low is not None
    assert decided.low is not None
    assert drawn.low > decided.low


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 3000))
def test_a_share_lies_in_its_interval_and_that_between_0_and_1(w: int, d: int, lost: int) -> None:
    estimate = score_estimate(w, d, lost)
    if w + d + lost == 0:
        assert estimate is None
        return
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    assert estimate.low < estimate.high
    mirrored = score_estimate(lost, d, w)
    assert mirrored is not None
    assert mirrored.high == pytest.approx(1 - estimate.low, abs=1e-9)
