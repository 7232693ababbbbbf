"""All that a deal can score, and who has won by it, on both engines."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk.game import (
    PRESETS,
    fallback_card,
    fallback_trump,
    match_end,
    parse_card,
    syrian41_points,
    tarneeb_points,
    trick_winner,
    wins_outright,
)
from tarneeb_sdk.game import CardSet as Cards
from tests.oracle import scoring
from tests.oracle.cards import DECK, SUITS, suit_of
from tests.oracle.deal import TarneebDeal
from tests.oracle.fallback import time_out_card, time_out_trump

TARNEEB_PRESETS = [preset for preset in PRESETS if preset != "syrian41"]
TRICKS = [tricks for tricks in product(range(14), repeat=4) if sum(tricks) == 13]


@pytest.mark.parametrize("always", [False, True], ids=["", "defenders_always_score"])
@pytest.mark.parametrize("preset", TARNEEB_PRESETS)
def test_r_5_1_to_r_5_6_every_bid_scores_alike_with_every_number_of_tricks(
    preset: str, always: bool
) -> None:
    """R-5.1, R-5.2, R-5.3, R-5.4, R-5.5 and R-5.6, for each bid, declarer and split of tricks."""
    rules = replace(PRESETS[preset], defenders_always_score=always)
    theirs = scoring.Rules(preset, rules.target, defenders_always_score=always)
    for bid, declarer, tricks in product(range(7, 14), range(4), TRICKS):
        points = tarneeb_points(rules, declarer=declarer, bid=bid, tricks=tricks)
        expected = scoring.tarneeb_points(theirs, declarer=declarer, bid=bid, tricks=[*tricks])
        assert list(points) == expected, (bid, declarer, tricks)
        taken = tricks[declarer] + tricks[(declarer + 2) % 4]
        assert wins_outright(rules, bid=bid, taken=taken) == scoring.wins_outright(
            theirs, declarer=declarer, bid=bid, tricks=[*tricks]
        )


@given(
    declared=st.lists(st.integers(2, 13), min_size=4, max_size=4),
    tricks=st.sampled_from(TRICKS),
)
def test_r_6_6_declarations_score_alike(declared: list[int], tricks: tuple[int, ...]) -> None:
    points = syrian41_points(declarations=declared, tricks=tricks)
    assert list(points) == scoring.syrian_points(declared=declared, tricks=[*tricks])


# Close to the target and to zero is where the rule decides.
SCORE = st.sampled_from([-7, -1, 0, 1, 5, 30, 31, 32, 40, 41, 42, 60, 61, 62]) | st.integers(
    -300, 300
)


@given(data=st.data(), preset=st.sampled_from([*PRESETS]))
def test_r_5_8_and_r_6_7_the_target_is_reached_alike(data: st.DataObject, preset: str) -> None:
    rules = replace(PRESETS[preset], target=data.draw(st.sampled_from([31, 41, 61])))
    number = rules.num_scores
    scores = data.draw(st.lists(SCORE, min_size=number, max_size=number))
    end = match_end(rules, scores, deals_scored=1)
    winner = scoring.winner_by_target(scoring.Rules(preset, rules.target), scores)
    assert (None if end is None else end.winner) == winner


@given(cards=st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True), data=st.data())
def test_r_4_3_a_trick_is_taken_alike(cards: list[str], data: st.DataObject) -> None:
    leader = data.draw(st.integers(0, 3))
    trump = data.draw(st.sampled_from(SUITS))
    deal = TarneebDeal(dealer=0, hands=None)
    deal.trump = trump
    deal.trick = [((leader + place) % 4, card) for place, card in enumerate(cards)]
    plays = [parse_card(card) for card in cards]
    suit = {card.suit.letter: card.suit for card in Cards("2C 2D 2H 2S")}[trump]
    assert trick_winner(plays, leader=leader, trump=suit) == deal.taker_of_trick()


@given(cards=st.sets(st.sampled_from(DECK), min_size=1, max_size=13), trump=st.sampled_from(SUITS))
def test_r_7_2_the_referee_chooses_trump_and_cards_alike(cards: set[str], trump: str) -> None:
    hand = Cards([parse_card(card) for card in cards])
    assert fallback_trump(hand).letter == time_out_trump([*cards])
    suit = {card.suit.letter: card.suit for card in Cards("2C 2D 2H 2S")}[trump]
    assert str(fallback_card(hand, trump=suit)) == time_out_card([*cards], trump)
    assert suit_of(str(fallback_card(hand, trump=suit))) != trump or all(
        suit_of(card) == trump for card in cards
    )
