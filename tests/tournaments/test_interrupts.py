"""Ctrl-C and its kin: nothing is booked that had no end, bots are stopped, the run can go on."""

import os
import pty
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
from tests.programs import Program
from tests.tournaments.kit.real_run import (
    PROGRAM,
    environment,
    left_processes,
    play,
    scratch_folder,
    start,
    stored,
    wait_until,
    write_tournament,
)

SAMPLES = {"Counting": "sample:counting", "Random": "sample:random"}

Capture = pytest.CaptureFixture[str]

# Falls asleep in its second deal, unless a file says no; the check before a tournament is one deal.
SLEEPER = """
import time
from pathlib import Path

import tarneeb_sdk
from tarneeb_sdk import Bot

class Sleeper(Bot):
    def decide(self, view):
        if view.deal_number > 1 and not Path("{awake}").exists():
            time.sleep(50)
        return view.legal[0]

    call = name_trump = play = decide

tarneeb_sdk.run(Sleeper)
"""


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder


@pytest.fixture
def config(tmp_path: Path) -> Path:
    bot = tmp_path / "sleeper"
    bot.mkdir()
    (bot / "bot.toml").write_text(
        'name = "Sleeper"\nversion = "1"\ncommand = ["python", "bot.py"]\n'
    )
    (bot / "bot.py").write_text(SLEEPER.replace("{awake}", str(tmp_path / "awake")))
    return write_tournament(
        tmp_path,
        {"Sleeper": "sleeper", "Random": "sample:random"},
        boards=2,
        run="tables = 1",
        more="[time]\ndecision = 60",
    )


@contextmanager
def in_a_terminal(config: Path, scratch: Path) -> Iterator[tuple[Program, int]]:
    """Run the tournament as the foreground program of a terminal; give it and the keyboard."""
    keyboard, terminal = pty.openpty()
    script = (
        "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    process = Program(
        [PROGRAM[0], "-c", script, *PROGRAM, "tournament", str(config)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**environment(scratch), "TERM": "xterm", "COLUMNS": "300"},
        start_new_session=True,
    )
    os.close(terminal)
    try:
        with process:
            yield process, keyboard
    finally:
        os.close(keyboard)


def read_screen(keyboard: int, shown: bytearray) -> bool:
    """Read what has come to the terminal; False once the program has let go of it."""
    try:
        data = os.read(keyboard, 65_536)
    except OSError:
        return False
    shown += data
    return bool(data)


def faults(results: Path) -> int:
    with closing(sqlite3.connect(results)) as database:
        (count,) = database.execute("SELECT count(*) FROM fault").fetchone()
    return int(count)


@pytest.mark.parametrize("presses", [1, 3])
def test_ctrl_c_in_a_terminal(config: Path, tmp_path: Path, scratch: Path, presses: int) -> None:
    results = tmp_path / "cup.results.sqlite"
    shown = bytearray()
    with in_a_terminal(config, scratch) as (process, keyboard):
        os.set_blocking(keyboard, False)

        def is_asleep() -> bool:
            read_screen(keyboard, shown)
            return (
                results.exists() and len(left_processes(scratch)) >= 5 and b"public seed" in shown
            )

        wait_until(is_asleep)
        # Into the second deal.
        time.sleep(2)
        begun = time.monotonic()
        for _ in range(presses):
            os.write(keyboard, b"\x03")
            time.sleep(0.1)
        wait_until(lambda: not read_screen(keyboard, shown) and process.poll() is not None)
        took = time.monotonic() - begun
    text = shown.decode(errors="replace")
    assert process.returncode == 130
    assert took < 5
    assert "Traceback" not in text
    assert f"go on with: tarneeb-referee tournament {config}" in text.replace("\r\n", "")
    wait_until(lambda: left_processes(scratch) == [], within_s=5)
    assert stored(results) == 0
    assert faults(results) == 0
    goes_on(config, results, scratch)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_that_ask_to_stop(
    config: Path, tmp_path: Path, scratch: Path, number: signal.Signals
) -> None:
    results = tmp_path / "cup.results.sqlite"
    with Program(
        [*PROGRAM, "tournament", str(config)], stderr=subprocess.PIPE, env=environment(scratch)
    ) as process:
        wait_until(results.exists)
        wait_until(lambda: len(left_processes(scratch)) >= 9)
        begun = time.monotonic()
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - begun < 5
    assert f"go on with: tarneeb-referee tournament {config}" in err.decode()
    assert left_processes(scratch) == []
    assert stored(results) == 0
    assert faults(results) == 0


def goes_on(config: Path, results: Path, scratch: Path) -> None:
    """The same command plays what is left; the sleeper stays awake this time."""
    (config.parent / "awake").touch()
    code, out, err = play(config, results, scratch=scratch)
    assert code == 0, err
    assert "finished, 4 matches" in out
    assert faults(results) == 0


def test_a_results_file_that_goes_away_is_noticed_at_once(
    tmp_path: Path, scratch: Path, capsys: Capture
) -> None:
    path = write_tournament(tmp_path, SAMPLES, boards=5_000, deals=2)
    results = tmp_path / "cup.sqlite"
    with start(path, results, scratch=scratch) as process:
        wait_until(lambda: stored(results) >= 2, within_s=60)
        results.unlink()
        out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert out == b""
    assert b"cup.sqlite: was deleted, moved or replaced while the tournament runs" in err
    assert left_processes(scratch) == []
    assert not results.exists()
    wal = Path(f"{results}-wal")
    if wal.exists():
        assert main(["tournament", str(path), "--results", str(results)]) == 2
        assert "is missing, and its log is there" in capsys.readouterr().err
        wal.unlink()
    # The same command begins anew.
    path.write_text(path.read_text().replace("boards = 5000", "boards = 1"))
    code, _, told = play(path, results, scratch=scratch)
    assert code == 0, told
    assert stored(results) == 2


def test_a_run_tells_where_its_results_are_and_an_interrupt_how_many(
    tmp_path: Path, scratch: Path
) -> None:
    path = write_tournament(tmp_path, SAMPLES, boards=5_000, deals=2)
    results = tmp_path / "cup.sqlite"
    with start(path, results, scratch=scratch) as process:
        wait_until(lambda: stored(results) >= 2, within_s=60)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    lines = err.decode().splitlines()
    assert lines[0] == f"results: {results}"
    assert lines[-1] == f"stored: {stored(results)} matches, in {results}"
