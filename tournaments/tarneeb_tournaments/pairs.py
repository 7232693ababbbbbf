"""The unit of all comparison: one board, played twice with the teams swapped."""

import enum
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tarneeb_tournaments.results import MatchRow


class BoardKey(NamedTuple):
    """Which board; sorts in schedule order."""

    round: int
    pairing: int
    board: int


class Outcome(enum.Enum):
    """Who won a pair of halves."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    # Both forfeited; a loss for each.
    NEITHER = "neither"


class PairResult(NamedTuple):
    """What the two matches on one board say together.

    Attributes:
        first: the id of who was team 0 in the first half; in an individual event, of seat 0.
        second: the id of the other; in an individual event, of seat 1.
        difference: points of the first less points of the second, over both matches.
        outcome: see `pair_result`.
        partners: in an individual event, the ids of seats 2 and 3; None in a pair event.
    """

    key: BoardKey
    first: str
    second: str
    difference: int
    outcome: Outcome
    partners: tuple[str, str] | None = None

    @property
    def is_rated(self) -> bool:
        return self.outcome is not Outcome.NEITHER

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The entrants of the first and of the second side: one each, or two."""
        if self.partners is None:
            return (self.first,), (self.second,)
        return (self.first, self.partners[0]), (self.second, self.partners[1])

    @property
    def entrants(self) -> tuple[str, ...]:
        """Everybody who took part, each once."""
        return (self.first, self.second, *(self.partners or ()))


def pair_results(matches: Iterable[MatchRow]) -> Iterator[PairResult]:
    """Join halves, in the order of the matches; a board with one match so far is left out.

    Args:
        matches: in schedule order, so that the two halves of a board follow each other.
    """
    waiting: MatchRow | None = None
    for match in matches:
        if waiting is not None and waiting[:3] == match[:3]:
            yield pair_result(waiting, match)
            waiting = None
        else:
            waiting = match


def pair_result(half1: MatchRow, half2: MatchRow) -> PairResult:
    """Decide a pair of halves.

    Who forfeited a half, and the other did not, has lost. Otherwise the difference of points over
    both matches decides; none is a draw (docs/adr/0015-points-decide-a-pair.md).

    Args:
        half1: with the first entrant as team 0.
        half2: the same board with the teams swapped.
    """
    first, second = half1.team0, half1.team1
    assert (half2.team1, half2.team0) == (first, second)
    difference = half1.score0 - half1.score1 + half2.score1 - half2.score0
    partners = None
    if half1.partner0 is not None and half1.partner1 is not None:
        partners = (half1.partner0, half1.partner1)
    outcome = _outcome(half1, half2, difference)
    return PairResult(BoardKey(*half1[:3]), first, second, difference, outcome, partners)


def _outcome(half1: MatchRow, half2: MatchRow, difference: int) -> Outcome:
    first_forfeits = half1.forfeited[0] or half2.forfeited[1]
    second_forfeits = half1.forfeited[1] or half2.forfeited[0]
    if first_forfeits and second_forfeits:
        return Outcome.NEITHER
    if first_forfeits or second_forfeits:
        return Outcome.SECOND if first_forfeits else Outcome.FIRST
    if difference == 0:
        return Outcome.DRAW
    return Outcome.FIRST if difference > 0 else Outcome.SECOND
