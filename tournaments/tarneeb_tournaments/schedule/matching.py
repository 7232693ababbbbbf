"""Perfect matchings of least penalty, over rustworkx."""

from collections.abc import Iterable, Mapping, Sequence

import rustworkx

# Two nodes, the lower first.
Edge = tuple[int, int]

# Penalties by falling importance. No sum of a later one outweighs one unit of an earlier one.
Penalty = tuple[int, ...]

# rustworkx computes with 128-bit integers, and adds and doubles weights on the way.
_MAX_WEIGHT = 1 << 120


def best_matching(nodes: int, penalties: Mapping[Edge, Penalty]) -> frozenset[Edge] | None:
    """Match every node, with the least sum of penalties in lexicographic order.

    Args:
        nodes: how many, numbered from 0.
        penalties: for each edge that may be used, numbers of 0 or more; all of one length.

    Returns:
        The edges, or None if these edges can't match every node.

    >>> sorted(best_matching(4, {(0, 1): (0,), (2, 3): (5,), (0, 2): (2,), (1, 3): (2,)}))
    [(0, 2), (1, 3)]
    """
    if nodes % 2:
        return None
    edges = sorted(penalties)
    weights = _single_numbers([penalties[edge] for edge in edges], factor=nodes // 2)
    top = max(weights, default=0)
    if top >= _MAX_WEIGHT:
        raise OverflowError(f"penalties of {nodes} nodes need more than 120 bits")
    return matching_of_weight(
        nodes, [(*edge, top - w) for edge, w in zip(edges, weights, strict=True)]
    )


def matching_of_weight(nodes: int, edges: Iterable[tuple[int, int, int]]) -> frozenset[Edge] | None:
    """Match every node with the greatest sum of weights, or give None if that is impossible."""
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from(list(edges))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) != nodes:
        return None
    return frozenset((min(edge), max(edge)) for edge in found)


def total_penalty(matching: Iterable[Edge], penalties: Mapping[Edge, Penalty]) -> Penalty:
    """Add up the penalties of a matching, each kind on its own."""
    return tuple(sum(kind) for kind in zip(*(penalties[edge] for edge in matching), strict=True))


def _single_numbers(penalties: Sequence[Penalty], *, factor: int) -> list[int]:
    """Write tuples as numbers whose sums, of up to `factor` of them, compare as the tuples' do."""
    if not penalties:
        return []
    weights = [0] * len(penalties)
    for kind in zip(*penalties, strict=True):
        radix = factor * max(kind) + 1
        weights = [weight * radix + penalty for weight, penalty in zip(weights, kind, strict=True)]
    return weights


def mixed(*numbers: int) -> int:
    """Scatter numbers over 32 bits, to choose among equals without always favouring the first.

    Multiplication by large odd numbers and shifts, as in xxHash; the same on every machine.
    """
    value = 0x165667B1
    for number in numbers:
        value = (value ^ number) * 0x9E3779B1 & 0xFFFFFFFF
        value = (value ^ (value >> 15)) * 0x85EBCA77 & 0xFFFFFFFF
        value ^= value >> 13
    return value
