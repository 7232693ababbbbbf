"""What one seat may see of its match, and what follows from that [R-1.4]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, make_dataclass
from typing import Any

from tarneeb_sdk.game.auction import callers
from tarneeb_sdk.game.card_set import ALL_CARDS_MASK, CardSet, format_hand
from tarneeb_sdk.game.cards import SUITS, Card, Suit, format_cards
from tarneeb_sdk.game.deal import Deal
from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.match import Match
from tarneeb_sdk.game.moves import Bid, Call, Move, NameTrump, Pass
from tarneeb_sdk.game.phases import Phase
from tarneeb_sdk.game.rules import Game, RuleSet
from tarneeb_sdk.game.seats import SEATS, Seat, Team, partner_of, right_of, team_of
from tarneeb_sdk.game.start import resume_deal
from tarneeb_sdk.game.tricks import Trick, play_seats, split_tricks, trick_winner

__all__ = ["SeatView", "deal_from_view", "new_view", "seat_view"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """All that one seat knows of its match and of the deal in progress.

    Attributes:
        seat: whose view it is.
        rules: what is played.
        deal_number: 1 for the first deal of the match.
        dealer: who dealt this deal.
        scores: before this deal: two teams, or four seats in Syrian 41.
        phase: what the deal waits for, or how it ended.
        turn: who must move; `None` once the deal is over.
        hand: the cards that the seat still holds.
        calls: from the dealer's right; who has passed is skipped [R-3.1, R-3.3].
        declarer: Tarneeb: who won the auction, once it is won.
        bid: Tarneeb: the level of the last bid, if there is one.
        trump: once known.
        revealed: Syrian 41: the card that the dealer has shown [R-6.1].
        plays: every card played in this deal, in order.
        leader: who led the current trick or leads the next one; `None` outside play.
        tricks: taken, by seat.
        legal: what the seat may do, in the order of `Deal.legal_moves`; empty when it is not
            its turn.
    """

    seat: Seat
    rules: RuleSet
    deal_number: int
    dealer: Seat
    scores: tuple[int, ...]
    phase: Phase
    turn: Seat | None
    hand: CardSet
    calls: tuple[Call, ...]
    declarer: Seat | None
    bid: int | None
    trump: Suit | None
    revealed: Card | None
    plays: tuple[Card, ...]
    leader: Seat | None
    tricks: tuple[int, int, int, int]
    legal: tuple[Move, ...]

    def __str__(self) -> str:
        """Tell the view in a few lines, for logs and error messages."""
        calls = " ".join(map(str, self.calls)) or "none"
        scores = " ".join(map(str, self.scores))
        lines = [
            f"seat {self.seat}, {self.rules.preset}, {self.phase.value}",
            f"deal {self.deal_number}, dealer {self.dealer}, scores {scores}",
            f"hand {format_hand(self.hand)}",
            f"calls from seat {right_of(self.dealer)}: {calls}",
        ]
        if self.trump is not None:
            lines[-1] += f"; trump {self.trump}"
        if self.declarer is not None:
            lines[-1] += f"; seat {self.declarer} declares {self.bid}"
        if self.revealed is not None:
            lines[-1] += f"; the dealer showed {self.revealed}"
        if self.phase is Phase.PLAY:
            trick = format_cards(self.trick) or "none yet"
            taken = " ".join(map(str, self.tricks))
            lines.append(f"trick from seat {self.leader}: {trick}; tricks taken {taken}")
        if self.plays:
            lines.append(f"played: {format_cards(self.plays)}")
        lines.append(f"legal: {' '.join(map(str, self.legal)) or 'none'}")
        return "\n".join(lines)

    # Seats and scores.

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return partner_of(self.seat)

    @property
    def opponents(self) -> tuple[Seat, Seat]:
        """The seat on the right and the seat on the left."""
        return (right_of(self.seat), partner_of(right_of(self.seat)))

    @property
    def team(self) -> Team:
        """The seat's team."""
        return team_of(self.seat)

    @property
    def is_dealer(self) -> bool:
        """Whether the seat dealt this deal."""
        return self.seat == self.dealer

    @property
    def is_declaring(self) -> bool:
        """Whether the seat's team won the auction; `False` in Syrian 41."""
        return self.declarer is not None and team_of(self.declarer) == self.team

    # The auction.

    @property
    def callers(self) -> tuple[Seat, ...]:
        """Who made each of the calls."""
        return callers(self.calls, dealer=self.dealer)

    @property
    def calls_by_seat(self) -> tuple[tuple[Call, ...], ...]:
        """The calls of each seat, in order."""
        made = list(zip(self.callers, self.calls, strict=True))
        return tuple(tuple(call for caller, call in made if caller == seat) for seat in SEATS)

    @property
    def passed(self) -> tuple[Seat, ...]:
        """The seats that have passed, in the order of their passes."""
        return tuple(
            caller
            for caller, call in zip(self.callers, self.calls, strict=True)
            if isinstance(call, Pass)
        )

    @property
    def current_bid(self) -> Bid | None:
        """The last bid made; in Syrian 41 the last declaration."""
        return next((call for call in reversed(self.calls) if isinstance(call, Bid)), None)

    @property
    def highest_bidder(self) -> Seat | None:
        """Tarneeb: who made the last bid."""
        if self.rules.game is not Game.TARNEEB:
            return None
        made = list(zip(self.callers, self.calls, strict=True))
        return next((who for who, call in reversed(made) if isinstance(call, Bid)), None)

    @property
    def is_last_to_call(self) -> bool:
        """Whether the seat is the fourth to call, and the three before it settled nothing.

        Tarneeb: the others have passed, so a pass cancels the deal [R-3.5]. Syrian 41: the seat
        declares last and knows the other declarations [R-6.4].
        """
        if self.phase is not Phase.AUCTION or self.turn != self.seat or len(self.calls) != 3:
            return False
        return self.rules.game is Game.SYRIAN41 or self.current_bid is None

    @property
    def declared(self) -> tuple[int | None, ...]:
        """Syrian 41: the declaration of each seat, `None` where it has not spoken."""
        levels: list[int | None] = [None] * 4
        if self.rules.game is Game.SYRIAN41:
            for caller, call in zip(self.callers, self.calls, strict=True):
                levels[caller] = call.level if isinstance(call, Bid) else None
        return tuple(levels)

    @property
    def legal_calls(self) -> tuple[Call, ...]:
        """The calls in `legal`; none outside the auction."""
        return tuple(move for move in self.legal if isinstance(move, Bid | Pass))

    # The play.

    @property
    def legal_cards(self) -> tuple[Card, ...]:
        """The cards in `legal`; none outside play."""
        return self.legal if self.phase is Phase.PLAY else ()  # type: ignore[return-value]

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the unfinished trick, in the order of play."""
        unfinished = len(self.plays) & 3
        return self.plays[-unfinished:] if unfinished else ()

    @property
    def led(self) -> Suit | None:
        """The suit led to the unfinished trick; `None` when the next card leads."""
        trick = self.trick
        return trick[0].suit if trick else None

    @property
    def trick_winner(self) -> Seat | None:
        """Who holds the best card of the unfinished trick."""
        trick = self.trick
        if not trick or self.leader is None:
            return None
        return trick_winner(trick, leader=self.leader, trump=self.trump)

    @property
    def winning_card(self) -> Card | None:
        """The best card of the unfinished trick."""
        winner = self.trick_winner
        if winner is None or self.leader is None:
            return None
        return self.trick[(winner - self.leader) & 3]

    @property
    def first_leader(self) -> Seat | None:
        """Who leads, or led, to the first trick; `None` while that is open [R-3.7, R-6.5]."""
        if self.rules.game is Game.SYRIAN41:
            return right_of(self.dealer)
        return self.declarer

    @property
    def all_tricks(self) -> tuple[Trick, ...]:
        """Every trick of this deal with its leader and taker; the last may be unfinished."""
        first = self.first_leader
        if first is None or not self.plays:
            return ()
        return split_tricks(self.plays, leader=first, trump=self.trump)

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who played each of the cards."""
        first = self.first_leader
        if first is None or not self.plays:
            return ()
        return tuple(play_seats(self.plays, leader=first, trump=self.trump))

    @property
    def played(self) -> CardSet:
        """The cards that have been played."""
        return CardSet(self.plays)

    def played_by(self, seat: Seat) -> tuple[Card, ...]:
        """List what one seat has played, in order."""
        players = zip(self.players, self.plays, strict=True)
        return tuple(card for player, card in players if player == seat)

    @property
    def cards_held(self) -> tuple[int, int, int, int]:
        """How many cards each seat still holds."""
        rounds, begun = divmod(len(self.plays), 4)
        counts = [13 - rounds] * 4
        if self.leader is not None:
            for place in range(begun):
                counts[(self.leader + place) & 3] -= 1
        return (counts[0], counts[1], counts[2], counts[3])

    @property
    def unseen(self) -> CardSet:
        """The cards whose holder the seat does not know.

        They are neither in its hand nor played, nor the shown card of Syrian 41, which the dealer
        is known to hold.
        """
        known = self.hand.mask | self.played.mask
        if self.revealed is not None:
            known |= 1 << self.revealed
        return CardSet.from_mask(ALL_CARDS_MASK & ~known)

    @property
    def shown_void(self) -> tuple[tuple[Suit, ...], ...]:
        """For each seat, the suits that it has shown not to hold by not following [R-4.2]."""
        shown: list[set[Suit]] = [set(), set(), set(), set()]
        led = SUITS[0]
        for place, (player, card) in enumerate(zip(self.players, self.plays, strict=True)):
            if place & 3 == 0:
                led = card.suit
            elif card.suit is not led:
                shown[player].add(led)
        return tuple(tuple(suit for suit in SUITS if suit in suits) for suits in shown)


# A frozen class sets each field through `object.__setattr__`: 1.9 us for a view. Its twin has the
# same slots and is not frozen; filling that and giving it its class takes a fifth of the time.
_Draft: Any = make_dataclass("_Draft", [field.name for field in fields(SeatView)], slots=True)


def new_view(  # noqa: PLR0917 - keywords would cost as much as they explain
    seat: Seat,
    rules: RuleSet,
    deal_number: int,
    dealer: Seat,
    scores: tuple[int, ...],
    phase: Phase,
    turn: Seat | None,
    hand: CardSet,
    calls: tuple[Call, ...],
    declarer: Seat | None,
    bid: int | None,
    trump: Suit | None,
    revealed: Card | None,
    plays: tuple[Card, ...],
    leader: Seat | None,
    tricks: tuple[int, int, int, int],
    legal: tuple[Move, ...],
) -> SeatView:
    """Make a view faster than by its class; the arguments are its attributes in their order."""
    view = _Draft(
        seat,
        rules,
        deal_number,
        dealer,
        scores,
        phase,
        turn,
        hand,
        calls,
        declarer,
        bid,
        trump,
        revealed,
        plays,
        leader,
        tricks,
        legal,
    )
    view.__class__ = SeatView
    return view  # type: ignore[no-any-return]


def seat_view(match: Match, seat: Seat) -> SeatView:
    """Build what a seat may see of the deal in progress, from nothing upwards.

    Only the seat's own hand and what is public is read.

    Raises:
        RulesError: no deal has been dealt yet, or there is no such seat.
    """
    deal = match.deal
    if deal is None:
        raise RulesError("no deal has been dealt: there is nothing to see yet")
    if type(seat) is not int or not 0 <= seat <= 3:
        raise RulesError(f"a seat is 0 to 3, not {seat!r}")
    result = match.last_result if deal.over else None
    if result is None:
        deal_number, scores = match.deal_number, match.scores
    else:
        deal_number = result.deal_number
        scores = tuple(
            after - gained for after, gained in zip(result.scores, result.points, strict=True)
        )
    return new_view(
        seat,
        match.rules,
        deal_number,
        deal.dealer,
        scores,
        deal.phase,
        deal.turn,
        deal.hand(seat),
        deal.calls,
        deal.declarer,
        deal.bid,
        deal.trump,
        deal.revealed,
        deal.plays,
        deal.leader,
        deal.tricks,
        deal.legal_moves() if deal.turn == seat else (),
    )


def deal_from_view(view: SeatView, hands: Sequence[CardSet]) -> Deal:
    """Make a deal that goes on from a view with guessed hands, to roll out in it.

    Args:
        view: what is known.
        hands: by seat, the cards that each still holds in this guess; the seat's own are those of
            the view. Whether a guess agrees with the voids that were shown is not looked at.

    Raises:
        RulesError: the hands have the wrong numbers of cards, or contradict the seat's own hand,
            the cards played, or the shown card.
    """
    if len(hands) != 4:
        raise RulesError(f"a deal has four hands, not {len(hands)}")
    if hands[view.seat].mask != view.hand.mask:
        raise RulesError(f"seat {view.seat} holds {view.hand}, not {hands[view.seat]}")
    return resume_deal(
        view.rules,
        dealer=view.dealer,
        hands=hands,
        revealed=view.revealed,
        calls=view.calls,
        trump=None if view.trump is None else NameTrump(view.trump),
        plays=view.plays,
        leader=view.leader,
        tricks=view.tricks,
    )
