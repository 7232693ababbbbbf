import pytest

from tarneeb_tournaments.pairs import Outcome, pair_result, pair_results
from tarneeb_tournaments.results import MatchRow
from tests.tournaments.kit import made_up


def half1(scores: tuple[int, int], winner: int | None, ending: str = "target") -> MatchRow:
    """Make the first half: e1 is team 0."""
    return made_up.match((1, 1, 1, 1), ("e1", "e2"), scores, winner=winner, ending=ending).row


def half2(scores: tuple[int, int], winner: int | None, ending: str = "target") -> MatchRow:
    """Make the second half: e2 is team 0."""
    return made_up.match((1, 1, 1, 2), ("e2", "e1"), scores, winner=winner, ending=ending).row


CASES = {
    "both won": (half1((41, 20), 0), half2((10, 41), 1), 52, Outcome.FIRST),
    "both lost": (half1((20, 41), 1), half2((41, 10), 0), -52, Outcome.SECOND),
    "one each, more points": (half1((41, 20), 0), half2((41, 30), 0), 10, Outcome.FIRST),
    "one each, fewer points": (half1((41, 40), 0), half2((41, 30), 0), -10, Outcome.SECOND),
    "one each, equal points": (half1((41, 20), 0), half2((41, 20), 0), 0, Outcome.DRAW),
    "both drawn": (half1((7, 7), None, "deals"), half2((9, 9), None, "deals"), 0, Outcome.DRAW),
    "one won, one drawn": (half1((41, 20), 0), half2((9, 9), None, "deals"), 21, Outcome.FIRST),
    # the winner of a match may have fewer points.
    "both won with fewer points": (
        half1((-7, 30), 0, "outright"),
        half2((38, 6), 1, "outright"),
        -69,
        Outcome.SECOND,
    ),
    "one won outright, one lost": (
        half1((-7, 30), 0, "outright"),
        half2((41, 20), 0),
        -58,
        Outcome.SECOND,
    ),
    "forfeited one half": (half1((0, 0), 1, "forfeit"), half2((10, 41), 1), 31, Outcome.SECOND),
    "was given one half": (half1((0, 0), 0, "forfeit"), half2((41, 0), 0), -41, Outcome.FIRST),
    "each forfeited one": (
        half1((0, 0), 0, "forfeit"),
        half2((0, 0), 0, "forfeit"),
        0,
        Outcome.NEITHER,
    ),
    "both never ready": (
        half1((0, 0), None, "forfeit"),
        half2((0, 0), None, "forfeit"),
        0,
        Outcome.NEITHER,
    ),
}


@pytest.mark.parametrize(("first", "second", "difference", "outcome"), CASES.values(), ids=CASES)
def test_two_halves_make_one_result(
    first: MatchRow, second: MatchRow, difference: int, outcome: Outcome
) -> None:
    result = pair_result(first, second)
    assert (result.first, result.second) == ("e1", "e2")
    assert result.key == (1, 1, 1)
    assert result.difference == difference
    assert result.outcome is outcome
    assert result.is_rated is (outcome is not Outcome.NEITHER)


def test_a_board_with_one_match_so_far_is_left_out() -> None:
    keys = [(1, 1, 1, 1), (1, 1, 2, 1), (1, 1, 2, 2), (1, 1, 3, 2), (1, 2, 1, 1), (2, 1, 1, 2)]
    rows = [made_up.match(key, ("e1", "e2") if key[3] == 1 else ("e2", "e1")).row for key in keys]
    assert [result.key for result in pair_results(rows)] == [(1, 1, 2)]
