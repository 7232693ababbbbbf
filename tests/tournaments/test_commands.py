"""The commands `tournament`, `match` and `standings`, as a user types them."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
from tarneeb_tournaments.columns import LEFT_OUT_FIRST
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results
from tests.programs import Program
from tests.tournaments.kit import made_up
from tests.tournaments.kit.real_run import (
    PROGRAM,
    begin,
    broken_bot,
    environment,
    fingerprint,
    left_processes,
    play,
    scratch_folder,
    start,
    stored,
    wait_until,
    write_tournament,
)
from tests.tournaments.kit.small_disk import small_disk

SAMPLES = {"Counting": "sample:counting", "Random": "sample:random"}

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Make a results file with one pairing of two, of which Ali won the first board."""
    path = tmp_path / "cup.sqlite"
    info = made_up.info(["Ali", "[red]علي[/red]"], boards=2)
    store = SqliteStore.create(path, info, made_up.pairings(info))
    halves = ((1, ("e1", "e2"), (41, 20)), (2, ("e2", "e1"), (20, 41)))
    for half, teams, scores in halves:
        match = made_up.match(
            (1, 1, 1, half), teams, scores, winner=half - 1, faults=[(0, "time-out")]
        )
        store.submit(match).result()
    store.close()
    return path


@pytest.mark.parametrize("command", ["tournament", "match", "standings"])
def test_help_has_an_example_that_parses(command: str, capsys: Capture) -> None:
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Examples:" in text
    assert f"  tarneeb-referee {command} " in text
    assert "Exit codes:" in text


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_standings_in_each_format(results: Path, form: str, capsys: Capture) -> None:
    before = results.read_bytes()
    assert main(["standings", str(results), "--format", form]) == 0
    out = capsys.readouterr().out
    assert "Ali" in out
    assert "time-out" in out
    assert results.read_bytes() == before
    assert list(results.parent.iterdir()) == [results]


def test_standings_as_json(results: Path, capsys: Capture) -> None:
    assert main(["standings", str(results), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["matches"] == 2
    assert data["matches_due"] == 4
    assert [row["name"] for row in data["standings"]] == ["Ali", "[red]علي[/red]"]
    assert data["standings"][0]["won"] == 1


def test_a_terminal_that_knows_ascii_alone_gets_escapes(results: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = [*PROGRAM, "standings", str(results)]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert rb"[red]\u0639\u0644\u064a[/red]" in done.stdout


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (None, "no such file; give the results file of a tournament"),
        ("", "is empty; give the results file of a tournament"),
        ("[tournament]\n" * 100, "is not a results file; name another file"),
    ],
)
def test_standings_of_what_is_no_results_file(
    tmp_path: Path, make: str | None, reason: str, capsys: Capture
) -> None:
    path = tmp_path / "x.sqlite"
    if make is not None:
        path.write_text(make)
    assert main(["standings", str(path)]) == 2
    assert capsys.readouterr().err == f"error: {path}: {reason}\n"


def test_an_unknown_format_lists_those_there_are(results: Path, capsys: Capture) -> None:
    assert main(["standings", str(results), "--format", "html"]) == 2
    assert "csv" in capsys.readouterr().err


def test_a_wrong_file_gets_a_line_for_each_mistake_and_makes_nothing(
    tmp_path: Path, capsys: Capture
) -> None:
    config = write_tournament(tmp_path, {"A": "no-bot", "B": "sample:cuonting"}, boards=0)
    assert main(["tournament", str(config)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(f"error: {config}: tournament.boards: 0 is out of range")
    assert lines[1].startswith(f"error: {config}: entrant 1: bot: ")
    assert "did you mean 'counting'?" in lines[2]
    assert list(tmp_path.iterdir()) == [config]


def test_every_bot_is_checked_and_all_that_fail_are_listed(tmp_path: Path, scratch: Path) -> None:
    config = write_tournament(
        tmp_path,
        {
            "Good": "sample:random",
            "Raises": broken_bot(tmp_path, "raises", "raise ValueError('no model')\n"),
            "Silent": broken_bot(tmp_path, "silent", "import time\ntime.sleep(100)\n"),
        },
        more="[time]\nstart = 2\n",
    )
    before = sorted(tmp_path.rglob("*.*"))
    code, out, err = play(config, tmp_path / "cup.sqlite", scratch=scratch)
    assert code == 2
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 2
    assert f"error: {config}: entrant 2, Raises: " in lines[0]
    assert "ValueError: no model" in lines[0]
    assert f"error: {config}: entrant 3, Silent: " in lines[1]
    assert "did not become ready within 2.0 s (start limit)" in lines[1]
    assert sorted(tmp_path.rglob("*.*")) == before
    assert left_processes(scratch) == []


def test_a_finished_tournament_is_shown_and_not_played_again(tmp_path: Path, scratch: Path) -> None:
    config = write_tournament(tmp_path, SAMPLES, boards=1)
    results = tmp_path / "cup.sqlite"
    code, first, err = play(config, results, scratch=scratch)
    assert code == 0, err
    assert "which is not a sandbox" in err
    published = next(line for line in err.splitlines() if line.startswith("SHA-256"))
    assert published in first
    before = results.read_bytes()
    code, second, err = play(config, results, scratch=scratch)
    assert code == 0
    assert second == first
    assert err == "finished already: 2 matches\n"
    assert results.read_bytes() == before


def test_a_run_goes_on_only_with_the_same_file_and_bots(
    tmp_path: Path, scratch: Path, capsys: Capture
) -> None:
    bot = tmp_path / "mine"
    shutil.copytree(Path(__file__).parents[2] / "sample_bots" / "random", bot)
    bots = {"Mine": "mine", "Random": "sample:random"}
    config = write_tournament(tmp_path, bots, boards=2)
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    before = fingerprint(results)
    with (bot / "bot.py").open("a") as stream:
        stream.write("# another version\n")
    write_tournament(tmp_path, {**bots, "Third": "sample:random"}, boards=3)
    assert main(["tournament", str(config), "--results", str(results)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(
        f"error: {config}: tournament.boards was 2 and is 3 ({results} was begun with other"
    )
    assert "there were 2 entrants and are 3" in lines[1]
    assert "the files of 'Mine' have changed (digest " in lines[2]
    assert fingerprint(results) == before


def test_how_much_is_played_at_once_may_change(tmp_path: Path, scratch: Path) -> None:
    config = write_tournament(tmp_path, SAMPLES, boards=1, run="tables = 1")
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    write_tournament(tmp_path, SAMPLES, boards=1, run="tables = 7\npairings = 3")
    code, _, err = play(config, results, scratch=scratch)
    assert code == 0, err


def test_a_second_referee_is_refused_at_once(tmp_path: Path, scratch: Path) -> None:
    config = write_tournament(tmp_path, SAMPLES, boards=200)
    results = tmp_path / "cup.sqlite"
    with start(config, results, scratch=scratch) as first:
        wait_until(lambda: stored(results) > 0)
        code, _, err = play(config, results, scratch=scratch)
        assert code == 2
        assert f"another referee works on it (process {first.pid} on " in err
        assert err.count("\n") == 1
        # Others may read meanwhile.
        assert main(["standings", str(results)]) == 0
        first.kill()
    seen = stored(results)
    with start(config, results, scratch=scratch) as again:
        wait_until(lambda: stored(results) > seen)
        again.kill()


@pytest.mark.slow
def test_a_full_disk_stops_the_run_and_loses_nothing(tmp_path: Path, scratch: Path) -> None:
    with small_disk(8) as disk:
        config = write_tournament(tmp_path, SAMPLES, boards=60, run="tables = 4")
        results = disk / "cup.sqlite"
        begin(config, results)
        with start(config, results, scratch=scratch) as process:
            wait_until(lambda: stored(results) > 0)
            fill(disk / "filler")
            _, err = process.communicate(timeout=60)
        told = err.decode().splitlines()[-1]
        assert process.returncode == 3
        assert told.startswith("error: no space left on the disk of")
        assert "run the same command again" in told
        kept = stored(results)
        assert 0 < kept < 120
        assert read_results(results).faults == {}
        assert left_processes(scratch) == []
        (disk / "filler").unlink()
        code, _, err_again = play(config, results, scratch=scratch)
        assert code == 0, err_again
        elsewhere = tmp_path / "whole.sqlite"
        begin(config, elsewhere)
        code, _, err_again = play(config, elsewhere, scratch=scratch)
        assert code == 0, err_again
        assert fingerprint(results) == fingerprint(elsewhere)


def fill(path: Path) -> None:
    """Write until the disk is full."""
    with path.open("wb", buffering=0) as stream:
        size = 1 << 20
        while size:
            try:
                stream.write(bytes(size))
            except OSError:
                size //= 2


CRASHER = """
import os
import tarneeb_sdk
from tarneeb_sdk import Bot

class Crasher(Bot):
    def decide(self, view):
        if view.deal_number > 1:
            os._exit(3)
        return view.legal[0]

    call = name_trump = play = decide

tarneeb_sdk.run(Crasher)
"""


def test_a_bot_that_crashes_in_every_match_is_suspended_and_named(
    tmp_path: Path, scratch: Path
) -> None:
    bots = {
        "Crasher": broken_bot(tmp_path, "crasher", CRASHER),
        "Cautious": "sample:cautious",
        "Counting": "sample:counting",
        "Random": "sample:random",
    }
    config = write_tournament(tmp_path, bots, boards=2, run="tables = 2")
    results = tmp_path / "cup.sqlite"
    code, out, err = play(config, results, scratch=scratch)
    assert code == 0, err
    assert "Crasher is suspended: its remaining pairings are not played (2)" in err
    line = next(line for line in out.splitlines() if line.startswith("Crasher: "))
    assert line.startswith("Crasher: suspended; ")
    assert "crash" in line
    assert "on autopilot in 4 matches" in line
    kept = read_results(results)
    assert {entrant for entrant, kinds in kept.faults.items() if kinds} == {"e1"}
    assert len(kept.matches) == 4 * 4
    with closing(sqlite3.connect(results)) as database:
        details = database.execute("SELECT DISTINCT kind, detail FROM fault").fetchall()
    assert details == [("crash", "exited with 3")]


def test_a_quick_match_leaves_no_file(
    tmp_path: Path,
    scratch: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(scratch))
    command = ["match", "sample:random", "sample:random", "--boards", "1", "--deals", "1"]
    assert main([*command, "--preset", "syrian41", "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["finished"] is True
    assert data["matches"] == 2
    assert sorted(row["name"] for row in data["standings"]) == ["Random", "Random (2)"]
    assert list(tmp_path.iterdir()) == []
    assert left_processes(scratch) == []


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--target", "41", "--deals", "3"], "exclude each other"),
        (["--target", "40"], "--target: the target of tarneeb is"),
        (["--boards", "0"], "0 is out of range; use 1 to 100,000"),
        (["--boards", "x"], "'x' is not a whole number"),
        (["--deals", "0"], "--deals: deals is a whole number from 1 to 200, not 0"),
        (["--preset", "bridge"], "'bridge' is not one of"),
    ],
)
def test_a_wrong_option_of_a_match_gets_one_line(
    options: list[str], line: str, capsys: Capture
) -> None:
    assert main(["match", "sample:random", "sample:random", *options]) == 2
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_a_reader_that_has_seen_enough_is_no_error(results: Path) -> None:
    with Program(
        [*PROGRAM, "standings", str(results), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_copy_without_its_wal_is_told_of_and_played_to_the_end(
    tmp_path: Path, scratch: Path
) -> None:
    config = write_tournament(tmp_path, SAMPLES, boards=1)
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    with closing(sqlite3.connect(results)) as database:
        # What a killed referee leaves, less the log.
        database.execute("PRAGMA journal_mode = WAL")
    code, out, err = play(config, results, scratch=scratch)
    assert code == 0, err
    assert "was not closed by its referee and has no -wal file beside it" in err
    assert "finished, 2 matches" in out


def test_a_damaged_results_file_gets_one_line(tmp_path: Path, scratch: Path) -> None:
    config = write_tournament(tmp_path, SAMPLES, boards=1)
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    data = results.read_bytes()
    results.write_bytes(data[:4096] + bytes(len(data) - 4096))
    code, _, err = play(config, results, scratch=scratch)
    assert code == 2
    assert err.count("\n") == 1
    assert "is damaged" in err
    assert results.read_bytes() == data[:4096] + bytes(len(data) - 4096)


def test_the_help_of_standings_explains_every_column(capsys: Capture) -> None:
    assert main(["standings", "--help"]) == 0
    text = capsys.readouterr().out
    # Greek letters have no place in a help that every terminal can show.
    assert text.isascii()
    for heading in filter(str.isascii, LEFT_OUT_FIRST):
        assert heading.removesuffix(" 95%") in text


def test_a_match_tells_where_each_kind_of_fault_happened_first(
    tmp_path: Path, scratch: Path
) -> None:
    code = (
        "import tarneeb_sdk as t\n"
        "class B(t.Bot):\n"
        "    def call(self, view): return t.Bid(2)\n"
        "    def name_trump(self, view): return view.legal[0]\n"
        "    def play(self, view): return view.legal[0]\n"
        "t.run(B)\n"
    )
    bot = tmp_path / broken_bot(tmp_path, "Wrong", code)
    done = subprocess.run(
        [*PROGRAM, "match", str(bot), "sample:random", "--boards", "2", "--deals", "1"],
        capture_output=True,
        env=environment(scratch),
        timeout=60,
        check=False,
    )
    lines = [line for line in done.stdout.decode().splitlines() if "first " in line]
    assert lines, done.stderr
    for line in lines:
        assert re.match(
            r"Wrong, first [a-z-]+: board \d, half \d, seat \d, deal 1, move \d+: .", line
        )
