import itertools
from collections import Counter

import pytest

from tarneeb_referee.deals import DealSource, shuffled_deck, turn_id
from tarneeb_sdk.game import ALL_CARDS, format_cards, rule_set
from tests.referee.kit import SECRET

SOURCE = DealSource(SECRET, "seed")
FIRST = {"round_": 1, "pairing": 1, "board": 1, "deal_number": 1, "redeal_number": 0}


def test_a_fixed_secret_gives_fixed_hands() -> None:
    hands = SOURCE.deal(**FIRST)
    # Computed by a second program, from the description in docs/explanation/deals.md alone.
    assert [format_cards(hand) for hand in hands] == [
        "JD 9S TS 6S 3H 3C 3S 7S JC 7D 6D KC AH",
        "9H 8C TC 2S 5D 6H 2H KH QH TD 4D 9C QD",
        "QS AS 7H 8H KS 2C JS AD KD 9D 2D 4H 3D",
        "4C 5S 8D JH 7C TH 8S 4S 5H 5C AC QC 6C",
    ]


def test_other_things_drawn_from_a_fixed_secret_are_fixed() -> None:
    assert [SOURCE.first_dealer(round_=1, pairing=1, board=board) for board in range(1, 13)] == [
        1,
        0,
        1,
        2,
        0,
        3,
        2,
        3,
        2,
        0,
        1,
        2,
    ]
    assert (
        SOURCE.bot_seed(round_=1, pairing=1, half=1, seat=0).hex()
        == "c06590dbbe0b7041eb02e3e93f6edbd3"
    )
    assert SOURCE.table_id(round_=1, pairing=1, half=1, board=1) == 192897292381


def test_a_deal_is_every_card_once() -> None:
    for number in range(1, 50):
        hands = SOURCE.deal(**{**FIRST, "deal_number": number})
        assert sorted(itertools.chain(*hands)) == list(ALL_CARDS)
        assert [len(hand) for hand in hands] == [13] * 4


@pytest.mark.parametrize("part", FIRST)
def test_every_part_of_its_name_makes_another_deal(part: str) -> None:
    assert SOURCE.deal(**{**FIRST, part: FIRST[part] + 1}) != SOURCE.deal(**FIRST)


def test_secret_and_public_seed_make_other_deals() -> None:
    deals = {
        source.deal(**FIRST)
        for source in (SOURCE, DealSource(bytes(32), "seed"), DealSource(SECRET, "seed2"))
    }
    assert len(deals) == 3


def test_names_that_read_alike_side_by_side_are_different_deals() -> None:
    one = DealSource(SECRET, "s").deal(**{**FIRST, "round_": 1, "pairing": 11})
    other = DealSource(SECRET, "s").deal(**{**FIRST, "round_": 11, "pairing": 1})
    assert one != other
    assert DealSource(SECRET, 's",1').deal(**FIRST) != DealSource(SECRET, "s").deal(**FIRST)


def test_what_bots_are_given_comes_from_other_names_than_the_deals() -> None:
    place = {"round_": 1, "pairing": 1}
    seeds = {SOURCE.bot_seed(**place, half=half, seat=seat) for half in (1, 2) for seat in range(4)}
    ids = {SOURCE.table_id(**place, half=half, board=board) for half in (1, 2) for board in (1, 2)}
    assert len(seeds) == 8
    assert len(ids) == 4


def test_table_ids_fit_into_turn_ids() -> None:
    ids = [SOURCE.table_id(round_=1, pairing=1, half=1, board=board) for board in range(5000)]
    assert len(set(ids)) == 5000
    assert min(ids) > 0
    assert max(ids) < 1 << 48
    assert turn_id(max(ids), (1 << 24) - 1) < 1 << 64
    with pytest.raises(ValueError, match="turn number 16777216"):
        turn_id(1, 1 << 24)


def test_no_match_has_more_turns_than_there_are_turn_ids() -> None:
    # The most that rules may allow: every deal is cancelled as often as can be but for the last.
    most = rule_set("tarneeb", max_cancelled=1000, max_deals=200)
    calls_a_seat = 13
    deals = most.max_deals * (most.max_cancelled + 1)
    assert deals * (calls_a_seat + 14) < 1 << 24


def test_the_secret_is_not_shown() -> None:
    assert SECRET.hex() not in repr(SOURCE)
    assert str(SECRET) not in repr(SOURCE)


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        DealSource(bytes(length), "seed")


def test_every_card_is_as_likely_in_every_place() -> None:
    rounds = 4000
    counts = Counter(
        (place, card)
        for number in range(rounds)
        for place, card in enumerate(shuffled_deck(number.to_bytes(4, "big")))
    )
    expected = rounds / 52
    chi_square = sum(
        (counts[place, card] - expected) ** 2 / expected
        for place in range(52)
        for card in ALL_CARDS
    )
    # 51 * 51 degrees of freedom: mean 2601, standard deviation 72. The seeds are fixed, so this
    # passes always or never.
    assert 2601 - 4 * 72 < chi_square < 2601 + 4 * 72


def test_every_order_of_the_last_three_cards_is_as_likely() -> None:
    rounds = 6000
    orders = Counter(
        tuple(sorted(range(3), key=shuffled_deck(number.to_bytes(4, "big"))[:3].__getitem__))
        for number in range(rounds)
    )
    chi_square = sum((count - rounds / 6) ** 2 / (rounds / 6) for count in orders.values())
    assert len(orders) == 6
    # 5 degrees of freedom: 20.5 is passed once in a thousand.
    assert chi_square < 20.5
