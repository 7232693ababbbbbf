"""Commands whose streams are closed or full, and paths that lead nowhere."""

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
from tarneeb_tournaments.store.sqlite import SqliteStore
from tests.tournaments.kit import made_up
from tests.tournaments.kit.real_run import (
    PROGRAM,
    environment,
    scratch_folder,
    stored,
    write_tournament,
)

SAMPLES = {"Counting": "sample:counting", "Random": "sample:random"}

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Make a results file with nothing in it."""
    path = tmp_path / "cup.sqlite"
    info = made_up.info()
    SqliteStore.create(path, info, made_up.pairings(info)).close()
    return path


def run_shell(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program with streams as only a shell redirects them."""
    return subprocess.run(
        ["/bin/sh", "-c", f"{shlex.join(PROGRAM)} {command}"],
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_full_disk_behind_the_standard_output_is_told(results: Path) -> None:
    told = run_shell(f"standings {results} > /dev/full")
    (line,) = told.stderr.decode().splitlines()
    assert told.returncode == 3
    assert line == (
        "error: the standard output can't be written: no space left on device; what is in a "
        "results file is safe and can be shown again"
    )


@pytest.mark.parametrize("command", ["--help", "--version", "standings --help"])
def test_a_full_disk_behind_a_help_is_told(command: str) -> None:
    told = run_shell(f"{command} > /dev/full")
    assert told.returncode == 3
    assert told.stderr == b"error: no space left on the disk that the output goes to\n"


def test_a_closed_standard_output_is_told(results: Path) -> None:
    told = run_shell(f"standings {results} >&-")
    (line,) = told.stderr.decode().splitlines()
    assert told.returncode == 2
    assert line.startswith("error: the standard output is closed; ")


@pytest.mark.parametrize("stream", ["2>/dev/full", "2>&-"])
def test_where_nobody_can_be_told_the_exit_code_tells(results: Path, stream: str) -> None:
    assert run_shell(f"standings {results}.missing {stream}").returncode == 2
    assert run_shell(f"standings {results} {stream}").returncode == 0
    assert run_shell(f"verify {results} {stream}").returncode == 1


def test_a_run_needs_no_stream(tmp_path: Path, scratch: Path) -> None:
    path = write_tournament(tmp_path, SAMPLES, boards=1, deals=1)
    done = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.join(PROGRAM)} tournament {path} <&- 2>&- >/dev/null"],
        env=environment(scratch),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert stored(tmp_path / "cup.results.sqlite") == 2


@pytest.mark.parametrize("command", ["tournament", "standings", "verify"])
@pytest.mark.parametrize("path", ["", ".", "/", "x" * 5_000, "\udcff"])
def test_what_is_no_path_is_the_users_mistake(command: str, path: str, capsys: Capture) -> None:
    assert main([command, path]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "internal" not in line


def test_a_link_to_itself_is_no_place_for_results(tmp_path: Path, capsys: Capture) -> None:
    path = write_tournament(tmp_path, SAMPLES)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert main(["tournament", str(path), "--results", str(loop)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is a link that leads back to itself" in line


def test_a_test_needs_nobody_who_hears_how_it_goes_on(scratch: Path) -> None:
    bots = "sample:random sample:random --deals 1 --max-boards 1"
    done = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.join(PROGRAM)} sprt {bots} 2>/dev/full"],
        capture_output=True,
        env=environment(scratch),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert b"1 board" in done.stdout
