"""The logic of a run, over a referee that plays nothing."""

import asyncio
import random
from collections import Counter
from contextlib import suppress

import pytest

from tarneeb_referee.outcome import HalfReport
from tarneeb_referee.plan import HalfPlan
from tarneeb_sdk.errors import HarnessError
from tarneeb_tournaments.results import Entry, MatchKey, Results, StoredMatch
from tarneeb_tournaments.schedule import ScheduleSettings
from tarneeb_tournaments.standings import compute_standings
from tarneeb_tournaments.store.base import StoreError
from tarneeb_tournaments.store.memory import MemoryStore
from tests.tournaments.kit.fake_play import FakePlay, HeardProgress, new_store, run, run_async


def records(store: MemoryStore) -> dict[MatchKey, bytes]:
    return {row.key: store.record(row.key) for row in store.read().matches}


def test_every_match_is_played_once_in_fresh_sessions() -> None:
    store, play = new_store("ABC"), FakePlay()
    results = run(store, play)
    assert results.is_finished
    assert len(results.matches) == 3 * 4 * 2
    assert len(play.plans) == 3 * 2
    for plan in play.plans:
        assert plan.entrants[:2] == plan.entrants[2:]
    halves = {(plan.round_, plan.pairing): [] for plan in play.plans}  # type: ignore[var-annotated]
    for plan in play.plans:
        halves[plan.round_, plan.pairing].append((plan.half, plan.entrants[:2]))
    for (one, teams), (two, swapped) in halves.values():
        assert (one, two) == (1, 2)
        assert swapped == teams[::-1]


def test_tables_are_no_more_than_boards() -> None:
    play = FakePlay()
    run(new_store("AB", boards=3), play, tables=64)
    assert {plan.tables for plan in play.plans} == {3}


def test_progress_counts_what_is_stored() -> None:
    progress = HeardProgress()
    run(new_store("AB", boards=2), FakePlay(), progress=progress)
    assert progress.counts == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("at_once", [2, 3, 16])
def test_pairings_at_once_change_no_result(at_once: int) -> None:
    serial, parallel = new_store("ABCDEFG"), new_store("ABCDEFG")
    run(serial, FakePlay(autopilot={"e3": 4}, never_ready=["e5"]))
    dice = random.Random(at_once)
    play = FakePlay(
        autopilot={"e3": 4},
        never_ready=["e5"],
        pace=lambda _plan, _board: dice.randrange(20),
    )
    run(parallel, play, pairings=at_once)
    assert records(parallel) == records(serial)
    assert parallel.read() == serial.read()
    assert 1 < play.most_at_once <= at_once
    assert compute_standings(parallel.read()).rows == compute_standings(serial.read()).rows


def interrupted(store: MemoryStore, play: FakePlay) -> None:
    """Run until nothing more ends, then cancel as Ctrl-C does."""

    async def scenario() -> None:
        task = asyncio.create_task(run_async(store, play, pairings=2))
        for _ in range(500):
            await asyncio.sleep(0)
        task.cancel()
        # A run that has ended by itself before raises nothing.
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert play.now == 0


@pytest.mark.parametrize("seed", range(10))
def test_a_run_that_is_stopped_at_any_match_goes_on_to_the_same_results(seed: int) -> None:
    undisturbed, store = new_store("ABCDE"), new_store("ABCDE")
    run(undisturbed, FakePlay(autopilot={"e2": 3}))
    dice = random.Random(seed)
    while not store.read().is_finished:
        before = set(store.read().matches)
        play = FakePlay(autopilot={"e2": 3}, stop_after=dice.randrange(1, 12))
        interrupted(store, play)
        assert set(store.read().matches) > before
    assert records(store) == records(undisturbed)
    assert store.read() == undisturbed.read()


def test_only_boards_without_a_result_are_played_again() -> None:
    store = new_store("AB", boards=5)
    interrupted(store, FakePlay(stop_after=7))
    play = FakePlay()
    run(store, play)
    assert [(plan.half, plan.boards) for plan in play.plans] == [(2, (3, 4, 5))]


def test_a_finished_run_plays_nothing() -> None:
    store = new_store("AB")
    run(store, FakePlay())
    play = FakePlay()
    run(store, play)
    assert play.plans == []


def test_a_void_match_is_played_again_and_told() -> None:
    store, progress = new_store("AB", boards=3), HeardProgress()
    play = FakePlay(voids={(1, 1, 1): [[2, 3], [3]]})
    results = run(store, play, progress=progress)
    assert results.is_finished
    assert [plan.boards for plan in play.plans if plan.half == 1] == [(1, 2, 3), (2, 3), (3,)]
    assert len(progress.notes) == 2
    assert "round 1, pairing 1, half 1" in progress.notes[0]
    assert "error in the referee: ZeroDivisionError, as told in" in progress.notes[0]
    # An error's text may name cards of a board that is played again.
    assert not any("division by zero" in note for note in progress.notes)
    assert any("division by zero" in why for each in store.sessions for _, why in each.voids)
    undisturbed = new_store("AB", boards=3)
    run(undisturbed, FakePlay())
    assert records(store) == records(undisturbed)


def test_after_three_tries_the_run_stops_and_says_why() -> None:
    store = new_store("AB", boards=3)
    play = FakePlay(voids={(1, 1, 2): [[2], [2], [2]]})
    with pytest.raises(
        HarnessError, match=r"half 2: no result after 3 tries.*ZeroDivisionError"
    ) as raised:
        run(store, play)
    assert "division by zero" not in str(raised.value)
    assert len(store.read().matches) == 5
    # A later run goes on from there.
    assert run(store, FakePlay()).is_finished


def test_a_half_that_hands_over_nothing_and_says_nothing_is_void_too() -> None:
    class Silent(FakePlay):
        async def _play(self, plan, on_match):  # type: ignore[no-untyped-def]
            return HalfReport(seats=())

    with pytest.raises(HarnessError, match="no result was handed over"):
        run(new_store("AB"), Silent())


def test_suspended_entrants_play_no_more_and_are_told_of() -> None:
    store, progress, play = new_store("ABCD"), HeardProgress(), FakePlay(never_ready=["e2"])
    results = run(store, play, progress=progress)
    seated = Counter(entrant for plan in play.plans for entrant in set(plan.entrants))
    assert seated["e2"] == 2
    assert results.is_finished
    assert sum("e2" in row.suspended for row in results.pairings) == 2
    assert any(note.startswith("B is suspended") for note in progress.notes)


def test_a_suspension_in_the_last_pairing_is_told_of() -> None:
    store, progress = new_store("AB"), HeardProgress()
    results = run(store, FakePlay(autopilot={"e2": 4}), progress=progress)
    assert results.is_finished
    assert progress.notes == ["B is suspended, after its last pairing: it is not rated"]
    # Nothing is played any more, so nothing is told again.
    assert [each.is_suspended for each in compute_standings(results).rows] == [False, True]


def test_fast_pairs_do_not_wait_for_a_slow_bot() -> None:
    """BUG-09: whoever does not meet the slow bot has played all other pairings before it."""
    store, ended = new_store("ABCDEF", boards=2), []

    class Slow(FakePlay):
        async def _play(self, plan, on_match):  # type: ignore[no-untyped-def]
            report = await super()._play(plan, on_match)
            ended.append(plan)
            return report

    slow = "e1"
    play = Slow(pace=lambda plan, _: 2_000 if slow in plan.entrants else 1)
    run(store, play, pairings=3)
    first_slow = next(number for number, plan in enumerate(ended) if slow in plan.entrants)
    before = {(plan.round_, plan.pairing) for plan in ended[:first_slow]}
    # Its opponent in round 1 must wait for it; the pairings of the four others need not.
    assert {place[0] for place in before} >= {1, 2}
    assert store.read().is_finished


def test_an_error_of_the_referee_stops_all_others() -> None:
    class Broken(FakePlay):
        async def _play(self, plan, on_match):  # type: ignore[no-untyped-def]
            if plan.pairing == 2:
                raise HarnessError("the host is gone")
            await asyncio.Event().wait()

    play = Broken()
    with pytest.raises(HarnessError, match="the host is gone"):
        run(new_store("ABCD"), play, pairings=2)
    assert play.now == 0


class FullStore(MemoryStore):
    """Takes in a few matches, then has no room."""

    room = 3

    def _keep(self, entry: Entry) -> None:
        if isinstance(entry, StoredMatch):
            if self.room == 0:
                raise StoreError("no space left")
            self.room -= 1
        super()._keep(entry)


def test_a_full_store_stops_the_run_and_charges_nobody() -> None:
    info = new_store("AB").read()
    store = FullStore(info.info, [row.pairing for row in info.pairings])
    play = FakePlay()
    with pytest.raises(StoreError, match="no space left"):
        run(store, play)
    assert play.now == 0
    results: Results = store.read()
    assert len(results.matches) == 3
    assert results.faults == {}
    store.room = 100
    assert run(store, FakePlay()).is_finished


def test_a_full_store_stops_a_match_that_never_ends() -> None:
    class OneMatchThenNothing(FakePlay):
        async def _play(self, plan: HalfPlan, on_match):  # type: ignore[no-untyped-def]
            await on_match(self._outcome(plan, 1))
            await asyncio.Event().wait()

    info = new_store("AB").read()
    store = FullStore(info.info, [row.pairing for row in info.pairings])
    store.room = 0
    with pytest.raises(StoreError):
        run(store, OneMatchThenNothing())


@pytest.mark.parametrize(
    "schedule",
    [
        {"schedule": "swiss", "rounds": 3, "rematches": False},
        {"schedule": "individual", "rounds": 3},
    ],
    ids=["swiss", "individual"],
)
def test_progress_counts_the_rounds_to_come(schedule: ScheduleSettings) -> None:
    progress = HeardProgress()
    results = run(new_store("ABCDE", boards=1, schedule=schedule), FakePlay(), progress=progress)
    assert len(results.matches) == results.matches_due
    assert {due for _, due in progress.counts} == {results.matches_due}
    assert progress.counts[-1] == (results.matches_due, results.matches_due)


def test_progress_of_a_run_that_goes_on_counts_the_rounds_to_come() -> None:
    schedule: ScheduleSettings = {"schedule": "swiss", "rounds": 3, "rematches": False}
    store = new_store("ABCD", boards=1, schedule=schedule)
    interrupted(store, FakePlay(stop_after=5))
    progress = HeardProgress()
    run(store, FakePlay(), progress=progress)
    assert progress.counts[0] == (5, 12)
    assert progress.counts[-1] == (12, 12)
