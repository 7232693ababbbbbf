"""What is to be played next, and who is suspended: pure, and blind to the order of completion."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tarneeb_tournaments.results import MatchRow, PairingRow, Results, Suspension
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.suspension import Conducts


class Agenda:
    """Hands out pairings and takes them back when they are played.

    An entrant plays its pairings one after the other in schedule order, and after each it is
    judged by its own matches alone. So whether a pairing is played depends on the results of its
    two entrants before it, never on when other pairings ended. Pairings of other entrants go on
    beside it, so a slow bot holds up nobody but its own opponents.

    Pairings that follow from results are added when they are made.
    """

    def __init__(self, results: Results) -> None:
        self._boards = results.info.boards
        self._rows = {row.pairing.place: row for row in results.pairings}
        # By entrant: the places that are not settled yet, in schedule order.
        self._ahead: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._conducts = Conducts()
        self._suspended: set[str] = set()
        self._busy: set[tuple[int, int]] = set()
        # Places that are not settled yet, in schedule order; a dict for its speed.
        self._open: dict[tuple[int, int], None] = {}
        self._new_suspensions: list[Suspension] = []
        self._open_pairings(self._rows.values())
        self._replay(results.matches)

    @property
    def is_finished(self) -> bool:
        """Whether every pairing that was made is settled."""
        return not self._open

    @property
    def entrants_due(self) -> frozenset[str]:
        """Who still has matches to play."""
        return frozenset(
            entrant for place in self._open for entrant in self._rows[place].pairing.entrants
        )

    @property
    def suspended(self) -> frozenset[str]:
        return frozenset(self._suspended)

    def add(self, pairings: Iterable[Pairing]) -> None:
        """Take up further pairings, of later rounds than those before."""
        rows = [PairingRow(pairing) for pairing in pairings]
        self._rows.update((row.pairing.place, row) for row in rows)
        self._open_pairings(rows)

    def take(self) -> Pairing | None:
        """Hand out the first pairing whose entrants are both free; None if there is none now."""
        for place in self._open:
            pairing = self._rows[place].pairing
            its_turn = all(self._ahead[each][0] == place for each in pairing.entrants)
            if its_turn and place not in self._busy:
                self._busy.add(place)
                return pairing
        return None

    def settle(self, pairing: Pairing, matches: Iterable[MatchRow]) -> None:
        """Take back a pairing of which every match has a result.

        Args:
            pairing: one that `take` has handed out.
            matches: all of its matches, in any order.
        """
        self._busy.remove(pairing.place)
        self._close(pairing, matches)

    def take_suspensions(self) -> tuple[Suspension, ...]:
        """Take what has followed since the last call, for the store."""
        found, self._new_suspensions = tuple(self._new_suspensions), []
        return found

    def _open_pairings(self, rows: Iterable[PairingRow]) -> None:
        for row in sorted(rows, key=lambda each: each.pairing.place):
            if not row.pairing.is_bye and not row.withdrawn:
                self._open[row.pairing.place] = None
                for entrant in row.pairing.entrants:
                    self._ahead[entrant].append(row.pairing.place)

    def _replay(self, matches: Iterable[MatchRow]) -> None:
        """Settle what earlier runs have played."""
        played: Mapping[tuple[int, int], list[MatchRow]] = defaultdict(list)
        for match in matches:
            played[match.round, match.pairing].append(match)
        for place in sorted(self._rows):
            pairing = self._rows[place].pairing
            if place in self._open and len(played[place]) == 2 * self._boards:
                self._close(pairing, played[place])

    def _close(self, pairing: Pairing, matches: Iterable[MatchRow]) -> None:
        self._drop(pairing.place)
        self._conducts.add(matches)
        for entrant in pairing.entrants:
            if entrant not in self._suspended and self._conducts[entrant].is_unfit:
                self._suspend(entrant, after=pairing.place)

    def _suspend(self, entrant: str, *, after: tuple[int, int]) -> None:
        self._suspended.add(entrant)
        # Those that are left out already, for its opponent's sake, are marked with both.
        places = tuple(
            place
            for place, row in sorted(self._rows.items())
            if place > after and not row.pairing.is_bye and entrant in row.pairing.entrants
        )
        for place in places:
            self._drop(place)
        stored = {place for place in places if entrant in self._rows[place].suspended}
        # In its last pairing there is nothing to mark, but something to tell.
        if len(stored) < len(places) or not places:
            self._new_suspensions.append(Suspension(entrant, places))

    def _drop(self, place: tuple[int, int]) -> None:
        if place in self._open:
            del self._open[place]
            for entrant in self._rows[place].pairing.entrants:
                self._ahead[entrant].remove(place)
