"""R-5: the score of a Tarneeb deal, case by case."""

import pytest

from tarneeb_sdk.game import (
    RulesError,
    add_points,
    rule_set,
    tarneeb_points,
    team_scores,
    wins_outright,
)

PRESETS = ("tarneeb", "tarneeb-31", "tarneeb-outright")


def points(preset: str, bid: int, taken: int, *, always: bool = False) -> tuple[int, int]:
    """Score a deal that seat 2 declared; the same must hold for seat 1, the other way round."""
    rules = rule_set(preset, defenders_always_score=always)
    rest = 13 - taken
    own, other = (taken - taken // 2, taken // 2), (rest - rest // 2, rest // 2)
    tricks = (own[0], other[0], own[1], other[1])
    score = tarneeb_points(rules, declarer=2, bid=bid, tricks=tricks)
    turned = tarneeb_points(rules, declarer=1, bid=bid, tricks=(*tricks[1:], tricks[0]))
    assert turned == score[::-1]
    return score


@pytest.mark.parametrize("preset", PRESETS)
def test_r_5_1_a_made_contract_scores_the_tricks(preset: str) -> None:
    for bid in range(7, 13):
        for taken in range(bid, 13):
            assert points(preset, bid, taken) == (taken, 0)


@pytest.mark.parametrize(("preset", "kaboot"), [*zip(PRESETS, (16, 16, 13), strict=True)])
def test_r_5_2_kaboot(preset: str, kaboot: int) -> None:
    for bid in range(7, 13):
        assert points(preset, bid, 13) == (kaboot, 0)


@pytest.mark.parametrize("preset", PRESETS)
def test_r_5_3_a_failed_contract_costs_the_bid(preset: str) -> None:
    for bid in range(7, 13):
        for taken in range(bid):
            assert points(preset, bid, taken) == (-bid, 13 - taken)


@pytest.mark.parametrize(("preset", "slam"), [*zip(PRESETS, (26, 26, 13), strict=True)])
def test_r_5_4_a_made_bid_of_13(preset: str, slam: int) -> None:
    assert points(preset, 13, 13) == (slam, 0)


@pytest.mark.parametrize(
    ("preset", "loss", "factor"), [("tarneeb", 16, 2), ("tarneeb-31", 16, 1), (PRESETS[2], 13, 1)]
)
def test_r_5_5_a_failed_bid_of_13(preset: str, loss: int, factor: int) -> None:
    for taken in range(13):
        assert points(preset, 13, taken) == (-loss, factor * (13 - taken))


@pytest.mark.parametrize("preset", PRESETS)
def test_r_5_6_defenders_score_when_the_contract_is_made(preset: str) -> None:
    for bid in range(7, 14):
        for taken in range(14):
            plain = points(preset, bid, taken)
            made = taken >= bid
            expected = (plain[0], 13 - taken) if made else plain
            assert points(preset, bid, taken, always=True) == expected


def test_r_5_4_only_the_outright_preset_wins_the_match_by_a_slam() -> None:
    assert [wins_outright(rule_set(name), bid=13, taken=13) for name in PRESETS] == [0, 0, 1]
    outright = rule_set("tarneeb-outright")
    assert not wins_outright(outright, bid=12, taken=13)
    assert not wins_outright(outright, bid=13, taken=12)


def test_r_5_7_scores_may_fall_below_zero() -> None:
    assert add_points((3, 0), (-10, 6)) == (-7, 6)


@pytest.mark.parametrize("preset", PRESETS)
def test_r_5_8_at_most_one_team_gains_without_the_option(preset: str) -> None:
    for bid in range(7, 14):
        for taken in range(14):
            assert min(points(preset, bid, taken)) <= 0


def test_team_scores_add_up_partners() -> None:
    assert team_scores((3, 4)) == (3, 4)
    assert team_scores((1, 20, 300, 4000)) == (301, 4020)


@pytest.mark.parametrize("tricks", [(13, 0, 0), (4, 4, 4, 0), (14, -1, 0, 0)])
def test_tricks_are_those_of_four_seats(tricks: tuple[int, ...]) -> None:
    with pytest.raises(RulesError, match="four numbers that add up to 13"):
        tarneeb_points(rule_set("tarneeb"), declarer=0, bid=7, tricks=tricks)
