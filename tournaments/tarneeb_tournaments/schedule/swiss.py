"""Swiss: each round pairs entrants of like scores who have not met.

A round is the perfect matching with the least penalty, and penalties are compared in this order:

1. earlier meetings of the two, squared, so that a third meeting is worse than two second ones;
2. a bye: how many places its entrant stands above the lowest;
3. difference of scores, squared, so that two small differences are better than one large one;
4. floats: an entrant who met a higher (or a lower) score in the last rounds should not again;
5. places: within a score group the upper half meets the lower half, in order; who leaves the
   group is the lowest of the upper and the highest of the lower one;
6. sides: who has come first more often should come second.

Only those with the fewest byes can get one. Before anything else the rounds to come are looked
at: a pairing that would force a second meeting later is not taken while there is another.

Sources: the FIDE Dutch system (Handbook C.04.3) for groups, floats and halves; a weighted matching
in place of its order of exchanges, as in bbpPairings.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tarneeb_tournaments.schedule.base import NOBODY, Pairing, PairingResult, last_round
from tarneeb_tournaments.schedule.lookahead import (
    EXACT_NODES,
    can_complete,
    is_always_possible,
    most_rounds,
    perfect_matchings,
    rounds_ahead,
)
from tarneeb_tournaments.schedule.matching import Edge, Penalty, best_matching, total_penalty
from tarneeb_tournaments.schedule.swiss_state import Entry, ranked_entries
from tarneeb_tournaments.schedule.swiss_weights import near_edges, penalties_of

# With more nodes not every pair is weighed at first (swiss_weights.near_edges).
_ALL_EDGES_UP_TO = 120
_FIRST_CANDIDATES = 40
# How many other pairings of a round are tried for the sake of later ones, above EXACT_NODES.
_ALTERNATIVES = 16


@dataclass(frozen=True, slots=True)
class Swiss:
    """So many rounds, each paired when the one before it is over.

    Attributes:
        rounds: exactly so many are played, unless fewer than two entrants are left.
        rematches: whether more rounds are allowed than there are opponents. Without it such a
            tournament is refused before round 1. If entrants leave in mid-tournament, so that
            nobody new is left to meet, the fewest possible second meetings are played all the same.
    """

    rounds: int
    rematches: bool = False

    def verify(self, entrants: Sequence[str], /) -> str | None:
        if len(entrants) < 2:
            return f"a Swiss tournament needs at least 2 entrants, not {len(entrants)}"
        if self.rounds < 1:
            return f"a Swiss tournament needs at least 1 round, not {self.rounds}"
        most = len(entrants) - 1 + len(entrants) % 2
        if self.rounds > most and not self.rematches:
            return (
                f"{len(entrants)} entrants can play at most {most} rounds without a second "
                f"meeting, not {self.rounds}; use fewer rounds or allow rematches"
            )
        return None

    def next_pairings(
        self,
        entrants: Sequence[str],
        results: Sequence[PairingResult],
        /,
        *,
        absent: AbstractSet[str] = NOBODY,
    ) -> tuple[Pairing, ...]:
        number = last_round(results) + 1
        if number > self.rounds or sum(entrant not in absent for entrant in entrants) < 2:
            return ()
        entries = ranked_entries(entrants, results, absent=absent)
        matching = _pair(entries, rounds_left=self.rounds - number)
        return _numbered(number, entries, matching)


def _pair(entries: Sequence[Entry], *, rounds_left: int) -> frozenset[Edge]:
    """Choose the pairing of a round, as edges between places in the ranking.

    The node after the last entrant, if there is one, stands for the bye.
    """
    nodes = len(entries) + len(entries) % 2
    if nodes > _ALL_EDGES_UP_TO:
        return _pair_many(entries, nodes)
    penalties = penalties_of(entries, rematches=False)
    best = best_matching(nodes, penalties)
    if best is None:
        best = best_matching(nodes, penalties_of(entries, rematches=True))
        if best is None:
            raise AssertionError("a complete graph with an even number of nodes has a matching")
        return best
    free = frozenset(penalties)
    if is_always_possible(nodes, free - best, min(rounds_left, most_rounds(nodes, free) - 1)):
        return best
    return _pair_ahead(nodes, penalties, best, rounds_left)


def _pair_many(entries: Sequence[Entry], nodes: int) -> frozenset[Edge]:
    """Weigh for each entrant only likely opponents, and more of them if they don't suffice."""
    candidates = _FIRST_CANDIDATES
    while candidates < nodes:
        edges = near_edges(entries, candidates)
        best = best_matching(nodes, penalties_of(entries, rematches=False, only=edges))
        if best is not None:
            return best
        candidates *= 4
    for rematches in (False, True):
        best = best_matching(nodes, penalties_of(entries, rematches=rematches))
        if best is not None:
            return best
    raise AssertionError("a complete graph with an even number of nodes has a matching")


def _pair_ahead(
    nodes: int, penalties: Mapping[Edge, Penalty], best: frozenset[Edge], rounds_left: int
) -> frozenset[Edge]:
    """Take the best pairing after which the rounds to come need no second meeting.

    If there is, or seems to be, none, then as many rounds as possible should do without: the best
    pairing is taken that leaves one round less, and so on.
    """
    free = frozenset(penalties)
    choices = list(_choices(nodes, penalties, best))
    for ahead in range(min(rounds_left, most_rounds(nodes, free) - 1), 0, -1):
        for choice in choices:
            if can_complete(nodes, free - choice, ahead):
                return choice
        # The search may miss on other choices what it found before; its own rounds are choices too.
        reserve = rounds_ahead(nodes, free, ahead + 1) if nodes > EXACT_NODES else None
        if reserve is not None:
            return min(reserve, key=lambda one: (total_penalty(one, penalties), sorted(one)))
    return best


def _choices(
    nodes: int, penalties: Mapping[Edge, Penalty], best: frozenset[Edge]
) -> Iterator[frozenset[Edge]]:
    """Give pairings of a round by rising penalty: all of a small field, else some near the best."""
    if nodes <= EXACT_NODES:
        everything = perfect_matchings(range(nodes), penalties.keys())
        others = [matching for matching in everything if matching != best]
    else:
        others = []
        for banned in sorted(best)[:_ALTERNATIVES]:
            rest = {edge: penalty for edge, penalty in penalties.items() if edge != banned}
            matching = best_matching(nodes, rest)
            if matching is not None:
                others.append(matching)
    others.sort(key=lambda one: (total_penalty(one, penalties), sorted(one)))
    yield best
    yield from others


def _numbered(
    number: int, entries: Sequence[Entry], matching: frozenset[Edge]
) -> tuple[Pairing, ...]:
    """Number a round's pairings from the top of the ranking, and say who comes first; bye last."""
    pairings: list[Pairing] = []
    for place, (upper, lower) in enumerate(sorted(matching), start=1):
        if lower == len(entries):
            continue
        one, other = entries[upper], entries[lower]
        # Ties change with the place and the round, so that the upper entrant gains nothing.
        swaps = one.side_balance > other.side_balance or (
            one.side_balance == other.side_balance and (place + number) % 2 == 1
        )
        first, second = (other, one) if swaps else (one, other)
        pairings.append(Pairing(number, len(pairings) + 1, first.entrant, second.entrant))
    byes = [entries[upper] for upper, lower in matching if lower == len(entries)]
    pairings += [Pairing(number, len(pairings) + 1, bye.entrant, None) for bye in byes]
    return tuple(pairings)
