"""A slow second opinion on Swiss rounds: it counts from the raw results and tries every pairing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from tarneeb_tournaments.schedule import PairingResult

# Pairs as sets of two ids; a bye is the set of one.
Round = frozenset[frozenset[str]]


def every_round(entrants: tuple[str, ...]) -> Iterator[Round]:
    """Yield all ways to pair the entrants, with one bye if their number is odd."""
    if not entrants:
        yield frozenset()
        return
    first, rest = entrants[0], entrants[1:]
    for other in rest:
        left = tuple(each for each in rest if each != other)
        for tail in every_round(left):
            yield tail | {frozenset({first, other})}
    if len(entrants) % 2:
        for tail in every_round(rest):
            yield tail | {frozenset({first})}


def scores_of(entrants: Sequence[str], results: Sequence[PairingResult]) -> dict[str, float]:
    scores = dict.fromkeys(entrants, 0.0)
    for result in results:
        for side, points in zip(result.pairing.sides, result.points, strict=False):
            for entrant in side:
                scores[entrant] += points
    return scores


def meetings_of(results: Sequence[PairingResult]) -> Counter[frozenset[str]]:
    """Count meetings of pairs, and byes under the set of one."""
    return Counter(frozenset(result.pairing.entrants) for result in results)


def fair_byes(entrants: Sequence[str], results: Sequence[PairingResult]) -> list[Round]:
    """Keep the rounds whose bye goes to one of those with the fewest byes."""
    met = meetings_of(results)
    fewest = min(met[frozenset({each})] for each in entrants)
    return [
        one
        for one in every_round(tuple(entrants))
        if all(met[pair] == fewest for pair in one if len(pair) == 1)
    ]


def badness(
    one: Round, entrants: Sequence[str], results: Sequence[PairingResult]
) -> tuple[int, int, float]:
    """Count what must be least: second meetings, height of the bye, differences of score."""
    met, scores = meetings_of(results), scores_of(entrants, results)
    boards = dict.fromkeys(entrants, 0.0)
    for result in results:
        for side, points in zip(result.pairing.sides, result.boards or (), strict=False):
            for entrant in side:
                boards[entrant] += points
    ranking = sorted(entrants, key=lambda each: (-scores[each], -boards[each]))
    again = sum(met[pair] ** 2 for pair in one if len(pair) == 2)
    above = sum(len(entrants) - 1 - ranking.index(min(pair)) for pair in one if len(pair) == 1)
    gaps = sum((scores[min(pair)] - scores[max(pair)]) ** 2 for pair in one if len(pair) == 2)
    return again, above, gaps


def longest_future(entrants: tuple[str, ...], used: frozenset[frozenset[str]], rounds: int) -> int:
    """Find how many rounds, up to `rounds`, can follow without a second meeting or a second bye."""
    everything = list(every_round(entrants))

    @cache
    def follow(used: frozenset[frozenset[str]], wanted: int) -> int:
        best = 0
        for one in everything if wanted else ():
            if not one & used:
                best = max(best, 1 + follow(used | one, wanted - 1))
                if best == wanted:
                    break
        return best

    return follow(used, rounds)
