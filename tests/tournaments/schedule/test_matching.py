import random
from itertools import combinations

import pytest

from tarneeb_tournaments.schedule.lookahead import perfect_matchings
from tarneeb_tournaments.schedule.matching import Edge, Penalty, best_matching, total_penalty


def random_penalties(rng: random.Random, nodes: int, *, kinds: int = 3) -> dict[Edge, Penalty]:
    edges = [edge for edge in combinations(range(nodes), 2) if rng.random() < 0.8]
    return {edge: tuple(rng.choice([0, 0, 1, 2, 50]) for _ in range(kinds)) for edge in edges}


@pytest.mark.parametrize("nodes", [2, 4, 6, 8])
def test_the_best_matching_is_what_trying_all_finds(nodes: int) -> None:
    rng = random.Random(nodes)
    for _ in range(200):
        penalties = random_penalties(rng, nodes)
        found = best_matching(nodes, penalties)
        every = list(perfect_matchings(range(nodes), penalties))
        if found is None:
            assert every == []
        else:
            assert total_penalty(found, penalties) == min(
                total_penalty(one, penalties) for one in every
            )


def test_one_unit_of_an_earlier_kind_outweighs_any_number_of_a_later_one() -> None:
    many = 10**6
    penalties = {(0, 1): (1, 0), (2, 3): (0, 0), (0, 2): (0, many), (1, 3): (0, many)}
    assert best_matching(4, penalties) == frozenset({(0, 2), (1, 3)})


def test_an_odd_number_of_nodes_has_no_perfect_matching() -> None:
    assert best_matching(3, {(0, 1): (0,), (1, 2): (0,)}) is None


def test_no_nodes_are_matched_by_no_edges() -> None:
    assert best_matching(0, {}) == frozenset()


def test_penalties_too_large_for_the_solver_are_refused() -> None:
    with pytest.raises(OverflowError, match="120 bits"):
        best_matching(2, {(0, 1): (10**20, 10**20)})


def test_equal_choices_give_the_same_answer_every_time() -> None:
    penalties = dict.fromkeys(combinations(range(8), 2), (0, 0))
    backwards = dict(reversed(list(penalties.items())))
    assert best_matching(8, penalties) == best_matching(8, backwards)


def test_all_perfect_matchings_of_a_complete_graph_are_yielded_once() -> None:
    matchings = list(perfect_matchings(range(8), set(combinations(range(8), 2))))
    assert len(matchings) == len(set(matchings)) == 7 * 5 * 3
