"""Tables of four for a round, when no movement fits: as even as one round can make it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from tarneeb_tournaments.schedule.base import PairingResult
from tarneeb_tournaments.schedule.matching import Edge, best_matching, mixed
from tarneeb_tournaments.schedule.movements import Table

# With more nodes only some of the edges are weighed, other ones each round.
_ALL_EDGES_UP_TO = 120
_EDGES_A_NODE = 40


def seated_evenly(
    present: Sequence[str], results: Iterable[PairingResult], *, round_number: int
) -> tuple[Table, ...]:
    """Seat everybody but the one to three who are left over.

    Those sit out who did so least. Partners are those who were partners least; where that is
    equal, who were opponents most, so that with and against stay in step. Then pairs meet whose
    members were opponents least.

    Returns:
        Tables as places in `present`: two partners, then the other two.
    """
    place_of = {entrant: place for place, entrant in enumerate(present)}
    together, against, idle = _counts(place_of, results)
    by_turn = sorted(
        range(len(present)), key=lambda place: (idle[place], mixed(round_number, place))
    )
    playing = sorted(by_turn[len(present) % 4 :])
    most = max(against.values(), default=0)

    def partner_penalty(one: int, other: int) -> tuple[int, ...]:
        pair = (playing[one], playing[other])
        return together[pair] ** 2, most - against[pair]

    chosen = _matched(len(playing), round_number, partner_penalty)
    pairs = [(playing[one], playing[other]) for one, other in chosen]

    def table_penalty(one: int, other: int) -> tuple[int, ...]:
        met = [against[min(a, b), max(a, b)] for a in pairs[one] for b in pairs[other]]
        # What the sum of squares grows by if they meet once more.
        return (sum(2 * times + 1 for times in met),)

    tables = _matched(len(pairs), round_number, table_penalty)
    return tuple((*pairs[one], *pairs[other]) for one, other in tables)


def _matched(
    nodes: int, round_number: int, penalty: Callable[[int, int], tuple[int, ...]]
) -> list[Edge]:
    """Match all nodes; equal choices are made another way each round."""
    edges = _edges(nodes, round_number)
    best = best_matching(
        nodes, {edge: (*penalty(*edge), mixed(round_number, *edge) % 1024) for edge in edges}
    )
    assert best is not None
    return sorted(best)


def _edges(nodes: int, round_number: int) -> Iterable[Edge]:
    if nodes <= _ALL_EDGES_UP_TO:
        return combinations(range(nodes), 2)
    # A circle of all nodes, which has a perfect matching, and chords that change with the round.
    steps = {
        1,
        *(1 + mixed(round_number, each) % (nodes - 1) for each in range(_EDGES_A_NODE // 2)),
    }
    return {
        (min(node, (node + step) % nodes), max(node, (node + step) % nodes))
        for node in range(nodes)
        for step in steps
    }


def _counts(
    place_of: dict[str, int], results: Iterable[PairingResult]
) -> tuple[Counter[Edge], Counter[Edge], Counter[int]]:
    """Count for those who are present: partners, opponents, and rounds that were sat out."""
    together: Counter[Edge] = Counter()
    against: Counter[Edge] = Counter()
    idle: Counter[int] = Counter()
    for result in results:
        sides = [
            [place_of[each] for each in side if each in place_of] for side in result.pairing.sides
        ]
        if len(sides) == 1:
            idle.update(sides[0])
            continue
        together.update((min(side), max(side)) for side in sides if len(side) == 2)
        against.update((min(a, b), max(a, b)) for a in sides[0] for b in sides[1])
    return together, against, idle
