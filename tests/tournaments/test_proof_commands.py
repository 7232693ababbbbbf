"""The commands `verify` and `sprt`, as a user types them."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
from tarneeb_tournaments.sprt_match import boards_in_order, state_of
from tarneeb_tournaments.store.sqlite import read_results
from tests.programs import Program
from tests.tournaments.kit.forgery import altered
from tests.tournaments.kit.real_run import (
    PROGRAM,
    environment,
    left_processes,
    scratch_folder,
    stored,
    wait_until,
    write_tournament,
)
from tests.tournaments.kit.real_run import play as run_program
from tests.tournaments.kit.table_play import config, play, with_

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("honest") / "cup.sqlite"
    play(path, config("ABC"))
    return path


@pytest.mark.parametrize("command", ["verify", "sprt"])
def test_help_has_an_example_that_parses(command: str, capsys: Capture) -> None:
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Examples:" in text
    assert f"  tarneeb-referee {command} " in text
    assert "Exit codes:" in text


def test_an_honest_file_is_verified_and_left_as_it_was(honest: Path, capsys: Capture) -> None:
    before = honest.read_bytes()
    assert main(["verify", str(honest)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("nothing is wrong: 12 matches, ")
    assert "not checked" not in told.out
    assert "12 of 12 matches" in told.err
    assert honest.read_bytes() == before
    assert list(honest.parent.iterdir()) == [honest]


def test_what_is_wrong_takes_one_line(honest: Path, tmp_path: Path, capsys: Capture) -> None:
    with altered(honest, tmp_path / "r.sqlite") as database:
        database.execute("UPDATE match SET score0 = 99 WHERE (round, board, half) = (2, 1, 2)")
    assert main(["verify", str(tmp_path / "r.sqlite")]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("wrong: round 2, pairing 1, board 1, half 2: score0 is 99; by the reco")


def test_the_verdict_as_json(honest: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["verify", str(honest), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["wrong"], told["finished"]) == (True, None, True)
    assert (told["matches"], told["linked"], told["not_checked"]) == (12, 12, [])
    with altered(honest, tmp_path / "r.sqlite") as database:
        database.execute("UPDATE match SET link = NULL WHERE (round, board, half) = (2, 1, 2)")
    assert main(["verify", str(tmp_path / "r.sqlite"), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert told["wrong"] == {
        "what": "the chain of records is broken",
        "where": {"round": 2, "pairing": 1, "board": 1, "half": 2},
    }


def test_before_the_end_it_says_what_it_did_not_check(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "r.sqlite"
    play(path, config("ABC"), make_play=with_(stop_after=5))
    with altered(path, tmp_path / "published.sqlite") as database:
        # As a copy is published while the tournament runs.
        database.execute("UPDATE tournament SET secret = zeroblob(32)")
    for each in (path, tmp_path / "published.sqlite"):
        assert main(["verify", str(each)]) == 0
        out = capsys.readouterr().out
        assert "not finished (7 matches to play), so these were not checked:" in out
        assert "the secret against its published hash" in out


@pytest.mark.parametrize("name", ["missing", "empty", "text"])
def test_what_is_no_results_file_is_the_users_mistake(
    tmp_path: Path, capsys: Capture, name: str
) -> None:
    path = tmp_path / name
    if name != "missing":
        path.write_text("" if name == "empty" else "no database")
    assert main(["verify", str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(path) in line


def test_a_real_tournament_is_verified(tmp_path: Path, scratch: Path, capsys: Capture) -> None:
    bots = {"Counting": "sample:counting", "Cautious": "sample:cautious", "R": "sample:random"}
    path = write_tournament(tmp_path, bots, boards=2)
    code, _, err = run_program(path, tmp_path / "r.sqlite", scratch=scratch)
    assert code == 0, err
    assert main(["verify", str(tmp_path / "r.sqlite")]) == 0
    assert "12 matches" in capsys.readouterr().out


SPRT = ("sprt", "sample:counting", "sample:random", "--deals", "2", "--elo1", "200")


def test_a_test_ends_when_it_is_known(tmp_path: Path, scratch: Path) -> None:
    results = tmp_path / "r.sqlite"
    told = subprocess.run(
        [*PROGRAM, *SPRT, "--results", str(results), "--json"],
        capture_output=True,
        env=environment(scratch),
        timeout=120,
        check=True,
    )
    data = json.loads(told.stdout)
    assert data["decision"] == "stronger"
    assert 0 < data["boards"] < data["max_boards"]
    assert b"LLR +" in told.stderr
    assert left_processes(scratch) == []
    again = subprocess.run(
        [*PROGRAM, *SPRT, "--results", str(results), "--json"],
        capture_output=True,
        env=environment(scratch),
        timeout=120,
        check=True,
    )
    assert json.loads(again.stdout) == data
    assert main(["verify", str(results)]) == 0


def test_an_interrupted_test_goes_on(tmp_path: Path, scratch: Path) -> None:
    results = tmp_path / "r.sqlite"
    # Two bots of a kind: it is not known soon.
    command = [*PROGRAM, "sprt", "sample:random", "sample:random", "--deals", "2"]
    command += ["--max-boards", "40", "--elo1", "3", "--results", str(results)]
    with Program(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(scratch)
    ) as process:
        wait_until(lambda: stored(results) >= 20, within_s=60)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"go on with: tarneeb-referee sprt sample:random" in err
    assert left_processes(scratch) == []
    before = stored(results)
    done = subprocess.run(
        command, capture_output=True, env=environment(scratch), timeout=120, check=True
    )
    assert b"it is not known whether Random is stronger than Random (2)" in done.stdout
    found = read_results(results)
    assert before < len(found.matches) == 80
    assert len(boards_in_order(found)) == sum(state_of(found).counts) == 40


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--elo0", "20", "--elo1", "10"], "elo1"),
        (["--alpha", "0.7"], "alpha must be above 0 and below 0.5"),
        (["--target", "41", "--deals", "3"], "exclude each other"),
        (["--preset", "syrian41", "--target", "31"], "the target of syrian41 is 41"),
    ],
)
def test_what_can_not_be_tested_is_the_users_mistake(
    options: list[str], told: str, capsys: Capture
) -> None:
    assert main(["sprt", "sample:counting", "sample:random", *options]) == 2
    assert told in capsys.readouterr().err


def test_other_settings_or_a_tournament_do_not_go_on_with_a_test(
    tmp_path: Path, scratch: Path, capsys: Capture
) -> None:
    results = tmp_path / "r.sqlite"
    command = [*PROGRAM, *SPRT, "--max-boards", "1", "--results", str(results)]
    subprocess.run(command, capture_output=True, env=environment(scratch), timeout=120, check=True)
    assert main([*SPRT, "--max-boards", "2", "--results", str(results)]) == 2
    assert "was begun with other settings or other bots" in capsys.readouterr().err
    path = write_tournament(tmp_path, {"A": "sample:counting", "B": "sample:random"})
    assert main(["tournament", str(path), "--results", str(results)]) == 2
    assert "holds a sequential test, which sprt goes on with" in capsys.readouterr().err
