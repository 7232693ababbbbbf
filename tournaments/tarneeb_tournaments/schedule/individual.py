"""Individual events: four entrants at a table, and partners change every round.

Ratings can tell partners apart only if everybody plays with, and against, everybody else about
equally often. For small fields movements do this as evenly as can be (movements.py). Larger
fields, and fields from which somebody has left, are seated round by round (seating.py).
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tarneeb_tournaments.schedule.base import NOBODY, Pairing, PairingResult, last_round
from tarneeb_tournaments.schedule.movements import MOVEMENT_SIZES, Table, movement_round
from tarneeb_tournaments.schedule.seating import seated_evenly


@dataclass(frozen=True, slots=True)
class Individual:
    """Rounds of tables of four; whoever is left over sits out, in turn.

    A round that is sat out is given as a bye, and scores nothing.

    Attributes:
        rounds: how many; None for as many as everybody needs to be everybody's partner once.
    """

    rounds: int | None = None

    def verify(self, entrants: Sequence[str], /) -> str | None:
        if len(entrants) < 4:
            return f"an individual event needs at least 4 entrants, not {len(entrants)}"
        if self.rounds is not None and self.rounds < 1:
            return f"an individual event needs at least 1 round, not {self.rounds}"
        return None

    def rounds_for(self, count: int) -> int:
        """Tell how many rounds so many entrants play."""
        return self.rounds if self.rounds is not None else count - (count % 4 == 0)

    def next_pairings(
        self,
        entrants: Sequence[str],
        results: Sequence[PairingResult],
        /,
        *,
        absent: AbstractSet[str] = NOBODY,
    ) -> tuple[Pairing, ...]:
        number = last_round(results) + 1
        present = [entrant for entrant in entrants if entrant not in absent]
        if number > self.rounds_for(len(entrants)) or len(present) < 4:
            return ()
        if len(present) == len(entrants) and len(entrants) in MOVEMENT_SIZES:
            tables = movement_round(len(entrants), number)
        else:
            tables = seated_evenly(present, results, round_number=number)
        return _numbered(number, present, tables)


def _numbered(number: int, present: Sequence[str], tables: Sequence[Table]) -> tuple[Pairing, ...]:
    pairings = []
    for place, table in enumerate(tables, start=1):
        one, its_partner, other, other_partner = (present[each] for each in table)
        # Who is first changes with table and round.
        if (place + number) % 2:
            one, its_partner, other, other_partner = other, other_partner, one, its_partner
        pairings.append(Pairing(number, place, one, other, partners=(its_partner, other_partner)))
    seated = {place for table in tables for place in table}
    idle = [entrant for place, entrant in enumerate(present) if place not in seated]
    for place, entrant in enumerate(idle, start=len(tables) + 1):
        pairings.append(Pairing(number, place, entrant, None))
    return tuple(pairings)
