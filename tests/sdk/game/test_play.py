"""R-4: the play of the cards, and how a move that breaks a rule is refused (R-7.1)."""

import pytest

from tarneeb_sdk.game import (
    ALL_CARDS,
    PASS,
    Bid,
    Card,
    CardSet,
    Deal,
    Fact,
    IllegalMoveError,
    Move,
    NameTrump,
    Phase,
    RulesError,
    Suit,
    parse_cards,
    parse_hand,
    rule_set,
    split_tricks,
    start_deal,
    trick_winner,
    winning_play,
)
from tests.sdk.game.random_deals import play_on, random_deal, seeded

# Seat 1 has no club, seat 2 no diamond.
HANDS = tuple(
    map(
        parse_hand, ("5432.5432.43.432", "876.98.AKQJT985.", "QJT9.QJT6..KQJT9", "AK.AK7.762.A8765")
    )
)


def playing(plays: str = "", *, trump: Suit = Suit.HEARTS) -> Deal:
    """Let seat 0 declare, and make these plays."""
    deal = start_deal(rule_set("tarneeb"), dealer=3, hands=HANDS)
    auction: tuple[Move, ...] = (Bid(7), PASS, PASS, PASS, NameTrump(trump))
    for move in auction + parse_cards(plays):
        deal.apply(move)
    return deal


def refusal(deal: Deal, move: object) -> IllegalMoveError:
    error = deal.verify(move)  # type: ignore[arg-type]
    assert error is not None
    return error


def test_the_hands_of_this_file_are_a_deal() -> None:
    assert sum(hand.mask for hand in HANDS) == CardSet(ALL_CARDS).mask


def test_r_4_1_the_leader_may_play_any_card() -> None:
    assert playing().legal_moves() == tuple(HANDS[0])


def test_r_4_1_but_only_one_that_it_holds() -> None:
    error = refusal(playing(), Card("AS"))
    assert str(error) == "seat 0 played AS; it does not hold that card [R-4.1]"
    assert error.legal == tuple(HANDS[0])


def test_r_4_2_must_follow_suit() -> None:
    deal = playing("2S 6S 9S")
    assert deal.legal_moves() == parse_cards("KS AS")
    error = refusal(deal, Card("7H"))
    assert str(error) == "seat 3 played 7H; it must follow spades (KS, AS) [R-4.2]"
    assert (error.move, error.rule, error.legal) == (Card("7H"), "R-4.2", deal.legal_moves())


def test_r_4_2_a_void_seat_may_play_anything() -> None:
    deal = playing("2C")
    assert deal.legal_moves() == tuple(HANDS[1])
    assert deal.apply(Card("5D")) is Fact.CARD_PLAYED


def test_r_4_2_a_card_once_played_is_gone() -> None:
    deal = playing("2S 6S 9S AS")
    assert str(refusal(deal, Card("AS"))) == "seat 3 played AS; it does not hold that card [R-4.1]"
    deal.apply(Card("KS"))
    assert str(refusal(deal, Card("2S"))) == "seat 0 played 2S; it does not hold that card [R-4.2]"


@pytest.mark.parametrize(
    ("plays", "trump", "winner"),
    [
        ("5H AH 2S KH", Suit.SPADES, 1),
        ("5H AH 2H KH", Suit.SPADES, 0),
        ("5H AC AD AS", Suit.CLUBS, 0),
        ("5H AC AD KC", Suit.SPADES, 3),
        ("2S AH 3S KH", Suit.SPADES, 1),
        ("2C 3C 4C 5C", Suit.CLUBS, 2),
        ("2C AD", Suit.HEARTS, 3),
        ("2C 2H", Suit.HEARTS, 0),
        ("2C", None, 3),
        ("2C 2H AS 3C", None, 2),
    ],
)
def test_r_4_3_the_highest_trump_or_else_the_highest_of_the_led_suit(
    plays: str, trump: Suit | None, winner: int
) -> None:
    assert trick_winner(parse_cards(plays), leader=3, trump=trump) == winner


def test_r_4_3_the_taker_leads_next() -> None:
    deal = playing("2C 8H 9C")
    assert deal.apply(Card("AC")) is Fact.TRICK_TAKEN
    assert (deal.turn, deal.leader, deal.tricks, deal.trick) == (1, 1, (0, 1, 0, 0), ())


def test_r_4_3_a_higher_trump_beats_a_lower_one() -> None:
    assert playing("3D AD 6H 2D", trump=Suit.HEARTS).turn == 2
    assert playing("3D AD 6H 2D", trump=Suit.SPADES).turn == 1


def test_r_4_4_thirteen_tricks_end_the_deal() -> None:
    dice = seeded()
    deal = playing()
    play_on(deal, dice, moves=51)
    assert deal.phase is Phase.PLAY
    assert deal.apply(deal.legal_moves()[0]) is Fact.SCORED
    assert (deal.phase, deal.turn, deal.leader, deal.legal_moves()) == (
        Phase.SCORED,
        None,
        None,
        (),
    )
    assert sum(deal.tricks) == 13
    assert len(deal.plays) == 52
    with pytest.raises(IllegalMoveError, match=r"nobody is to move; the deal is scored \[R-4\.4\]"):
        deal.apply(Card("AS"))


@pytest.mark.parametrize("plays", ["", "2S"])
@pytest.mark.parametrize(
    "move", [PASS, Bid(7), NameTrump(Suit.CLUBS), 0, 51, "AS", None, Suit.CLUBS]
)
def test_only_cards_are_played(move: object, plays: str) -> None:
    error = refusal(playing(plays), move)
    assert "it must play a card [R-4." in str(error)
    with pytest.raises(IllegalMoveError):
        playing(plays).apply(move)  # type: ignore[arg-type]


def test_a_long_wrong_move_is_cut_in_the_refusal() -> None:
    assert len(str(refusal(playing(), "x" * 10_000))) < 150


def test_r_7_1_a_refused_move_changes_nothing() -> None:
    dice = seeded(1)
    for preset in ("tarneeb", "syrian41"):
        deal = random_deal(rule_set(preset), dice)
        while deal.turn is not None:
            before = deal.copy()
            for move in (*ALL_CARDS, PASS, Bid(2), Bid(13), 0, None):
                if not deal.can(move):  # type: ignore[arg-type]
                    with pytest.raises(IllegalMoveError):
                        deal.apply(move)  # type: ignore[arg-type]
            assert deal == before
            deal.apply(dice.choice(deal.legal_moves()))


def test_cards_cannot_be_judged_while_the_hands_are_not_known() -> None:
    deal = start_deal(rule_set("tarneeb"), dealer=3, hands=None)
    for move in (Bid(13), NameTrump(Suit.CLUBS)):
        deal.apply(move)
    assert deal.legal_moves() == ()
    assert str(refusal(deal, Card("AS"))) == "seat 0 played AS; the hands are not known [R-4.1]"


def test_the_unfinished_trick_is_shown() -> None:
    deal = playing("2S 6S 9S AS KS 3S")
    assert (deal.trick, deal.leader, deal.turn) == (parse_cards("KS 3S"), 3, 1)


def test_plays_are_parted_into_tricks() -> None:
    tricks = split_tricks(parse_cards("2C 8H 9C AC AD 2H"), leader=0, trump=Suit.HEARTS)
    assert [(trick.leader, trick.winner, trick.led) for trick in tricks] == [
        (0, 1, Suit.CLUBS),
        (1, 2, Suit.DIAMONDS),
    ]
    assert tricks[1].seats == (1, 2)
    assert tricks[1].cards == parse_cards("AD 2H")


@pytest.mark.parametrize("plays", ["", "2C 3C 4C 5C 6C"])
def test_a_trick_has_one_to_four_cards(plays: str) -> None:
    with pytest.raises(RulesError, match="one to four cards"):
        winning_play(parse_cards(plays), trump=None)


def test_legal_cards_as_a_mask_are_the_legal_moves() -> None:
    dice = seeded(2)
    for preset in ("tarneeb", "syrian41"):
        deal = random_deal(rule_set(preset), dice)
        while deal.turn is not None:
            cards = [move for move in deal.legal_moves() if isinstance(move, Card)]
            assert CardSet.from_mask(deal.legal_mask) == CardSet(cards)
            deal.apply(dice.choice(deal.legal_moves()))
        assert deal.legal_mask == 0


def test_a_copy_is_independent() -> None:
    dice = seeded(3)
    for preset in ("tarneeb", "syrian41"):
        for moves in range(57):
            deal = play_on(random_deal(rule_set(preset), dice), dice, moves=moves)
            twin = deal.copy()
            assert twin == deal
            state = repr(deal), deal.plays, deal.tricks, [deal.hand(seat) for seat in range(4)]
            play_on(twin, dice)
            assert state == (
                repr(deal),
                deal.plays,
                deal.tricks,
                [deal.hand(seat) for seat in range(4)],
            )
            if deal.turn is not None:
                assert twin != deal


def test_deals_are_compared_and_never_hashed() -> None:
    deal = playing()
    assert deal != playing("2S")
    assert deal != start_deal(rule_set("syrian41"), dealer=3, hands=None)
    with pytest.raises(TypeError, match="unhashable"):
        hash(deal)
