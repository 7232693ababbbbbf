import random
from itertools import combinations

import pytest

from tarneeb_tournaments.schedule.lookahead import (
    can_complete,
    is_always_possible,
    most_rounds,
    perfect_matchings,
    rounds_ahead,
)
from tarneeb_tournaments.schedule.matching import Edge

TWO_TRIANGLES = frozenset({(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)})
PRISM = TWO_TRIANGLES | {(0, 3), (1, 4), (2, 5)}


def complete_graph(nodes: int) -> frozenset[Edge]:
    """Join every node with every other."""
    return frozenset(combinations(range(nodes), 2))


def brute_force(nodes: int, free: frozenset[Edge], rounds: int) -> bool:
    if rounds == 0:
        return True
    return any(
        brute_force(nodes, free - matching, rounds - 1)
        for matching in perfect_matchings(range(nodes), free)
    )


def test_two_triangles_are_a_dead_end() -> None:
    assert not can_complete(6, TWO_TRIANGLES, 1)


def test_a_prism_has_three_rounds_if_they_are_well_chosen() -> None:
    assert can_complete(6, PRISM, 3)
    assert not can_complete(6, PRISM - {(0, 3), (1, 4), (2, 5)}, 2)


def test_no_rounds_can_always_be_played() -> None:
    assert can_complete(4, frozenset(), 0)
    assert is_always_possible(4, frozenset(), 0)


@pytest.mark.parametrize("nodes", [4, 6])
def test_the_search_agrees_with_trying_all(nodes: int) -> None:
    rng = random.Random(nodes)
    for _ in range(300):
        free = frozenset(e for e in combinations(range(nodes), 2) if rng.random() < 0.7)
        rounds = rng.randint(1, nodes - 1)
        assert can_complete(nodes, free, rounds) == brute_force(nodes, free, rounds)


@pytest.mark.parametrize("nodes", [4, 6, 8, 10, 12, 20, 64])
def test_before_round_one_every_pair_can_meet(nodes: int) -> None:
    found = rounds_ahead(nodes, complete_graph(nodes), nodes - 1)
    assert found is not None
    assert frozenset().union(*found) == complete_graph(nodes)
    assert all(len(one) == nodes // 2 for one in found)


@pytest.mark.parametrize("nodes", [12, 16, 30])
def test_rounds_found_in_a_large_field_share_no_pair_and_are_free(nodes: int) -> None:
    rng = random.Random(nodes)
    free = complete_graph(nodes)
    for _ in range(nodes // 2):
        matching = next(iter(_random_round(rng, nodes, free)), None)
        free -= matching or frozenset()
    rounds = nodes // 3
    found = rounds_ahead(nodes, free, rounds)
    assert found is not None
    assert len(found) == rounds
    assert sum(len(one) for one in found) == len(frozenset().union(*found))
    assert frozenset().union(*found) <= free


def _random_round(rng: random.Random, nodes: int, free: frozenset[Edge]) -> list[frozenset[Edge]]:
    order = list(range(nodes))
    rng.shuffle(order)
    pairs = frozenset((min(p), max(p)) for p in zip(order[::2], order[1::2], strict=True))
    return [pairs] if pairs <= free else []


def test_where_all_is_always_possible_no_choice_is_a_dead_end() -> None:
    for _ in range(3):
        free = complete_graph(8)
        rounds = 4
        assert is_always_possible(8, free, rounds)
        rng = random.Random(1)
        for _ in range(rounds):
            choices = list(perfect_matchings(range(8), free))
            assert choices
            free -= rng.choice(choices)


def test_more_rounds_than_somebody_has_opponents_are_impossible() -> None:
    assert most_rounds(6, TWO_TRIANGLES) == 2
    assert rounds_ahead(6, TWO_TRIANGLES, 3) is None
