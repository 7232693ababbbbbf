import pytest

from tarneeb_tournaments.schedule import Pairing, PairingResult, drawn_order

TABLE = Pairing(1, 1, "a", "b", partners=("c", "d"))


def test_a_pair_event_seats_one_entrant_twice() -> None:
    pairing = Pairing(1, 1, "a", "b")
    assert pairing.seats(1) == ("a", "b", "a", "b")
    assert pairing.seats(2) == ("b", "a", "b", "a")
    assert pairing.sides == (("a",), ("b",))
    assert pairing.entrants == ("a", "b")


def test_an_individual_event_seats_four_and_partners_sit_opposite() -> None:
    assert TABLE.seats(1) == ("a", "b", "c", "d")
    assert TABLE.seats(2) == ("b", "a", "d", "c")
    assert TABLE.sides == (("a", "c"), ("b", "d"))
    assert TABLE.entrants == ("a", "b", "c", "d")


def test_a_bye_has_one_side_and_no_seats() -> None:
    bye = Pairing(1, 1, "a", None)
    assert bye.sides == (("a",),)
    with pytest.raises(ValueError, match="is a bye"):
        bye.seats(1)


def test_there_are_two_halves() -> None:
    with pytest.raises(ValueError, match="halves 1 and 2, not 3"):
        TABLE.seats(3)


@pytest.mark.parametrize(
    ("boards", "points"),
    [((3, 1), (1.0, 0.0)), ((1.5, 2.5), (0.0, 1.0)), ((2, 2), (0.5, 0.5)), ((0, 0), (0.5, 0.5))],
)
def test_more_board_points_win_a_pairing(
    boards: tuple[float, float], points: tuple[float, float]
) -> None:
    assert PairingResult(TABLE, boards).points == points


def test_a_bye_scores_as_a_win() -> None:
    assert PairingResult.bye(Pairing(1, 1, "a", None)).points == (1.0, 0.0)


def test_a_walkover_scores_for_whoever_was_there() -> None:
    assert PairingResult(Pairing(1, 1, "a", "b"), None, awarded_to="b").points == (0.0, 1.0)


def test_the_draw_depends_on_seed_and_ids_alone() -> None:
    entrants = ["e1", "e2", "e3", "e4", "e5"]
    order = drawn_order(entrants, public_seed=b"seed")
    assert sorted(order) == entrants
    assert drawn_order(reversed(entrants), public_seed=b"seed") == order
    assert len({drawn_order(entrants, public_seed=bytes([each])) for each in range(20)}) > 10
