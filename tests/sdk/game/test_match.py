"""R-2.2, R-5.8, R-6.7 and R-8: how deals make a match."""

from dataclasses import replace

import pytest

from tarneeb_sdk.game import (
    PASS,
    PRESETS,
    Bid,
    Card,
    Fact,
    IllegalMoveError,
    Match,
    MatchEnd,
    NameTrump,
    Phase,
    RulesError,
    RuleSet,
    Suit,
    Termination,
    match_end,
    next_dealer,
    parse_hand,
    rule_set,
)
from tests.sdk.game.random_deals import ALL_PRESETS, random_hands, random_move, seeded

TARNEEB = rule_set("tarneeb")
SYRIAN = rule_set("syrian41")
ALWAYS = rule_set("tarneeb", defenders_always_score=True)


def end(rules: RuleSet, *scores: int, deals: int = 5) -> MatchEnd | None:
    return match_end(rules, scores, deals_scored=deals)


def won(team: int | None, by: Termination = Termination.TARGET) -> MatchEnd:
    return MatchEnd(team, by)


def cancel(match: Match) -> None:
    """Deal a deal and cancel it."""
    match.start_deal(None)
    call = PASS if match.rules is TARNEEB else Bid(2)
    while match.turn is not None:
        match.apply(call)


def test_r_2_2_after_a_scored_deal_the_dealers_right_deals() -> None:
    assert all(next_dealer(rules, 3, cancelled=False) == 0 for rules in PRESETS.values())


def test_r_3_6_a_cancelled_deal_is_dealt_again_by_the_same_dealer() -> None:
    match = Match(TARNEEB, first_dealer=2)
    cancel(match)
    assert (match.dealer, match.deal_number, match.redeal_number, match.scores) == (2, 1, 1, (0, 0))


def test_r_6_4_a_cancelled_deal_passes_to_the_right_and_is_not_numbered() -> None:
    match = Match(SYRIAN, first_dealer=3)
    cancel(match)
    assert (match.dealer, match.deal_number, match.redeal_number) == (0, 1, 1)
    assert match.scores == (0, 0, 0, 0)


def test_a_cancelled_deal_leaves_a_record() -> None:
    match = Match(TARNEEB, first_dealer=2, scores=(5, -3))
    cancel(match)
    result = match.last_result
    assert result is not None
    assert result.cancelled
    assert (result.deal_number, result.dealer, result.calls) == (1, 2, (PASS,) * 4)
    assert (result.points, result.scores, result.plays) == ((0, 0), (5, -3), ())


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((42, 38), won(0)),
        ((41, 38), won(0)),
        ((40, 38), None),
        ((11, 42), won(1)),
        ((-70, 40), None),
    ],
)
def test_r_5_8_a_team_at_the_target_wins(
    scores: tuple[int, int], expected: MatchEnd | None
) -> None:
    assert end(TARNEEB, *scores) == expected


def test_r_5_8_with_both_at_the_target_the_higher_score_wins_and_equal_plays_on() -> None:
    assert end(ALWAYS, 41, 45) == won(1)
    assert end(ALWAYS, 45, 44) == won(0)
    assert end(ALWAYS, 45, 45) is None


@pytest.mark.parametrize("target", [31, 41, 61])
def test_r_5_8_the_target_is_an_option(target: int) -> None:
    rules = rule_set("tarneeb", target=target)
    assert end(rules, target - 1, 0) is None
    assert end(rules, target, 0) == won(0)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((41, 2, 1, 5), won(0)),
        ((1, 2, 41, 5), won(0)),
        ((42, 3, 0, 4), None),
        ((62, 3, -7, 4), None),
        ((40, 40, 40, 40), None),
        ((0, 50, 0, 1), won(1)),
        ((41, 41, 1, 2), won(1)),
        ((42, 41, 1, 1), won(0)),
        ((41, 41, 1, 1), None),
        ((41, 90, 1, 0), won(0)),
    ],
)
def test_r_6_7_a_seat_at_41_with_a_partner_above_0_qualifies(
    scores: tuple[int, ...], expected: MatchEnd | None
) -> None:
    assert end(SYRIAN, *scores) == expected


def test_r_8_2_a_match_ends_after_200_deals() -> None:
    assert end(TARNEEB, 3, 2, deals=199) is None
    assert end(TARNEEB, 3, 2, deals=200) == won(0, Termination.DEAL_CAP)
    assert end(TARNEEB, 2, 2, deals=200) == won(None, Termination.DEAL_CAP)
    assert end(SYRIAN, 50, 9, -20, 22, deals=200) == won(1, Termination.DEAL_CAP)
    assert end(ALWAYS, 45, 45, deals=200) == won(None, Termination.DEAL_CAP)
    assert end(TARNEEB, 41, 2, deals=200) == won(0)


def test_r_8_3_a_fixed_number_of_deals_decides() -> None:
    rules = rule_set("tarneeb", deals=16)
    assert end(rules, 90, 0, deals=15) is None
    assert end(rules, -3, -2, deals=16) == won(1, Termination.DEALS)
    assert end(rules, 4, 4, deals=16) == won(None, Termination.DEALS)
    assert end(rule_set("syrian41", deals=1), 50, 9, -20, 22, deals=1) == won(1, Termination.DEALS)


def test_r_5_4_a_slam_of_the_outright_preset_wins_there_and_then() -> None:
    """A made 13 wins a match of a fixed number of deals too, whatever the scores."""
    hands = tuple(
        map(
            parse_hand,
            ("AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"),
        )
    )
    for deals in (None, 16):
        rules = rule_set("tarneeb-outright", deals=deals)
        match = Match(rules, first_dealer=3, scores=(-30, 30))
        match.start_deal(hands)
        match.apply(Bid(13))
        match.apply(NameTrump(Suit.SPADES))
        while match.turn is not None:
            match.apply(match.legal_moves()[0])
        assert match.end == MatchEnd(0, Termination.OUTRIGHT)
        assert (match.over, match.winner, match.termination) == (True, 0, Termination.OUTRIGHT)
        assert match.scores == (-17, 30)
        with pytest.raises(RulesError, match="the match is over"):
            match.start_deal(hands)


@pytest.mark.parametrize("rules", [TARNEEB, SYRIAN], ids=lambda rules: rules.preset)
def test_r_8_1_after_20_cancelled_deals_the_last_seat_makes_the_time_out_move(
    rules: RuleSet,
) -> None:
    match = Match(rules, first_dealer=0)
    call = PASS if rules is TARNEEB else Bid(2)
    for cancelled in range(20):
        assert match.cancelled_in_row == cancelled
        match.start_deal(None)
        for _ in range(4):
            assert match.forced_move() is None
            match.apply(call)
    match.start_deal(None)
    for _ in range(3):
        assert match.forced_move() is None
        match.apply(call)
    forced = match.forced_move()
    assert forced is (Bid(7) if rules is TARNEEB else Bid(5))
    match.apply(forced)
    assert match.deal is not None
    assert match.deal.phase is not Phase.CANCELLED


def test_r_8_1_leaves_an_auction_alone_in_which_a_bid_was_made() -> None:
    match = Match(replace(TARNEEB, max_cancelled=0), first_dealer=3)
    match.start_deal(None)
    for call in (Bid(7), PASS, PASS):
        assert match.forced_move() is None
        match.apply(call)
    assert match.forced_move() is None


def test_a_card_without_a_choice_is_forced() -> None:
    dice = seeded()
    match = Match(TARNEEB, first_dealer=0)
    match.start_deal(random_hands(dice, dealer=0))
    while match.turn is not None:
        legal = match.legal_moves()
        assert match.forced_move() is (legal[0] if len(legal) == 1 else None)
        match.apply(dice.choice(legal))
    assert match.forced_move() is None


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_matches_are_booked_deal_by_deal(preset: str) -> None:
    dice = seeded(1)
    for number in range(10):
        rules = replace(rule_set(preset), max_deals=40)
        match = Match(rules, first_dealer=number % 4)
        scored = 0
        while not match.over:
            before, dealer = match.scores, match.dealer
            deal = match.start_deal(random_hands(dice, dealer=dealer))
            fact = Fact.CALLED
            while match.turn is not None:
                fact = match.apply(random_move(deal, dice))
            result = match.last_result
            assert result is not None
            assert result.dealer == dealer
            assert result.deal_number == scored + 1
            assert result.cancelled == (fact is Fact.CANCELLED)
            gained = zip(before, result.points, strict=True)
            assert result.scores == match.scores == tuple(old + new for old, new in gained)
            if not result.cancelled:
                scored += 1
                assert result.points == deal.points()
                assert (result.plays, result.tricks) == (deal.plays, deal.tricks)
                assert (result.bid, result.declarer, result.trump) == (
                    deal.bid,
                    deal.declarer,
                    deal.trump,
                )
            assert match.deals_scored == scored
            assert match.dealer == next_dealer(rules, dealer, cancelled=result.cancelled)


def test_a_match_is_copied_whole() -> None:
    dice = seeded(2)
    match = Match(SYRIAN, first_dealer=1)
    assert match.copy() == match
    deal = match.start_deal(random_hands(dice, dealer=1))
    match.apply(random_move(deal, dice))
    twin = match.copy()
    assert twin == match
    assert twin.deal is not match.deal
    twin.apply(random_move(deal, dice))
    assert twin != match
    assert match != deal
    with pytest.raises(TypeError, match="unhashable"):
        hash(match)


def test_a_refused_move_leaves_the_match_as_it_was() -> None:
    match = Match(TARNEEB, first_dealer=1)
    match.start_deal(None)
    before = match.copy()
    with pytest.raises(IllegalMoveError):
        match.apply(Card("AS"))
    assert match == before


def test_deals_are_dealt_one_after_the_other() -> None:
    match = Match(TARNEEB, first_dealer=1)
    assert (match.turn, match.legal_moves(), match.forced_move()) == (None, (), None)
    with pytest.raises(RulesError, match="no deal is in progress"):
        match.apply(PASS)
    match.start_deal(None)
    with pytest.raises(RulesError, match="a deal is in progress"):
        match.start_deal(None)


@pytest.mark.parametrize("dealer", [-1, 4, None])
def test_the_first_dealer_is_a_seat(dealer: object) -> None:
    with pytest.raises(RulesError, match="the dealer is a seat"):
        Match(TARNEEB, first_dealer=dealer)  # type: ignore[arg-type]


@pytest.mark.parametrize(("rules", "scores"), [(TARNEEB, (0,) * 4), (SYRIAN, (0, 0))])
def test_scores_to_go_on_from_are_as_many_as_the_game_keeps(
    rules: RuleSet, scores: tuple[int, ...]
) -> None:
    with pytest.raises(RulesError, match="keeps"):
        Match(rules, first_dealer=0, scores=scores)


def test_states_tell_where_they_stand() -> None:
    match = Match(TARNEEB, first_dealer=3)
    match.start_deal(None)
    match.apply(PASS)
    deal = "<TarneebDeal tarneeb, dealer 3, auction, turn 1, 1 calls, 0 cards played>"
    assert repr(match) == f"<Match tarneeb, 0 deals scored, scores (0, 0), deal {deal}>"
    assert repr((Phase.PLAY, Fact.SCORED)) == "(Phase.PLAY, Fact.SCORED)"
    assert repr(won(0)) == "MatchEnd(winner=0, termination=Termination.TARGET)"
