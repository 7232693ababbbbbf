"""The points of a deal, and who has won the match after it [R-5, R-6.6, R-6.7, R-8]."""

from dataclasses import dataclass

# The table of R-5, column by column.
KABOOT = {"tarneeb": 16, "tarneeb-31": 16, "tarneeb-outright": 13}
SLAM_MADE = {"tarneeb": 26, "tarneeb-31": 26, "tarneeb-outright": 13}
SLAM_FAILED = {"tarneeb": -16, "tarneeb-31": -16, "tarneeb-outright": -13}
SLAM_FAILED_TO_DEFENDERS = {"tarneeb": 2, "tarneeb-31": 1, "tarneeb-outright": 1}  # a trick
TARGET = {"tarneeb": 41, "tarneeb-31": 31, "tarneeb-outright": 41, "syrian41": 41}


@dataclass(frozen=True)
class Rules:
    """A preset's name and its options."""

    preset: str
    target: int
    defenders_always_score: bool = False
    deals: int | None = None
    max_cancelled: int = 20
    max_deals: int = 200

    @property
    def is_syrian(self) -> bool:
        return self.preset == "syrian41"


def tarneeb_points(rules: Rules, *, declarer: int, bid: int, tricks: list[int]) -> list[int]:
    """Give the points of teams 0 and 1 [R-5.1 to R-5.6]."""
    team = declarer % 2
    taken = tricks[team] + tricks[team + 2]
    lost = 13 - taken
    if bid == 13:
        if taken == 13:
            declarers, defenders = SLAM_MADE[rules.preset], 0
        else:
            declarers = SLAM_FAILED[rules.preset]
            defenders = SLAM_FAILED_TO_DEFENDERS[rules.preset] * lost
    elif taken == 13:
        declarers, defenders = KABOOT[rules.preset], 0
    elif taken >= bid:
        declarers = taken
        defenders = lost if rules.defenders_always_score else 0
    else:
        declarers, defenders = -bid, lost
    return [declarers, defenders] if team == 0 else [defenders, declarers]


def syrian_points(*, declared: list[int], tricks: list[int]) -> list[int]:
    """Give the points of seats 0 to 3 [R-6.6]."""
    return [bid if taken >= bid else -bid for bid, taken in zip(declared, tricks, strict=True)]


def wins_outright(rules: Rules, *, declarer: int, bid: int, tricks: list[int]) -> bool:
    """Tell whether the deal alone wins the match for its declarers [R-5.4]."""
    team = declarer % 2
    all_thirteen = tricks[team] + tricks[team + 2] == 13
    return rules.preset == "tarneeb-outright" and bid == 13 and all_thirteen


def team_totals(rules: Rules, scores: list[int]) -> list[int]:
    """Give one number a team: its score, or in Syrian 41 the sum of its two seats."""
    if rules.is_syrian:
        return [scores[0] + scores[2], scores[1] + scores[3]]
    return scores


def higher(totals: list[int]) -> int | None:
    if totals[0] == totals[1]:
        return None
    return 0 if totals[0] > totals[1] else 1


def winner_by_target(rules: Rules, scores: list[int]) -> int | None:
    """Find the team that has won, or None if the match goes on [R-5.8, R-6.7]."""
    if rules.is_syrian:
        qualified = [qualifies(rules, scores[0], scores[2]), qualifies(rules, scores[1], scores[3])]
    else:
        qualified = [scores[0] >= rules.target, scores[1] >= rules.target]
    if qualified == [True, True]:
        return higher(team_totals(rules, scores))
    if qualified == [True, False]:
        return 0
    if qualified == [False, True]:
        return 1
    return None


def qualifies(rules: Rules, one: int, other: int) -> bool:
    """Tell whether one partner is at the target and the other above zero [R-6.7]."""
    return (one >= rules.target and other > 0) or (other >= rules.target and one > 0)
