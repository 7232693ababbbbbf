from tarneeb_tournaments.elo import Tally
from tarneeb_tournaments.pairs import BoardKey, Outcome, PairResult
from tarneeb_tournaments.results import PairingRow
from tarneeb_tournaments.schedule import Pairing, PairingResult
from tarneeb_tournaments.stats.crosstable import BoardScore
from tarneeb_tournaments.stats.pair_inputs import (
    board_scores,
    elo_tallies,
    pairing_results,
    sprt_outcomes,
)


def pair(
    board: int, outcome: Outcome, difference: int = 0, *, number: int = 1, names: str = "ab"
) -> PairResult:
    return PairResult(BoardKey(1, number, board), names[0], names[1], difference, outcome)


PAIRS = (
    pair(1, Outcome.FIRST, 12),
    pair(2, Outcome.SECOND, -30),
    pair(3, Outcome.DRAW),
    pair(4, Outcome.NEITHER),
    pair(5, Outcome.FIRST, 4),
)


def test_boards_carry_differences_and_outcomes() -> None:
    assert list(board_scores(PAIRS)) == [
        BoardScore("a", "b", 12, 1.0),
        BoardScore("a", "b", -30, 0.0),
        BoardScore("a", "b", 0, 0.5),
        BoardScore("a", "b", 4, 1.0),
    ]


def test_tallies_count_boards_by_sides() -> None:
    others = (pair(1, Outcome.SECOND, -3, number=2, names="ba"),)
    assert elo_tallies(PAIRS + others) == (
        Tally(("a",), ("b",), 2, 1, 1),
        Tally(("b",), ("a",), 0, 0, 1),
    )


def test_a_test_sees_the_new_bots_results() -> None:
    assert list(sprt_outcomes(PAIRS, new="a")) == [2, 0, 1, 2]
    assert list(sprt_outcomes(PAIRS, new="b")) == [0, 2, 1, 0]


def test_a_pairing_is_scored_by_its_boards() -> None:
    rows = [PairingRow(Pairing(1, 1, "a", "b"))]
    (result,) = pairing_results(rows, PAIRS, scores_byes=True)
    assert result.boards == (2.5, 1.5)
    assert result.points == (1.0, 0.0)


def test_byes_are_scored_where_not_everybody_has_one() -> None:
    bye = Pairing(1, 2, "c", None)
    assert pairing_results([PairingRow(bye)], [], scores_byes=True) == (PairingResult.bye(bye),)
    (result,) = pairing_results([PairingRow(bye)], [], scores_byes=False)
    assert result.points == (0.0, 0.0)


def test_a_pairing_with_a_suspended_entrant_goes_to_the_other() -> None:
    pairing = Pairing(1, 1, "a", "b")
    for suspended, points in ((("a",), (0, 1)), (("b",), (1, 0)), (("a", "b"), (0, 0))):
        (result,) = pairing_results([PairingRow(pairing, suspended)], [], scores_byes=True)
        assert result.points == points
