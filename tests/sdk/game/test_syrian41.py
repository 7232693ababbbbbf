"""R-6: Syrian 41."""

import pytest

from tarneeb_sdk.game import (
    BIDS,
    PASS,
    Bid,
    Card,
    Declarations,
    Fact,
    IllegalMoveError,
    NameTrump,
    Phase,
    RulesError,
    Suit,
    Syrian41Deal,
    rule_set,
    start_deal,
    syrian41_points,
)

RULES = rule_set("syrian41")


def declared(*levels: int, dealer: int = 3, revealed: str | None = "7H") -> Syrian41Deal:
    shown = None if revealed is None else Card(revealed)
    deal = start_deal(RULES, dealer=dealer, hands=None, revealed=shown)
    assert isinstance(deal, Syrian41Deal)
    for level in levels:
        deal.apply(Bid(level))
    return deal


@pytest.mark.parametrize("dealer", range(4))
def test_r_6_3_declarations_go_round_once_from_the_dealers_right(dealer: int) -> None:
    deal = declared(dealer=dealer)
    turns = []
    while deal.phase is Phase.AUCTION:
        turns.append(deal.turn)
        deal.apply(Bid(3))
    assert turns == [(dealer + place) % 4 for place in (1, 2, 3, 4)]
    assert deal.phase is Phase.PLAY


def test_r_6_3_any_level_from_2_is_legal_whatever_went_before() -> None:
    deal = declared(13, 13)
    assert deal.legal_moves() == BIDS
    deal.apply(Bid(2))
    assert deal.apply(Bid(13)) is Fact.ALL_DECLARED


@pytest.mark.parametrize(
    ("move", "deed"),
    [(PASS, "passed"), (Card("2C"), "played 2C"), (NameTrump(Suit.CLUBS), "named clubs")],
)
def test_r_6_3_nobody_passes(move: object, deed: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        declared().apply(move)  # type: ignore[arg-type]
    assert str(caught.value).startswith(f"seat 0 {deed}; ")
    assert str(caught.value).endswith("it must declare 2 to 13 [R-6.3]")
    assert caught.value.legal == BIDS


@pytest.mark.parametrize("dealer", range(4))
def test_r_6_4_less_than_11_cancels_the_deal(dealer: int) -> None:
    deal = declared(2, 3, 2, dealer=dealer)
    assert deal.apply(Bid(3)) is Fact.CANCELLED
    assert (deal.phase, deal.turn, deal.contract) == (Phase.CANCELLED, None, None)
    with pytest.raises(IllegalMoveError, match=r"the deal is cancelled \[R-6\.4\]"):
        deal.apply(Bid(3))


def test_r_6_4_11_is_enough_and_there_is_no_upper_limit() -> None:
    assert declared(2, 3, 2, 4).phase is Phase.PLAY
    assert declared(13, 13, 13, 13).phase is Phase.PLAY


@pytest.mark.parametrize("dealer", range(4))
def test_r_6_5_the_dealers_right_leads(dealer: int) -> None:
    deal = declared(3, 3, 3, 3, dealer=dealer)
    assert deal.leader == deal.turn == (dealer + 1) % 4


def test_declarations_are_told_by_seat() -> None:
    assert declared(2, 3, 4, 5, dealer=1).contract == Declarations((4, 5, 2, 3), Suit.DIAMONDS)
    assert declared(2, 3, 4, 5, revealed=None).contract == Declarations((2, 3, 4, 5), None)
    assert declared(2, 3, 4).contract is None


@pytest.mark.parametrize(
    ("declarations", "tricks", "points"),
    [
        ((5, 4, 3, 2), (7, 3, 2, 1), (5, -4, -3, -2)),
        ((5, 2, 2, 2), (7, 2, 2, 2), (5, 2, 2, 2)),
        ((13, 2, 2, 2), (13, 0, 0, 0), (13, -2, -2, -2)),
        ((13, 13, 13, 13), (12, 1, 0, 0), (-13, -13, -13, -13)),
        ((2, 2, 2, 7), (0, 3, 3, 7), (-2, 2, 2, 7)),
    ],
)
def test_r_6_6_each_seat_wins_or_loses_what_it_declared(
    declarations: tuple[int, ...], tricks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    assert syrian41_points(declarations=declarations, tricks=tricks) == points


@pytest.mark.parametrize("tricks", [(13, 0, 0), (4, 4, 4, 0), (14, -1, 0, 0)])
def test_r_6_5_tricks_are_those_of_four_seats(tricks: tuple[int, ...]) -> None:
    with pytest.raises(RulesError, match="four numbers that add up to 13"):
        syrian41_points(declarations=(2, 2, 2, 5), tricks=tricks)
