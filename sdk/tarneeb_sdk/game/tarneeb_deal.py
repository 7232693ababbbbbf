"""A deal of Tarneeb: the auction, the naming of trump and the score [R-3, R-5]."""

from __future__ import annotations

from typing import Self

from tarneeb_sdk.game.cards import Card
from tarneeb_sdk.game.contract import Contract
from tarneeb_sdk.game.deal import Deal
from tarneeb_sdk.game.dealing import Hands
from tarneeb_sdk.game.moves import BIDS, PASS, TRUMPS, Bid, Move, NameTrump
from tarneeb_sdk.game.phases import Fact, Phase
from tarneeb_sdk.game.rules import RuleSet
from tarneeb_sdk.game.scoring import tarneeb_points
from tarneeb_sdk.game.seats import Seat

__all__ = ["TarneebDeal"]

_AUCTION = Phase.AUCTION
_TRUMP = Phase.TRUMP
_CALLED = Fact.CALLED

# By the last bid's level, or 6 before there is one: what may be called.
_CALLS: dict[int, tuple[Move, ...]] = {level: (PASS, *BIDS[level - 1 :]) for level in range(6, 14)}


class TarneebDeal(Deal):
    """The state of one deal of Tarneeb; see `Deal`."""

    __slots__ = ("_highest_bidder", "_in", "_level")

    def __init__(
        self, rules: RuleSet, *, dealer: Seat, hands: Hands | None, revealed: Card | None = None
    ) -> None:
        super().__init__(rules, dealer=dealer, hands=hands, revealed=revealed)
        self._level = 6
        self._highest_bidder: Seat | None = None
        # The seats that have not passed, as a mask.
        self._in = 0b1111

    def copy(self) -> Self:
        """Make an independent deal in the same state."""
        twin = super().copy()
        twin._level = self._level
        twin._highest_bidder = self._highest_bidder
        twin._in = self._in
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        if same is not True or not isinstance(other, TarneebDeal):
            return same
        return (self._level, self._highest_bidder, self._in) == (
            other._level,
            other._highest_bidder,
            other._in,
        )

    __hash__ = None

    @property
    def bid(self) -> int | None:
        """The level of the last bid; the contract's, once the auction is won."""
        return self._level if self._highest_bidder is not None else None

    @property
    def highest_bidder(self) -> Seat | None:
        """Who made the last bid."""
        return self._highest_bidder

    @property
    def contract(self) -> Contract | None:
        """What the auction settled; `None` before that and when all passed."""
        if self.declarer is None:
            return None
        return Contract(self.declarer, self._level, self.trump)

    def _legal_calls(self) -> tuple[Move, ...]:
        if self.phase is _AUCTION:
            return _CALLS[self._level]
        return TRUMPS if self.phase is _TRUMP else ()

    def _apply_call(self, move: Move) -> Fact:
        seat = self.turn
        if seat is None:
            raise self._refusal(move)
        if self.phase is _TRUMP:
            if type(move) is not NameTrump:
                raise self._refusal(move)
            self._name_trump(move.suit)
            self._begin_play(seat)
            return Fact.TRUMP_NAMED
        if move is PASS:
            self._in -= 1 << seat
        elif type(move) is Bid and move.level > self._level:
            self._level = move.level
            self._highest_bidder = seat
        else:
            raise self._refusal(move)
        self.calls += (move,)
        return self._pass_turn(seat)

    def _pass_turn(self, seat: Seat) -> Fact:
        """Find who calls next, if the auction goes on [R-3.1, R-3.4 to R-3.6]."""
        bidder = self._highest_bidder
        if not self._in:
            return self._cancel()
        if bidder is not None and (self._level == 13 or self._in == 1 << bidder):
            self.declarer = self.turn = bidder
            self.phase = Phase.TRUMP
            return Fact.AUCTION_WON
        following = (seat + 1) & 3
        while not self._in >> following & 1:
            following = (following + 1) & 3
        self.turn = following
        return _CALLED

    def _refuse_call(self, move: Move) -> tuple[str, str]:
        if self.phase is Phase.TRUMP:
            if type(move) is Bid or move is PASS:
                return "the auction is over and it must name trump (C, D, H or S)", "R-3.4"
            return "it must name trump (C, D, H or S)", "R-3.7"
        if self._highest_bidder is None:
            return "it must pass or bid 7 to 13", "R-3.2"
        return f"it must pass or bid higher than {self._level}, at most 13", "R-3.2"

    def _score(self) -> tuple[int, ...]:
        assert self.declarer is not None
        return tarneeb_points(
            self.rules, declarer=self.declarer, bid=self._level, tricks=self._tricks
        )
