"""Deals up to the end of a match: who deals, the scores, who has won [R-2, R-5.8, R-6.7, R-8]."""

from tests.oracle.deal import (
    AUCTION,
    CANCELLED,
    SCORED,
    Deal,
    Move,
    SyrianDeal,
    TarneebDeal,
    right_of,
)
from tests.oracle.fallback import time_out_move
from tests.oracle.scoring import (
    Rules,
    higher,
    syrian_points,
    tarneeb_points,
    team_totals,
    winner_by_target,
    wins_outright,
)


def new_deal(
    rules: Rules, dealer: int, hands: list[list[str]] | None, shown: str | None = None
) -> Deal:
    if rules.is_syrian:
        return SyrianDeal(dealer, hands, shown)
    return TarneebDeal(dealer, hands)


def points_of(rules: Rules, deal: Deal) -> list[int]:
    """Give the points of a deal whose tricks are counted: two teams or four seats."""
    if isinstance(deal, SyrianDeal):
        declared = [deal.declared[seat] for seat in range(4)]
        return syrian_points(declared=declared, tricks=deal.tricks)
    assert isinstance(deal, TarneebDeal)
    assert deal.declarer is not None
    assert deal.bid is not None
    return tarneeb_points(rules, declarer=deal.declarer, bid=deal.bid, tricks=deal.tricks)


def winner_after(rules: Rules, deal: Deal, scores: list[int]) -> int | None:
    """Find the team that has won the match by a scored deal, given the scores after it."""
    if isinstance(deal, TarneebDeal):
        assert deal.declarer is not None
        assert deal.bid is not None
        if wins_outright(rules, declarer=deal.declarer, bid=deal.bid, tricks=deal.tricks):
            return deal.declarer % 2
    return winner_by_target(rules, scores)


def next_dealer(deal: Deal) -> int:
    """Find who deals after this deal [R-2.2, R-3.6, R-6.4]."""
    if deal.phase == CANCELLED and isinstance(deal, TarneebDeal):
        return deal.dealer
    return right_of(deal.dealer)


class Match:
    """A match, fed with hands in order of receipt and with moves."""

    def __init__(self, rules: Rules, first_dealer: int) -> None:
        self.rules = rules
        self.dealer = first_dealer
        self.scores = [0, 0, 0, 0] if rules.is_syrian else [0, 0]
        self.deal: Deal | None = None
        self.deals_scored = 0
        self.cancelled_in_a_row = 0
        self.over = False
        self.winner: int | None = None

    def start_deal(self, hands: list[list[str]]) -> Deal:
        shown = hands[self.dealer][12] if self.rules.is_syrian else None
        self.deal = new_deal(self.rules, self.dealer, hands, shown)
        return self.deal

    def move_made_unasked(self) -> Move | None:
        """Give the move of the last seat to speak after too many cancelled deals [R-8.1]."""
        deal = self.deal
        if deal is None or deal.phase != AUCTION:
            return None
        if self.cancelled_in_a_row < self.rules.max_cancelled:
            return None
        if isinstance(deal, TarneebDeal):
            last_and_no_bid = len(deal.passed) == 3 and deal.bid is None
            return time_out_move(deal) if last_and_no_bid else None
        return time_out_move(deal) if len(deal.calls) == 3 else None

    def do(self, move: Move) -> None:
        deal = self.deal
        assert deal is not None
        deal.do(move)
        if deal.phase == CANCELLED:
            self.cancelled_in_a_row += 1
            self.dealer = next_dealer(deal)
        elif deal.phase == SCORED:
            self.cancelled_in_a_row = 0
            self.deals_scored += 1
            self.book(deal)
            self.dealer = next_dealer(deal)

    def book(self, deal: Deal) -> None:
        """Add the points of a deal, and see whether the match is over."""
        rules = self.rules
        points = points_of(rules, deal)
        self.scores = [old + new for old, new in zip(self.scores, points, strict=True)]
        if rules.deals is None:
            self.winner = winner_after(rules, deal, self.scores)
        elif isinstance(deal, TarneebDeal):
            # A fixed number of deals takes the target's place, not that of.
            assert deal.declarer is not None
            assert deal.bid is not None
            if wins_outright(rules, declarer=deal.declarer, bid=deal.bid, tricks=deal.tricks):
                self.winner = deal.declarer % 2
        last_deal = self.deals_scored in (rules.deals, rules.max_deals)
        if self.winner is None and last_deal:
            self.winner = higher(team_totals(rules, self.scores))
        self.over = self.winner is not None or last_deal
