"""Counts: tricks in its hand before it speaks, and the cards that have gone while it plays.

Three parts, as a player learns them:

- `count_tricks` counts honours, length and short suits;
- `Memory` keeps what has been played in the deal, and who is out of which suit;
- `Position` takes tricks as cheaply as it can, and leaves the partner's tricks alone.
"""

from __future__ import annotations

import math

from tarneeb_sdk import (
    PASS,
    SUITS,
    Bid,
    Bot,
    Call,
    Card,
    CardSet,
    Game,
    Seating,
    SeatView,
    Suit,
    run,
)

ACE, KING, QUEEN, JACK = 12, 11, 10, 9

# What holdings are worth in tricks, and the tricks of a poor hand with four trumps: `TEAM_BASE`
# together with an average partner, `OWN_BASE` alone. Fitted to some thousand deals that four
# of these bots played, and rounded.
TRUMP_HONOURS = {ACE: 0.9, KING: 0.7, QUEEN: 0.45, JACK: 0.2}
TRUMP_LENGTH = 0.6
SIDE_ACE, SIDE_KING, SIDE_QUEEN = 0.8, 0.6, 0.27
SHORT_SUIT = {0: 1.0, 1: 0.6, 2: 0.25}
TEAM_BASE, OWN_BASE = 5.0, 1.4
# How far the tricks of one seat lie from what was counted: a standard deviation.
OWN_SPREAD = 0.85

ALL_CARDS = (1 << 52) - 1
SUIT_MASKS = tuple(0x1FFF << 13 * suit for suit in SUITS)
# By card: the higher cards of its suit.
HIGHER = tuple(SUIT_MASKS[card // 13] & ALL_CARDS << card + 1 for card in range(52))


def count_tricks(hand: CardSet, trump: Suit) -> float:
    """Count what a hand of 13 cards takes more than a poor hand with four trumps."""
    tricks = 0.0
    for suit in SUITS:
        ranks = hand.ranks(suit)
        length = ranks.bit_count()
        if suit is trump:
            tricks += TRUMP_LENGTH * (length - 4)
            tricks += sum(worth for rank, worth in TRUMP_HONOURS.items() if ranks >> rank & 1)
            continue
        tricks += SHORT_SUIT.get(length, 0.0)
        tricks += SIDE_ACE * (ranks >> ACE & 1)
        # The others need company, or they fall under the ace and the king.
        if length >= 2:
            tricks += SIDE_KING * (ranks >> KING & 1)
        if length >= 3:
            tricks += SIDE_QUEEN * (ranks >> QUEEN & 1)
    return tricks


def chance_of(tricks: int, *, expected: float) -> float:
    """Estimate the chance that a seat takes so many tricks, or more."""
    return 0.5 * (1 + math.erf((expected - tricks + 0.5) / (OWN_SPREAD * math.sqrt(2))))


def beats(card: Card, best: Card, trump: Suit | None) -> bool:
    """Tell whether a card takes the trick from the best one before it [R-4.3]."""
    return card > best if card.suit is best.suit else card.suit is trump


def best_place(trick: tuple[Card, ...], trump: Suit | None) -> int:
    """Find the place of the card that holds the trick."""
    best = 0
    for place in range(1, len(trick)):
        if beats(trick[place], trick[best], trump):
            best = place
    return best


class Memory:
    """What has been played in one deal.

    It reads only the cards that are new since the last time, so a decision costs little. A new
    memory in mid-deal, as after a crash, reads all of them: the view always has them.

    Attributes:
        deal_number: of which deal; a cancelled one has no plays to remember.
        gone: the cards played, as a mask.
        voids: for each seat the suits that it has shown not to hold, bit n for suit n.
    """

    def __init__(self, deal_number: int) -> None:
        self.deal_number = deal_number
        self.gone = 0
        self.voids = [0, 0, 0, 0]
        self._num_read = 0
        self._leader = 0

    def read(self, view: SeatView) -> None:
        """Take in the cards that have been played since the last time."""
        plays = view.plays
        while self._num_read < len(plays):
            place = self._num_read & 3
            if self._num_read == 0:
                self._leader = view.first_leader or 0
            trick = plays[self._num_read - place : self._num_read - place + 4]
            card, led = trick[place], trick[0].suit
            self.gone |= 1 << card
            if card.suit is not led:
                self.voids[(self._leader + place) & 3] |= 1 << led
            if place == 3:
                self._leader = (self._leader + best_place(trick, view.trump)) & 3
            self._num_read += 1


class CountingBot(Bot):
    """Bids what it counts, and remembers what has gone."""

    def __init__(self, seating: Seating) -> None:
        super().__init__(seating)
        self.memory = Memory(deal_number=0)

    def call(self, view: SeatView) -> Call:
        return self.declare(view) if view.rules.game is Game.SYRIAN41 else self.bid(view)

    def bid(self, view: SeatView) -> Call:
        """Bid no more than is needed, as long as the team should take that many tricks."""
        lowest = next((call for call in view.legal_calls if isinstance(call, Bid)), None)
        if lowest is None or view.highest_bidder == view.partner:
            return PASS
        expected = TEAM_BASE + max(count_tricks(view.hand, suit) for suit in SUITS)
        return lowest if lowest.level <= expected else PASS

    def declare(self, view: SeatView) -> Call:
        """Declare what should score most; the last seat can also let the deal go [R-6.4]."""
        assert view.trump is not None
        expected = OWN_BASE + count_tricks(view.hand, view.trump)
        others = sum(level for level in view.declared if level is not None)

        def points(level: int) -> float:
            if view.is_last_to_call and others + level < 11:
                return 0.0
            return level * (2 * chance_of(level, expected=expected) - 1)

        return Bid(max(range(2, 14), key=points))

    def name_trump(self, view: SeatView) -> Suit:
        return max(SUITS, key=lambda suit: count_tricks(view.hand, suit))

    def play(self, view: SeatView) -> Card:
        if self.memory.deal_number != view.deal_number:
            self.memory = Memory(view.deal_number)
        self.memory.read(view)
        position = Position(view, self.memory)
        return position.follow() if view.trick else position.lead()


class Position:
    """A card to choose, and what is known for it."""

    def __init__(self, view: SeatView, memory: Memory) -> None:
        assert view.trump is not None
        self.view = view
        self.voids = memory.voids
        self.trump = view.trump
        self.legal = view.legal_cards
        self.seat = view.seat
        self.right, self.partner, self.left = ((view.seat + step) & 3 for step in (1, 2, 3))
        # What the three others hold.
        self.unseen = ALL_CARDS & ~(memory.gone | view.hand.mask)

    # What is known.

    def is_master(self, card: Card) -> bool:
        """Tell whether nobody else holds a higher card of its suit."""
        return not self.unseen & HIGHER[card]

    def may_hold(self, seat: int, cards: int) -> bool:
        """Tell whether a seat may hold one of some cards of one suit."""
        unseen = self.unseen & cards
        return bool(unseen) and not self.voids[seat] >> (unseen.bit_length() - 1) // 13 & 1

    def may_ruff(self, seat: int, suit: Suit) -> bool:
        """Tell whether a seat is out of a suit, as far as can be seen, and may hold a trump."""
        return not self.may_hold(seat, SUIT_MASKS[suit]) and self.may_hold(
            seat, SUIT_MASKS[self.trump]
        )

    def may_beat(self, seat: int, card: Card, led: Suit) -> bool:
        """Tell whether a seat that plays later may take the trick from a card."""
        if led is not self.trump and self.may_ruff(seat, led):
            return card.suit is not self.trump or self.may_hold(seat, HIGHER[card])
        return card.suit is led and self.may_hold(seat, HIGHER[card])

    def is_quiet(self, card: Card) -> bool:
        """Tell whether no opponent should ruff when this card is led."""
        return not self.may_ruff(self.right, card.suit) and not self.may_ruff(self.left, card.suit)

    # Following.

    def follow(self) -> Card:
        """Win as cheaply as possible, or lose the weakest card."""
        trick = self.view.trick
        led, place = trick[0].suit, best_place(trick, self.trump)
        best, winner = trick[place], (self.seat - len(trick) + place) & 3
        # All of one suit, and rising: the led suit, or trumps.
        winning = [card for card in self.legal if beats(card, best, self.trump)]

        def is_safe(card: Card) -> bool:
            # One opponent at most plays after this seat: the one on the right.
            return len(trick) == 3 or not self.may_beat(self.right, card, led)

        if not winning or (
            winner == self.partner and self.wants_partner_to_win() and is_safe(best)
        ):
            return self.weakest()
        safe = next(filter(is_safe, winning), None)
        if safe is not None:
            return safe
        if len(trick) == 2:
            # Third hand: the last one shall at least pay for the trick.
            return winning[-1] if winning[-1].suit is led else winning[0]
        return self.weakest()

    def wants_partner_to_win(self) -> bool:
        """Tell whether the partner's trick is as good as an own one."""
        if self.view.rules.game is Game.TARNEEB:
            return True
        tricks, declared = self.view.tricks, self.view.declared
        partner_needs = tricks[self.partner] < (declared[self.partner] or 0)
        return partner_needs or tricks[self.seat] >= (declared[self.seat] or 0)

    def weakest(self) -> Card:
        """Choose the card to part with: side cards first, masters and trumps last."""
        return min(
            self.legal, key=lambda card: (card.suit is self.trump, self.is_master(card), card.rank)
        )

    # Leading.

    def lead(self) -> Card:
        """Draw trumps, cash masters, and otherwise lead low from length."""
        trumps = [card for card in self.legal if card.suit is self.trump]
        side = [card for card in self.legal if card.suit is not self.trump]
        if trumps and (not side or self.draws_trumps(len(trumps))):
            if self.is_master(trumps[-1]):
                return trumps[-1]
            if len(trumps) >= 4 or not side:
                return trumps[0]
        quiet = list(filter(self.is_quiet, side))
        masters = list(filter(self.is_master, quiet))
        if masters:
            # The more of a suit is out, the less likely is it that somebody ruffs.
            return max(masters, key=lambda card: self.num_unseen(card.suit))
        return min(quiet or side, key=lambda card: self.lead_order(card, can_ruff=bool(trumps)))

    def draws_trumps(self, num_trumps: int) -> bool:
        """Tell whether to take the opponents' trumps: the declarers do, or who has many."""
        trumps = SUIT_MASKS[self.trump]
        return (self.view.is_declaring or num_trumps >= 4) and (
            self.may_hold(self.right, trumps) or self.may_hold(self.left, trumps)
        )

    def lead_order(self, card: Card, *, can_ruff: bool) -> tuple[bool, bool, int, int]:
        """Order leads, the best first: for the partner to ruff, for oneself, then from length."""
        length = (self.view.hand.mask & SUIT_MASKS[card.suit]).bit_count()
        own_ruff = length == 1 and can_ruff
        return (not self.may_ruff(self.partner, card.suit), not own_ruff, -length, card.rank)

    def num_unseen(self, suit: Suit) -> int:
        """Count the cards of a suit that the others hold."""
        return (self.unseen & SUIT_MASKS[suit]).bit_count()


if __name__ == "__main__":
    run(CountingBot)
