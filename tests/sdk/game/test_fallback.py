"""R-7.2: the moves that the referee makes."""

import pytest

from tarneeb_sdk.game import (
    PASS,
    Bid,
    Call,
    Card,
    NameTrump,
    RulesError,
    Suit,
    fallback_call,
    fallback_card,
    fallback_declaration,
    fallback_move,
    fallback_trump,
    parse_cards,
    parse_hand,
    rule_set,
    start_deal,
)
from tests.sdk.game.random_deals import ALL_PRESETS, random_deal, seeded


@pytest.mark.parametrize(
    ("calls", "fallback"),
    [
        ((), PASS),
        ((PASS, PASS), PASS),
        ((PASS, PASS, PASS), Bid(7)),
        ((Bid(7), PASS, PASS), PASS),
        ((PASS, PASS, Bid(7)), PASS),
    ],
)
def test_r_7_2_tarneeb_passes_but_the_last_seat_with_no_bid_made_bids_7(
    calls: tuple[Call, ...], fallback: Call
) -> None:
    assert fallback_call(calls) is fallback


@pytest.mark.parametrize(
    ("calls", "level"),
    [
        ((), 2),
        ((5,), 2),
        ((5, 5), 2),
        ((2, 2, 2), 5),
        ((2, 3, 2), 4),
        ((5, 5, 5), 2),
        ((3, 3, 3), 2),
    ],
)
def test_r_7_2_syrian_declares_2_and_the_last_seat_brings_the_total_to_11(
    calls: tuple[int, ...], level: int
) -> None:
    assert fallback_declaration(tuple(map(Bid, calls))) is Bid(level)


@pytest.mark.parametrize(
    ("hand", "trump"),
    [
        ("5432.543.543.543", Suit.SPADES),
        ("AKQ.KQJ2.AKQJ.AK", Suit.DIAMONDS),
        ("AKQJ.AKQ2.AKQJ.2", Suit.DIAMONDS),
        ("AK2.AK2.AK2.AKQ2", Suit.CLUBS),
        ("432.5432.AKQ2.65", Suit.DIAMONDS),
        ("5432.5432.32.432", Suit.HEARTS),
    ],
)
def test_r_7_2_trump_is_the_longest_suit_then_the_higher_ranks_then_c_d_h_s(
    hand: str, trump: Suit
) -> None:
    assert fallback_trump(parse_hand(hand)) is trump


@pytest.mark.parametrize(
    ("legal", "trump", "card"),
    [
        ("2C AD", Suit.CLUBS, "AD"),
        ("3C 2D 2S", Suit.HEARTS, "2D"),
        ("2S 2C 2H", Suit.HEARTS, "2C"),
        ("2H 2D", Suit.CLUBS, "2D"),
        ("5S 4S 9S", Suit.SPADES, "4S"),
        ("5S 4S 4C", None, "4C"),
    ],
)
def test_r_7_2_the_weakest_card_is_no_trump_then_the_lowest_then_c_d_h_s(
    legal: str, trump: Suit | None, card: str
) -> None:
    assert fallback_card(parse_cards(legal), trump=trump) is Card(card)


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_r_7_2_is_always_legal(preset: str) -> None:
    dice = seeded()
    for _ in range(50):
        deal = random_deal(rule_set(preset), dice)
        while deal.turn is not None:
            assert deal.can(fallback_move(deal))
            deal.apply(dice.choice(deal.legal_moves()))


def test_a_deal_of_fallbacks_alone_is_played() -> None:
    for preset in ALL_PRESETS:
        deal = random_deal(rule_set(preset), seeded(1))
        while deal.turn is not None:
            deal.apply(fallback_move(deal))
        assert sum(deal.tricks) == 13
        with pytest.raises(RulesError, match="nobody is to move"):
            fallback_move(deal)


def test_there_is_no_fallback_for_cards_that_are_not_known() -> None:
    deal = start_deal(rule_set("tarneeb"), dealer=3, hands=None)
    deal.apply(Bid(13))
    with pytest.raises(RulesError, match="hands are not known"):
        fallback_move(deal)
    deal.apply(NameTrump(Suit.CLUBS))
    with pytest.raises(RulesError, match="hands are not known"):
        fallback_move(deal)
