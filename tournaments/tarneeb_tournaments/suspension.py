"""Who is suspended: it follows from the matches alone, so everybody who counts finds the same."""

import itertools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tarneeb_tournaments.results import FORFEIT, MatchRow, Results

MIN_AUTOPILOTS: Final = 3
"""Fewer matches on autopilot than this suspend nobody."""

MAX_AUTOPILOT_SHARE: Final = 10
"""In percent; with more matches than this on autopilot an entrant is suspended."""


@dataclass(slots=True)
class Conduct:
    """How one entrant has behaved in the pairings that are complete.

    Attributes:
        forfeits: matches for which it was not ready.
        autopilots: matches that ended with one of its seats on autopilot.
    """

    matches: int = 0
    forfeits: int = 0
    autopilots: int = 0

    @property
    def is_unfit(self) -> bool:
        """Whether it is suspended: never ready in any session, or too often on autopilot."""
        never_ready = self.matches > 0 and self.forfeits == self.matches
        too_often = (
            self.autopilots >= MIN_AUTOPILOTS
            and 100 * self.autopilots > MAX_AUTOPILOT_SHARE * self.matches
        )
        return never_ready or too_often


class Conducts(defaultdict[str, Conduct]):
    """How each entrant has behaved, by its id."""

    def __init__(self) -> None:
        super().__init__(Conduct)

    @property
    def unfit(self) -> frozenset[str]:
        """Who is suspended, by what was taken in so far."""
        return frozenset(entrant for entrant, conduct in self.items() if conduct.is_unfit)

    def add(self, matches: Iterable[MatchRow]) -> None:
        """Take in all the matches of a pairing that is complete."""
        for match in matches:
            entrants = frozenset(match.seats)
            for entrant in entrants:
                self[entrant].matches += 1
            # Most matches have neither, and standings read tens of thousands.
            if match.ending == FORFEIT or match.autopilots:
                for entrant in entrants:
                    self[entrant].forfeits += match.is_absent(entrant)
                    self[entrant].autopilots += match.is_on_autopilot(entrant)


def suspended_entrants(results: Results) -> frozenset[str]:
    """Find who is suspended.

    A pairing counts once all of its matches have a result, as in `Agenda`, which judges by the
    same numbers. The last pairing of an entrant counts like any other.
    """
    conducts = Conducts()
    for _, group in itertools.groupby(results.matches, key=lambda match: match[:2]):
        matches = tuple(group)
        if len(matches) == 2 * results.info.boards:
            conducts.add(matches)
    return conducts.unfit
