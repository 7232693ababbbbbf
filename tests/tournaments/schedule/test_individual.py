from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest

from tarneeb_tournaments.schedule import Individual, Pairing, PairingResult
from tarneeb_tournaments.schedule.movements import MOVEMENT_SIZES, movement_round
from tarneeb_tournaments.schedule.seating import seated_evenly


def ids(count: int) -> list[str]:
    return [f"e{number:03}" for number in range(1, count + 1)]


def result_of(pairing: Pairing) -> PairingResult:
    return PairingResult(pairing, None if pairing.is_bye else (2.0, 2.0))


def play(schedule: Individual, entrants: Sequence[str]) -> list[Pairing]:
    pairings: list[Pairing] = []
    while new := schedule.next_pairings(entrants, [result_of(each) for each in pairings]):
        pairings += new
    return pairings


def partners_of(pairings: Sequence[Pairing]) -> Counter[frozenset[str]]:
    return Counter(frozenset(side) for p in pairings if not p.is_bye for side in p.sides)


def opponents_of(pairings: Sequence[Pairing]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset({one, other})
        for p in pairings
        if not p.is_bye
        for one in p.sides[0]
        for other in p.sides[1]
    )


def counts(counted: Counter[frozenset[str]], entrants: Sequence[str]) -> set[int]:
    return {counted[frozenset(pair)] for pair in combinations(entrants, 2)}


@pytest.mark.parametrize("count", sorted(MOVEMENT_SIZES))
def test_a_whole_movement_is_as_even_as_can_be(count: int) -> None:
    entrants = ids(count)
    pairings = play(Individual(), entrants)
    whist = count % 4 in {0, 1}
    assert counts(partners_of(pairings), entrants) == ({1} if whist else {0, 1})
    assert counts(opponents_of(pairings), entrants) == ({2} if whist else {1, 2})
    byes = Counter(p.first for p in pairings if p.is_bye)
    assert {byes[each] for each in entrants} == {count % 4}


@pytest.mark.parametrize("count", [4, 5, 6, 7, 9, 13, 25, 26, 41, 43, 60])
def test_everybody_is_in_each_round_once(count: int) -> None:
    pairings = play(Individual(6), ids(count))
    for number in range(1, 7):
        in_round = [p for p in pairings if p.round == number]
        assert sorted(each for p in in_round for each in p.entrants) == ids(count)
        assert [p.number for p in in_round] == list(range(1, len(in_round) + 1))
        assert sum(p.is_bye for p in in_round) == count % 4


@pytest.mark.parametrize("count", sorted(MOVEMENT_SIZES))
def test_part_of_a_movement_repeats_no_partner(count: int) -> None:
    pairings = play(Individual(min(count - 1, 5)), ids(count))
    assert max(partners_of(pairings).values()) == 1
    assert max(opponents_of(pairings).values()) <= 2


def test_a_movement_begins_again_after_its_last_round() -> None:
    assert movement_round(8, 8) == movement_round(8, 1)
    assert counts(partners_of(play(Individual(14), ids(8))), ids(8)) == {2}


@pytest.mark.parametrize(("count", "rounds"), [(44, 12), (50, 16), (63, 20), (101, 10), (202, 8)])
def test_a_large_field_is_seated_evenly(count: int, rounds: int) -> None:
    pairings = play(Individual(rounds), ids(count))
    assert max(partners_of(pairings).values()) == 1
    assert max(opponents_of(pairings).values()) <= 2
    byes = Counter(p.first for p in pairings if p.is_bye)
    assert max(byes[each] for each in ids(count)) - min(byes[each] for each in ids(count)) <= 1


@pytest.mark.parametrize("count", [4, 5, 8, 10, 11, 16])
def test_seating_round_by_round_stays_close_to_even(count: int) -> None:
    entrants = ids(count)
    results: list[PairingResult] = []
    for number in range(1, count + 1):
        for place, (a, b, c, d) in enumerate(
            seated_evenly(entrants, results, round_number=number), start=1
        ):
            one, its, other, their = (entrants[each] for each in (a, b, c, d))
            results.append(
                PairingResult(Pairing(number, place, one, other, partners=(its, their)), (2, 2))
            )
    pairings = [result.pairing for result in results]
    assert max(partners_of(pairings).values()) <= 2
    most, least = (
        max(opponents_of(pairings).values()),
        min(counts(opponents_of(pairings), entrants)),
    )
    assert most - least <= 4


def test_who_has_left_is_seated_no_more_and_the_others_go_on() -> None:
    entrants = ids(9)
    pairings: list[Pairing] = []
    for number in range(1, 9):
        absent = frozenset({"e003"}) if number > 2 else frozenset[str]()
        pairings += Individual(8).next_pairings(
            entrants, [result_of(each) for each in pairings], absent=absent
        )
    later = [p for p in pairings if p.round > 2]
    assert all("e003" not in p.entrants for p in later)
    assert not any(p.is_bye for p in later)
    assert max(partners_of(pairings).values()) <= 2


def test_the_event_ends_when_no_table_can_be_filled() -> None:
    entrants = ids(4)
    first = Individual().next_pairings(entrants, [])
    results = [result_of(each) for each in first]
    assert Individual().next_pairings(entrants, results, absent={"e001"}) == ()


@pytest.mark.parametrize(
    ("schedule", "count", "reason"),
    [
        (Individual(), 3, "at least 4 entrants, not 3"),
        (Individual(), 0, "at least 4 entrants, not 0"),
        (Individual(0), 8, "at least 1 round, not 0"),
    ],
)
def test_what_makes_no_event_is_refused(schedule: Individual, count: int, reason: str) -> None:
    assert reason in (schedule.verify(ids(count)) or "")


def test_four_entrants_are_enough() -> None:
    assert Individual().verify(ids(4)) is None
    assert len(play(Individual(), ids(4))) == 3
