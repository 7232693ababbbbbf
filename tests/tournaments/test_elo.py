import math
import random
from itertools import combinations

import numpy as np
import pytest
from scipy import optimize, special

from tarneeb_tournaments.elo import ELO_PER_UNIT, Tally, fit_elo
from tarneeb_tournaments.elo_bootstrap import bootstrap_elo


def tally(pair: str, won: int, drawn: int, lost: int) -> Tally:
    return Tally((pair[0],), (pair[1],), won, drawn, lost)


def random_tallies(rng: random.Random, names: str, most: int = 20) -> list[Tally]:
    return [
        Tally((one,), (other,), rng.randint(0, most), rng.randint(0, 3), rng.randint(0, most))
        for one, other in combinations(names, 2)
        if rng.random() < 0.8
    ]


def slow_fit(names: str, tallies: list[Tally]) -> dict[str, float]:
    """Maximize the likelihood, as it is written in a book, by a general method."""

    def loss(strengths: np.ndarray) -> float:
        value = 0.0
        for one in tallies:
            gap = np.mean([strengths[names.index(each)] for each in one.first])
            gap -= np.mean([strengths[names.index(each)] for each in one.second])
            value += (one.won + one.drawn / 2) * special.log_expit(gap)
            value += (one.lost + one.drawn / 2) * special.log_expit(-gap)
        return -value - 0.5 * float(
            np.sum(special.log_expit(strengths) + special.log_expit(-strengths))
        )

    found = optimize.minimize(loss, np.zeros(len(names)), method="BFGS", tol=1e-9).x
    seats = dict.fromkeys(names, 0.0)
    for one in tallies:
        for side in (one.first, one.second):
            for each in side:
                seats[each] += (one.won + one.drawn + one.lost) / len(side)
    mean = sum(found[names.index(each)] * seats[each] for each in names) / sum(seats.values())
    return dict(zip(names, (found - mean) * ELO_PER_UNIT, strict=True))


@pytest.mark.parametrize("seed", range(8))
def test_the_fit_is_what_a_general_optimizer_finds(seed: int) -> None:
    rng = random.Random(seed)
    names = "abcdefg"[: rng.randint(2, 7)]
    tallies = random_tallies(rng, names)
    assert fit_elo(names, tallies) == pytest.approx(slow_fit(names, tallies), abs=0.05)


def test_partners_are_rated_apart_in_an_individual_event() -> None:
    tables = [
        Tally(("a", "b"), ("c", "d"), 30, 0, 10),
        Tally(("a", "c"), ("b", "d"), 30, 0, 10),
        Tally(("a", "d"), ("b", "c"), 30, 0, 10),
    ]
    ratings = fit_elo("abcd", tables)
    assert ratings["a"] > 100
    assert ratings["b"] == pytest.approx(ratings["c"]) == pytest.approx(ratings["d"])
    assert ratings == pytest.approx(slow_fit("abcd", tables), abs=0.05)


def test_odds_of_ten_to_one_are_400_points() -> None:
    ratings = fit_elo("ab", [tally("ab", 10_000, 0, 1_000)])
    assert ratings["a"] - ratings["b"] == pytest.approx(400, abs=1)


def test_a_draw_is_half_a_win() -> None:
    assert fit_elo("ab", [tally("ab", 10, 4, 2)]) == fit_elo("ab", [tally("ab", 12, 0, 4)])


def test_ratings_do_not_depend_on_the_order_of_results() -> None:
    rng = random.Random(1)
    tallies = random_tallies(rng, "abcdefg")
    expected = bootstrap_elo("abcdefg", tallies, seed=1, repetitions=50)
    rng.shuffle(tallies)
    found = bootstrap_elo("abcdefg", tallies, seed=1, repetitions=50)
    assert found.rows == expected.rows
    assert fit_elo("abcdefg", tallies) == {row.entrant: row.elo for row in found.rows}


def test_swapping_sides_changes_nothing() -> None:
    assert fit_elo("ab", [tally("ab", 7, 1, 3)]) == pytest.approx(
        fit_elo("ab", [tally("ba", 3, 1, 7)])
    )


@pytest.mark.parametrize(
    ("names", "tallies"),
    [
        ("", []),
        ("a", []),
        ("abc", []),
        ("ab", [tally("ab", 0, 0, 0)]),
        ("ab", [tally("ab", 20_000, 0, 0)]),
        ("ab", [tally("ab", 0, 500, 0)]),
        ("abcd", [tally("ab", 5, 0, 5), tally("cd", 9, 0, 1)]),
        ("abc", [tally("ab", 64, 0, 0), tally("bc", 64, 0, 0), tally("ac", 0, 0, 64)]),
        ("abcdefgh", [tally(a + b, 1_000_000, 0, 0) for a, b in combinations("abcdefgh", 2)]),
    ],
    ids=[
        "nobody",
        "alone",
        "fresh",
        "no pairs",
        "all won",
        "all drawn",
        "apart",
        "circle",
        "steps",
    ],
)
def test_extremes_give_finite_numbers(names: str, tallies: list[Tally]) -> None:
    table = bootstrap_elo(names, tallies, seed=3, repetitions=100)
    assert sorted(row.entrant for row in table.rows) == sorted(names)
    for row in table.rows:
        assert all(math.isfinite(each) for each in (row.elo, row.low, row.high))
        assert abs(row.elo) < 10_000
        assert row.low <= row.high
        assert 1 <= row.best_rank <= row.worst_rank <= len(names)
    assert np.isfinite(table.samples).all()


def test_whoever_won_all_is_rated_high_and_not_certain() -> None:
    few, many = (bootstrap_elo("ab", [tally("ab", won, 0, 0)], seed=1).rows[0] for won in (4, 400))
    assert 0 < few.elo < many.elo < 1_000
    assert few.low < few.elo < few.high
    assert few.high - few.low > 300


def test_fresh_entrants_are_average_and_quite_unsure() -> None:
    table = bootstrap_elo("abc", [tally("ab", 40, 0, 40)], seed=1)
    rows = {row.entrant: row for row in table.rows}
    assert abs(rows["c"].elo) < 1
    assert rows["c"].high - rows["c"].low > 4 * (rows["a"].high - rows["a"].low)
    assert (rows["c"].best_rank, rows["c"].worst_rank) == (1, 3)


def test_chances_to_be_above_follow_from_the_results() -> None:
    table = bootstrap_elo("abc", [tally("ab", 60, 0, 40), tally("bc", 95, 0, 5)], seed=1)
    # Beta(60.5, 40.5) is above 1/2 with probability 0.977.
    assert table.chance_above("a", "b") == pytest.approx(0.977, abs=0.02)
    assert table.chance_above("b", "a") == pytest.approx(1 - table.chance_above("a", "b"))
    assert table.chance_above("a", "c") > 0.999
    assert table.chance_above("a", "a") == 0.5


def test_ranges_of_ranks_narrow_with_results() -> None:
    few, many = (
        bootstrap_elo(
            "abc", [tally("ab", 6 * n, 0, 4 * n), tally("bc", 6 * n, 0, 4 * n)], seed=1
        ).rows
        for n in (1, 100)
    )
    assert [(row.best_rank, row.worst_rank) for row in many] == [(1, 1), (2, 2), (3, 3)]
    assert all(row.worst_rank - row.best_rank >= 1 for row in few)


def test_the_same_seed_gives_the_same_table() -> None:
    tallies = random_tallies(random.Random(2), "abcd")
    one, same, other = (
        bootstrap_elo("abcd", tallies, seed=seed, repetitions=50) for seed in (7, 7, 8)
    )
    assert one.rows == same.rows
    assert one.rows != other.rows


def test_repetitions_are_the_same_whether_done_at_once_or_in_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tallies = random_tallies(random.Random(2), "abcd")
    at_once = bootstrap_elo("abcd", tallies, seed=7, repetitions=64)
    monkeypatch.setattr("tarneeb_tournaments.elo_bootstrap._CHUNK", 100)
    in_parts = bootstrap_elo("abcd", tallies, seed=7, repetitions=64)
    assert in_parts.samples == pytest.approx(at_once.samples, abs=0.02)


def test_results_of_a_stranger_are_refused() -> None:
    with pytest.raises(ValueError, match="z has results but is not an entrant"):
        fit_elo("ab", [tally("az", 1, 0, 0)])
