"""R-3: the auction of Tarneeb."""

import pytest

from tarneeb_sdk.game import (
    BIDS,
    PASS,
    TRUMPS,
    Bid,
    Call,
    Card,
    Contract,
    Fact,
    IllegalMoveError,
    NameTrump,
    Phase,
    RulesError,
    Suit,
    TarneebDeal,
    callers,
    parse_call,
    rule_set,
    start_deal,
)

RULES = rule_set("tarneeb")


def auction(calls: str, *, dealer: int = 3) -> TarneebDeal:
    """Make the calls, written as in `7 P 8`."""
    deal = start_deal(RULES, dealer=dealer, hands=None)
    assert isinstance(deal, TarneebDeal)
    for text in calls.split():
        deal.apply(parse_call(text))
    return deal


@pytest.mark.parametrize("dealer", range(4))
def test_r_3_1_the_dealers_right_calls_first(dealer: int) -> None:
    assert auction("", dealer=dealer).turn == (dealer + 1) % 4


def test_r_3_1_turns_skip_the_seats_that_passed() -> None:
    deal = auction("P 7 8 P")
    assert deal.turn == 1
    deal.apply(Bid(9))
    assert deal.turn == 2


@pytest.mark.parametrize("level", range(7, 14))
def test_r_3_2_a_bid_is_7_to_13(level: int) -> None:
    assert auction("").can(Bid(level))


@pytest.mark.parametrize("level", range(2, 7))
def test_r_3_2_less_than_7_is_refused(level: int) -> None:
    error = auction("").verify(Bid(level))
    assert error is not None
    assert str(error) == f"seat 0 bid {level}; it must pass or bid 7 to 13 [R-3.2]"
    assert error.legal == (PASS, *BIDS[5:])


@pytest.mark.parametrize("level", [7, 8])
def test_r_3_2_a_bid_must_be_higher_than_the_last(level: int) -> None:
    with pytest.raises(
        IllegalMoveError,
        match=rf"seat 1 bid {level}; it must pass or bid higher than 8, at most 13 \[R-3\.2\]",
    ):
        auction("8").apply(Bid(level))


def test_r_3_2_a_partner_may_be_overbid() -> None:
    deal = auction("7 P 8 P P")
    assert deal.contract == Contract(2, 8, None)


def test_r_3_3_a_pass_is_final() -> None:
    deal = auction("P 7 8 P 9 10")
    assert deal.turn == 1
    assert callers(deal.calls, dealer=3) == (0, 1, 2, 3, 1, 2)


def test_r_3_4_the_auction_ends_when_one_that_bid_is_left() -> None:
    deal = auction("7 P 8 P 9")
    assert deal.phase is Phase.AUCTION
    assert deal.apply(PASS) is Fact.AUCTION_WON
    assert (deal.phase, deal.turn, deal.declarer, deal.bid) == (Phase.TRUMP, 0, 0, 9)


def test_r_3_4_a_bid_of_13_ends_it_at_once() -> None:
    deal = auction("7")
    assert deal.apply(Bid(13)) is Fact.AUCTION_WON
    assert deal.contract == Contract(1, 13, None)


@pytest.mark.parametrize("move", [PASS, Bid(13)])
def test_r_3_4_nothing_is_called_after_it(move: Call) -> None:
    error = auction("13").verify(move)
    assert error is not None
    assert error.rule == "R-3.4"
    assert error.legal == TRUMPS


def test_r_3_5_the_fourth_seat_still_speaks() -> None:
    deal = auction("P P P")
    assert (deal.phase, deal.turn) == (Phase.AUCTION, 3)
    assert deal.legal_moves() == (PASS, *BIDS[5:])
    assert deal.apply(Bid(7)) is Fact.AUCTION_WON


def test_r_3_6_four_passes_cancel_the_deal() -> None:
    deal = auction("P P P")
    assert deal.apply(PASS) is Fact.CANCELLED
    assert (deal.phase, deal.turn, deal.contract, deal.bid) == (Phase.CANCELLED, None, None, None)
    assert deal.legal_moves() == ()
    with pytest.raises(RulesError, match="its phase is cancelled"):
        deal.points()
    with pytest.raises(IllegalMoveError, match=r"the deal is cancelled \[R-3\.6\]"):
        deal.apply(Bid(7))


@pytest.mark.parametrize("suit", list(Suit))
def test_r_3_7_the_winner_names_trump_and_leads(suit: Suit) -> None:
    deal = auction("P P 8 P")
    assert deal.legal_moves() == TRUMPS
    assert deal.apply(NameTrump(suit)) is Fact.TRUMP_NAMED
    assert (deal.phase, deal.trump, deal.turn, deal.leader) == (Phase.PLAY, suit, 2, 2)
    assert deal.contract == Contract(2, 8, suit)


@pytest.mark.parametrize("move", [Card("2C"), Suit.CLUBS, 66, "C", None])
def test_r_3_7_only_a_naming_of_trump_names_it(move: object) -> None:
    deal = auction("13")
    with pytest.raises(IllegalMoveError, match=r"must name trump \(C, D, H or S\) \[R-3\.7\]"):
        deal.apply(move)  # type: ignore[arg-type]


@pytest.mark.parametrize("move", [Card("2C"), NameTrump(Suit.CLUBS), 52, 59, None])
def test_only_calls_are_made_in_the_auction(move: object) -> None:
    with pytest.raises(IllegalMoveError, match=r"it must pass or bid 7 to 13 \[R-3\.2\]"):
        auction("").apply(move)  # type: ignore[arg-type]


def test_the_highest_bid_and_its_bidder_are_known_during_the_auction() -> None:
    deal = auction("7 P 8")
    assert (deal.bid, deal.highest_bidder, deal.declarer, deal.contract) == (8, 2, None, None)


def test_calls_after_all_have_passed_have_no_caller() -> None:
    with pytest.raises(RulesError, match=r"R-3\.6"):
        callers((PASS,) * 5, dealer=0)
