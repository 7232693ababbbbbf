"""What adds up over matches and pairs of halves, entrant by entrant."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tarneeb_tournaments.pairs import Outcome, PairResult
from tarneeb_tournaments.results import FORFEIT, MatchRow

_FOR_SIDES: Final = {
    Outcome.FIRST: ("won", "lost"),
    Outcome.SECOND: ("lost", "won"),
    Outcome.DRAW: ("drawn", "drawn"),
    Outcome.NEITHER: ("lost", "lost"),
}


@dataclass(slots=True)
class Counts:
    """What adds up over an entrant's matches and pairs.

    Attributes:
        won: pairs of halves, see `pair_result`; so `drawn` and `lost`.
        points: own less the opponents', over all matches.
        bids: contracts bid by its seats, or declarations in Syrian 41; `made`, those it made.
        forfeits: matches for which it never became ready.
        autopilots: matches that ended with one of its seats on autopilot.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    matches: int = 0
    deals: int = 0
    points: int = 0
    bids: int = 0
    made: int = 0
    forfeits: int = 0
    autopilots: int = 0


def count_matches(matches: Iterable[MatchRow]) -> dict[str, Counts]:
    """Count what every entrant did in its matches."""
    counted: dict[str, Counts] = defaultdict(Counts)
    for match in matches:
        lead = match.score0 - match.score1
        first, second = match.sides
        sides = (
            (first, lead, match.bids0, match.made0),
            (second, -lead, match.bids1, match.made1),
        )
        for entrants, points, bids, made in sides:
            for entrant in entrants:
                counts = counted[entrant]
                counts.matches += 1
                counts.deals += match.deals
                counts.points += points
                if len(entrants) == 1:
                    counts.bids += bids
                    counts.made += made
                if match.autopilots:
                    counts.autopilots += match.is_on_autopilot(entrant)
                if match.ending == FORFEIT:
                    counts.forfeits += match.is_absent(entrant)
    return counted


def count_outcomes(pairs: Iterable[PairResult], counted: Mapping[str, Counts]) -> None:
    """Count who won, drew and lost, into counts that `count_matches` gave."""
    for pair in pairs:
        for entrants, what in zip(pair.sides, _FOR_SIDES[pair.outcome], strict=True):
            for entrant in entrants:
                counts = counted[entrant]
                setattr(counts, what, getattr(counts, what) + 1)
