"""Whole tournaments of sample bots, run by the program itself."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tarneeb_tournaments.config import load_config
from tarneeb_tournaments.formats import standings_json
from tarneeb_tournaments.rounds import first_pairings
from tarneeb_tournaments.seeds import new_tournament
from tarneeb_tournaments.standings import compute_standings
from tarneeb_tournaments.store.connection import is_results_file
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results
from tests.programs import Program
from tests.tournaments.kit.made_up import SECRET

PROGRAM = (sys.executable, "-m", "tarneeb_referee")

# What is measured is not the same in two runs; all other tables are, byte for byte.
TABLES = (
    "tournament",
    "entrant",
    "step",
    "pairing",
    "match",
    "fault",
    "record",
    "behaviour",
    "contract",
)
MEASURED = (
    "decisions",
    "decision_s",
    "slow_s",
    "total_s",
    "max_s",
    "late",
    "incidents",
    "time_outs_in_lag",
    "max_lag_s",
)


def write_tournament(
    folder: Path,
    bots: dict[str, str],
    *,
    name: str = "cup",
    boards: int = 3,
    deals: int = 2,
    preset: str = "tarneeb",
    schedule: str = "",
    run: str = "",
    more: str = "",
) -> Path:
    """Write a tournament's file: entrants by name, with what stands under `bot`."""
    entrants = "\n".join(
        f'[[entrant]]\nname = "{name}"\nbot = "{bot}"\n' for name, bot in bots.items()
    )
    path = folder / f"{name}.toml"
    path.write_text(
        f'[tournament]\nname = "Cup"\npreset = "{preset}"\nboards = {boards}\n'
        f"{schedule}\n[match]\ndeals = {deals}\n[run]\n{run}\n{more}\n{entrants}"
    )
    return path


def broken_bot(folder: Path, name: str, code: str) -> str:
    """Make a bot's folder around some code."""
    bot = folder / name
    bot.mkdir()
    (bot / "bot.toml").write_text(
        f'name = "{name}"\nversion = "1"\ncommand = ["python", "bot.py"]\n'
    )
    (bot / "bot.py").write_text(code)
    return name


def begin(config: Path, results: Path) -> None:
    """Begin a results file with a secret that every test knows, so that runs can be compared."""
    loaded = load_config(config)
    info = new_tournament(loaded, secret=SECRET)
    pairings, is_final = first_pairings(info)
    SqliteStore.create(results, info, pairings, is_final=is_final).close()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a place for what a run and its bots put down, with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="t", dir="/tmp") as folder:
        yield Path(folder)


def start(config: Path, results: Path, *, scratch: Path) -> Program:
    """Start the program; what it and its bots put down goes below `scratch`."""
    return Program(
        [*PROGRAM, "tournament", str(config), "--results", str(results)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(scratch),
    )


def environment(scratch: Path) -> dict[str, str]:
    return {**os.environ, "TMPDIR": str(scratch)}


def play(config: Path, results: Path, *, scratch: Path) -> tuple[int, str, str]:
    """Run the program to its end: exit code and both outputs."""
    with start(config, results, scratch=scratch) as process:
        out, err = process.communicate(timeout=120)
    return process.returncode, out.decode(), err.decode()


def fingerprint(results: Path) -> dict[str, object]:
    """Take all of a results file and of its standings that is not measured."""
    with closing(sqlite3.connect(f"{results.absolute().as_uri()}?mode=ro", uri=True)) as database:
        tables: dict[str, object] = {
            table: sorted(database.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES
        }
    standings = standings_json(compute_standings(read_results(results)))
    for row in standings["standings"]:  # type: ignore[attr-defined]
        for key in MEASURED:
            del row[key]
    return {**tables, "standings": json.dumps(standings)}


def stored(results: Path) -> int:
    """Count the matches that have a result."""
    return len(read_results(results).matches) if is_results_file(results) else 0


def wait_until(condition: Callable[[], bool], *, within_s: float = 30.0) -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def left_processes(scratch: Path) -> list[int]:
    """Find processes whose environment names a folder: bots and keepers of a run."""
    needle = str(scratch).encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                if needle in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                # It has ended meanwhile.
                continue
    return found
