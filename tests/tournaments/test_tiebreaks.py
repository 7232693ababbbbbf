import random

import pytest

from tarneeb_tournaments.schedule import Pairing, PairingResult, Swiss
from tarneeb_tournaments.tiebreaks import RankRow, rank_entrants


def result(
    number: int, text: str, first_boards: float = 0, second_boards: float = 0
) -> PairingResult:
    """Read "ab" as a against b, and "a" as a's bye."""
    if len(text) == 1:
        return PairingResult.bye(Pairing(number, 9, text, None))
    return PairingResult(Pairing(number, 1, *text), (first_boards, second_boards))


def by_id(rows: tuple[RankRow, ...]) -> dict[str, RankRow]:
    return {row.entrant: row for row in rows}


FOUR = (
    result(1, "ab", 3, 1),
    result(1, "cd", 2.5, 1.5),
    result(2, "ac", 2, 2),
    result(2, "bd", 4, 0),
    result(3, "ad", 1, 3),
    result(3, "bc", 2, 2),
)


def test_buchholz_adds_the_points_of_all_opponents() -> None:
    rows = by_id(rank_entrants("abcd", FOUR))
    assert {each: row.points for each, row in rows.items()} == {
        "a": 1.5,
        "b": 1.5,
        "c": 2.0,
        "d": 1.0,
    }
    assert rows["a"].buchholz == 1.5 + 2.0 + 1.0
    assert rows["c"].buchholz == 1.0 + 1.5 + 1.5


def test_median_buchholz_leaves_out_the_highest_and_the_lowest() -> None:
    rows = by_id(rank_entrants("abcd", FOUR))
    assert rows["a"].median_buchholz == 1.5
    assert rows["d"].median_buchholz == 1.5


def test_head_to_head_decides_between_two_who_met() -> None:
    rows = rank_entrants("abcd", FOUR)
    assert [(row.place, row.entrant) for row in rows] == [(1, "c"), (2, "a"), (3, "b"), (4, "d")]
    assert by_id(rows)["a"].head_to_head == 1.0
    assert by_id(rows)["b"].head_to_head == 0.0
    assert by_id(rows)["c"].head_to_head is None


def test_head_to_head_is_silent_unless_all_who_are_equal_have_met() -> None:
    rows = rank_entrants("abcd", [result(1, "ab", 3, 1), result(1, "cd", 4, 0)])
    assert all(row.head_to_head is None for row in rows)
    assert [(row.place, row.entrant) for row in rows] == [(1, "c"), (2, "a"), (3, "b"), (4, "d")]


def test_a_circle_of_wins_is_left_to_board_points() -> None:
    circle = [result(1, "ab", 3, 1), result(2, "bc", 4, 0), result(3, "ca", 3, 1)]
    rows = rank_entrants("abc", circle)
    assert {row.head_to_head for row in rows} == {1.0}
    assert [row.entrant for row in rows] == ["b", "a", "c"]


def test_who_is_equal_in_everything_shares_a_place_in_the_order_of_the_draw() -> None:
    rows = rank_entrants("dcba", [result(1, "ab", 2, 2), result(1, "cd", 2, 2)])
    assert [(row.place, row.entrant) for row in rows] == [(1, "d"), (1, "c"), (1, "b"), (1, "a")]


def test_a_bye_scores_as_a_win_and_counts_as_an_opponent_of_own_strength() -> None:
    rows = by_id(rank_entrants("abc", [result(1, "ab", 3, 1), result(1, "c")]))
    assert rows["c"].points == 1.0
    assert rows["c"].byes == 1
    assert rows["c"].played == 0
    assert rows["c"].buchholz == 1.0


def test_a_walkover_is_no_opponent_either() -> None:
    walkover = PairingResult(Pairing(1, 1, "a", "b"), None, awarded_to="a")
    rows = by_id(rank_entrants("ab", [walkover]))
    assert (rows["a"].points, rows["a"].buchholz, rows["a"].byes) == (1.0, 1.0, 1)
    assert (rows["b"].points, rows["b"].buchholz, rows["b"].byes) == (0.0, 0.0, 0)


def test_an_opponent_who_leaves_costs_no_buchholz() -> None:
    left = [result(1, "ab", 3, 1), result(1, "cd", 3, 1), result(2, "ac", 3, 1), result(2, "d")]
    rows = by_id(rank_entrants("abcd", left))
    # b missed round 2: half a point for a.
    assert rows["a"].buchholz == 0.5 + 1.0


def test_before_the_first_result_all_are_first_with_nothing() -> None:
    rows = rank_entrants("ab", [])
    assert [(row.place, row.points, row.buchholz) for row in rows] == [(1, 0.0, 0.0)] * 2


@pytest.mark.parametrize("count", [5, 8, 13])
def test_the_ranking_does_not_depend_on_the_order_of_results(count: int) -> None:
    rng = random.Random(count)
    entrants = [f"e{number:02}" for number in range(count)]
    results: list[PairingResult] = []
    while pairings := Swiss(4).next_pairings(entrants, results):
        for pairing in pairings:
            won = rng.randint(0, 8) / 2
            results.append(
                PairingResult.bye(pairing)
                if pairing.is_bye
                else PairingResult(pairing, (won, 4 - won))
            )
    rows = rank_entrants(entrants, results)
    assert sum(row.points for row in rows) == 4 * ((count + 1) // 2)
    rng.shuffle(results)
    assert rank_entrants(entrants, results) == rows
