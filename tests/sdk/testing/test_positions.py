from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk.game import (
    ALL_CARDS,
    PASS,
    PRESETS,
    Bid,
    Card,
    CardSet,
    Match,
    Phase,
    RulesError,
    Suit,
    deal_out,
    format_cards,
    format_hand,
    rule_set,
    seat_view,
)
from tarneeb_sdk.testing import view_of

HAND = "AKQ.J98.T765.432"


def test_the_first_to_speak_sits_after_the_dealer() -> None:
    view = view_of(HAND)
    assert (view.seat, view.dealer, view.phase, view.calls) == (0, 3, Phase.AUCTION, ())
    assert format_hand(view.hand) == HAND
    assert view_of(HAND, dealer=1).seat == 2


def test_calls_lead_to_who_speaks_next() -> None:
    view = view_of(HAND, calls="P 7 8 P")
    assert view.seat == 1
    assert view.calls == (PASS, Bid(7), Bid(8), PASS)
    assert view.legal[:2] == (PASS, Bid(9))


def test_trump_and_plays_lead_to_who_plays_next() -> None:
    view = view_of(HAND, calls="7 P P P", trump="S", plays="5H 8H 2H TH 5S 6S")
    assert (view.seat, view.leader) == (1, 3)
    assert view.trick == (Card("5S"), Card("6S"))


def test_a_hand_may_be_a_set_and_trump_a_suit() -> None:
    view = view_of(
        CardSet("AS KS QS JH 9H 8H TD 7D 6D 5D 4C 3C 2C"), calls="7 P P P", trump=Suit.SPADES
    )
    assert (view.seat, view.trump, view.phase) == (0, Suit.SPADES, Phase.PLAY)


def test_syrian_41_shows_the_dealers_card() -> None:
    view = view_of(HAND, rules="syrian41", revealed="2S", calls="3 4")
    assert (view.seat, view.trump, view.revealed) == (2, Suit.CLUBS, Card("2S"))


@st.composite
def positions(draw: st.DrawFn) -> tuple[Match, int]:
    """Play some random moves; give the match and the seat to move."""
    dice = random.Random(draw(st.integers(0, 2**32)))
    match = Match(rule_set(draw(st.sampled_from(sorted(PRESETS)))), first_dealer=dice.randrange(4))
    match.start_deal(deal_out(dice.sample(ALL_CARDS, 52), dealer=match.dealer))
    for _ in range(draw(st.integers(0, 56))):
        before = match.copy()
        match.apply(dice.choice(match.legal_moves()))
        if match.turn is None:
            match = before
            break
    assert match.turn is not None
    return match, match.turn


@given(positions())
def test_any_position_of_a_deal_can_be_written_down(position: tuple[Match, int]) -> None:
    match, seat = position
    view = seat_view(match, seat)
    assert match.deal is not None
    assert match.deal.dealt is not None
    again = view_of(
        CardSet(match.deal.dealt[seat]),
        rules=match.rules,
        dealer=view.dealer,
        calls=" ".join(map(str, view.calls)),
        trump=None if view.trump is None else str(view.trump),
        plays=format_cards(view.plays),
        revealed=view.revealed,
    )
    assert again == replace(view, scores=again.scores)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"calls": "7 7"}, "R-3.2"),
        ({"calls": "P P P P"}, "nobody is to move: the deal is cancelled"),
        ({"calls": "7", "plays": "AS"}, "no card can be played yet"),
        ({"calls": "7 P P P", "trump": "S", "plays": "AS 2C 3S 4S AS"}, "AS is played twice"),
        (
            {"calls": "7 P P P", "trump": "S", "plays": "AS KS 3S 4S"},
            "KS is in two hands",
        ),
        (
            {"calls": "7 P P P", "trump": "S", "plays": "2S 3S 4S 5S 6S"},
            "seat 3 has played|seat 0 has played",
        ),
        ({"rules": "syrian41"}, 'say revealed="7H"'),
        ({"rules": "syrian41", "calls": "3 3 3 3", "plays": "AS"}, 'say revealed="7H"'),
        ({"rules": "syrian41", "calls": "3 3 3", "revealed": "2S"}, "lacks the shown card 2S"),
        ({"rules": "tarneb"}, "did you mean tarneeb"),
        ({"calls": "x"}, "is no call"),
        ({"hand": "AKQ.J98.T765.43"}, "13 cards, not 12"),
    ],
)
def test_what_no_deal_agrees_with_is_refused(arguments: dict[str, str], text: str) -> None:
    hand = arguments.pop("hand", HAND)
    with pytest.raises(RulesError, match=text):
        view_of(hand, **arguments)  # type: ignore[arg-type]
