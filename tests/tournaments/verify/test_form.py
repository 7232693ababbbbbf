"""A file that no referee can have written: each command tells so in one line, whatever is in it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
from tarneeb_tournaments.results import EntrantRow
from tarneeb_tournaments.seeds import public_seed
from tarneeb_tournaments.store.connection import MAX_VALUE_BYTES, check_whole
from tarneeb_tournaments.store.sqlite import read_results
from tarneeb_tournaments.verify.altered import altered_file_told
from tests.tournaments.kit.forgery import altered, found_in
from tests.tournaments.kit.table_play import config, play, with_

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("honest") / "r.sqlite"
    play(path, config("ABC", deals=1))
    return path


DEEP = "'" + "[" * 100_000 + "'"
NO_UTF_8 = "CAST(x'41ff' AS TEXT)"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE tournament SET name = x'ff'", "the column name of the table tournament holds"),
        (f"UPDATE tournament SET name = {NO_UTF_8}", "is damaged"),
        (f"UPDATE tournament SET settings = {DEEP}", "the tables can't be read as results"),
        ("UPDATE tournament SET settings = '5'", "the tables can't be read as results"),
        ("UPDATE tournament SET settings = '{\"sprt\": 1}'", "the settings: 'limits' is missing"),
        ("UPDATE tournament SET secret = 9223372036854775807", "the column secret of the table"),
        ("INSERT INTO tournament SELECT 0, '', '', '', x'', ''", "the table tournament has 2 rows"),
        ("UPDATE entrant SET name = x'ff'", "the column name of the table entrant holds"),
        ("UPDATE entrant SET last_round = 'soon'", "the column last_round of the table entrant"),
        ("UPDATE entrant SET last_round = 1.5", "the column last_round of the table entrant"),
        ("UPDATE step SET suspended = x'ff'", "the column suspended of the table step holds"),
        ("UPDATE pairing SET first = x'ff'", "the column first of the table pairing holds"),
        ("UPDATE match SET score0 = 'many'", "the column score0 of the table match holds"),
        ("UPDATE match SET deals = x''", "the column deals of the table match holds"),
        ("UPDATE timing SET total_us = 9223372036854775807", "integer overflow"),
        (f"UPDATE record SET record = zeroblob({MAX_VALUE_BYTES + 1})", "is too long"),
        ("UPDATE record SET record = zeroblob(30000000)", "the record or its times have over"),
        ("UPDATE session SET round = 99", "the table session holds something of no p"),
        ("CREATE TRIGGER t AFTER INSERT ON match BEGIN DELETE FROM match; END", "the trigger 't'"),
        ("CREATE TABLE more (x)", "the table 'more' is none that a referee makes"),
        ("CREATE VIEW more AS SELECT random()", "the view 'more' is none that a referee makes"),
        ("DROP INDEX unlinked", "the index unlinked is missing"),
        ("ALTER TABLE match RENAME COLUMN link TO chain", "the table 'match' is not the one that"),
        ("ALTER TABLE match ADD COLUMN more", "the table 'match' is not the one that a referee"),
        ("DROP TABLE time_spread", "the table time_spread is missing"),
    ],
)
def test_what_no_referee_writes_is_found(
    honest: Path, tmp_path: Path, capsys: Capture, change: str, told: str
) -> None:
    path = tmp_path / "r.sqlite"
    with altered(honest, path) as database:
        database.execute(change)
    assert main(["verify", str(path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("wrong: ")
    assert told in line
    assert len(line) < 600
    # Whoever only shows it can do without some of this, and must never fail by it.
    assert main(["standings", str(path)]) in {0, 2}
    assert "internal error" not in capsys.readouterr().err


def test_a_view_in_the_place_of_a_table_misleads_nobody(
    honest: Path, tmp_path: Path, capsys: Capture
) -> None:
    """It could tell `verify` one thing and `standings` another, or keep both busy for ever."""
    path = tmp_path / "r.sqlite"
    with altered(honest, path) as database:
        database.execute("ALTER TABLE contract RENAME TO hidden")
        database.execute(
            "CREATE VIEW contract AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 "
            "FROM n) SELECT 'e1' AS entrant, x AS level, 0 AS bid, 0 AS made FROM n"
        )
    assert main(["verify", str(path)]) == 1
    assert "the view 'contract' is not the one" in capsys.readouterr().out
    assert main(["standings", str(path)]) == 2
    assert "the view 'contract' is not the one" in capsys.readouterr().err


def test_an_index_that_hides_a_row_is_found(honest: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with altered(honest, path) as database:
        database.execute("PRAGMA writable_schema = ON")
        # The index is made anew over half of the rows, then declared to hold all.
        database.execute("DROP INDEX unlinked")
        database.execute("CREATE INDEX unlinked ON match (round, pairing, board, half)")
        database.execute("UPDATE match SET link = NULL")
        database.commit()
        database.execute(
            "UPDATE sqlite_master SET sql = sql || ' WHERE link IS NULL AND half = 1' "
            "WHERE name = 'unlinked'"
        )
    assert "the index 'unlinked' is not the one" in found_in(path)


def test_no_trigger_acts_when_a_run_goes_on(tmp_path: Path, capsys: Capture) -> None:
    play(tmp_path / "a", config("ABC", deals=1), make_play=with_(stop_after=3))
    path = tmp_path / "r.sqlite"
    with altered(tmp_path / "a", path) as database:
        database.execute("CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM fault; END")
    with pytest.raises(ValueError, match="the trigger 't' is none that a referee makes"):
        check_whole(path)


def reseeded(change: Callable[[sqlite3.Connection], object], original: Path, copy: Path) -> str:
    """Alter what is hashed, and make the public seed good again, as an organizer can."""
    with altered(original, copy) as database:
        change(database)
        database.commit()
        info = read_results(copy).info
        database.execute(
            "UPDATE tournament SET public_seed = ?", (public_seed(info.settings, info.entrants),)
        )
    return found_in(copy)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"boards": 2', '"boards": 1000000000000', "tournament.boards: 1000000000000 is out of"),
        ('"boards": 2', '"boards": "2"', "tournament.boards: '2' is not a whole number"),
        ('"boards": 2', '"boards": 2, "times": 1000000000', "tournament.times: 1000000000 is out"),
        ('"max_deals": 200', '"max_deals": 1000000000000', "match.max_deals: 1000000000000 is out"),
        ('"max_deals": 200', '"max_deal": 200', "match.max_deal: unknown key"),
        ('"limits"', '"limit"', "the settings: 'limit' is missing, or too much"),
    ],
)
def test_settings_that_no_tournament_can_have_are_found(
    honest: Path, tmp_path: Path, before: str, after: str, told: str
) -> None:
    def change(database: sqlite3.Connection) -> None:
        changed = database.execute(
            "UPDATE tournament SET settings = replace(settings, ?, ?) WHERE instr(settings, ?)",
            (before, after, before),
        )
        assert changed.rowcount == 1

    assert told in reseeded(change, honest, tmp_path / "r.sqlite")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("b", "the name 'B': another entrant has it"),
        ("\x1b[2J", "the name '\\x1b[2J': it holds a control character"),
        ("x" * 41, "41 characters; at most 40 are allowed"),
        ("", "the name '': it is empty"),
    ],
)
def test_names_that_are_refused_are_found(
    honest: Path, tmp_path: Path, name: str, told: str
) -> None:
    def change(database: sqlite3.Connection) -> None:
        database.execute("UPDATE entrant SET name = ? WHERE id = 'e1'", (name,))

    assert told in reseeded(change, honest, tmp_path / "r.sqlite")


def test_a_mistake_of_ours_is_not_charged_to_an_honest_file(honest: Path) -> None:
    with pytest.raises(ZeroDivisionError), altered_file_told(honest):
        raise ZeroDivisionError


@pytest.mark.parametrize("command", ["verify", "standings"])
def test_a_named_pipe_is_not_waited_for(tmp_path: Path, command: str, capsys: Capture) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main([command, str(tmp_path / "pipe")]) == 2
    assert "is not a plain file" in capsys.readouterr().err


def test_tables_beside_ours_keep_nobody_from_the_standings(honest: Path, tmp_path: Path) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        database.execute("CREATE TABLE notes (text)")
        database.execute("ANALYZE")
    with closing(sqlite3.connect(tmp_path / "r.sqlite")):
        assert len(read_results(tmp_path / "r.sqlite").matches) == 12
    assert isinstance(read_results(honest).info.entrants[0], EntrantRow)


@pytest.mark.parametrize("command", ["verify", "standings"])
def test_a_write_that_was_cut_off_is_told(
    honest: Path, tmp_path: Path, command: str, capsys: Capture
) -> None:
    path = tmp_path / "r.sqlite"
    with altered(honest, path):
        pass
    (tmp_path / "r.sqlite-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(4096))
    assert main([command, str(path)]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "whoever wrote it was stopped in the middle" in line


@pytest.mark.parametrize("form", ["table", "csv", "md", "json"])
def test_a_forged_name_does_not_act_on_a_terminal(
    honest: Path, tmp_path: Path, form: str, capsys: Capture
) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        for number, odd in enumerate(("\x1b]0;x\x07", "\x9b2J", "\u202egnp"), start=1):
            database.execute("UPDATE entrant SET name = ? WHERE number = ?", (odd, number))
    assert main(["standings", str(tmp_path / "r.sqlite"), "--format", form]) == 0
    out = capsys.readouterr().out
    assert not set(out) & set("\x07\x1b\x9b\u202e")
    assert "x9b2J" in out or "u009b2J" in out


def test_more_pairings_than_anybody_plans_are_not_planned(
    honest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tarneeb_tournaments.config_schedule.MAX_PLANNED", 2)
    assert found_in(honest) == "the settings: 3 pairings are too many; use fewer than 1 times"


@pytest.mark.timeout(100)
def test_many_steps_and_pairings_are_read_in_one_sweep(honest: Path, tmp_path: Path) -> None:
    """Looking at all pairings for each step would take minutes here."""
    with altered(honest, tmp_path / "r.sqlite") as database:
        numbers = "WITH n (x) AS (SELECT 101 UNION ALL SELECT x + 1 FROM n WHERE x < 60000) "
        database.execute(f"{numbers} INSERT INTO step SELECT x, '', '', 0 FROM n")
        database.execute(
            f"{numbers} INSERT INTO pairing SELECT x, 1, 'e1', 'e2', NULL, NULL, '', '' FROM n"
        )
    steps = read_results(tmp_path / "r.sqlite").steps
    assert [len(step.pairings) for step in steps] == [6, *[1] * 59_900]
    assert found_in(tmp_path / "r.sqlite") == (
        "round 4: its pairings are kept as those of round 101"
    )
