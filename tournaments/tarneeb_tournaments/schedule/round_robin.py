"""Everybody meets everybody once."""

from collections.abc import Sequence

from tarneeb_tournaments.schedule.base import Pairing


def round_robin(entrants: Sequence[str]) -> tuple[Pairing, ...]:
    """Pair by the circle method: one place stays, the others move on by one each round.

    An even number n of entrants gives n - 1 rounds. With an odd number the place that stays is
    the bye: n rounds, one bye for each. How often an entrant comes first, so sits as team 0 in the
    first half, differs by at most one from how often it comes second.

    Args:
        entrants: ids, each once; fewer than two give no pairings.

    Source: the circle method, as in the Berger tables of chess (FIDE Handbook C.05, annex 1).

    >>> [(p.round, p.first, p.second) for p in round_robin(["a", "b", "c"])]
    [(1, 'c', 'b'), (1, 'a', None), (2, 'a', 'c'), (2, 'b', None), (3, 'b', 'a'), (3, 'c', None)]
    """
    count = len(entrants)
    if count < 2:
        return ()
    # The circle has an odd number of places; with even n the last entrant stands in the middle.
    circle = count - 1 + count % 2
    middle = entrants[-1] if count % 2 == 0 else None
    pairings = []
    for index in range(circle):
        numbered = [(entrants[first], entrants[second]) for first, second in _across(circle, index)]
        alone = entrants[index]
        if middle is not None:
            # Sides change each round: the circle turns, the middle would keep its side for ever.
            numbered.insert(0, (alone, middle) if index % 2 else (middle, alone))
        pairings += [
            Pairing(index + 1, number, first, second)
            for number, (first, second) in enumerate(numbered, start=1)
        ]
        if middle is None:
            pairings.append(Pairing(index + 1, len(numbered) + 1, alone, None))
    return tuple(pairings)


def _across(circle: int, index: int) -> list[tuple[int, int]]:
    """Pair the places that lie at equal distances on both sides of one place of the circle."""
    pairs = []
    for distance in range(1, circle // 2 + 1):
        right, left = (index + distance) % circle, (index - distance) % circle
        pairs.append((left, right) if distance % 2 else (right, left))
    return pairs
