"""A deal of Syrian 41: the shown card, the declarations and the score [R-6]."""

from __future__ import annotations

from tarneeb_sdk.game.cards import Card
from tarneeb_sdk.game.contract import Declarations
from tarneeb_sdk.game.deal import Deal
from tarneeb_sdk.game.dealing import Hands
from tarneeb_sdk.game.moves import BIDS, PASS, Bid, Move
from tarneeb_sdk.game.phases import Fact, Phase
from tarneeb_sdk.game.rules import RuleSet
from tarneeb_sdk.game.scoring import syrian41_points
from tarneeb_sdk.game.seats import Seat

__all__ = ["MIN_DECLARED", "Syrian41Deal"]

MIN_DECLARED = 11
"""Fewer tricks declared by the four seats together cancel the deal [R-6.4]."""


class Syrian41Deal(Deal):
    """The state of one deal of Syrian 41; see `Deal`."""

    __slots__ = ()

    _cancel_rule = "R-6.4"

    def __init__(
        self, rules: RuleSet, *, dealer: Seat, hands: Hands | None, revealed: Card | None
    ) -> None:
        super().__init__(rules, dealer=dealer, hands=hands, revealed=revealed)
        if revealed is not None:
            self._name_trump(revealed.suit.partner_suit)

    @property
    def contract(self) -> Declarations | None:
        """What the four seats declared; `None` before that and when the deal was cancelled."""
        if len(self.calls) < 4 or self.phase is Phase.CANCELLED:
            return None
        return Declarations(self._declared(), self.trump)

    def _declared(self) -> tuple[int, ...]:
        """List the declarations by seat, once all are made."""
        from_right = [int(call) - 52 for call in self.calls]
        return tuple(from_right[(seat - self.dealer - 1) & 3] for seat in range(4))

    def _legal_calls(self) -> tuple[Move, ...]:
        return BIDS if self.phase is Phase.AUCTION else ()

    def _apply_call(self, move: Move) -> Fact:
        seat = self.turn
        if type(move) is not Bid or seat is None:
            raise self._refusal(move)
        self.calls += (move,)
        if len(self.calls) < 4:
            self.turn = (seat + 1) & 3
            return Fact.CALLED
        if sum(self._declared()) < MIN_DECLARED:
            return self._cancel()
        self._begin_play((self.dealer + 1) & 3)
        return Fact.ALL_DECLARED

    def _refuse_call(self, move: Move) -> tuple[str, str]:
        if move is PASS:
            return "nobody passes here and it must declare 2 to 13", "R-6.3"
        return "it must declare 2 to 13", "R-6.3"

    def _score(self) -> tuple[int, ...]:
        return syrian41_points(declarations=self._declared(), tricks=self._tricks)
