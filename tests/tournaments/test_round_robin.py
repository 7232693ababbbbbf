from collections import Counter
from itertools import combinations

import pytest

from tarneeb_tournaments.schedule import Pairing, round_robin

SIZES = range(2, 30)


def ids(count: int) -> list[str]:
    return [f"e{number}" for number in range(1, count + 1)]


@pytest.mark.parametrize("count", SIZES)
def test_everybody_meets_everybody_once(count: int) -> None:
    met = Counter(frozenset(p.entrants) for p in round_robin(ids(count)) if not p.is_bye)
    assert met == Counter(frozenset(pair) for pair in combinations(ids(count), 2))


@pytest.mark.parametrize("count", SIZES)
def test_each_round_has_every_entrant_once(count: int) -> None:
    pairings = round_robin(ids(count))
    for number in range(1, count - 1 + count % 2 + 1):
        seated = [entrant for p in pairings if p.round == number for entrant in p.entrants]
        assert sorted(seated) == sorted(ids(count))


@pytest.mark.parametrize("count", SIZES)
def test_byes_are_one_for_each_when_odd_and_none_when_even(count: int) -> None:
    byes = Counter(p.first for p in round_robin(ids(count)) if p.is_bye)
    assert byes == (Counter(ids(count)) if count % 2 else Counter())


@pytest.mark.parametrize("count", SIZES)
def test_who_comes_first_is_balanced_to_within_one(count: int) -> None:
    played = [p for p in round_robin(ids(count)) if not p.is_bye]
    first, second = Counter(p.first for p in played), Counter(p.second for p in played)
    assert max(abs(first[each] - second[each]) for each in ids(count)) <= 1


@pytest.mark.parametrize("count", SIZES)
def test_pairings_come_in_order_and_are_numbered_from_one(count: int) -> None:
    places = [(p.round, p.number) for p in round_robin(ids(count))]
    assert places == sorted(places)
    assert len(set(places)) == len(places)
    assert places[0] == (1, 1)


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_entrants_have_no_pairings(count: int) -> None:
    assert round_robin(ids(count)) == ()


def test_teams_swap_in_the_second_half() -> None:
    pairing = Pairing(1, 1, "e1", "e2")
    assert pairing.teams(1) == ("e1", "e2")
    assert pairing.teams(2) == ("e2", "e1")


def test_a_bye_has_no_teams() -> None:
    with pytest.raises(ValueError, match="is a bye"):
        Pairing(1, 2, "e1", None).teams(1)


def test_there_are_two_halves() -> None:
    with pytest.raises(ValueError, match="halves 1 and 2, not 3"):
        Pairing(1, 1, "e1", "e2").teams(3)
