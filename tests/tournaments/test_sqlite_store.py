"""What a results file stands: full disks, killed referees, other programs, wrong files."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.results import MatchKey, TournamentInfo
from tarneeb_tournaments.store.base import StoreError
from tarneeb_tournaments.store.connection import (
    is_results_file,
    lacks_its_wal,
    wal_path,
)
from tarneeb_tournaments.store.schema import APPLICATION_ID
from tarneeb_tournaments.store.sqlite import SqliteStore, read_record, read_results
from tests.programs import Program
from tests.tournaments.kit import made_up
from tests.tournaments.kit.small_disk import small_disk

INFO = made_up.info("AB", boards=1_000)


def create(path: Path, info: TournamentInfo = INFO) -> SqliteStore:
    return SqliteStore.create(path, info, made_up.pairings(info))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "spring.results.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = create(path)
    yield store
    store.close()


def key(number: int) -> tuple[int, int, int, int]:
    return (1, 1, number // 2 + 1, number % 2 + 1)


def test_what_was_kept_is_there_after_opening_again(path: Path) -> None:
    store = create(path)
    store.submit(made_up.match(decisions_us=(5, 2**40))).result(timeout=10)
    before = store.read()
    store.close()
    again = SqliteStore(path)
    assert again.read() == before
    again.close()
    assert read_results(path) == before
    assert read_record(path, MatchKey(1, 1, 1, 1)) == b"record of (1, 1, 1, 1)"
    assert read_record(path, MatchKey(1, 1, 1, 2)) is None


def test_a_file_at_rest_is_one_file_and_private(path: Path) -> None:
    create(path).close()
    assert list(path.parent.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o600
    assert is_results_file(path)
    assert not lacks_its_wal(path)


def test_matches_that_end_together_are_kept_in_one_transaction(
    path: Path, store: SqliteStore
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = [store.submit(made_up.match(key(number))) for number in range(100)]
        time.sleep(0.05)
        assert not any(done.done() for done in waiting)
        other.execute("COMMIT")
        before = other.execute("PRAGMA data_version").fetchone()
        for done in waiting:
            done.result(timeout=10)
        after = other.execute("PRAGMA data_version").fetchone()
    assert len(store.read().matches) == 100
    # Counts the other connection's commits that were seen: at most the first one and the rest.
    assert after[0] - before[0] <= 2


def test_other_programs_that_read_and_write_lose_nothing(path: Path, store: SqliteStore) -> None:
    def outside(statement: str, hold_s: float) -> None:
        with closing(sqlite3.connect(path, isolation_level=None, timeout=10)) as other:
            other.execute(statement)
            other.execute("SELECT count(*) FROM match").fetchone()
            time.sleep(hold_s)
            other.execute("COMMIT")

    threads = [
        threading.Thread(target=outside, args=("BEGIN", 3.0)),
        threading.Thread(target=outside, args=("BEGIN IMMEDIATE", 3.0)),
    ]
    for thread in threads:
        thread.start()
    waiting = [store.submit(made_up.match(key(number))) for number in range(16)]
    seen = len(read_results(path).matches)
    for done in waiting:
        done.result(timeout=10)
    for thread in threads:
        thread.join()
    assert seen <= 16
    assert len(read_results(path).matches) == 16


def test_the_writer_goes_on_no_further_after_an_error(store: SqliteStore) -> None:
    store.submit(made_up.match()).result(timeout=10)
    with pytest.raises(StoreError, match="already"):
        store.submit(made_up.match()).result(timeout=10)
    with pytest.raises(StoreError, match="already"):
        store.submit(made_up.match(key(1))).result(timeout=10)
    assert len(store.read().matches) == 1


def test_an_entry_that_cannot_be_written_keeps_nobody_waiting(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="OverflowError"):
        store.submit(made_up.match(scores=(2**70, 0))).result(timeout=10)


def test_a_closed_store_takes_nothing(path: Path) -> None:
    store = create(path)
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.submit(made_up.match()).result(timeout=10)


def allow_few_pages(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA max_page_count = 300")


@pytest.mark.parametrize("limited", ["pages", "disk"])
def test_a_full_disk_loses_nothing_that_was_kept(
    limited: str, path: Path, request: pytest.FixtureRequest
) -> None:
    if limited == "disk":
        path = request.getfixturevalue("half_full") / path.name
    store = create(path)
    if limited == "pages":
        store._writer.submit(allow_few_pages).result(timeout=10)
    big = os.urandom(60_000)
    kept = 0
    while not (error := store.submit(made_up.match(key(kept), record=big)).exception(timeout=10)):
        kept += 1
    assert 0 < kept < 100
    assert isinstance(error, StoreError)
    assert "no space left on the disk of" in str(error)
    assert "run the same command again" in str(error)
    store.close()
    assert len(read_results(path).matches) == kept
    if limited == "disk":
        (path.parent / "filler").unlink()
    store = SqliteStore(path)
    assert len(store.read().matches) == kept
    store.submit(made_up.match(key(kept))).result(timeout=10)
    assert len(store.read().matches) == kept + 1
    store.close()


@pytest.fixture
def half_full() -> Iterator[Path]:
    with small_disk(4) as disk:
        (disk / "filler").write_bytes(bytes(2 << 20))
        yield disk


def test_a_read_only_place_is_told_at_once(half_full: Path) -> None:
    path = half_full / "spring.sqlite"
    create(path).close()
    remount = ["mount", "-o", "remount,ro", str(half_full)]
    subprocess.run(remount, check=True)
    assert read_results(path).info == INFO
    with pytest.raises(StoreError, match="read-only"):
        SqliteStore(path)
    with pytest.raises(StoreError, match=r"other\.sqlite: can't be written: read-only file system"):
        create(half_full / "other.sqlite")


KILLED = """
import sys
from pathlib import Path
from tarneeb_tournaments.store.sqlite import SqliteStore
from tests.tournaments.kit import made_up
from tests.tournaments.kit.small_disk import small_disk
info = made_up.info("AB", boards=1_000)
store = SqliteStore.create(Path(sys.argv[1]), info, made_up.pairings(info))
for number in range(2_000):
    key = (1, 1, number // 2 + 1, number % 2 + 1)
    store.submit(made_up.match(key)).result()
    print(number + 1, flush=True)
"""


@pytest.fixture
def killed(path: Path) -> tuple[Path, int]:
    """Give a file whose referee was killed, and how many matches it had said were kept."""
    tests = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": tests}
    with Program(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        said = 0
        while said < 40:
            said = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        said = max([said, *map(int, process.stdout.read().split())])
    return path, said


def test_a_killed_referee_loses_nothing_that_counted(killed: tuple[Path, int]) -> None:
    path, said = killed
    assert wal_path(path).exists()
    assert is_results_file(path)
    assert len(read_results(path).matches) in {said, said + 1}
    store = SqliteStore(path)
    assert len(store.read().matches) in {said, said + 1}
    store.close()


def test_a_copy_without_its_wal_is_told_from_a_whole_one(
    killed: tuple[Path, int], tmp_path: Path
) -> None:
    path, said = killed
    copy = tmp_path / "copy" / path.name
    copy.parent.mkdir()
    shutil.copy(path, copy)
    assert is_results_file(copy)
    assert lacks_its_wal(copy)
    assert not lacks_its_wal(path)
    # What is in it is older, and whole.
    assert len(read_results(copy).matches) <= said
    assert list(copy.parent.iterdir()) == [copy]


def test_a_damaged_file_gets_one_line(path: Path) -> None:
    store = create(path)
    for number in range(200):
        store.submit(made_up.match(key(number))).result(timeout=10)
    store.close()
    data = bytearray(path.read_bytes())
    data[8_192 : len(data) - 4_096] = os.urandom(len(data) - 12_288)
    path.write_bytes(data)
    with pytest.raises(ConfigError, match="is damaged"):
        SqliteStore(path)


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE song (title)")
        other.commit()


def newer_results(path: Path) -> None:
    create(path).close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 3")


def text_file(path: Path) -> None:
    path.write_text("[tournament]\n" * 50)


def cut_off_database(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\1" * 40)


WRONG_FILES: dict[str, tuple[Callable[[Path], None], str]] = {
    "text": (text_file, "is not a results file"),
    "folder": (Path.mkdir, "is a folder"),
    "another database": (other_database, "another program's database"),
    "newer results": (newer_results, "written by newer software"),
    "cut off": (cut_off_database, "results file"),
}


@pytest.mark.parametrize("kind", WRONG_FILES)
def test_a_wrong_file_gets_one_line_and_stays_as_it_was(kind: str, path: Path) -> None:
    make, reason = WRONG_FILES[kind]
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ConfigError, match=reason) as caught:
        is_results_file(path)
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("empty", [True, False])
def test_no_file_or_an_empty_one_is_no_results_file_yet(path: Path, empty: bool) -> None:
    if empty:
        path.touch()
    assert not is_results_file(path)
    create(path).close()
    assert is_results_file(path)


def test_beginning_is_all_or_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tarneeb_tournaments.store.sqlite.SCHEMA_VERSION", "no number; --")
    with pytest.raises(StoreError):
        create(path)
    assert not is_results_file(path)
    monkeypatch.undo()
    create(path).close()
    assert read_results(path).info == INFO


BEGUN = """
import json, os, sys
from contextlib import contextmanager
from pathlib import Path
from tarneeb_tournaments.store import connection, sqlite
from tests.tournaments.kit import made_up
from tests.tournaments.kit.small_disk import small_disk
path, where = Path(sys.argv[1]), sys.argv[2]

def dies(*args, **kwargs):
    os._exit(9)

@contextmanager
def open_for_ever(connection):
    yield connection
    os._exit(9)

match where:
    case "the file is there":
        sqlite.connect_to_write = dies
    case "in the transaction":
        sqlite.json.dumps = dies
    case "before the file is closed":
        sqlite.closing = open_for_ever
    case "after the file is closed":
        sqlite.GroupWriter = dies
info = made_up.info("AB", boards=1_000)
sqlite.SqliteStore.create(path, info, made_up.pairings(info))
"""


@pytest.mark.parametrize(
    ("where", "begun"),
    [
        ("the file is there", False),
        ("in the transaction", False),
        ("before the file is closed", True),
        ("after the file is closed", True),
    ],
)
def test_killed_while_it_begins_a_file_it_can_begin_or_go_on(
    path: Path, where: str, begun: bool
) -> None:
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", BEGUN, str(path), where]
    killed = subprocess.run(command, env={**os.environ, "PYTHONPATH": root}, check=False)
    assert killed.returncode == 9
    assert path.exists()
    assert is_results_file(path) is begun
    store = SqliteStore(path) if begun else create(path)
    assert store.read().info == INFO
    store.submit(made_up.match()).result(timeout=10)
    store.close()


def test_a_hand_made_second_row_is_refused(path: Path, store: SqliteStore) -> None:
    store.submit(made_up.match()).result(timeout=10)
    with (
        closing(sqlite3.connect(path)) as other,
        pytest.raises(sqlite3.IntegrityError, match="UNIQUE"),
    ):
        other.execute("INSERT INTO match SELECT * FROM match")


def test_the_file_says_what_it_is(path: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
