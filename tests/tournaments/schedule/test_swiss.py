import math
import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tarneeb_tournaments.schedule import Pairing, PairingResult, Swiss
from tarneeb_tournaments.schedule.matching import best_matching
from tarneeb_tournaments.schedule.swiss_state import Entry, ranked_entries
from tarneeb_tournaments.schedule.swiss_weights import penalties_of
from tests.tournaments.schedule import swiss_oracle as oracle

Outcome = Callable[[Pairing], tuple[float, float]]


def ids(count: int) -> list[str]:
    return [f"e{number:03}" for number in range(1, count + 1)]


def by_chance(rng: random.Random) -> Outcome:
    def outcome(_: Pairing) -> tuple[float, float]:
        won = rng.randint(0, 8) / 2
        return won, 4 - won

    return outcome


def by_strength(pairing: Pairing) -> tuple[float, float]:
    return (3.0, 1.0) if pairing.first < str(pairing.second) else (1.0, 3.0)


def result_of(pairing: Pairing, outcome: Outcome) -> PairingResult:
    return (
        PairingResult.bye(pairing) if pairing.is_bye else PairingResult(pairing, outcome(pairing))
    )


def play(schedule: Swiss, entrants: Sequence[str], outcome: Outcome) -> list[PairingResult]:
    results: list[PairingResult] = []
    while pairings := schedule.next_pairings(entrants, results):
        results += [result_of(pairing, outcome) for pairing in pairings]
    return results


def history(*rounds: str, winners: str = "") -> list[PairingResult]:
    """Read rounds such as "ab cd e": a meets b, c meets d, e has a bye; `winners` in order."""
    results = []
    left = iter(winners)
    for number, text in enumerate(rounds, start=1):
        for place, pair in enumerate(text.split(), start=1):
            if len(pair) == 1:
                results.append(PairingResult.bye(Pairing(number, place, pair, None)))
            else:
                winner = next(left, "=")
                boards = {pair[0]: (3.0, 1.0), pair[1]: (1.0, 3.0)}.get(winner, (2.0, 2.0))
                results.append(PairingResult(Pairing(number, place, *pair), boards))
    return results


def pairs(pairings: Sequence[Pairing]) -> set[frozenset[str]]:
    return {frozenset(pairing.entrants) for pairing in pairings}


# Small cases by hand.


def test_the_first_round_pairs_the_upper_half_with_the_lower_half() -> None:
    assert pairs(Swiss(3).next_pairings("abcdefgh", [])) == {
        frozenset(pair) for pair in ("ae", "bf", "cg", "dh")
    }


def test_the_second_round_pairs_winners_with_winners() -> None:
    played = history("ae bf cg dh", winners="abcd")
    assert pairs(Swiss(3).next_pairings("abcdefgh", played)) == {
        frozenset(pair) for pair in ("ac", "bd", "eg", "fh")
    }


def test_a_rematch_that_greedy_pairing_would_accept_is_avoided() -> None:
    # phase-rs/phase #7937: records 2-1-1-0 after a-b, c-d, a-c, b-d; greedy repeats a-b.
    played = history("ab cd", "ac bd", winners="acab")
    assert oracle.scores_of("abcd", played) == {"a": 2.0, "b": 1.0, "c": 1.0, "d": 0.0}
    assert pairs(Swiss(3).next_pairings("abcd", played)) == {frozenset("ad"), frozenset("bc")}


def test_eight_entrants_play_seven_rounds() -> None:
    # lichess-org/lila #7675 stopped after five.
    met = oracle.meetings_of(play(Swiss(7), ids(8), by_strength))
    assert len(met) == 28
    assert set(met.values()) == {1}


def test_the_bye_goes_to_the_lowest() -> None:
    played = history("ac bd e", winners="ab")
    pairings = Swiss(2).next_pairings("abcde", played)
    assert pairings[-1].entrants == ("d",)
    assert pairings[-1].is_bye


def test_the_lowest_entrant_gets_no_second_bye_before_all_have_had_one() -> None:
    byes = [r.pairing.first for r in play(Swiss(7), ids(7), by_strength) if r.pairing.is_bye]
    assert sorted(byes) == ids(7)


def test_meeting_a_lower_score_is_remembered_as_a_float() -> None:
    lower = history("ad be cf", "cd ab ef", winners="abcc")
    entries = {each.entrant: each for each in ranked_entries("abcdef", lower, absent=set())}
    assert entries["c"].floats == (-1, 0)
    assert entries["d"].floats == (1, 0)


def test_a_bye_counts_as_a_float_downwards() -> None:
    (entry,) = ranked_entries("a", history("a", "a"), absent=set())
    assert entry.floats == (-1, -1)


def test_of_two_who_could_float_down_the_one_who_did_not_before_does() -> None:
    def entry(name: str, half_points: int, *, floats: tuple[int, int] = (0, 0)) -> Entry:
        return Entry(name, half_points, 0.0, {}, 0, 0, floats)

    # Without floats c, the lowest of the upper group, would meet d.
    upper = [entry("a", 4), entry("b", 4), entry("c", 4, floats=(-1, 0))]
    lower = [entry("d", 2), entry("e", 2), entry("f", 2)]
    for floats, expected in (((-1, 0), (1, 3)), ((0, 0), (2, 3))):
        upper[2] = entry("c", 4, floats=floats)
        best = best_matching(6, penalties_of([*upper, *lower], rematches=True))
        assert best is not None
        assert expected in best


def test_an_entrant_who_has_left_is_not_paired_and_the_others_are() -> None:
    played = history("ad be cf", winners="abc")
    pairings = Swiss(4).next_pairings("abcdef", played, absent={"b"})
    assert sorted(each for pairing in pairings for each in pairing.entrants) == list("acdef")
    assert sum(pairing.is_bye for pairing in pairings) == 1


def test_a_walkover_is_not_played_again() -> None:
    walkover = PairingResult(Pairing(1, 1, "a", "b"), None, awarded_to="a")
    played = [walkover, PairingResult(Pairing(1, 2, "c", "d"), (3, 1))]
    assert frozenset("ab") not in pairs(Swiss(3).next_pairings("abcd", played))
    assert walkover.points == (1.0, 0.0)


def test_nobody_wins_when_both_had_left() -> None:
    assert PairingResult(Pairing(1, 1, "a", "b"), None).points == (0.0, 0.0)


def test_the_tournament_ends_when_one_entrant_is_left() -> None:
    played = history("ab cd", winners="ac")
    assert Swiss(3).next_pairings("abcd", played, absent={"b", "c", "d"}) == ()


def test_after_the_last_round_nothing_is_paired() -> None:
    assert Swiss(2).next_pairings("abcd", history("ab cd", "ac bd")) == ()


def test_results_may_come_in_any_order() -> None:
    rng = random.Random(3)
    played = play(Swiss(4), ids(9), by_chance(rng))
    expected = Swiss(5).next_pairings(ids(9), played)
    rng.shuffle(played)
    assert Swiss(5).next_pairings(ids(9), played) == expected


@pytest.mark.parametrize(
    ("count", "rounds", "reason"),
    [
        (0, 3, "at least 2 entrants, not 0"),
        (1, 3, "at least 2 entrants, not 1"),
        (8, 0, "at least 1 round, not 0"),
        (8, 8, "at most 7 rounds"),
        (7, 8, "at most 7 rounds"),
        (2, 2, "at most 1 round"),
    ],
)
def test_what_cannot_be_paired_is_refused_before_round_one(
    count: int, rounds: int, reason: str
) -> None:
    assert reason in (Swiss(rounds).verify(ids(count)) or "")


@pytest.mark.parametrize(("count", "rounds"), [(8, 7), (7, 7), (2, 1), (1000, 10)])
def test_as_many_rounds_as_there_are_opponents_are_accepted(count: int, rounds: int) -> None:
    assert Swiss(rounds).verify(ids(count)) is None


def test_more_rounds_are_accepted_where_rematches_are_allowed() -> None:
    assert Swiss(20, rematches=True).verify(ids(4)) is None


# All small tournaments: BUG-29 and BUG-30.


@pytest.mark.parametrize("count", range(2, 10))
def test_no_number_of_rounds_stops_early_or_meets_twice_without_need(count: int) -> None:
    most = count - 1 + count % 2
    for rounds in range(1, count + 3):
        for seed in range(8):
            results = play(
                Swiss(rounds, rematches=True), ids(count), by_chance(random.Random(seed))
            )
            assert Counter(r.pairing.round for r in results) == dict.fromkeys(
                range(1, rounds + 1), (count + 1) // 2
            )
            met = oracle.meetings_of(results)
            assert max(met.values()) <= math.ceil(rounds / most)


@pytest.mark.parametrize("count", [3, 5, 7, 9])
def test_byes_differ_by_at_most_one_at_every_moment(count: int) -> None:
    for seed in range(10):
        byes = Counter(dict.fromkeys(ids(count), 0))
        rounds = 2 * count
        outcome = by_chance(random.Random(seed))
        for result in play(Swiss(rounds, rematches=True), ids(count), outcome):
            if result.pairing.is_bye:
                byes[result.pairing.first] += 1
                assert max(byes.values()) - min(byes.values()) <= 1


@pytest.mark.parametrize("count", [4, 7, 8, 16, 33])
def test_sides_stay_balanced(count: int) -> None:
    for seed in range(5):
        balance: Counter[str] = Counter()
        rounds = min(count - 1, 9)
        for result in play(Swiss(rounds), ids(count), by_chance(random.Random(seed))):
            if not result.pairing.is_bye:
                balance.update([result.pairing.first])
                balance.subtract([str(result.pairing.second)])
            assert all(abs(each) <= 3 for each in balance.values())


def random_history(rng: random.Random, entrants: Sequence[str]) -> list[PairingResult]:
    """Pair some rounds by chance alone, so that histories occur which Swiss would not make."""
    results: list[PairingResult] = []
    for number in range(1, rng.randint(1, len(entrants)) + 1):
        order = list(entrants)
        rng.shuffle(order)
        if len(order) % 2:
            pairing = Pairing(number, 99, order.pop(), None)
            results.append(PairingResult.bye(pairing))
        for place, (first, second) in enumerate(zip(order[::2], order[1::2], strict=True)):
            pairing = Pairing(number, place + 1, first, second)
            results.append(result_of(pairing, by_chance(rng)))
    return results


def assert_best(entrants: Sequence[str], results: list[PairingResult], *, ahead: int) -> None:
    """Compare one round with all rounds there are."""
    number = max(r.pairing.round for r in results) + 1
    found = frozenset(pairs(Swiss(number + ahead, rematches=True).next_pairings(entrants, results)))
    allowed = oracle.fair_byes(entrants, results)
    assert found in allowed
    free = frozenset(oracle.meetings_of(results))
    fresh = [one for one in allowed if not one & free]
    if ahead and fresh:
        future = {one: oracle.longest_future(tuple(entrants), free | one, ahead) for one in fresh}
        longest = max(future.values())
        allowed = [one for one in fresh if future[one] == longest]
        assert found in allowed
    assert oracle.badness(found, entrants, results) == min(
        oracle.badness(one, entrants, results) for one in allowed
    )


@pytest.mark.parametrize("count", range(4, 10))
def test_a_last_round_is_the_best_of_all_after_any_history(count: int) -> None:
    rng = random.Random(count)
    for _ in range(150 if count < 8 else 40):
        entrants = ids(count)
        assert_best(entrants, random_history(rng, entrants), ahead=0)


@pytest.mark.parametrize("count", [4, 6])
def test_a_round_is_the_best_of_those_that_leave_the_rest_possible(count: int) -> None:
    rng = random.Random(count)
    for _ in range(150):
        entrants = ids(count)
        results = random_history(rng, entrants)
        assert_best(entrants, results, ahead=rng.randint(1, 3))


@pytest.mark.nightly
@pytest.mark.parametrize("count", range(4, 10))
def test_many_more_histories_give_the_best_round(count: int) -> None:
    rng = random.Random(1000 + count)
    for _ in range(3_000 if count < 9 else 1_000):
        entrants = ids(count)
        results = random_history(rng, entrants)
        assert_best(entrants, results, ahead=rng.randint(0, 2) if count in {4, 6} else 0)


# Large fields.


def test_a_large_field_is_paired_by_scores_without_rematch() -> None:
    rng = random.Random(1)
    results = play(Swiss(6), ids(301), by_chance(rng))
    met = oracle.meetings_of(results)
    assert max(met.values()) == 1
    assert Counter(r.pairing.round for r in results) == dict.fromkeys(range(1, 7), 151)
    for number in range(2, 7):
        before = [r for r in results if r.pairing.round < number]
        scores = oracle.scores_of(ids(301), before)
        gaps = [
            abs(scores[r.pairing.first] - scores[r.pairing.second])
            for r in results
            if r.pairing.round == number and r.pairing.second
        ]
        assert max(gaps) <= 1
        assert sum(gap > 0 for gap in gaps) <= 2 * number


@pytest.mark.nightly
def test_64_entrants_play_all_63_rounds() -> None:
    # BUG-29: no hang, and no dead end.
    met = oracle.meetings_of(play(Swiss(63), ids(64), by_strength))
    assert len(met) == 64 * 63 // 2
