"""What every store does, in a file or in memory."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tarneeb_tournaments.results import EntrantTimes, Entry, LagBesideTimeOuts, Suspension
from tarneeb_tournaments.store.base import Store, StoreError
from tarneeb_tournaments.store.memory import MemoryStore
from tarneeb_tournaments.store.sqlite import SqliteStore
from tests.tournaments.kit import made_up

MakeStore = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeStore]:
    """Give a maker of empty stores for three entrants and two boards."""
    stores: list[Store] = []

    def make() -> Store:
        info = made_up.info("ABC")
        pairings = made_up.pairings(info)
        if request.param == "memory":
            store: Store = MemoryStore(info, pairings)
        else:
            store = SqliteStore.create(tmp_path / f"{len(stores)}.sqlite", info, pairings)
        stores.append(store)
        return store

    yield make
    for store in stores:
        store.close()


def keep(store: Store, *entries: Entry) -> None:
    for done in [store.submit(entry) for entry in entries]:
        done.result(timeout=10)


def test_a_new_store_holds_the_tournament_and_no_match(new_store: MakeStore) -> None:
    results = new_store().read()
    assert results.info == made_up.info("ABC")
    assert tuple(row.pairing for row in results.pairings) == made_up.pairings(results.info)
    assert results.matches == ()
    assert results.matches_due == 12
    assert not results.is_finished


def test_matches_come_back_in_schedule_order(new_store: MakeStore) -> None:
    store = new_store()
    keys = list(itertools.product((1, 2), (1,), (1, 2, 10), (1, 2)))
    matches = {key: made_up.match(key, scores=(41, key[2])) for key in keys}
    keep(store, *(matches[key] for key in sorted(keys, key=repr, reverse=True)))
    assert [row.key for row in store.read().matches] == sorted(keys)
    assert store.read().matches == tuple(matches[key].row for key in sorted(keys))


def test_the_same_match_is_not_kept_twice(new_store: MakeStore) -> None:
    store = new_store()
    keep(store, made_up.match())
    with pytest.raises(StoreError, match="already"):
        store.submit(made_up.match(scores=(41, 0))).result(timeout=10)
    assert [row.score1 for row in store.read().matches] == [20]


def test_faults_are_counted_by_entrant_and_kind(new_store: MakeStore) -> None:
    store = new_store()
    keep(
        store,
        made_up.match(faults=[(0, "time-out"), (2, "time-out"), (1, "crash")]),
        made_up.match((1, 1, 1, 2), ("e2", "e1"), faults=[(1, "illegal")]),
    )
    assert store.read().faults == {"e1": {"illegal": 1, "time-out": 2}, "e2": {"crash": 1}}


def test_times_are_summed_by_entrant(new_store: MakeStore) -> None:
    store = new_store()
    keep(store, made_up.match(late=1), made_up.match((1, 1, 1, 2), decisions_us=(), late=0))
    assert store.read().times["e1"] == EntrantTimes(
        decisions=6, total_us=1_200, max_us=300, timed_out=0, late=2
    )


def test_incidents_between_matches_are_counted(new_store: MakeStore) -> None:
    store = new_store()
    keep(store, made_up.session(), made_up.session())
    assert store.read().incidents == {"e2": {"crash": 2}}
    assert store.read().faults == {}


def test_time_outs_in_halves_in_which_the_referee_was_late_are_counted(
    new_store: MakeStore,
) -> None:
    store = new_store()
    both = [(0, "time-out"), (2, "time-out"), (1, "time-out"), (1, "crash")]
    keep(
        store,
        made_up.match(faults=both),
        made_up.match((1, 1, 2, 1), faults=[(0, "time-out"), (1, "crash")]),
        made_up.match((1, 1, 1, 2), ("e2", "e1"), faults=both),
        made_up.match((2, 1, 1, 1), ("e3", "e1"), faults=both),
        # Two tries at one half, of which the later one was not late.
        made_up.session((1, 1, 1), max_stall_s=0.3),
        made_up.session((1, 1, 1), max_stall_s=0.01),
        # A short delay, as they come on every machine.
        made_up.session((1, 1, 2), max_stall_s=0.05),
        made_up.session((2, 1, 1), max_stall_s=0.4),
    )
    assert store.read().lags == {
        "e1": LagBesideTimeOuts(time_outs=4, max_s=0.4),
        "e2": LagBesideTimeOuts(time_outs=1, max_s=0.3),
        "e3": LagBesideTimeOuts(time_outs=2, max_s=0.4),
    }


def test_suspended_pairings_are_marked_and_not_due(new_store: MakeStore) -> None:
    store = new_store()
    (first, *_, last) = [row.pairing for row in store.read().pairings if row.is_played]
    places = ((first.round, first.number), (last.round, last.number))
    keep(store, Suspension("e3", places), Suspension("e2", places[:1]), Suspension("e3", places))
    results = store.read()
    marks = {row.pairing: row.suspended for row in results.pairings}
    assert marks[first] == ("e2", "e3")
    assert marks[last] == ("e3",)
    assert results.matches_due == 4


def test_a_store_may_be_closed_twice(new_store: MakeStore) -> None:
    store = new_store()
    keep(store, made_up.match())
    store.close()
    store.close()


def test_any_order_of_entries_gives_the_same_results(tmp_path: Path) -> None:
    info = made_up.info("ABC")
    entries: list[Entry] = [
        made_up.match((1, 1, board, half), faults=[(half, "crash")])
        for board in (1, 2)
        for half in (1, 2)
    ]
    entries.append(made_up.session())
    entries.append(Suspension("e1", ((3, 1),)))
    seen = []
    for number, order in enumerate(itertools.islice(itertools.permutations(entries), 0, None, 97)):
        store: Store = MemoryStore(info, made_up.pairings(info))
        if number < 2:
            store = SqliteStore.create(tmp_path / f"{number}.sqlite", info, made_up.pairings(info))
        keep(store, *order)
        seen.append(store.read())
        store.close()
    assert all(each == seen[0] for each in seen)
