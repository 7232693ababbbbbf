"""One deal as a state machine: the play of the cards, which both games share [R-4].

`TarneebDeal` and `Syrian41Deal` add their auctions; `start_deal` makes either. This module is the
hot path of every match and of every search bot. It builds no object for a move: a hand is four
13-bit masks, the legal cards are tuples made once for all (`SUIT_CARDS`), and the best card of the
trick is kept as it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from tarneeb_sdk.game.card_set import SUIT_CARDS, CardSet
from tarneeb_sdk.game.cards import SUITS, Card, Suit
from tarneeb_sdk.game.contract import Contract, Declarations
from tarneeb_sdk.game.dealing import PLACE_AND_BIT, Hands, holdings_of, ranks_by_suit
from tarneeb_sdk.game.errors import IllegalMoveError, RulesError
from tarneeb_sdk.game.moves import Call, Move
from tarneeb_sdk.game.phases import Fact, Phase
from tarneeb_sdk.game.refusal import card_due, deed_of
from tarneeb_sdk.game.rules import RuleSet
from tarneeb_sdk.game.seats import Seat

__all__ = ["Deal"]

# Not compared: it is left over between tricks.
_FOLLOWS_FROM_PLAYS = ("_best", "_best_seat")

_PLAY = Phase.PLAY
_CARD_PLAYED = Fact.CARD_PLAYED
_TRICK_TAKEN = Fact.TRICK_TAKEN

# Of `Deal._led`, beside a suit.
_LEADING = -1
_NOT_IN_PLAY = -2

_CLUBS, _DIAMONDS, _HEARTS, _SPADES = SUIT_CARDS
# By four times the suit.
_TABLES = tuple(SUIT_CARDS[place >> 2] for place in range(13))
_RIGHT_OF = (1, 2, 3, 0)


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
        "_best",
        "_best_seat",
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
        """Begin the auction; `start_deal` does it with more checks.

        Raises:
            RulesError: the hands are not the 52 cards, 13 a seat.
        """
        self.rules = rules
        self.dealer = dealer
        self.phase = Phase.AUCTION
        self.turn: Seat | None = (dealer + 1) & 3
        self.leader: Seat | None = None
        self.declarer: Seat | None = None
        self.revealed = revealed
        self.trump: Suit | None = None
        self.calls: tuple[Call, ...] = ()
        # Four times the suit; -1 while it is not known.
        self._trump: int = -1
        self._dealt = hands
        self._hands_known = hands is not None
        # Ranks held, a 13-bit mask at [4 * suit + seat].
        self._holdings = [0] * 16 if hands is None else holdings_of(hands)
        self._plays: list[Card] = []
        self._tricks = [0, 0, 0, 0]
        self._points: tuple[int, ...] | None = None
        # Four times the suit led, or one of the two constants.
        self._led: int = _NOT_IN_PLAY
        # The best card of the trick: the bit of its rank, 13 bits up when it has trumped.
        self._best: int = 0
        self._best_seat: Seat = 0

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
        twin._best = self._best
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
        clubs, diamonds, hearts, spades = self._holdings[seat::4]
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
        holdings = self._holdings
        seat: Seat = self.turn  # type: ignore[assignment]  # in play somebody is to move
        if led >= 0:
            following = _TABLES[led][holdings[led + seat]]
            if following:
                return following
        elif led == _NOT_IN_PLAY:
            return self._legal_calls()
        cards: tuple[Card, ...] = _CLUBS[holdings[seat]]
        if ranks := holdings[4 + seat]:
            cards += _DIAMONDS[ranks]
        if ranks := holdings[8 + seat]:
            cards += _HEARTS[ranks]
        if ranks := holdings[12 + seat]:
            cards += _SPADES[ranks]
        return cards

    @property
    def legal_mask(self) -> int:
        """The legal cards as a mask; 0 outside play."""
        if self.turn is None or self._led == _NOT_IN_PLAY:
            return 0
        hand = self.hand(self.turn).mask
        following = hand & 0x1FFF << 13 * (self._led >> 2) if self._led >= 0 else 0
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
        if led < _LEADING:
            return self._apply_call(move)
        if type(move) is not Card:
            raise self._refusal(move)
        suit, bit = PLACE_AND_BIT[move]
        seat: Seat = self.turn  # type: ignore[assignment]  # in play somebody is to move
        holdings = self._holdings
        at = suit + seat
        held = holdings[at]
        if not held & bit:
            raise self._refusal(move)
        if suit == led:
            if bit > self._best:
                self._best = bit
                self._best_seat = seat
        elif led < 0:
            self._led = suit
            self._best = bit
            self._best_seat = seat
        elif holdings[led + seat]:
            raise self._refusal(move)
        elif suit == self._trump and bit << 13 > self._best:
            self._best = bit << 13
            self._best_seat = seat
        holdings[at] = held - bit
        self._plays.append(move)
        seat = _RIGHT_OF[seat]
        if seat != self.leader:
            self.turn = seat
            return _CARD_PLAYED
        self.leader = self.turn = taker = self._best_seat
        self._tricks[taker] += 1
        self._led = _LEADING
        return _TRICK_TAKEN if len(self._plays) < 52 else self._end_play()

    def _end_play(self) -> Fact:
        self._led = _NOT_IN_PLAY
        self.leader = self.turn = None
        self.phase = Phase.SCORED
        self._points = self._score()
        return Fact.SCORED

    def take_up(
        self,
        hands: Sequence[int],
        *,
        plays: Sequence[Card],
        tricks: Sequence[int],
        leader: Seat | None,
    ) -> None:
        """Put a deal whose auction is made in mid-play; `resume_deal` checks the arguments.

        Args:
            hands: by seat, the cards held now, as masks.
            plays: every card played, in order.
            tricks: taken so far, by seat.
            leader: who led the unfinished trick or leads the next one; `None` outside play.
        """
        for seat, mask in enumerate(hands):
            self._holdings[seat::4] = ranks_by_suit(mask)
        self._hands_known = True
        self._plays = list(plays)
        self._tricks = list(tricks)
        if leader is None:
            return
        self.leader = self.turn = leader
        for card in self.trick:
            suit, bit = PLACE_AND_BIT[card]
            if self._led == _LEADING:
                self._led, self._best = suit, 0
            strength = bit if suit == self._led else bit << 13 if suit == self._trump else 0
            if strength > self._best:
                self._best, self._best_seat = strength, self.turn
            self.turn = _RIGHT_OF[self.turn]

    def _begin_play(self, leader: Seat) -> None:
        self.phase = _PLAY
        self.leader = self.turn = leader
        self._led = _LEADING

    def _name_trump(self, trump: Suit) -> None:
        self.trump = trump
        self._trump = 4 * trump

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

    _cancel_rule = "R-3.6"

    # Refusals.

    def _refusal(self, move: Move) -> IllegalMoveError:
        """Tell why a move that is not legal is refused."""
        if self.turn is None:
            over = "R-4.4" if self.phase is Phase.SCORED else self._cancel_rule
            reason, rule = f"nobody is to move; the deal is {self.phase.value}", over
            return IllegalMoveError(move, reason, rule=rule, legal=())
        if self.phase is _PLAY:
            hand = self.hand(self.turn) if self._hands_known else None
            led = SUITS[self._led >> 2] if self._led >= 0 else None
            must, rule = card_due(move, hand=hand, led=led)
        else:
            must, rule = self._refuse_call(move)
        reason = f"seat {self.turn} {deed_of(move)}; {must}"
        return IllegalMoveError(move, reason, rule=rule, legal=self.legal_moves())
