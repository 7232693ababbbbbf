"""Can the rounds that are left still be paired without a second meeting?

Pairing each round well can lead into a dead end: with six entrants, three rounds may leave two
triangles of entrants who have not met, and a triangle can't be paired. So a round is chosen with
the later ones in view. Rounds without a second meeting are perfect matchings without a common
edge in the graph of those who have not met.
"""

from collections.abc import Collection, Iterator

from tarneeb_tournaments.schedule.matching import Edge, matching_of_weight, mixed

# Up to so many nodes everything is tried; above, a search that may miss what exists.
EXACT_NODES = 10
_ATTEMPTS = 12


def can_complete(nodes: int, free: Collection[Edge], rounds: int) -> bool:
    """Tell whether so many rounds can be paired, each pair once.

    Exact up to 10 nodes. Above, False may also mean that the search did not find what exists.

    Args:
        nodes: an even number of entrants; a bye is a node too.
        free: who has not met.
        rounds: how many rounds are left.
    """
    return rounds <= 0 or rounds_ahead(nodes, frozenset(free), rounds) is not None


def is_always_possible(nodes: int, free: Collection[Edge], rounds: int) -> bool:
    """Tell whether no choice in any of so many rounds can lead to a dead end.

    A graph of n nodes whose every node has at least n/2 neighbours has a Hamiltonian cycle, thus,
    n being even, a perfect matching (Dirac 1952); each round takes one neighbour from each node.
    """
    return rounds <= 0 or 2 * (most_rounds(nodes, free) - (rounds - 1)) >= nodes


def most_rounds(nodes: int, free: Collection[Edge]) -> int:
    """Count the opponents left to whoever has the fewest: there can be no more rounds than that."""
    degrees = [0] * nodes
    for first, second in free:
        degrees[first] += 1
        degrees[second] += 1
    return min(degrees, default=0)


def rounds_ahead(
    nodes: int, free: frozenset[Edge], rounds: int
) -> tuple[frozenset[Edge], ...] | None:
    """Find so many rounds in which nobody meets twice; None if there are, or seem to be, none."""
    if rounds > most_rounds(nodes, free):
        return None
    found = _cyclic_rounds(nodes, free, rounds)
    if found is not None:
        return found
    if nodes <= EXACT_NODES:
        return _search(nodes, free, rounds, dead=set())
    for attempt in range(_ATTEMPTS):
        found = _greedy(nodes, free, rounds, attempt)
        if found is not None:
            return found
    return None


def perfect_matchings(nodes: Collection[int], free: Collection[Edge]) -> Iterator[frozenset[Edge]]:
    """Yield every perfect matching; for ten nodes there are up to 945."""
    left = sorted(nodes)
    if not left:
        yield frozenset()
        return
    first = left[0]
    for second in left[1:]:
        if (first, second) in free:
            rest = [node for node in left if node not in {first, second}]
            for matching in perfect_matchings(rest, free):
                yield matching | {(first, second)}


def _search(
    nodes: int, free: frozenset[Edge], rounds: int, *, dead: set[tuple[frozenset[Edge], int]]
) -> tuple[frozenset[Edge], ...] | None:
    if rounds == 0:
        return ()
    if (free, rounds) in dead:
        return None
    for matching in perfect_matchings(range(nodes), free):
        rest = _search(nodes, free - matching, rounds - 1, dead=dead)
        if rest is not None:
            return (matching, *rest)
    dead.add((free, rounds))
    return None


def _greedy(
    nodes: int, free: frozenset[Edge], rounds: int, attempt: int
) -> tuple[frozenset[Edge], ...] | None:
    """Take matchings one after another, each by weights that differ with the attempt."""
    found = []
    for number in range(rounds):
        edges = [(*edge, mixed(attempt, number, *edge) >> 12) for edge in sorted(free)]
        matching = matching_of_weight(nodes, edges)
        if matching is None:
            return None
        found.append(matching)
        free -= matching
    return tuple(found)


def _cyclic_rounds(
    nodes: int, free: frozenset[Edge], rounds: int
) -> tuple[frozenset[Edge], ...] | None:
    """Use the circle method where its rounds are still free: always so before round 1."""
    circle = nodes - 1
    found = []
    for index in range(circle):
        matching = frozenset(
            (min(edge), max(edge))
            for edge in [
                (index, circle),
                *(
                    ((index + step) % circle, (index - step) % circle)
                    for step in range(1, nodes // 2)
                ),
            ]
        )
        if matching <= free:
            found.append(matching)
    return tuple(found[:rounds]) if len(found) >= rounds else None
