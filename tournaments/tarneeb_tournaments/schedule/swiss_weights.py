"""What speaks against each possible pairing of a Swiss round, as numbers."""

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from tarneeb_tournaments.schedule.matching import Edge, Penalty
from tarneeb_tournaments.schedule.swiss_state import Entry

# Out of how many candidates one is sought in other score groups than the entrant's own.
_ABROAD = 4


def penalties_of(
    entries: Sequence[Entry], *, rematches: bool, only: Iterable[Edge] | None = None
) -> dict[Edge, Penalty]:
    """Weigh pairings, from the most important kind of penalty to the least.

    Args:
        entries: in the order of the ranking; their places are the nodes. With an odd number the
            next node is the bye.
        rematches: whether pairs who have met are among them.
        only: the pairs to weigh; all by default. Byes are always weighed.
    """
    places = _places_in_groups(entries)
    pairs = combinations(range(len(entries)), 2) if only is None else only
    penalties = {
        (upper, lower): _pair_penalty(entries[upper], entries[lower], places[upper], places[lower])
        for upper, lower in pairs
        if rematches or not entries[upper].meetings.get(entries[lower].entrant)
    }
    if len(entries) % 2:
        fewest = min(entry.byes for entry in entries)
        bye, lowest = len(entries), len(entries) - 1
        for place, entry in enumerate(entries):
            if entry.byes == fewest:
                penalties[place, bye] = (0, lowest - place, 0, _repeated_float(entry, -1), 0, 0)
    return penalties


def near_edges(entries: Sequence[Entry], candidates: int) -> set[Edge]:
    """Choose for each entrant the most likely opponents whom it has not met.

    Three quarters are those of its own score group nearest to its opponent in the other half; the
    rest are those of other groups with the nearest scores, so that a group with an odd number can
    send somebody out.
    """
    count = len(entries)
    score = np.array([entry.half_points for entry in entries], dtype=np.float64)
    places = _places_in_groups(entries)
    within = np.array([place for place, _ in places], dtype=np.float64)
    size = np.array([size for _, size in places], dtype=np.float64)
    gap = np.abs(score[:, None] - score[None, :])
    from_ideal = np.abs(np.abs(within[:, None] - within[None, :]) - size[:, None] // 2)
    # Upper triangle: the row leaves its group downwards. The lower one is its mirror image.
    leaving = np.triu((size - 1 - within)[:, None] + within[None, :])
    leaving += np.triu(leaving, 1).T
    met = _met(entries)
    at_home = np.where((gap == 0) & ~met, from_ideal, np.inf)
    abroad = np.where((gap > 0) & ~met, gap * 4 * count + leaving, np.inf)
    edges: set[Edge] = set()
    for cost, share in (
        (at_home, candidates - candidates // _ABROAD),
        (abroad, candidates // _ABROAD),
    ):
        wanted = min(share, count - 1)
        nearest = np.argpartition(cost, wanted, axis=1)[:, :wanted]
        rows = np.repeat(np.arange(count), wanted)
        columns = nearest.ravel()
        usable = np.isfinite(cost[rows, columns])
        low, high = np.minimum(rows, columns)[usable], np.maximum(rows, columns)[usable]
        edges.update(zip(low.tolist(), high.tolist(), strict=True))
    return edges


def _pair_penalty(
    upper: Entry, lower: Entry, upper_place: tuple[int, int], lower_place: tuple[int, int]
) -> Penalty:
    gap = upper.half_points - lower.half_points
    place, size = upper_place
    if gap == 0:
        floats = 0
        places = (lower_place[0] - place - size // 2) ** 2
    else:
        floats = _repeated_float(upper, -1) + _repeated_float(lower, 1)
        places = (size - 1 - place + lower_place[0]) ** 2
    return (
        upper.meetings.get(lower.entrant, 0) ** 2,
        0,
        gap**2,
        floats,
        places,
        _side_penalty(upper.side_balance, lower.side_balance),
    )


def _repeated_float(entry: Entry, direction: int) -> int:
    """Count 2 for the same float in the last round, and 1 for one in the round before."""
    last, before = entry.floats
    return 2 * (last == direction) + (before == direction)


def _side_penalty(one: int, other: int) -> int:
    """Measure how unequal both entrants' sides get when the one with more firsts comes second."""
    more, fewer = max(one, other), min(one, other)
    return (more - 1) ** 2 + (fewer + 1) ** 2


def _places_in_groups(entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """Give for each entrant its place in its score group, from 0, and the group's size."""
    starts = [
        place
        for place, entry in enumerate(entries)
        if place == 0 or entry.half_points != entries[place - 1].half_points
    ]
    ends = [*starts[1:], len(entries)]
    return [
        (place - start, end - start)
        for start, end in zip(starts, ends, strict=True)
        for place in range(start, end)
    ]


def _met(entries: Sequence[Entry]) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    place_of = {entry.entrant: place for place, entry in enumerate(entries)}
    met = np.eye(len(entries), dtype=np.bool_)
    for place, entry in enumerate(entries):
        for other in entry.meetings:
            if other in place_of:
                met[place, place_of[other]] = True
    return met
