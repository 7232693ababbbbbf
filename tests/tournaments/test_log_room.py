"""What bots print can neither fill a results file nor stop a tournament."""

import os
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_tournaments.store import sqlite
from tarneeb_tournaments.store.base import StoreError
from tarneeb_tournaments.store.log_room import LogRoom
from tarneeb_tournaments.store.sqlite import NO_ROOM, SqliteStore
from tests.tournaments.kit import made_up
from tests.tournaments.kit.small_disk import small_disk

INFO = made_up.info("AB", boards=100)
KIB = 1 << 10


def create(path: Path) -> SqliteStore:
    return SqliteStore.create(path, INFO, made_up.pairings(INFO))


def keep_sessions(store: SqliteStore, *sizes: int) -> None:
    """Store sessions in which each of the four bots printed so many bytes."""
    for size in sizes:
        # Random, so that it can't be compressed.
        store.submit(made_up.session(log=os.urandom(size))).result(timeout=10)


def log_bytes(path: Path) -> dict[int, int]:
    """Measure by session what is kept of the logs."""
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT session, sum(length(stdout)) FROM log GROUP BY session"
        return dict(database.execute(query))


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "LogRoom", lambda: LogRoom(limit_bytes=100 * KIB))


@pytest.mark.usefixtures("small_room")
def test_the_first_and_the_latest_logs_stay(tmp_path: Path) -> None:
    path = tmp_path / "cup.sqlite"
    store = create(path)
    keep_sessions(store, *[5 * KIB] * 30)
    # An entrant has two seats, so 10 KiB a session: 2 of the first, 7 of the latest.
    assert sorted(log_bytes(path)) == [1, 2, *range(24, 31)]
    store.close()
    # A later run counts what is there.
    again = SqliteStore(path)
    keep_sessions(again, 5 * KIB, 5 * KIB)
    assert sorted(log_bytes(path)) == [1, 2, *range(26, 33)]
    again.close()


@pytest.mark.usefixtures("small_room")
def test_the_latest_log_stays_however_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "cup.sqlite"
    store = create(path)
    keep_sessions(store, 1 * KIB, 200 * KIB, 300 * KIB)
    assert sorted(log_bytes(path)) == [1, 3]
    store.close()


@pytest.mark.usefixtures("small_room")
def test_a_bot_that_prints_costs_no_other_its_logs(tmp_path: Path) -> None:
    path = tmp_path / "cup.sqlite"
    store = create(path)
    for _ in range(20):
        session = made_up.session(log=os.urandom(20 * KIB))
        quiet = tuple(
            seat if seat.entrant == "e1" else made_up.session(log=b"hello").seats[seat.seat]
            for seat in session.seats
        )
        store.submit(replace(session, seats=quiet)).result(timeout=10)
    with closing(sqlite3.connect(path)) as database:
        query = (
            "SELECT entrant, count(DISTINCT session) FROM log JOIN session_seat "
            "USING (session, seat) GROUP BY entrant"
        )
        counts = dict(database.execute(query))
    assert counts["e1"] < 5
    assert counts["e2"] == 20
    store.close()


@pytest.fixture
def nearly_full(tmp_path: Path) -> Iterator[Path]:
    """Give a disk with some 300 KiB left beside a results file."""
    with small_disk(2) as disk:
        create(disk / "cup.sqlite").close()
        left = os.statvfs(disk)
        free = left.f_bavail * left.f_frsize - 300 * KIB
        (disk / "filler").write_bytes(bytes(free))
        yield disk


def test_a_log_that_has_no_room_stops_nothing(nearly_full: Path) -> None:
    """BUG-35 (d): play goes on with a note; the session is kept, and so are matches."""
    path, warnings = nearly_full / "cup.sqlite", list[str]()
    store = SqliteStore(path, warn=warnings.append)
    keep_sessions(store, 500 * KIB)
    store.submit(made_up.match()).result(timeout=10)
    (warning,) = warnings
    assert warning.startswith("no room for what the bots printed in round 1, pairing 1, half 1: ")
    with closing(sqlite3.connect(path)) as database:
        logs = [zlib.decompress(each) for (each,) in database.execute("SELECT stderr FROM log")]
    assert logs == [NO_ROOM] * 4
    assert len(store.read().matches) == 1
    assert store.read().faults == {}
    store.close()


def test_a_disk_that_is_full_for_good_stops_the_run_and_keeps_what_there_was(
    nearly_full: Path,
) -> None:
    path, warnings = nearly_full / "cup.sqlite", list[str]()
    store = SqliteStore(path, warn=warnings.append)
    fates = [
        store.submit(
            made_up.match((1, 1, number // 2 + 1, number % 2 + 1), record=os.urandom(8 * KIB))
        )
        for number in range(200)
    ]
    errors = [fate.exception(timeout=10) for fate in fates]
    kept = errors.count(None)
    assert errors[:kept] == [None] * kept
    assert "no space left on the disk" in str(errors[-1])
    assert kept < 200
    with pytest.raises(StoreError):
        keep_sessions(store, 1)
    # Nothing that was not kept is told of as kept.
    assert warnings == []
    store.close()
    (nearly_full / "filler").unlink()
    again = SqliteStore(path)
    assert len(again.read().matches) == kept
    keep_sessions(again, 1)
    again.close()
