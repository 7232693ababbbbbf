"""Schedules that follow from results, played to their end, stopped, resumed and left."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from tarneeb_tournaments.formats import standings_json
from tarneeb_tournaments.results import Results
from tarneeb_tournaments.rounds import (
    entrant_order,
    next_step,
    settled_results,
    withdrawal_problems,
    withdrawals,
)
from tarneeb_tournaments.schedule import ScheduleSettings
from tarneeb_tournaments.standings import RatingKind, compute_standings
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results
from tarneeb_tournaments.suspension import suspended_entrants
from tests.tournaments.kit.fake_play import FakePlay, new_store
from tests.tournaments.kit.fake_play import run as run_fake
from tests.tournaments.kit.table_play import config, play, with_

SCHEDULES: dict[str, tuple[str, ScheduleSettings]] = {
    "double round-robin": ("ABCD", {"schedule": "round-robin", "times": 2}),
    "swiss": ("ABCDEFG", {"schedule": "swiss", "rounds": 4, "rematches": False}),
    "gauntlet": ("ABCDE", {"schedule": "gauntlet", "challengers": "e2 e4", "times": 1}),
    "individual": ("ABCDEF", {"schedule": "individual", "rounds": 4}),
}


def figures(results: Results, rating: RatingKind = "trueskill") -> dict[str, object]:
    return standings_json(compute_standings(results, rating=rating))


@pytest.mark.parametrize(("names", "schedule"), SCHEDULES.values(), ids=SCHEDULES)
def test_however_it_is_run_no_digit_changes(
    tmp_path: Path, names: str, schedule: ScheduleSettings
) -> None:
    tournament = config(names, schedule=schedule)
    whole = play(tmp_path / "whole.sqlite", tournament)
    assert whole.is_finished
    dice = random.Random(4)
    path = tmp_path / "stopped.sqlite"
    tries = 0
    while not (
        stopped := play(
            path, tournament, pairings=3, make_play=with_(stop_after=dice.randint(0, 9))
        )
    ).is_finished:
        tries += 1
    assert tries >= 2
    assert stopped.steps == whole.steps
    for rating in ("trueskill", "elo"):
        assert figures(stopped, rating) == figures(whole, rating)


@pytest.mark.parametrize(("names", "schedule"), SCHEDULES.values(), ids=SCHEDULES)
def test_the_order_of_completion_decides_nothing(names: str, schedule: ScheduleSettings) -> None:
    seen = []
    for pairings, seed in ((1, 0), (4, 1), (4, 2)):
        dice = random.Random(seed)
        store = new_store(names, schedule=schedule)
        pace = FakePlay(pace=lambda _plan, _board, dice=dice: dice.randint(0, 9))  # type: ignore[misc]
        seen.append(figures(run_fake(store, pace, pairings=pairings)))
    assert seen[0] == seen[1] == seen[2]


def swiss(path: Path, names: str = "ABCDE", *, rounds: int = 3, **options: object) -> Results:
    tournament = config(names, schedule={"schedule": "swiss", "rounds": rounds})
    return play(path, tournament, make_play=with_(**options))


def test_a_bye_is_scored_and_never_rated(tmp_path: Path) -> None:
    results = swiss(tmp_path / "cup.sqlite", rounds=1)
    (bye,) = [row.pairing.first for row in results.pairings if row.pairing.is_bye]
    (row,) = [row for row in compute_standings(results).rows if row.entrant.id == bye]
    assert row.swiss is not None
    assert (row.swiss.points, row.swiss.byes) == (1.0, 1)
    assert row.rank is not None
    assert row.rating is None
    assert row.overall is None
    assert row.counts.matches == 0


def test_nobody_meets_twice_and_nobody_has_two_byes(tmp_path: Path) -> None:
    results = swiss(tmp_path / "cup.sqlite", rounds=5)
    met = [frozenset(row.pairing.entrants) for row in results.pairings]
    assert len(met) == len(set(met)) == 15


def test_each_step_can_be_computed_again(tmp_path: Path) -> None:
    results = swiss(tmp_path / "cup.sqlite", "ABCDEFG", rounds=4, absent=("e3",))
    scored = settled_results(results)
    for step in results.steps[1:]:
        before = [each for each in scored if each.pairing.round < step.round]
        assert next_step(results.info, before, suspended=frozenset(step.suspended)) == step


def test_a_suspended_entrant_is_not_paired_any_more(tmp_path: Path) -> None:
    results = swiss(tmp_path / "cup.sqlite", "ABCDEF", absent=("e3",))
    rounds = {row.pairing.round for row in results.pairings if "e3" in row.pairing.entrants}
    assert rounds == {1}
    assert suspended_entrants(results) == {"e3"}
    rows = compute_standings(results).rows
    assert [row.rank is None for row in rows] == [False] * 5 + [True]
    assert rows[-1].entrant.id == "e3"
    assert rows[-1].rating is None
    # With five left one has a bye in each round.
    assert sum(row.pairing.is_bye for row in results.pairings) == 2


def withdraw(path: Path, entrant: str, last_round: int) -> None:
    with closing(SqliteStore(path)) as store:
        for entry in withdrawals(store.read(), {entrant: last_round}):
            store.submit(entry).result()


def test_an_entrant_that_withdraws_keeps_its_results(tmp_path: Path) -> None:
    path = tmp_path / "cup.sqlite"
    names = "ABCDEF"
    # Three pairings of two boards are twelve matches: round 2 has been made and not begun.
    first = swiss(path, names, stop_after=12)
    assert not first.is_finished
    withdraw(path, "e2", 1)
    results = swiss(path, names)
    assert results.is_finished
    (left,) = [row for row in results.pairings if row.withdrawn]
    assert left.pairing.round == 2
    assert left.withdrawn == ("e2",)
    assert results.steps[2].withdrawn == ("e2",)
    rows = {row.entrant.id: row for row in compute_standings(results).rows}
    assert rows["e2"].rating is not None
    assert not rows["e2"].is_suspended
    (opponent,) = set(left.pairing.entrants) - {"e2"}
    swiss_row = rows[opponent].swiss
    assert swiss_row is not None
    assert swiss_row.byes >= 1


def test_a_withdrawal_from_a_round_robin_leaves_later_pairings_out(tmp_path: Path) -> None:
    path = tmp_path / "cup.sqlite"
    tournament = config("ABCD")
    play(path, tournament, make_play=with_(stop_after=3))
    withdraw(path, "e2", 1)
    results = play(path, tournament)
    assert results.is_finished
    played = {match.round for match in results.matches if "e2" in match.entrants}
    assert played == {1}
    assert sum(bool(row.withdrawn) for row in results.pairings) == 2


def test_a_withdrawal_that_comes_too_late_or_is_taken_back_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cup.sqlite"
    results = play(path, config("ABCD"))
    assert withdrawal_problems(results, {"e1": 2}) == [
        ("e1", "it has played in round 3; use 3 or more")
    ]
    assert withdrawal_problems(results, {"e1": 3}) == []
    withdraw(path, "e1", 3)
    assert withdrawal_problems(read_results(path), {}) == [
        ("e1", "it has left after round 3; put that back")
    ]


def test_in_an_individual_event_only_who_is_at_fault_is_suspended(tmp_path: Path) -> None:
    tournament = config("ABCDEF", schedule={"schedule": "individual", "rounds": 5})
    results = play(tmp_path / "cup.sqlite", tournament, make_play=with_(absent=("e4",)))
    assert suspended_entrants(results) == {"e4"}
    rows = {row.entrant.id: row for row in compute_standings(results).rows}
    assert rows["e4"].counts.forfeits > 0
    assert all(row.counts.forfeits == 0 for id_, row in rows.items() if id_ != "e4")
    assert all(row.rating is not None for id_, row in rows.items() if id_ != "e4")


def test_contracts_of_partners_are_their_own(tmp_path: Path) -> None:
    tournament = config("ABCD", schedule={"schedule": "individual"}, boards=3)
    results = play(tmp_path / "cup.sqlite", tournament)
    rows = compute_standings(results).rows
    declared = sum(match.bids0 + match.bids1 for match in results.matches)
    assert sum(row.counts.bids for row in rows) == declared
    assert compute_standings(results).crosstable is None
    for row in rows:
        assert row.counts.matches == len(results.matches)
        assert row.overall is not None
        assert row.overall.points.count == 9


def test_the_draw_does_not_follow_the_file() -> None:
    info = new_store("ABCDEFGH").read().info
    assert sorted(entrant_order(info)) == [f"e{number}" for number in range(1, 9)]
    assert entrant_order(info) != tuple(sorted(entrant_order(info)))
