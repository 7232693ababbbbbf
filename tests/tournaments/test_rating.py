"""TrueSkill in closed form, against the `trueskill` package and at the edges of arithmetic."""

import itertools
import math

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_tournaments.pairs import BoardKey, Outcome, PairResult
from tarneeb_tournaments.rating import (
    BETA,
    DRAW_PROBABILITY,
    MU,
    SIGMA,
    Rating,
    rate_pair,
    rate_pairs,
)

MUS = (0.0, 10.0, 24.0, 25.0, 40.0)
SIGMAS = (0.3, 1.0, 3.0, SIGMA)


@pytest.fixture(scope="module")
def package() -> "trueskill.TrueSkill":
    return trueskill.TrueSkill(
        mu=MU, sigma=SIGMA, beta=BETA, tau=0, draw_probability=DRAW_PROBABILITY
    )


@pytest.mark.parametrize("is_draw", [False, True])
def test_ratings_are_those_of_the_package(package: "trueskill.TrueSkill", is_draw: bool) -> None:
    for mu, sigma, other_mu, other_sigma in itertools.product(MUS, SIGMAS, MUS, SIGMAS):
        ours = rate_pair(Rating(mu, sigma), Rating(other_mu, other_sigma), is_draw=is_draw)
        teams = [
            (package.create_rating(mu, sigma),) * 2,
            (package.create_rating(other_mu, other_sigma),) * 2,
        ]
        theirs = package.rate(teams, ranks=[0, 0 if is_draw else 1])
        for our, partners in zip(ours, theirs, strict=True):
            for their in partners:
                assert our.mu == pytest.approx(their.mu, abs=1e-4)
                assert our.sigma == pytest.approx(their.sigma, abs=1e-4)


finite = st.floats(-1e9, 1e9)
uncertainty = st.floats(1e-3, 100)


@given(finite, uncertainty, finite, uncertainty, st.booleans())
def test_no_result_is_too_unlikely(
    mu: float, sigma: float, other_mu: float, other_sigma: float, is_draw: bool
) -> None:
    before = Rating(mu, sigma), Rating(other_mu, other_sigma)
    after = rate_pair(*before, is_draw=is_draw)
    for old, new in zip(before, after, strict=True):
        assert math.isfinite(new.mu)
        assert 0 < new.sigma <= old.sigma
    if not is_draw:
        assert after[0].mu >= before[0].mu
        assert after[1].mu <= before[1].mu


def test_reported_extremes_give_sane_numbers() -> None:
    """The gaps at which the package gives up: sublee/trueskill#5, scttcper/ts-trueskill#228."""
    for winner, loser in [
        (Rating(-323.263, 2.965), Rating(-48.441, 2.19)),
        (Rating(1253.0, 5.0), Rating(2038.0, 5.0)),
    ]:
        won, lost = rate_pair(winner, loser, is_draw=False)
        assert winner.mu < won.mu < lost.mu < loser.mu


def test_a_draw_of_equals_lowers_the_uncertainty_alone() -> None:
    rating = Rating()
    for _ in range(30):
        one, other = rate_pair(rating, rating, is_draw=True)
        assert one == other
        assert one.mu == pytest.approx(MU)
        assert one.sigma < rating.sigma
        rating = one


def test_a_draw_lifts_the_weaker() -> None:
    strong, weak = rate_pair(Rating(30, 3), Rating(20, 3), is_draw=True)
    assert strong.mu < 30
    assert weak.mu > 20
    assert rate_pair(Rating(20, 3), Rating(30, 3), is_draw=True) == (weak, strong)


def test_winning_for_ever_never_lowers_a_rating() -> None:
    winner = loser = Rating()
    shown = winner.conservative
    for _ in range(20_000):
        winner, loser = rate_pair(winner, loser, is_draw=False)
        assert winner.conservative >= shown
        shown = winner.conservative
    assert shown > 27


def result(number: int, first: str, second: str, outcome: Outcome) -> PairResult:
    return PairResult(BoardKey(1, 1, number), first, second, 0, outcome)


def test_who_is_named_first_does_not_matter() -> None:
    one = rate_pairs([result(1, "e1", "e2", Outcome.FIRST)])
    other = rate_pairs([result(1, "e2", "e1", Outcome.SECOND)])
    assert one == other
    assert one["e1"].mu > one["e2"].mu


def test_a_pair_that_both_forfeited_is_not_rated() -> None:
    assert rate_pairs([result(1, "e1", "e2", Outcome.NEITHER)]) == {}


def test_the_order_of_results_counts() -> None:
    results = [result(1, "e1", "e2", Outcome.FIRST), result(2, "e2", "e3", Outcome.FIRST)]
    assert rate_pairs(results) != rate_pairs(reversed(results))
