"""The sums that a results file keeps by entrant, added up again."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from tarneeb_tournaments.results import Results, StoredMatch
from tarneeb_tournaments.stats.behaviour import Behaviour
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.finding import DisprovedError, Where


class Totals:
    """Adds up what matches bring."""

    def __init__(self) -> None:
        self._behaviour: dict[str, Behaviour] = defaultdict(Behaviour)
        self._time_spread: dict[str, Counter[int]] = defaultdict(Counter)

    def add(self, match: StoredMatch) -> None:
        """Count a match."""
        for entrant, brought in match.behaviour.items():
            self._behaviour[entrant].add(brought)
        for entrant, steps in match.time_spread.items():
            if steps:  # nothing is stored of a bot that has decided nothing
                self._time_spread[entrant].update(steps)

    def check(self, results: Results) -> None:
        """Compare with what is stored.

        Raises:
            DisprovedError: it is something else.
        """
        _compare("sums of bids and points", results.behaviour, self._behaviour)
        _compare("counts of times", results.time_spread, self._time_spread)


def _compare(what: str, stored: Mapping[str, object], counted: Mapping[str, object]) -> None:
    for entrant in sorted({*stored, *counted}, key=str):
        if stored.get(entrant) != counted.get(entrant):
            name = printable(entrant)
            raise DisprovedError(Where(), f"the {what} of {name} do not follow from its matches")
