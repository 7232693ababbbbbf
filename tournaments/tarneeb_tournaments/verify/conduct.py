"""Who was suspended, and when: worked out again from the matches."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from tarneeb_tournaments.results import MatchRow
from tarneeb_tournaments.suspension import MAX_AUTOPILOT_SHARE, MIN_AUTOPILOTS


class Conduct:
    """Counts, pairing by pairing in schedule order, how often a bot was absent or on autopilot."""

    def __init__(self) -> None:
        self._matches: dict[str, int] = defaultdict(int)
        self._absent: dict[str, int] = defaultdict(int)
        self._autopilots: dict[str, int] = defaultdict(int)
        self._suspended: set[str] = set()

    @property
    def suspended(self) -> frozenset[str]:
        return frozenset(self._suspended)

    def settle(self, entrants: Sequence[str], matches: Iterable[MatchRow]) -> None:
        """Count a pairing that is played to its end."""
        for match in matches:
            absent = _named(match, match.absent)
            autopilots = _named(match, match.autopilots)
            for entrant in set(match.seats):
                self._matches[entrant] += 1
                self._absent[entrant] += entrant in absent
                self._autopilots[entrant] += entrant in autopilots
        self._suspended.update(each for each in entrants if self._is_unfit(each))

    def _is_unfit(self, entrant: str) -> bool:
        matches, autopilots = self._matches[entrant], self._autopilots[entrant]
        too_often = (
            autopilots >= MIN_AUTOPILOTS and 100 * autopilots > MAX_AUTOPILOT_SHARE * matches
        )
        return too_often or (matches > 0 and self._absent[entrant] == matches)


def _named(match: MatchRow, mask: int) -> frozenset[str]:
    return frozenset(each for seat, each in enumerate(match.seats) if mask >> seat & 1)
