"""What a deal scores and who has won, as functions of numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.rules import Game, RuleSet
from tarneeb_sdk.game.seats import Seat, Team, right_of, team_of

__all__ = [
    "MatchEnd",
    "Termination",
    "add_points",
    "match_end",
    "next_dealer",
    "syrian41_points",
    "tarneeb_points",
    "team_scores",
    "wins_outright",
]


class Termination(Enum):
    """Why a match ended, which is not who won it."""

    TARGET = "target"
    OUTRIGHT = "outright"
    DEALS = "deals"
    DEAL_CAP = "deal_cap"

    def __repr__(self) -> str:
        return f"Termination.{self.name}"


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended.

    Attributes:
        winner: the winning team; `None` for a draw.
        termination: what ended it.
    """

    winner: Team | None
    termination: Termination


def tarneeb_points(
    rules: RuleSet, *, declarer: Seat, bid: int, tricks: Sequence[int]
) -> tuple[int, int]:
    """Score a deal of Tarneeb by team [R-5.1 to R-5.6].

    Args:
        rules: which preset, and whether R-5.6 holds.
        declarer: who won the auction.
        bid: at what level, 7 to 13.
        tricks: tricks taken, by seat; they add up to 13.

    Raises:
        RulesError: the tricks are not those of four seats and one deal.
    """
    _check_tricks(tricks)
    taken = tricks[declarer] + tricks[declarer ^ 2]
    lost = 13 - taken
    if bid <= 12 and taken >= bid:
        made = rules.kaboot_points if taken == 13 else taken
        defence = lost if rules.defenders_always_score else 0
    elif bid <= 12:
        made, defence = -bid, lost
    elif taken == 13:
        made, defence = rules.slam_points, 0
    else:
        made, defence = -rules.slam_penalty, rules.slam_defence * lost
    return (made, defence) if team_of(declarer) == 0 else (defence, made)


def syrian41_points(
    *, declarations: Sequence[int], tricks: Sequence[int]
) -> tuple[int, int, int, int]:
    """Score a deal of Syrian 41 by seat [R-6.6].

    Args:
        declarations: by seat, 2 to 13.
        tricks: tricks taken, by seat; they add up to 13.

    Raises:
        RulesError: the tricks are not those of four seats and one deal.
    """
    _check_tricks(tricks)
    a, b, c, d = (
        declared if taken >= declared else -declared
        for declared, taken in zip(declarations, tricks, strict=True)
    )
    return (a, b, c, d)


def _check_tricks(tricks: Sequence[int]) -> None:
    if len(tricks) != 4 or min(tricks) < 0 or sum(tricks) != 13:
        raise RulesError(f"tricks are four numbers that add up to 13, not {tuple(tricks)!r}")


def add_points(scores: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """Add what a deal scored; a score may fall below zero [R-5.7, R-6.6]."""
    return tuple(before + gained for before, gained in zip(scores, points, strict=True))


def next_dealer(rules: RuleSet, dealer: Seat, *, cancelled: bool) -> Seat:
    """Say who deals next [R-2.2, R-3.6, R-6.4]."""
    if cancelled and rules.game is Game.TARNEEB:
        return dealer
    return right_of(dealer)


def team_scores(scores: Sequence[int]) -> tuple[int, int]:
    """Give the teams' scores; in Syrian 41 a team's is the sum of its seats'."""
    if len(scores) == 2:
        return (scores[0], scores[1])
    return (scores[0] + scores[2], scores[1] + scores[3])


def wins_outright(rules: RuleSet, *, bid: int, taken: int) -> bool:
    """Tell whether a deal wins the match there and then [R-5.4].

    Args:
        rules: only `tarneeb-outright` knows such a win.
        bid: the contract.
        taken: the tricks of the declaring team.
    """
    return rules.slam_wins_match and bid == 13 and taken == 13


def match_end(
    rules: RuleSet, scores: Sequence[int], *, deals_scored: int, outright: Team | None = None
) -> MatchEnd | None:
    """Say whether a scored deal has ended the match, and for whom.

    Args:
        rules: the target or the number of deals.
        scores: after the deal: two teams, or four seats in Syrian 41.
        deals_scored: how many deals have been scored, this one among them.
        outright: the team that has just made a bid of 13 where that wins [R-5.4].

    Returns:
        `None` while the match goes on.
    """
    if outright is not None:
        return MatchEnd(outright, Termination.OUTRIGHT)
    totals = team_scores(scores)
    if rules.deals is None:
        qualified = _qualified(rules, scores)
        if len(qualified) == 1:
            return MatchEnd(qualified[0], Termination.TARGET)
        if qualified and totals[0] != totals[1]:
            return MatchEnd(_higher(totals), Termination.TARGET)
    elif deals_scored >= rules.deals:
        return MatchEnd(_higher(totals), Termination.DEALS)
    if deals_scored >= rules.max_deals:
        return MatchEnd(_higher(totals), Termination.DEAL_CAP)
    return None


def _qualified(rules: RuleSet, scores: Sequence[int]) -> list[Team]:
    """List the teams that have reached the target [R-5.8, R-6.7]."""
    target = rules.target
    if rules.game is Game.TARNEEB:
        return [team for team in (0, 1) if scores[team] >= target]
    return [
        team
        for team in (0, 1)
        if any(scores[seat] >= target and scores[seat ^ 2] > 0 for seat in (team, team + 2))
    ]


def _higher(totals: tuple[int, int]) -> Team | None:
    if totals[0] == totals[1]:
        return None
    return 0 if totals[0] > totals[1] else 1
