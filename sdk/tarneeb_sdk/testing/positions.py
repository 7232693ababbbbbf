"""Views for single decisions, from a hand and what has happened since."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tarneeb_sdk.game import (
    ALL_CARDS,
    SEATS,
    SUITS,
    Card,
    CardSet,
    Game,
    Match,
    NameTrump,
    Phase,
    RulesError,
    RuleSet,
    parse_call,
    parse_cards,
    parse_hand,
    parse_suit,
    rule_set,
    seat_view,
    split_tricks,
    start_deal,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tarneeb_sdk.game import Call, Deal, SeatView, Suit


def view_of(
    hand: str | CardSet,
    *,
    rules: RuleSet | str = "tarneeb",
    dealer: int = 3,
    calls: str = "",
    trump: str | Suit | None = None,
    plays: str = "",
    revealed: str | Card | None = None,
    scores: Sequence[int] | None = None,
) -> SeatView:
    """Make the view of the seat that is to move after some calls and cards.

    Args:
        hand: the 13 cards that this seat was dealt: `"AKQ.J98.T765.432"` (spades, hearts,
            diamonds, clubs), or a set.
        rules: what is played, or a preset's name.
        dealer: who dealt; the seat after it speaks first.
        calls: such as `"P 7 8 P"`, from the dealer's right.
        trump: Tarneeb: what the winner of the auction named, as `"S"` or a suit.
        plays: such as `"AS 2S 5S"`, every card in order.
        revealed: Syrian 41, which needs it: the dealer's shown card, as `"QH"` or a card.
        scores: before the deal; zeros by default.

    Raises:
        RulesError: a part does not parse or breaks a rule, or no deal agrees with all of it.

    >>> view = view_of("AKQ.J98.T765.432", calls="P 7")
    >>> view.seat, view.current_bid, len(view.legal)
    (2, Bid(7), 7)
    """
    chosen = rule_set(rules) if isinstance(rules, str) else rules
    if chosen.game is Game.SYRIAN41 and revealed is None:
        raise RulesError('Syrian 41 needs the dealer\'s shown card: say revealed="7H" [R-6.1]')
    own = parse_hand(hand) if isinstance(hand, str) else hand
    shown = Card(revealed) if isinstance(revealed, str) else revealed
    named = parse_suit(trump) if isinstance(trump, str) else trump
    made = tuple(map(parse_call, calls.split()))
    played = parse_cards(plays)

    match = Match(chosen, first_dealer=dealer, scores=scores)
    auction = start_deal(chosen, dealer=dealer, hands=None, revealed=shown)
    _apply_calls(auction, made, named)
    seat, seats = _seats_of(auction, played)
    hands = _guess_hands(own, seat=seat, dealer=dealer, shown=shown, plays=played, seats=seats)
    _apply_calls(match.start_deal(hands, revealed=shown), made, named)
    for card in played:
        match.apply(card)
    return seat_view(match, seat)


def _apply_calls(deal: Deal, calls: Sequence[Call], trump: Suit | None) -> None:
    for call in calls:
        deal.apply(call)
    if trump is not None and deal.rules.game is Game.TARNEEB:
        deal.apply(NameTrump(trump))


def _seats_of(auction: Deal, plays: Sequence[Card]) -> tuple[int, tuple[int, ...]]:
    """Find who moves next, and who played each card."""
    if auction.turn is None:
        raise RulesError(f"nobody is to move: the deal is {auction.phase.value}")
    if not plays:
        return auction.turn, ()
    if auction.phase is not Phase.PLAY:
        raise RulesError(f"no card can be played yet: the deal waits in {auction.phase.value}")
    if len(plays) >= 52:
        raise RulesError("nobody is to move: all 52 cards are played")
    tricks = split_tricks(plays, leader=auction.turn, trump=auction.trump)
    seats = tuple(seat for trick in tricks for seat in trick.seats)
    last = tricks[-1]
    return last.winner if len(last.cards) == 4 else (seats[-1] + 1) & 3, seats


def _guess_hands(
    own: CardSet,
    *,
    seat: int,
    dealer: int,
    shown: Card | None,
    plays: Sequence[Card],
    seats: Sequence[int],
) -> tuple[CardSet, ...]:
    """Find four hands that agree with a hand, the shown card, and the cards played."""
    if len(own) != 13:
        raise RulesError(f"a hand is dealt 13 cards, not {len(own)}")
    masks = [0, 0, 0, 0]
    for card, player in zip(plays, seats, strict=True):
        if masks[player] >> card & 1:
            raise RulesError(f"{card} is played twice")
        masks[player] |= 1 << card
    if masks[seat] & ~own.mask:
        strange = CardSet.from_mask(masks[seat] & ~own.mask)
        raise RulesError(f"seat {seat} has played {strange}, which is not in its hand")
    masks[seat] = own.mask
    if shown is not None:
        if dealer == seat and shown not in own:
            raise RulesError(f"the hand is the dealer's, and lacks the shown card {shown} [R-6.1]")
        masks[dealer] |= 1 << shown
    for one, other in itertools.combinations(masks, 2):
        if one & other:
            raise RulesError(f"{CardSet.from_mask(one & other)} is in two hands")
    return _deal_rest(masks, void=_voids(plays, seats))


def _voids(plays: Sequence[Card], seats: Sequence[int]) -> set[tuple[int, Suit]]:
    """List which seat has shown that it holds no more of which suit."""
    return {
        (player, plays[place & ~3].suit)
        for place, (card, player) in enumerate(zip(plays, seats, strict=True))
        if card.suit is not plays[place & ~3].suit
    }


def _deal_rest(masks: Sequence[int], *, void: set[tuple[int, Suit]]) -> tuple[CardSet, ...]:
    """Give out the cards that nobody is known to hold, none of a suit that a seat is void in."""
    known = masks[0] | masks[1] | masks[2] | masks[3]
    rest = [
        [card for card in ALL_CARDS if card.suit is suit and not known >> card & 1]
        for suit in SUITS
    ]
    room = [13 - mask.bit_count() for mask in masks]

    def counts_of(number: int, suit: Suit, left: Sequence[int]) -> Iterator[tuple[int, ...]]:
        limits = [0 if (seat, suit) in void else left[seat] for seat in SEATS]
        for counts in itertools.product(*(range(limit, -1, -1) for limit in limits)):
            if sum(counts) == number:
                yield counts

    def fill(suit: int, left: Sequence[int]) -> list[tuple[int, ...]] | None:
        if suit == 4:
            return []
        for counts in counts_of(len(rest[suit]), SUITS[suit], left):
            after = [have - used for have, used in zip(left, counts, strict=True)]
            found = fill(suit + 1, after)
            if found is not None:
                return [counts, *found]
        return None

    plan = fill(0, room)
    if plan is None or min(room) < 0:
        raise RulesError("no deal agrees with the hand and the cards played")
    full = list(masks)
    for cards, counts in zip(rest, plan, strict=True):
        source = iter(cards)
        for seat, count in enumerate(counts):
            for card in itertools.islice(source, count):
                full[seat] |= 1 << card
    return tuple(map(CardSet.from_mask, full))
