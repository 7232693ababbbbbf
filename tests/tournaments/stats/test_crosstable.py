import random
from itertools import combinations

from tarneeb_tournaments.stats.crosstable import BoardScore, crosstable, overall_figures


def boards(first: str, second: str, differences: list[int]) -> list[BoardScore]:
    return [
        BoardScore(first, second, each, 1.0 if each > 0 else 0.0 if each < 0 else 0.5)
        for each in differences
    ]


def test_a_cell_and_its_mirror_image_say_the_same() -> None:
    table = crosstable(boards("b", "a", [5, -3, 0, 8, 6]))
    won, lost = table["b", "a"], table["a", "b"]
    assert (won.won, won.drawn, won.lost) == (3, 1, 1)
    assert (lost.won, lost.drawn, lost.lost) == (1, 1, 3)
    assert won.points.value == 3.2 == -lost.points.value
    assert won.points.low is not None
    assert lost.points.high == -won.points.low
    assert won.score.value == 0.7
    assert abs(lost.score.value - 0.3) < 1e-12


def test_who_comes_first_in_a_board_does_not_matter() -> None:
    mixed = boards("a", "b", [5, -3]) + boards("b", "a", [4, 0, -6])
    assert crosstable(mixed) == crosstable(boards("a", "b", [5, -3, -4, 0, 6]))


def test_a_clear_difference_is_significant_and_noise_is_not() -> None:
    table = crosstable(
        boards("a", "b", [9, 12, 7, 15, 10, 11, 8, 9, 13, 10])
        + boards("a", "c", [9, -12, 7, -15, 10, -11, 8, 9, -13, 10])
    )
    assert table["a", "b"].is_significant
    assert table["a", "b"].is_significant_in_table
    assert not table["a", "c"].is_significant


def test_fewer_than_six_boards_are_never_significant() -> None:
    for count in range(2, 8):
        cell = crosstable(boards("a", "b", [30] * (count - 1) + [31]))["a", "b"]
        assert cell.points.low is not None
        assert count == 2 or cell.points.low > 0
        assert cell.is_significant is (count >= 6)


def test_the_whole_table_is_judged_more_strictly_than_a_cell() -> None:
    rng = random.Random(5)
    names = [f"e{number}" for number in range(12)]
    cells = whole = tables = 0
    for _ in range(40):
        played = [
            board
            for one, other in combinations(names, 2)
            for board in boards(one, other, [rng.randint(-40, 40) for _ in range(12)])
        ]
        table = crosstable(played)
        cells += sum(cell.is_significant for cell in table.values()) // 2
        in_table = sum(cell.is_significant_in_table for cell in table.values())
        whole += in_table > 0
        tables += 1
    assert 0.03 < cells / (tables * 66) < 0.07
    assert whole <= 6


def test_overall_figures_cover_all_opponents() -> None:
    overall = overall_figures(boards("a", "b", [4, 6]) + boards("c", "a", [2, 8]))
    assert overall["a"].points.value == 0
    assert overall["a"].points.count == 4
    assert (overall["a"].won, overall["a"].lost) == (2, 2)
    assert overall["c"].points.value == 5


def test_no_boards_give_an_empty_table() -> None:
    assert crosstable([]) == {}
    assert overall_figures([]) == {}


def test_the_order_of_boards_changes_no_digit() -> None:
    rng = random.Random(6)
    # Single boards too, which join the largest group.
    played = [
        board
        for one, other in combinations("abcde", 2)
        for board in boards(one, other, [rng.randint(-40, 40) for _ in range(rng.choice([1, 9]))])
    ]
    table, overall = crosstable(played), overall_figures(played)
    for _ in range(5):
        rng.shuffle(played)
        assert crosstable(played) == table
        assert overall_figures(played) == overall
