import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from tarneeb_tournaments.sprt import (
    Decision,
    SprtSettings,
    log_likelihood_ratios,
    score_of_elo,
    sprt_state,
)

WIDE = SprtSettings(elo0=0, elo1=80)


def simulated(rng: np.random.Generator, elo: float, shape: tuple[int, int]) -> np.ndarray:
    """Draw boards, each 0 for lost, 1 for drawn, 2 for won, of a bot that is so much stronger."""
    score, draws = score_of_elo(elo), 0.1
    return rng.choice(3, shape, p=[1 - score - draws / 2, draws, score - draws / 2])


def decisions(settings: SprtSettings, boards: np.ndarray, values: int = 3) -> np.ndarray:
    """Decide many tests at once: -1 failed, 1 passed, 0 not decided."""
    ratios = log_likelihood_ratios(np.cumsum(np.eye(values)[boards], axis=1), *settings.scores)
    lower, upper = settings.bounds
    ended = (ratios <= lower) | (ratios >= upper)
    first = np.where(ended.any(axis=1), ended.argmax(axis=1), boards.shape[1] - 1)
    at_end = np.take_along_axis(ratios, first[:, None], axis=1)[:, 0]
    return np.where(at_end >= upper, 1, np.where(at_end <= lower, -1, 0))


def slow_ratio(counts: list[int], score0: float, score1: float) -> float:
    """Maximize both likelihoods by a general method."""
    seen = np.array([max(each, 1e-3) for each in counts])
    outcomes = np.linspace(0, 1, len(counts))

    def best(score: float) -> float:
        start = np.full(len(counts), 1 / len(counts))
        found = optimize.minimize(
            lambda p: -(seen / seen.sum()) @ np.log(p),
            start,
            bounds=[(1e-9, 1)] * len(counts),
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ outcomes - score},
            ],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        return float(-found.fun * seen.sum())

    return best(score1) - best(score0)


@pytest.mark.parametrize(
    "counts", [[10, 5, 14], [120, 30, 160], [0, 3, 9], [3, 10, 25, 12, 4], [40, 0, 90]]
)
def test_the_ratio_compares_the_two_best_likelihoods(counts: list[int]) -> None:
    found = log_likelihood_ratios(np.array([counts], dtype=float), 0.5, 0.56)[0]
    assert found == pytest.approx(slow_ratio(counts, 0.5, 0.56), abs=2e-3)


def test_without_draws_it_is_walds_test() -> None:
    # With two outcomes nothing is left to estimate.
    score0, score1 = 0.5, 0.6
    found = log_likelihood_ratios(np.array([[30.0, 50.0]]), score0, score1)[0]
    expected = 50 * math.log(score1 / score0) + 30 * math.log((1 - score1) / (1 - score0))
    assert found == pytest.approx(expected)


def test_the_ratio_of_a_long_test_is_near_its_normal_form() -> None:
    # M. Van den Bergh: N (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    counts = np.array([[2500.0, 1000.0, 2700.0]])
    shares = counts[0] / counts.sum()
    mean = float(shares @ [0, 0.5, 1])
    variance = float(shares @ (np.array([0, 0.5, 1]) - mean) ** 2)
    score0, score1 = score_of_elo(0), score_of_elo(10)
    expected = counts.sum() * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    assert log_likelihood_ratios(counts, score0, score1)[0] == pytest.approx(expected, rel=0.01)


def test_bounds_are_walds() -> None:
    assert SprtSettings().bounds == pytest.approx((-2.944, 2.944), abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "wrong"), [(0.0, 1), (80.0, -1)])
def test_error_rates_hold(elo: float, wrong: int) -> None:
    rng = np.random.default_rng(17)
    made = decisions(WIDE, simulated(rng, elo, (1500, 500)))
    assert (made == 0).mean() < 0.01
    # Three standard errors of a rate of 5% over 1,500 tests.
    assert 0.02 < (made == wrong).mean() <= 0.05 + 0.017


@pytest.mark.slow
def test_error_rates_hold_for_pentanomial_counts() -> None:
    rng = np.random.default_rng(18)
    for score, wrong in ((score_of_elo(0), 1), (score_of_elo(80), -1)):
        # Two matches of one board, which luck ties together in opposite ways.
        shares = np.array([0.08, 0.24, 0.36, 0.24, 0.08])
        shift = score - 0.5
        shares += shift * np.array([-0.4, -0.8, 0, 0.8, 0.4]) / 0.8
        assert float(shares @ np.linspace(0, 1, 5)) == pytest.approx(score)
        made = decisions(WIDE, rng.choice(5, (800, 350), p=shares), values=5)
        assert (made == 0).mean() < 0.01
        assert (made == wrong).mean() <= 0.05 + 0.02


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, 1), (80.0, -1)])
def test_few_tests_are_wrong(elo: float, wrong: int) -> None:
    made = decisions(WIDE, simulated(np.random.default_rng(16), elo, (200, 400)))
    assert (made == wrong).mean() <= 0.10


def test_stronger_and_weaker_bots_are_told_apart_sooner() -> None:
    rng = np.random.default_rng(19)

    def boards_needed(elo: float) -> float:
        return float(
            np.mean(
                [
                    sum(sprt_state(WIDE, each.tolist()).counts)
                    for each in simulated(rng, elo, (40, 900))
                ]
            )
        )

    between = boards_needed(40)
    assert boards_needed(-60) < between / 2
    assert boards_needed(140) < between / 2


@pytest.mark.slow
@pytest.mark.parametrize("elo", [-60.0, 0.0, 40.0, 80.0, 160.0])
def test_intervals_hold_the_truth_although_the_test_stops_by_itself(elo: float) -> None:
    rng = np.random.default_rng(20)
    states = [sprt_state(WIDE, each.tolist()) for each in simulated(rng, elo, (120, 700))]
    held = np.mean([state.elo_low <= elo <= state.elo_high for state in states])
    assert held >= 0.91
    assert np.median([state.elo for state in states]) == pytest.approx(elo, abs=15)


def test_boards_after_the_end_change_nothing() -> None:
    rng = random.Random(2)
    boards = [rng.choice([0, 1, 2, 2]) for _ in range(600)]
    state = sprt_state(WIDE, boards)
    assert state.decision is Decision.STRONGER
    assert sum(state.counts) < 500
    assert sprt_state(WIDE, boards[:500] + [0] * 500) == state
    before = sprt_state(WIDE, boards[: sum(state.counts) - 1])
    assert before.decision is Decision.GO_ON


def test_before_the_first_board_nothing_is_known() -> None:
    state = sprt_state(SprtSettings(), [])
    assert state.decision is Decision.GO_ON
    assert (state.llr, state.elo) == (0.0, 0.0)
    assert state.elo_low == -state.elo_high == -1500


def test_whoever_wins_all_passes_and_has_no_upper_limit() -> None:
    state = sprt_state(SprtSettings(), [2] * 100)
    assert state.decision is Decision.STRONGER
    assert state.counts == (0, 0, 53)
    # 53 of 53: the one-sided 97.5% limit of the share is 0.933.
    assert state.elo_low == pytest.approx(457, abs=20)
    assert state.elo_high > 1_499
    assert state.elo_low < state.elo < 1_000


@given(st.lists(st.integers(0, 2), max_size=60))
def test_any_boards_give_finite_numbers(boards: list[int]) -> None:
    state = sprt_state(SprtSettings(), boards)
    assert math.isfinite(state.llr)
    assert -1500 <= state.elo_low <= state.elo <= state.elo_high <= 1500


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (SprtSettings(elo0=5, elo1=5), "elo0 must be below elo1, not 5 and 5"),
        (SprtSettings(elo0=20, elo1=0), "elo0 must be below elo1"),
        (SprtSettings(alpha=0), "alpha must be above 0 and below 0.5, not 0"),
        (SprtSettings(beta=0.5), "beta must be above 0 and below 0.5, not 0.5"),
        (SprtSettings(elo1=2000), "between -750 and 750"),
        (SprtSettings(elo1=math.nan), "must be numbers"),
    ],
)
def test_what_cannot_be_tested_is_refused(settings: SprtSettings, reason: str) -> None:
    assert reason in (settings.verify() or "")


def test_the_usual_settings_are_fine() -> None:
    assert SprtSettings().verify() is None
