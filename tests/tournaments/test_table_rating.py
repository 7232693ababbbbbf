"""TrueSkill for four different bots, against the `trueskill` package."""

import math

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_tournaments.rating import (
    BETA,
    DRAW_PROBABILITY,
    MU,
    SIGMA,
    Rating,
    rate_pair,
    rate_table,
)

RATINGS = st.builds(Rating, mu=st.floats(10, 40), sigma=st.floats(1, SIGMA))
ANY = st.builds(Rating, mu=st.floats(-1e4, 1e4), sigma=st.floats(0.01, 100))


@given(st.tuples(RATINGS, RATINGS, RATINGS, RATINGS), st.booleans())
def test_ratings_are_those_of_the_package(
    ratings: tuple[Rating, Rating, Rating, Rating], is_draw: bool
) -> None:
    package = trueskill.TrueSkill(
        mu=MU, sigma=SIGMA, beta=BETA, tau=0, draw_probability=DRAW_PROBABILITY
    )
    a, b, c, d = ratings
    expected = package.rate(
        [
            tuple(package.create_rating(each.mu, each.sigma) for each in side)
            for side in ((a, b), (c, d))
        ],
        ranks=[0, 0] if is_draw else [0, 1],
    )
    found = rate_table((a, b), (c, d), is_draw=is_draw)
    for side, side_expected in zip(found, expected, strict=True):
        for one, other in zip(side, side_expected, strict=True):
            assert one.mu == pytest.approx(other.mu, abs=1e-3)
            assert one.sigma == pytest.approx(other.sigma, abs=1e-3)


@given(RATINGS, RATINGS, st.booleans())
def test_equal_partners_move_as_in_a_pair_event(one: Rating, other: Rating, is_draw: bool) -> None:
    (won, partner), (lost, _) = rate_table((one, one), (other, other), is_draw=is_draw)
    expected_won, expected_lost = rate_pair(one, other, is_draw=is_draw)
    assert won == partner
    assert won.mu == pytest.approx(expected_won.mu)
    assert lost.sigma == pytest.approx(expected_lost.sigma)


def test_whoever_is_known_less_moves_more() -> None:
    known, fresh = Rating(25, 1), Rating(25, 8)
    (after_known, after_fresh), _ = rate_table((known, fresh), (known, known), is_draw=False)
    assert after_fresh.mu - 25 > 10 * (after_known.mu - 25) > 0


@given(st.tuples(ANY, ANY, ANY, ANY), st.booleans())
def test_no_result_is_too_unlikely(
    ratings: tuple[Rating, Rating, Rating, Rating], is_draw: bool
) -> None:
    a, b, c, d = ratings
    for side in rate_table((a, b), (c, d), is_draw=is_draw):
        for rating in side:
            assert math.isfinite(rating.mu)
            assert 0 <= rating.sigma < 101
