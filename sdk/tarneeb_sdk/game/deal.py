"""One deal as a state machine: the play of the cards, which both games share [R-4].

`TarneebDeal` and `Syrian41Deal` add their auctions; `start_deal` makes either. This module is the
hot path of every match and of every search bot. It builds no object for a move: a hand is four
13-bit masks, the legal cards are tuples made once for all (`SUIT_CARDS`), and the best card of the
trick is kept as it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from tarneeb_sdk.game.card_set import SUIT_CARDS, CardSet
from tarneeb_sdk.game.cards import ALL_CARDS, SUITS, Card, Suit, format_cards
from tarneeb_sdk.game.errors import IllegalMoveError, RulesError
from tarneeb_sdk.game.moves import Bid, Call, Move, NameTrump, Pass
from tarneeb_sdk.game.phases import Fact, Phase
from tarneeb_sdk.game.rules import RuleSet
from tarneeb_sdk.game.seats import Seat

__all__ = ["Contract", "Deal", "Declarations"]

Hands: TypeAlias = tuple[tuple[Card, ...], ...]

# Not compared: it is left over between tricks.
_FOLLOWS_FROM_PLAYS = ("_best_bit", "_best_seat", "_best_suit")

_PLAY = Phase.PLAY
_CARD_PLAYED = Fact.CARD_PLAYED
_TRICK_TAKEN = Fact.TRICK_TAKEN

# Of `Deal._led`, beside a suit.
_LEADING = -1
_NOT_IN_PLAY = -2

# By card: its suit, and the bit of its rank.
_SUIT_AND_BIT: tuple[tuple[int, int], ...] = tuple(
    (number // 13, 1 << number % 13) for number in range(52)
)


@dataclass(frozen=True, slots=True)
class Contract:
    """What a Tarneeb auction settled.

    Attributes:
        declarer: who won it.
        bid: 7 to 13.
        trump: `None` until it is named.
    """

    declarer: Seat
    bid: int
    trump: Suit | None


@dataclass(frozen=True, slots=True)
class Declarations:
    """What the four seats of Syrian 41 declared.

    Attributes:
        bids: by seat, 2 to 13.
        trump: `None` where the revealed card is not known.
    """

    bids: tuple[int, ...]
    trump: Suit | None


class Deal:
    """The state of one deal. It changes by `apply` alone; `copy` gives an independent one.

    Attributes:
        rules: what is played.
        dealer: who dealt.
        phase: what the deal waits for, or how it ended.
        turn: who must move; `None` once the deal is over.
        leader: who led the current trick or leads the next one; `None` before and after play.
        declarer: Tarneeb: who won the auction, once it is won.
        trump: the trump suit, once known.
        revealed: Syrian 41: the card that the dealer has shown [R-6.1].
        calls: the calls so far, from the dealer's right; who has passed is skipped [R-3.1].

    Treat the attributes as read-only.
    """

    __slots__ = (
        "_best_bit",
        "_best_seat",
        "_best_suit",
        "_dealt",
        "_hands_known",
        "_holdings",
        "_led",
        "_plays",
        "_points",
        "_tricks",
        "_trump",
        "calls",
        "dealer",
        "declarer",
        "leader",
        "phase",
        "revealed",
        "rules",
        "trump",
        "turn",
    )

    def __init__(
        self, rules: RuleSet, *, dealer: Seat, hands: Hands | None, revealed: Card | None
    ) -> None:
        """Begin the auction. `start_deal` checks the arguments; this does not."""
        self.rules = rules
        self.dealer = dealer
        self.phase = Phase.AUCTION
        self.turn: Seat | None = (dealer + 1) & 3
        self.leader: Seat | None = None
        self.declarer: Seat | None = None
        self.revealed = revealed
        self.trump: Suit | None = None
        self.calls: tuple[Call, ...] = ()
        self._trump: int = -1
        self._dealt = hands
        self._hands_known = hands is not None
        # Ranks held, a 13-bit mask at [4 * seat + suit].
        self._holdings = [0] * 16
        self._plays: list[Card] = []
        self._tricks = [0, 0, 0, 0]
        self._points: tuple[int, ...] | None = None
        self._led: int = _NOT_IN_PLAY
        self._best_suit: int = 0
        self._best_bit: int = 0
        self._best_seat: Seat = 0
        for seat, hand in enumerate(hands or ()):
            self._set_holding(seat, sum([1 << card for card in hand]))

    def _set_holding(self, seat: Seat, mask: int) -> None:
        at = 4 * seat
        self._holdings[at : at + 4] = (
            mask & 0x1FFF,
            mask >> 13 & 0x1FFF,
            mask >> 26 & 0x1FFF,
            mask >> 39,
        )

    def copy(self) -> Self:
        """Make an independent deal in the same state."""
        cls = self.__class__
        twin = cls.__new__(cls)
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.phase = self.phase
        twin.turn = self.turn
        twin.leader = self.leader
        twin.declarer = self.declarer
        twin.revealed = self.revealed
        twin.trump = self.trump
        twin.calls = self.calls
        twin._trump = self._trump
        twin._dealt = self._dealt
        twin._hands_known = self._hands_known
        twin._holdings = self._holdings[:]
        twin._plays = self._plays[:]
        twin._tricks = self._tricks[:]
        twin._points = self._points
        twin._led = self._led
        twin._best_suit = self._best_suit
        twin._best_bit = self._best_bit
        twin._best_seat = self._best_seat
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name)
            for name in Deal.__slots__
            if name not in _FOLLOWS_FROM_PLAYS
        )

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.rules.preset}, dealer {self.dealer}, "
            f"{self.phase.value}, turn {self.turn}, {len(self.calls)} calls, "
            f"{len(self._plays)} cards played>"
        )

    # What may be asked.

    @property
    def plays(self) -> tuple[Card, ...]:
        """Every card played, in order."""
        return tuple(self._plays)

    @property
    def tricks(self) -> tuple[int, int, int, int]:
        """Tricks taken, by seat."""
        a, b, c, d = self._tricks
        return (a, b, c, d)

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the unfinished trick, in the order of play."""
        unfinished = len(self._plays) & 3
        return tuple(self._plays[-unfinished:]) if unfinished else ()

    @property
    def dealt(self) -> Hands | None:
        """The hands as dealt, by seat, in the order in which they were given.

        `None` while the hands are not known, and for a deal begun in mid-play.
        """
        return self._dealt

    @property
    def hands_known(self) -> bool:
        """Whether the cards are known; without them only the auction can be played."""
        return self._hands_known

    @property
    def over(self) -> bool:
        """Whether the deal has ended, scored or cancelled."""
        return self.turn is None

    @property
    def bid(self) -> int | None:
        """Tarneeb: the level of the last bid; the contract's, once the auction is won."""
        return None

    @property
    def contract(self) -> Contract | Declarations | None:
        """What the auction settled; `None` before that and when the deal was cancelled."""
        raise NotImplementedError

    def hand(self, seat: Seat) -> CardSet:
        """Give the cards that a seat still holds; none while the hands are not known."""
        clubs, diamonds, hearts, spades = self._holdings[4 * seat : 4 * seat + 4]
        return CardSet.from_mask(clubs | diamonds << 13 | hearts << 26 | spades << 39)

    def points(self) -> tuple[int, ...]:
        """Give what the deal scored: two teams, or four seats in Syrian 41.

        Raises:
            RulesError: it is not scored.
        """
        if self._points is None:
            raise RulesError(f"the deal has no points: its phase is {self.phase.value}")
        return self._points

    def legal_moves(self) -> tuple[Move, ...]:
        """List what the seat to move may do.

        Calls come as pass and then bids rising, trumps as C D H S, cards by suit C D H S and
        then rank rising. Empty once the deal is over, and for cards while the hands are not known.
        """
        led = self._led
        if led == _NOT_IN_PLAY:
            return self._legal_calls()
        holdings = self._holdings
        at = 4 * self.turn  # type: ignore[operator]  # in play somebody is to move
        if led >= 0:
            following = SUIT_CARDS[led][holdings[at + led]]
            if following:
                return following
        clubs, diamonds, hearts, spades = SUIT_CARDS
        return (
            clubs[holdings[at]]
            + diamonds[holdings[at + 1]]
            + hearts[holdings[at + 2]]
            + spades[holdings[at + 3]]
        )

    @property
    def legal_mask(self) -> int:
        """The legal cards as a mask; 0 outside play."""
        if self.turn is None or self._led == _NOT_IN_PLAY:
            return 0
        hand = self.hand(self.turn).mask
        following = hand & 0x1FFF << 13 * self._led if self._led >= 0 else 0
        return following or hand

    # What may be done.

    def verify(self, move: Move) -> IllegalMoveError | None:
        """Say why a move is refused, without making it; `None` when it is legal."""
        if self.can(move):
            return None
        return self._refusal(move)

    def can(self, move: Move) -> bool:
        """Tell whether a move is legal now."""
        return any(move is legal for legal in self.legal_moves())

    def apply(self, move: Move) -> Fact:
        """Make a move for the seat whose turn it is.

        Raises:
            IllegalMoveError: the move is not legal; the deal is as it was.
        """
        led = self._led
        if led == _NOT_IN_PLAY:
            return self._apply_call(move)
        if type(move) is not Card:
            raise self._refusal(move)
        suit, bit = _SUIT_AND_BIT[move]
        seat: Seat = self.turn  # type: ignore[assignment]  # in play somebody is to move
        holdings = self._holdings
        at = 4 * seat + suit
        held = holdings[at]
        if not held & bit:
            raise self._refusal(move)
        if led == suit:
            if suit == self._best_suit and bit > self._best_bit:
                self._best_bit = bit
                self._best_seat = seat
        elif led < 0:
            self._led = self._best_suit = suit
            self._best_bit = bit
            self._best_seat = seat
        elif holdings[at - suit + led]:
            raise self._refusal(move)
        elif suit == self._trump and (suit != self._best_suit or bit > self._best_bit):
            self._best_suit = suit
            self._best_bit = bit
            self._best_seat = seat
        holdings[at] = held ^ bit
        self._plays.append(move)
        seat = (seat + 1) & 3
        if seat != self.leader:
            self.turn = seat
            return _CARD_PLAYED
        return self._end_trick()

    def _end_trick(self) -> Fact:
        taker = self._best_seat
        self._tricks[taker] += 1
        if len(self._plays) == 52:
            self._led = _NOT_IN_PLAY
            self.leader = self.turn = None
            self.phase = Phase.SCORED
            self._points = self._score()
            return Fact.SCORED
        self._led = _LEADING
        self.leader = self.turn = taker
        return _TRICK_TAKEN

    def take_up(
        self,
        hands: Sequence[int],
        *,
        done: Sequence[Card],
        tricks: Sequence[int],
        leader: Seat | None,
    ) -> None:
        """Put a deal whose auction is made in mid-play; `resume_deal` checks the arguments.

        Args:
            hands: by seat, the cards held now, as masks.
            done: the cards of all finished tricks, in order.
            tricks: taken so far, by seat.
            leader: who leads the next trick; `None` leaves the turn as it is.
        """
        for seat, mask in enumerate(hands):
            self._set_holding(seat, mask)
        self._hands_known = True
        self._plays = list(done)
        self._tricks = list(tricks)
        if leader is not None and self.phase is _PLAY:
            self.leader = self.turn = leader

    def _begin_play(self, leader: Seat) -> None:
        self.phase = _PLAY
        self.leader = self.turn = leader
        self._led = _LEADING

    def _name_trump(self, trump: Suit) -> None:
        self.trump = trump
        self._trump = int(trump)

    def _cancel(self) -> Fact:
        self.phase = Phase.CANCELLED
        self.turn = None
        return Fact.CANCELLED

    # What each game adds.

    def _legal_calls(self) -> tuple[Move, ...]:
        """List the legal moves outside play."""
        raise NotImplementedError

    def _apply_call(self, move: Move) -> Fact:
        """Make a move outside play."""
        raise NotImplementedError

    def _refuse_call(self, move: Move) -> tuple[str, str]:
        """Say what the seat must do instead, and by which rule, in the auction."""
        raise NotImplementedError

    def _score(self) -> tuple[int, ...]:
        raise NotImplementedError

    # Refusals.

    def _refusal(self, move: Move) -> IllegalMoveError:
        """Tell why a move that is not legal is refused."""
        if self.turn is None:
            over = "R-4.4" if self.phase is Phase.SCORED else self._cancel_rule
            reason, rule = f"nobody is to move; the deal is {self.phase.value}", over
            return IllegalMoveError(move, reason, rule=rule, legal=())
        must, rule = self._refuse_card(move) if self.phase is _PLAY else self._refuse_call(move)
        reason = f"seat {self.turn} {_deed(move)}; {must}"
        return IllegalMoveError(move, reason, rule=rule, legal=self.legal_moves())

    _cancel_rule = "R-3.6"

    def _refuse_card(self, move: Move) -> tuple[str, str]:
        rule = "R-4.1" if self._led < 0 else "R-4.2"
        if not self._hands_known:
            return "the hands are not known", rule
        if type(move) is not Card:
            return "it must play a card", rule
        assert self.turn is not None
        if move not in self.hand(self.turn):
            return "it does not hold that card", rule
        follow = format_cards(self.hand(self.turn).of(SUITS[self._led])).replace(" ", ", ")
        return f"it must follow {SUITS[self._led].name.lower()} ({follow})", rule


def _deed(move: object) -> str:
    """Tell what a seat did, for the text of a refusal."""
    match move:
        case Card():
            return f"played {move}"
        case Bid():
            return f"bid {move}"
        case Pass():
            return "passed"
        case NameTrump():
            return f"named {move.suit.name.lower()}"
        case _:
            text = repr(move)
            return f"answered {text if len(text) <= 40 else text[:37] + '...'}"


def deal_out(deck: Sequence[Card], *, dealer: Seat) -> Hands:
    """Deal a shuffled deck one card at a time, from the dealer's right [R-2.1].

    Args:
        deck: the 52 cards, the first to be dealt first.
        dealer: who receives the last card.

    Returns:
        The hands by seat, each in the order of receipt.

    Raises:
        RulesError: the deck is not made of the 52 cards.
    """
    if len(deck) != 52 or set(map(id, deck)) != _ALL_IDS:
        raise RulesError("a deck is the 52 cards, each of them once")
    return tuple(tuple(deck[(seat - dealer - 1) & 3 :: 4]) for seat in range(4))


_ALL_IDS = {id(card) for card in ALL_CARDS}
