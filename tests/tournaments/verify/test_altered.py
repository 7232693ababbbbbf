"""Whatever is altered in a results file is found."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tarneeb_tournaments.store.schema import SCHEMA
from tests.tournaments.kit import table_play
from tests.tournaments.kit.forgery import altered, found_in, relink
from tests.tournaments.kit.table_play import config, play, with_

# What was measured beside the matches, and who ran the referee: nothing follows from it.
MEASURED = {"session", "session_seat", "log", "run"}


def columns() -> list[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(SCHEMA)
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return [
            (table, name)
            for (table,) in tables
            if table not in MEASURED
            for _, name, *_ in database.execute(f"PRAGMA table_info({table})")
        ]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a Swiss tournament in which somebody errs, and nobody is suspended."""
    path = tmp_path_factory.mktemp("honest") / "r.sqlite"
    tournament = config("ABCDE", schedule={"schedule": "swiss", "rounds": 3, "rematches": False})
    play(path, tournament, make_play=with_(misdeeds={"e1": (table_play.time_out, 1)}))
    return path


@pytest.fixture(scope="module")
def individual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("individual") / "r.sqlite"
    play(path, config("ABCDE", schedule={"schedule": "individual", "rounds": 3}))
    return path


def other(value: object, *, is_key: bool) -> object:
    """Change a value as little as possible; a key to one that no other row has."""
    match value:
        case None:
            return 1
        case int():
            return -1 if is_key else value ^ 1
        case str():
            return "e99" if is_key or not value else value[:-1] + chr(ord(value[-1]) ^ 8)
        case bytes():
            # In the middle of the times: the last byte is the referee's own lag, which nothing
            # follows from.
            return value[:10] + bytes([value[10] ^ 1]) + value[11:]
        case _:
            raise AssertionError(value)


@pytest.mark.parametrize(("table", "column"), columns())
def test_a_change_in_any_column_is_found(
    honest: Path, tmp_path: Path, table: str, column: str
) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        keys = [row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[5]]
        order = ", ".join(keys)
        found = database.execute(f"SELECT {order}, {column} FROM {table} ORDER BY {order}")
        *key, value = found.fetchall()[-1]
        where = " AND ".join(f"{name} = ?" for name in keys)
        database.execute(
            f"UPDATE {table} SET {column} = ? WHERE {where}",
            (other(value, is_key=column in keys), *key),
        )
    assert found_in(tmp_path / "r.sqlite") != ""


@pytest.mark.parametrize("column", ["partner0", "partner1"])
def test_other_partners_are_found(individual: Path, tmp_path: Path, column: str) -> None:
    with altered(individual, tmp_path / "r.sqlite") as database:
        database.execute(f"UPDATE match SET {column} = team0 WHERE round = 1")
        relink(database)
    assert found_in(tmp_path / "r.sqlite").startswith("round 1, pairing 1, board 1, half 1: partn")


@pytest.mark.parametrize("place", range(0, 1000, 37))
def test_any_byte_of_a_record_counts(honest: Path, tmp_path: Path, place: int) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        at = "(round, pairing, board, half) = (2, 1, 1, 2)"
        (record,) = database.execute(f"SELECT record FROM record WHERE {at}").fetchone()
        place %= len(record)
        changed = record[:place] + bytes([record[place] ^ 1]) + record[place + 1 :]
        database.execute(f"UPDATE record SET record = ? WHERE {at}", (changed,))
    assert found_in(tmp_path / "r.sqlite") == (
        "round 2, pairing 1, board 1, half 2: "
        "the record does not have the hash that its row carries"
    )


def test_a_dropped_match_is_found(honest: Path, tmp_path: Path) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        drop(database, "(round, pairing, board, half) = (2, 1, 2, 1)")
    assert found_in(tmp_path / "r.sqlite") == (
        "round 2, pairing 1, board 2, half 1: the match is missing"
    )


def test_a_match_dropped_from_the_end_is_found(honest: Path, tmp_path: Path) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        drop(database, "(round, pairing, board, half) = (3, 2, 2, 2)")
        relink(database)
    assert found_in(tmp_path / "r.sqlite") == (
        "round 3, pairing 2, board 2, half 2: the match is missing"
    )


def test_two_rounds_in_another_order_are_found(honest: Path, tmp_path: Path) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        for table in ("pairing", "match", "record", "fault", "timing", "timing_detail", "session"):
            database.execute(f"UPDATE {table} SET round = 9 WHERE round = 1")
            database.execute(f"UPDATE {table} SET round = 1 WHERE round = 2")
            database.execute(f"UPDATE {table} SET round = 2 WHERE round = 9")
        relink(database)
    assert "the schedule gives" in found_in(tmp_path / "r.sqlite")


def test_a_board_under_another_number_is_found(honest: Path, tmp_path: Path) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        for table in ("record", "timing_detail"):
            what = "record" if table == "record" else "timings"
            (found,) = database.execute(
                f"SELECT {what} FROM {table} WHERE (round, pairing, board, half) = (1, 1, 1, 1)"
            ).fetchone()
            database.execute(
                f"UPDATE {table} SET {what} = ? WHERE (round, pairing, board, half) = (1, 1, 2, 1)",
                (found,),
            )
    assert found_in(tmp_path / "r.sqlite").startswith("round 1, pairing 1, board 2, half 1: ")


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ("secret = zeroblob(32)", "the secret does not hash to what was published"),
        ("secret_sha256 = 'ab'", "the secret does not hash to what was published"),
        (
            """settings = replace(settings, '"strikes": 3', '"strikes": 4')""",
            "the public seed does not follow from settings and entrants",
        ),
        ("settings = '[]'", "the tables can't be read as results"),
        ("settings = 'nonsense'", "the tables can't be read as results"),
    ],
)
def test_what_was_fixed_before_round_1_stays(
    honest: Path, tmp_path: Path, change: str, wrong: str
) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        database.execute(f"UPDATE tournament SET {change}")
    assert found_in(tmp_path / "r.sqlite").startswith(wrong)


def test_another_entrant_is_found(honest: Path, tmp_path: Path) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        database.execute("UPDATE entrant SET digest = replace(digest, '0', '1') WHERE id = 'e2'")
    assert found_in(tmp_path / "r.sqlite").startswith("the public seed does not follow")


def test_a_damaged_file_is_told_in_one_line(honest: Path, tmp_path: Path) -> None:
    data = bytearray(honest.read_bytes())
    data[4096 * 3 : 4096 * 3 + 64] = bytes(64)
    (tmp_path / "r.sqlite").write_bytes(data)
    wrong = found_in(tmp_path / "r.sqlite")
    assert "is damaged" in wrong
    assert "\n" not in wrong


def drop(database: sqlite3.Connection, at: str) -> None:
    for table in ("record", "fault", "timing", "timing_detail", "match"):
        database.execute(f"DELETE FROM {table} WHERE {at}")
