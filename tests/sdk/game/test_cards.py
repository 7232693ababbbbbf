"""Cards, suits and sets of cards."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk.game import (
    ALL_CARDS,
    SUITS,
    Card,
    CardSet,
    MalformedError,
    Suit,
    format_card,
    format_cards,
    format_hand,
    format_suit,
    parse_card,
    parse_cards,
    parse_hand,
    parse_suit,
)

cards = st.sampled_from(ALL_CARDS)
card_sets = st.frozensets(cards).map(CardSet)


def test_r_1_3_the_pack_has_52_cards_in_the_order_of_their_numbers() -> None:
    assert [int(card) for card in ALL_CARDS] == list(range(52))
    assert " ".join(map(str, ALL_CARDS[:13])) == "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    assert [str(card) for card in ALL_CARDS[::13]] == ["2C", "2D", "2H", "2S"]
    assert (Card("2C"), Card("AS")) == (0, 51)


@given(cards)
def test_a_card_reads_back_what_it_writes(card: Card) -> None:
    assert parse_card(format_card(card)) is card
    assert eval(repr(card)) is card
    assert 13 * card.suit + card.rank == card


@given(st.lists(cards))
def test_cards_read_back_in_their_order(some: list[Card]) -> None:
    assert list(parse_cards(format_cards(some))) == some


@pytest.mark.parametrize("suit", SUITS)
def test_a_suit_reads_back_what_it_writes(suit: Suit) -> None:
    assert parse_suit(format_suit(suit)) is suit
    assert eval(repr(suit)) is suit
    assert f"{suit}" == str(suit) == suit.letter


def test_there_is_one_object_for_each_card() -> None:
    card = Card("TD")
    assert Card(21) is card
    assert Card(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card


def test_a_card_formats_as_text_and_not_as_its_number() -> None:
    assert f"{Card('AS')}|{Card('AS'):>4}" == "AS|  AS"


def test_a_card_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        Card("AS").rank = 3


@pytest.mark.parametrize(
    "text", ["", "A", "AS ", "as", "1S", "10S", "SA", "AX", 52, -1, True, 1.0, None]
)
def test_what_names_no_card_is_malformed(text: object) -> None:
    with pytest.raises(MalformedError, match="is no card"):
        Card(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "s", "NT", "CD", None])
def test_what_names_no_suit_is_malformed(text: object) -> None:
    with pytest.raises(MalformedError, match="is no suit"):
        parse_suit(text)  # type: ignore[arg-type]


def test_a_long_wrong_text_is_cut_in_the_error() -> None:
    with pytest.raises(MalformedError) as caught:
        Card("x" * 10_000)
    assert len(str(caught.value)) < 200


@given(card_sets)
def test_a_set_of_cards_reads_back_what_it_writes(some: CardSet) -> None:
    assert CardSet.from_mask(some.mask) == some
    assert CardSet(str(some)) == some
    assert eval(repr(some)) == some
    assert parse_hand(format_hand(some)) == some
    assert pickle.loads(pickle.dumps(some)) == some


@given(card_sets, card_sets)
def test_a_set_of_cards_is_a_set(one: CardSet, other: CardSet) -> None:
    first, second = set(one), set(other)
    assert set(one | other) == first | second
    assert set(one & other) == first & second
    assert set(one - other) == first - second
    assert len(one) == len(first)
    assert bool(one) == bool(first)
    assert (one == other) == (first == second)
    assert hash(one) == hash(CardSet(one))
    assert all((card in one) == (card in first) for card in ALL_CARDS)


@given(card_sets)
def test_a_set_of_cards_lists_them_by_suit_and_rank(some: CardSet) -> None:
    assert list(some) == sorted(some)
    assert [card for suit in SUITS for card in some.of(suit)] == list(some)
    assert all(some.ranks(suit) == some.of(suit).mask >> 13 * suit for suit in SUITS)


def test_a_number_is_in_no_set_of_cards() -> None:
    assert 51 not in CardSet("AS")
    assert "AS" not in CardSet("AS")


@pytest.mark.parametrize("mask", [-1, 1 << 52])
def test_a_mask_has_52_bits(mask: int) -> None:
    with pytest.raises(MalformedError, match="52 bits"):
        CardSet.from_mask(mask)


@pytest.mark.parametrize("operation", ["__or__", "__and__", "__sub__", "__eq__"])
def test_a_set_of_cards_combines_with_nothing_else(operation: str) -> None:
    assert getattr(CardSet("AS"), operation)({Card("AS")}) is NotImplemented


def test_a_hand_is_written_from_spades_to_clubs() -> None:
    assert str(parse_hand("AK..T7.2")) == "2C 7D TD KS AS"
    assert format_hand(CardSet()) == "..."
    assert format_hand(parse_hand("23456789TJQKA...")) == "AKQJT98765432..."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("AK.T7.2", "is no hand"),
        ("A.K.Q.J.T", "is no hand"),
        ("", "is no hand"),
        ("A1...", "is no rank"),
        ("ak...", "is no rank"),
        (".AA..", "AH stands twice"),
    ],
)
def test_what_is_no_hand_is_malformed(text: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        parse_hand(text)
