"""A match: deals, scores, the dealer and the end."""

from __future__ import annotations

from collections.abc import Sequence

from tarneeb_sdk.game.card_set import CardSet
from tarneeb_sdk.game.cards import Card
from tarneeb_sdk.game.contract import Contract
from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.fallback import fallback_move
from tarneeb_sdk.game.moves import PASS, Move
from tarneeb_sdk.game.phases import Fact, Phase
from tarneeb_sdk.game.result import DealResult
from tarneeb_sdk.game.rules import Game, RuleSet
from tarneeb_sdk.game.scoring import (
    MatchEnd,
    Termination,
    add_points,
    match_end,
    next_dealer,
    wins_outright,
)
from tarneeb_sdk.game.seats import Seat, Team, team_of
from tarneeb_sdk.game.start import start_deal
from tarneeb_sdk.game.syrian41_deal import Syrian41Deal
from tarneeb_sdk.game.tarneeb_deal import TarneebDeal

__all__ = ["Match"]


class Match:
    """The state of a match. It deals nothing itself: `start_deal` takes the hands.

    Attributes:
        rules: what is played.
        dealer: who deals the deal in progress, or the next one between deals.
        scores: two teams, or four seats in Syrian 41; without the deal in progress.
        deal: the deal in progress, or the last one; `None` before the first.
        deals_scored: how many deals have been scored.
        cancelled_in_row: how many deals have been cancelled since the last scored one.
        last_result: of the last deal that ended.
        end: how the match ended; `None` while it goes on.

    Treat the attributes as read-only.
    """

    __slots__ = (
        "cancelled_in_row",
        "deal",
        "dealer",
        "deals_scored",
        "end",
        "last_result",
        "rules",
        "scores",
    )

    def __init__(
        self, rules: RuleSet, *, first_dealer: Seat, scores: Sequence[int] | None = None
    ) -> None:
        """Begin a match before its first deal.

        Args:
            rules: what is played.
            first_dealer: who deals first [R-2.1].
            scores: to go on from; zeros by default.

        Raises:
            RulesError: the dealer is no seat, or the scores are not as many as the game keeps.
        """
        if type(first_dealer) is not int or not 0 <= first_dealer <= 3:
            raise RulesError(f"the dealer is a seat, 0 to 3, not {first_dealer!r}")
        if scores is not None and len(scores) != rules.num_scores:
            raise RulesError(f"{rules.preset} keeps {rules.num_scores} scores, not {len(scores)}")
        self.rules = rules
        self.dealer = first_dealer
        self.scores: tuple[int, ...] = tuple(scores or (0,) * rules.num_scores)
        self.deal: TarneebDeal | Syrian41Deal | None = None
        self.deals_scored = 0
        self.cancelled_in_row = 0
        self.last_result: DealResult | None = None
        self.end: MatchEnd | None = None

    def copy(self) -> Match:
        """Make an independent match in the same state."""
        twin = Match.__new__(Match)
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.scores = self.scores
        twin.deal = None if self.deal is None else self.deal.copy()
        twin.deals_scored = self.deals_scored
        twin.cancelled_in_row = self.cancelled_in_row
        twin.last_result = self.last_result
        twin.end = self.end
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Match.__slots__)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        return (
            f"<Match {self.rules.preset}, {self.deals_scored} deals scored, "
            f"scores {self.scores}, deal {self.deal!r}>"
        )

    @property
    def deal_number(self) -> int:
        """The number of the deal in progress, or of the next one; the first is 1 [R-6.4].

        Just after a deal has ended it is the number of the next: `last_result` has its own.
        """
        return self.deals_scored + 1

    @property
    def redeal_number(self) -> int:
        """How often this deal number has been dealt and cancelled before; 0 at first."""
        return self.cancelled_in_row

    @property
    def in_deal(self) -> bool:
        """Whether a deal is in progress, and so somebody is to move."""
        return self.deal is not None and self.deal.turn is not None

    @property
    def turn(self) -> Seat | None:
        """Who must move; `None` between deals and after the match."""
        return None if self.deal is None else self.deal.turn

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.end is not None

    @property
    def winner(self) -> Team | None:
        """The winning team; `None` for a draw, and while the match goes on."""
        return None if self.end is None else self.end.winner

    @property
    def termination(self) -> Termination | None:
        """Why the match ended; `None` while it goes on."""
        return None if self.end is None else self.end.termination

    def start_deal(
        self,
        hands: Sequence[Sequence[Card] | CardSet] | None,
        *,
        revealed: Card | None = None,
    ) -> TarneebDeal | Syrian41Deal:
        """Deal the next deal.

        Args:
            hands: by seat, in the order of receipt; see `tarneeb_sdk.game.start_deal`.
            revealed: Syrian 41: the shown card, where the hands have no order.

        Raises:
            RulesError: the match is over, a deal is in progress, or the hands are no deal.
        """
        if self.over:
            raise RulesError("the match is over: nothing is dealt any more")
        if self.in_deal:
            raise RulesError("a deal is in progress: finish it before the next")
        self.deal = start_deal(self.rules, dealer=self.dealer, hands=hands, revealed=revealed)
        return self.deal

    def legal_moves(self) -> tuple[Move, ...]:
        """List what the seat to move may do; nothing between deals."""
        return () if self.deal is None else self.deal.legal_moves()

    def apply(self, move: Move) -> Fact:
        """Make a move in the deal in progress, and book the deal when that ends it.

        Raises:
            IllegalMoveError: the move is not legal; the match is as it was.
            RulesError: no deal has been dealt.
        """
        if self.deal is None:
            raise RulesError("no deal is in progress: deal one first")
        fact = self.deal.apply(move)
        if fact is Fact.SCORED:
            self._book_scored(self.deal)
        elif fact is Fact.CANCELLED:
            self._book_cancelled(self.deal)
        return fact

    def forced_move(self) -> Move | None:
        """Give the move that needs no asking; `None` where the seat has a choice.

        It is the only legal card, or the move that R-8.1 puts in the place of the last seat to
        speak after too many cancelled deals: in Tarneeb when no bid has been made, in Syrian 41
        always.
        """
        deal = self.deal
        if deal is None or deal.turn is None:
            return None
        if deal.phase is Phase.AUCTION:
            if self.cancelled_in_row >= self.rules.max_cancelled and _speaks_last(deal):
                return fallback_move(deal)
            return None
        legal = deal.legal_moves()
        return legal[0] if len(legal) == 1 else None

    def _book_scored(self, deal: TarneebDeal | Syrian41Deal) -> None:
        points = deal.points()
        self.scores = add_points(self.scores, points)
        self.last_result = self._result(deal, points)
        self.deals_scored += 1
        self.cancelled_in_row = 0
        self.dealer = next_dealer(self.rules, deal.dealer, cancelled=False)
        self.end = match_end(
            self.rules,
            self.scores,
            deals_scored=self.deals_scored,
            outright=_outright_winner(deal),
        )

    def _book_cancelled(self, deal: TarneebDeal | Syrian41Deal) -> None:
        self.last_result = self._result(deal, (0,) * self.rules.num_scores)
        self.cancelled_in_row += 1
        self.dealer = next_dealer(self.rules, deal.dealer, cancelled=True)

    def _result(self, deal: TarneebDeal | Syrian41Deal, points: tuple[int, ...]) -> DealResult:
        return DealResult(
            deal_number=self.deal_number,
            dealer=deal.dealer,
            calls=deal.calls,
            declarer=deal.declarer,
            bid=deal.bid,
            trump=deal.trump,
            revealed=deal.revealed,
            plays=deal.plays,
            tricks=deal.tricks,
            points=points,
            scores=self.scores,
            cancelled=deal.phase is Phase.CANCELLED,
        )


def _speaks_last(deal: TarneebDeal | Syrian41Deal) -> bool:
    if deal.rules.game is Game.TARNEEB:
        return deal.calls == (PASS, PASS, PASS)
    return len(deal.calls) == 3


def _outright_winner(deal: TarneebDeal | Syrian41Deal) -> Team | None:
    contract = deal.contract
    if not isinstance(contract, Contract):
        return None
    taken = deal.tricks[contract.declarer] + deal.tricks[contract.declarer ^ 2]
    if wins_outright(deal.rules, bid=contract.bid, taken=taken):
        return team_of(contract.declarer)
    return None
