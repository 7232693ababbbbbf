"""What a seat may see, and the deals that a bot makes up from it."""

from dataclasses import FrozenInstanceError, fields
from random import Random

import pytest

from tarneeb_sdk.game import (
    ALL_CARDS,
    PASS,
    SEATS,
    Bid,
    Card,
    CardSet,
    Match,
    NameTrump,
    Phase,
    RulesError,
    SeatView,
    Suit,
    deal_from_view,
    parse_cards,
    parse_hand,
    rule_set,
    seat_view,
    start_deal,
)
from tarneeb_sdk.game.view import new_view
from tests.sdk.game.random_deals import (
    ALL_PRESETS,
    match_in_mid_deal,
    play_on,
    random_hands,
    random_move,
    seeded,
)

TARNEEB = rule_set("tarneeb")
SYRIAN = rule_set("syrian41")
HANDS = tuple(
    map(
        parse_hand, ("5432.5432.43.432", "876.98.AKQJT985.", "QJT9.QJT6..KQJT9", "AK.AK7.762.A8765")
    )
)


def view_after(moves: str, *, seat: int, rules: str = "tarneeb") -> SeatView:
    """See the deal of this file after some moves, written as in `7 P P P H 2S`."""
    match = Match(rule_set(rules), first_dealer=3, scores=None)
    match.start_deal(HANDS, revealed=Card("7H") if rules == "syrian41" else None)
    for text in moves.split():
        match.apply(next(move for move in match.legal_moves() if str(move) == text))
    return seat_view(match, seat)


def hidden_from(match: Match, seat: int) -> dict[int, set[Card]]:
    """Find the cards of the other seats that this seat knows nothing of."""
    deal = match.deal
    assert deal is not None
    assert deal.dealt is not None
    public = {*deal.plays, deal.revealed}
    return {other: {*deal.dealt[other]} - public for other in SEATS if other != seat}


def with_other_hidden_cards(match: Match, seat: int, dice: Random) -> Match:
    """Deal the cards that a seat can't see otherwise, and play the same moves again.

    Before the play any cards change hands. Later a card is swapped for one of the same suit, so that
    each seat could still have made its plays.
    """
    deal = match.deal
    assert deal is not None
    assert deal.dealt is not None
    swap: dict[Card, Card] = {}
    cards = sorted(card for held in hidden_from(match, seat).values() for card in held)
    suits = [[card for card in cards if card.suit is suit] for suit in Suit]
    for group in suits if deal.plays else [cards]:
        swap |= dict(zip(group, dice.sample(group, len(group)), strict=True))
    hands = [
        [swap.get(card, card) for card in hand] if other != seat else hand
        for other, hand in enumerate(deal.dealt)
    ]
    twin = Match(match.rules, first_dealer=deal.dealer, scores=match.scores)
    twin.start_deal(hands, revealed=deal.revealed)
    for call in deal.calls:
        twin.apply(call)
    if twin.deal is not None and twin.deal.phase is Phase.TRUMP and deal.trump is not None:
        twin.apply(NameTrump(deal.trump))
    for card in deal.plays:
        twin.apply(card)
    return twin


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_r_1_4_a_view_never_depends_on_hidden_cards(preset: str) -> None:
    """Two deals that differ only in cards a seat can't see give it the same view."""
    dice = seeded()
    different = 0
    for _ in range(1_000):
        match = match_in_mid_deal(rule_set(preset), dice)
        for seat in SEATS:
            twin = with_other_hidden_cards(match, seat, dice)
            different += twin.deal != match.deal
            assert seat_view(twin, seat) == seat_view(match, seat)
            assert repr(seat_view(twin, seat)) == repr(seat_view(match, seat))
    assert different > 3_000


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_r_1_4_a_view_shows_the_own_hand_and_what_is_public(preset: str) -> None:
    dice = seeded(1)
    for _ in range(200):
        match = match_in_mid_deal(rule_set(preset), dice)
        deal = match.deal
        assert deal is not None
        for seat in SEATS:
            view = seat_view(match, seat)
            assert view.hand == deal.hand(seat)
            others = [card for cards in hidden_from(match, seat).values() for card in cards]
            assert CardSet(others) == view.unseen
            assert view.legal == (deal.legal_moves() if deal.turn == seat else ())
            for name in ("dealer", "phase", "turn", "calls", "declarer", "bid", "trump", "plays"):
                assert getattr(view, name) == getattr(deal, name)


def test_there_is_nothing_to_see_before_the_first_deal() -> None:
    match = Match(TARNEEB, first_dealer=0)
    with pytest.raises(RulesError, match="no deal"):
        seat_view(match, 0)
    match.start_deal(None)
    with pytest.raises(RulesError, match="a seat is 0 to 3"):
        seat_view(match, 4)


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_a_deal_that_is_over_is_seen_with_its_own_number_and_scores(preset: str) -> None:
    dice = seeded(2)
    match = Match(rule_set(preset), first_dealer=0)
    for _ in range(5):
        number, dealer, scores = match.deal_number, match.dealer, match.scores
        deal = match.start_deal(random_hands(dice, dealer=dealer))
        while match.turn is not None:
            match.apply(random_move(deal, dice))
        view = seat_view(match, 1)
        assert (view.deal_number, view.dealer, view.scores) == (number, dealer, scores)
        assert (view.legal, view.turn, view.leader) == ((), None, None)
        if match.over:
            break


def test_the_auction_as_a_seat_sees_it() -> None:
    view = view_after("P 7 8 P 9", seat=2)
    assert view.callers == (0, 1, 2, 3, 1)
    assert view.calls_by_seat == ((PASS,), (Bid(7), Bid(9)), (Bid(8),), (PASS,))
    assert view.passed == (0, 3)
    assert (view.current_bid, view.bid, view.highest_bidder, view.declarer) == (Bid(9), 9, 1, None)
    assert view.legal == (PASS, Bid(10), Bid(11), Bid(12), Bid(13))
    assert (view.partner, view.opponents, view.team, view.is_dealer) == (0, (3, 1), 0, False)
    assert not view.is_last_to_call
    assert not view.is_declaring


@pytest.mark.parametrize(
    ("calls", "last"), [("P P P", True), ("P P 7", False), ("P P", False), ("P P P 7", False)]
)
def test_the_last_seat_with_no_bid_made_knows_it(calls: str, last: bool) -> None:
    assert view_after(calls, seat=3).is_last_to_call is last


def test_the_declarations_as_a_seat_sees_them() -> None:
    view = view_after("2 3 4", seat=3, rules="syrian41")
    assert view.declared == (2, 3, 4, None)
    assert view.is_last_to_call
    assert (view.revealed, view.trump, view.first_leader) == (Card("7H"), Suit.DIAMONDS, 0)
    assert view.highest_bidder is None
    assert view_after("7 P", seat=2).declared == (None,) * 4
    assert Card("7H") not in view_after("2 3 4", seat=0, rules="syrian41").unseen


def test_the_play_as_a_seat_sees_it() -> None:
    view = view_after("7 P P P H 2C 8H 9C AC AD 6H", seat=3)
    assert (view.trick, view.led, view.leader) == (parse_cards("AD 6H"), Suit.DIAMONDS, 1)
    assert (view.trick_winner, view.winning_card) == (2, Card("6H"))
    assert view.players == (0, 1, 2, 3, 1, 2)
    assert [trick.winner for trick in view.all_tricks] == [1, 2]
    assert view.played == CardSet("2C 8H 9C AC AD 6H")
    assert view.played_by(1) == parse_cards("8H AD")
    assert view.cards_held == (12, 11, 11, 12)
    assert view.shown_void == ((), (Suit.CLUBS,), (Suit.DIAMONDS,), ())
    assert view.legal == parse_cards("2D 6D 7D")
    assert view.is_declaring is False
    assert view_after("7 P P P H", seat=2).is_declaring is True


def test_before_the_play_nothing_is_played() -> None:
    view = view_after("7 P P P", seat=0)
    assert (view.trick, view.led, view.trick_winner, view.winning_card) == ((), None, None, None)
    assert (view.all_tricks, view.players, view.shown_void) == ((), (), ((),) * 4)
    assert view.cards_held == (13,) * 4
    assert view.first_leader == 0
    assert view_after("7", seat=0).first_leader is None


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_a_deal_made_up_from_a_view_goes_on_as_the_true_one(preset: str) -> None:
    dice = seeded(3)
    for _ in range(300):
        match = match_in_mid_deal(rule_set(preset), dice)
        deal = match.deal
        assert deal is not None
        view = seat_view(match, dice.randrange(4))
        twin = deal_from_view(view, [deal.hand(seat) for seat in SEATS])
        assert (twin.phase, twin.turn, twin.leader, twin.trick) == (
            deal.phase,
            deal.turn,
            deal.leader,
            deal.trick,
        )
        seed = dice.getrandbits(32)
        play_on(twin, Random(seed))
        play_on(deal, Random(seed))
        assert (twin.plays, twin.tricks, twin.phase) == (deal.plays, deal.tricks, deal.phase)
        if deal.phase is Phase.SCORED:
            assert twin.points() == deal.points()


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_a_view_with_guessed_hands_is_rolled_out(preset: str) -> None:
    dice = seeded(4)
    for _ in range(200):
        match = match_in_mid_deal(rule_set(preset), dice)
        assert match.turn is not None
        view = seat_view(match, match.turn)
        unseen = dice.sample(list(view.unseen), len(view.unseen))
        hands = []
        for seat in SEATS:
            shown = view.revealed
            is_held = shown is not None and seat == view.dealer and shown not in view.plays
            known = [shown] if shown is not None and is_held else []
            take = view.cards_held[seat] - len(known)
            guess = [*known, *(unseen.pop() for _ in range(take))] if seat != view.seat else None
            hands.append(view.hand if guess is None else CardSet(guess))
        deal = deal_from_view(view, hands)
        assert deal.legal_moves() == view.legal
        play_on(deal, dice)
        assert deal.over


def test_a_guess_that_contradicts_the_view_is_refused() -> None:
    view = view_after("7 P P P H 2C 8H", seat=2)
    held = [HANDS[0] - CardSet("2C"), HANDS[1] - CardSet("8H"), HANDS[2], HANDS[3]]
    assert deal_from_view(view, held).turn == 2
    for change, reason in (
        (held[:3], "four hands, not 3"),
        ([held[0], held[1], HANDS[3], HANDS[2]], "seat 2 holds"),
        ([HANDS[0], held[1], held[2], held[3]], "seat 0 holds 12 cards now, not 13"),
        (
            [held[0], held[1], held[2], HANDS[3] - CardSet("AS")],
            "seat 3 holds 13 cards now, not 12",
        ),
        ([held[1], held[1], held[2], held[3]], "not the deck"),
    ):
        with pytest.raises(RulesError, match=reason):
            deal_from_view(view, change)


def test_a_guess_must_leave_the_shown_card_with_the_dealer() -> None:
    view = view_after("3 3 3 3", seat=0, rules="syrian41")
    swapped = [HANDS[0], HANDS[3], HANDS[2], HANDS[1]]
    with pytest.raises(RulesError, match="the dealer, seat 3, must hold 7H"):
        deal_from_view(view, swapped)


def test_a_deal_that_is_over_is_not_taken_up() -> None:
    dice = seeded(5)
    match = Match(TARNEEB, first_dealer=3)
    deal = match.start_deal(random_hands(dice, dealer=3))
    match.apply(Bid(13))
    while match.turn is not None:
        match.apply(random_move(deal, dice))
    with pytest.raises(RulesError, match="over"):
        deal_from_view(seat_view(match, 0), [CardSet()] * 4)


def test_a_view_gives_the_legal_moves_with_their_types() -> None:
    calling = view_after("7", seat=1)
    assert (calling.legal_calls, calling.legal_cards) == (calling.legal, ())
    playing = view_after("7 P P P H", seat=0)
    assert (playing.legal_calls, playing.legal_cards) == ((), playing.legal)
    naming = view_after("7 P P P", seat=0)
    assert (naming.legal_calls, naming.legal_cards) == ((), ())


def test_a_view_is_told_in_a_few_lines() -> None:
    assert str(view_after("7 P P P H 2C 8H", seat=2)).splitlines() == [
        "seat 2, tarneeb, play",
        "deal 1, dealer 3, scores 0 0",
        "hand QJT9.QJT6..KQJT9",
        "calls from seat 0: 7 P P P; trump H; seat 0 declares 7",
        "trick from seat 0: 2C 8H; tricks taken 0 0 0 0",
        "played: 2C 8H",
        "legal: 9C TC JC QC KC",
    ]
    told = str(view_after("", seat=1, rules="syrian41"))
    assert "calls from seat 0: none; trump D; the dealer showed 7H" in told
    assert told.endswith("legal: none")


def test_a_view_made_fast_is_one_like_any_other() -> None:
    view = view_after("7 P P P H 2C 8H", seat=2)
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    assert SeatView(**values) == view
    assert new_view(*values.values()) == view
    assert type(view) is SeatView
    with pytest.raises(FrozenInstanceError):
        view.seat = 3  # type: ignore[misc]


def test_all_cards_are_unseen_to_one_that_holds_none() -> None:
    deal = start_deal(SYRIAN, dealer=0, hands=None)
    match = Match(SYRIAN, first_dealer=0)
    match.start_deal(None)
    assert deal.revealed is None
    assert seat_view(match, 1).unseen == CardSet(ALL_CARDS)
