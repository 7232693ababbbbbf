from collections import Counter
from itertools import combinations, product

import pytest

from tarneeb_tournaments.schedule import Gauntlet, Pairing, PairingResult, RoundRobin


def ids(count: int) -> list[str]:
    return [f"e{number}" for number in range(1, count + 1)]


def played(pairings: tuple[Pairing, ...]) -> list[Pairing]:
    return [pairing for pairing in pairings if not pairing.is_bye]


def balance(pairings: tuple[Pairing, ...]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for pairing in played(pairings):
        counted.update([pairing.first])
        counted.subtract([str(pairing.second)])
    return counted


@pytest.mark.parametrize("count", [2, 3, 4, 7, 8, 15])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_everybody_meets_everybody_so_many_times(count: int, times: int) -> None:
    pairings = RoundRobin(times).plan(ids(count))
    met = Counter(frozenset(pairing.entrants) for pairing in played(pairings))
    assert met == Counter({frozenset(pair): times for pair in combinations(ids(count), 2)})
    byes = Counter(pairing.first for pairing in pairings if pairing.is_bye)
    assert byes == (Counter(dict.fromkeys(ids(count), times)) if count % 2 else Counter())


@pytest.mark.parametrize("count", [2, 3, 6, 9])
@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_sides_of_a_repeated_round_robin_are_balanced(count: int, times: int) -> None:
    counted = balance(RoundRobin(times).plan(ids(count)))
    assert all(abs(each) <= times % 2 for each in counted.values())


@pytest.mark.parametrize("challengers", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("field", [1, 2, 4, 7])
@pytest.mark.parametrize("times", [1, 2])
def test_each_challenger_meets_each_of_the_field(challengers: int, field: int, times: int) -> None:
    entrants = ids(challengers + field)
    new = tuple(entrants[:challengers])
    schedule = Gauntlet(new, times)
    assert schedule.verify(entrants) is None
    pairings = schedule.plan(entrants)
    met = Counter(frozenset(pairing.entrants) for pairing in pairings)
    assert met == Counter({frozenset(pair): times for pair in product(new, entrants[challengers:])})
    for number in range(1, max(pairing.round for pairing in pairings) + 1):
        busy = [each for p in pairings if p.round == number for each in p.entrants]
        assert len(busy) == len(set(busy))
    assert all(abs(each) <= 1 for each in balance(pairings).values())
    places = [(pairing.round, pairing.number) for pairing in pairings]
    assert places == sorted(set(places))


@pytest.mark.parametrize(
    ("schedule", "entrants", "reason"),
    [
        (RoundRobin(), [], "at least 2 entrants, not 0"),
        (RoundRobin(), ["e1"], "at least 2 entrants, not 1"),
        (RoundRobin(0), ids(3), "at least 1 time, not 0"),
        (Gauntlet(()), ids(3), "at least 1 challenger"),
        (Gauntlet(("e1", "e1")), ids(3), "named twice"),
        (Gauntlet(("e9",)), ids(3), "challenger e9 is not an entrant"),
        (Gauntlet(("e1", "e2")), ids(2), "at least 1 other"),
        (Gauntlet(("e1",), 0), ids(2), "at least 1 time"),
    ],
)
def test_what_makes_no_tournament_is_refused(
    schedule: RoundRobin | Gauntlet, entrants: list[str], reason: str
) -> None:
    assert reason in (schedule.verify(entrants) or "")


def test_all_is_given_at_the_start_and_nothing_after() -> None:
    pairings = RoundRobin().next_pairings(ids(3), [])
    assert len(pairings) == 6
    results = [PairingResult.bye(p) if p.is_bye else PairingResult(p, (2, 2)) for p in pairings]
    assert RoundRobin().next_pairings(ids(3), results) == ()
