"""R-1 and R-2: seats, and how a deal begins."""

import re
from collections.abc import Callable
from random import Random

import pytest

from tarneeb_sdk.game import (
    ALL_CARDS,
    SEATS,
    Card,
    CardSet,
    Phase,
    RulesError,
    Suit,
    deal_out,
    parse_cards,
    partner_of,
    resume_deal,
    right_of,
    rule_set,
    start_deal,
    team_of,
    turn_order,
)
from tests.sdk.game.random_deals import random_hands, seeded

TARNEEB = rule_set("tarneeb")
SYRIAN = rule_set("syrian41")
HANDS = tuple(ALL_CARDS[13 * seat : 13 * seat + 13] for seat in SEATS)


def test_r_1_1_the_seat_on_the_right_has_the_next_number() -> None:
    assert [right_of(seat) for seat in SEATS] == [1, 2, 3, 0]
    assert turn_order(2) == (3, 0, 1, 2)


def test_r_1_2_partners_sit_opposite() -> None:
    assert [partner_of(seat) for seat in SEATS] == [2, 3, 0, 1]
    assert [team_of(seat) for seat in SEATS] == [0, 1, 0, 1]


@pytest.mark.parametrize("dealer", SEATS)
def test_r_2_1_cards_are_dealt_one_at_a_time_from_the_dealers_right(dealer: int) -> None:
    hands = deal_out(ALL_CARDS, dealer=dealer)
    for number, card in enumerate(ALL_CARDS):
        assert hands[turn_order(dealer)[number % 4]][number // 4] is card


def test_r_2_1_each_seat_gets_13_cards_and_each_card_is_dealt_once() -> None:
    dice = seeded()
    for _ in range(100):
        dealer = dice.randrange(4)
        deal = start_deal(TARNEEB, dealer=dealer, hands=random_hands(dice, dealer=dealer))
        assert [len(deal.hand(seat)) for seat in SEATS] == [13] * 4
        assert sum(deal.hand(seat).mask for seat in SEATS) == (1 << 52) - 1


def test_a_deck_of_another_size_is_not_dealt() -> None:
    with pytest.raises(RulesError, match="52 cards, not 51"):
        deal_out(ALL_CARDS[:51], dealer=0)


Hands = tuple[tuple[object, ...], ...]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda hands: hands[:3], "four hands, not 3"),
        (lambda hands: (hands[0][:12], *hands[1:]), "seat 0 has 12 cards, not 13 [R-2.1]"),
        (lambda hands: (*hands[:3], (*hands[3], Card("AS"))), "seat 3 has 14 cards, not 13"),
        (lambda hands: (hands[1], *hands[1:]), "a card is dealt twice [R-1.3]"),
        (lambda hands: ((hands[0][1], *hands[0][1:]), *hands[1:]), "a card is dealt twice"),
        (lambda hands: ((0, *hands[0][1:]), *hands[1:]), "something that is no card"),
        (lambda hands: (("2C", *hands[0][1:]), *hands[1:]), "something that is no card"),
    ],
)
@pytest.mark.parametrize("rules", [TARNEEB, SYRIAN], ids=lambda rules: rules.preset)
def test_hands_that_are_no_deal_are_refused(
    rules: object, change: Callable[[Hands], Hands], reason: str
) -> None:
    with pytest.raises(RulesError, match=re.escape(reason)):
        start_deal(rules, dealer=0, hands=change(HANDS))  # type: ignore[arg-type]


@pytest.mark.parametrize("dealer", [-1, 4, True, "0", None])
def test_the_dealer_is_a_seat(dealer: object) -> None:
    with pytest.raises(RulesError, match="the dealer is a seat"):
        start_deal(TARNEEB, dealer=dealer, hands=HANDS)  # type: ignore[arg-type]


def test_hands_may_be_sets() -> None:
    deal = start_deal(TARNEEB, dealer=0, hands=[CardSet(hand) for hand in HANDS])
    assert deal.dealt == HANDS
    assert deal == start_deal(TARNEEB, dealer=0, hands=HANDS)


def test_without_hands_there_is_an_auction() -> None:
    deal = start_deal(TARNEEB, dealer=0, hands=None)
    assert (deal.phase, deal.turn, deal.dealt) == (Phase.AUCTION, 1, None)
    assert not deal.hands_known
    assert deal.hand(0) == CardSet()


@pytest.mark.parametrize("dealer", SEATS)
def test_r_6_1_the_13th_card_the_dealer_received_is_shown(dealer: int) -> None:
    hands = random_hands(Random(dealer), dealer=dealer)
    deal = start_deal(SYRIAN, dealer=dealer, hands=hands)
    assert deal.revealed is hands[dealer][12]
    assert deal.revealed in deal.hand(dealer)


def test_r_6_1_a_sorted_hand_does_not_tell_the_shown_card() -> None:
    sets = [CardSet(hand) for hand in HANDS]
    with pytest.raises(RulesError, match=r"no order of receipt.*R-6\.1"):
        start_deal(SYRIAN, dealer=0, hands=sets)
    assert start_deal(SYRIAN, dealer=0, hands=sets, revealed=Card("5C")).revealed is Card("5C")


def test_r_6_1_the_shown_card_is_the_dealers() -> None:
    with pytest.raises(RulesError, match="seat 0, does not hold AS"):
        start_deal(SYRIAN, dealer=0, hands=HANDS, revealed=Card("AS"))
    with pytest.raises(RulesError, match="no card is revealed in Tarneeb"):
        start_deal(TARNEEB, dealer=0, hands=HANDS, revealed=Card("2C"))


@pytest.mark.parametrize(
    ("shown", "trump"),
    [("7C", Suit.SPADES), ("7S", Suit.CLUBS), ("7D", Suit.HEARTS), ("7H", Suit.DIAMONDS)],
)
def test_r_6_2_trump_is_the_other_suit_of_the_colour(shown: str, trump: Suit) -> None:
    deal = start_deal(SYRIAN, dealer=0, hands=None, revealed=Card(shown))
    assert deal.trump is trump


def test_a_deal_taken_up_in_the_middle_must_fit_together() -> None:
    good = {
        "dealer": 3,
        "hands": [CardSet(hand) for hand in HANDS],
        "revealed": None,
        "calls": (),
        "trump": None,
        "plays": (),
        "leader": None,
        "tricks": (0, 0, 0, 0),
    }
    for change, reason in (
        ({"hands": [CardSet()] * 4}, "seat 0 holds 13 cards now, not 0"),
        ({"hands": [CardSet(HANDS[0])] * 4}, "are not the deck"),
        ({"tricks": (1, 0, 0, 0)}, "0 tricks have been taken"),
        ({"plays": parse_cards("2C 2D 2H 2S")}, "only a deal that is not over"),
        ({"leader": 0}, "only a deal that is not over"),
        ({"hands": [CardSet(hand) for hand in HANDS[:3]]}, "are not the deck"),
    ):
        with pytest.raises(RulesError, match=reason):
            resume_deal(TARNEEB, **(good | change))  # type: ignore[arg-type]
    shown = good | {"revealed": Card("AS")}
    with pytest.raises(RulesError, match=r"the dealer, seat 0, must hold AS \[R-6\.1\]"):
        resume_deal(SYRIAN, **(shown | {"dealer": 0}))  # type: ignore[arg-type]
    assert resume_deal(SYRIAN, **shown).turn == 0  # type: ignore[arg-type]
