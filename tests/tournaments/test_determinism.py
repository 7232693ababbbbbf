"""The same bots and the same secret give the same bytes, however they are run."""

import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarneeb_tournaments.store.connection import wal_path
from tests.tournaments.kit.real_run import (
    begin,
    fingerprint,
    left_processes,
    play,
    scratch_folder,
    start,
    stored,
    wait_until,
    write_tournament,
)

BOTS = {
    "Counting": "sample:counting",
    "Cautious": "sample:cautious",
    "Random": "sample:random",
    "Random too": "sample:random",
}
BOARDS = 4
MATCHES = 6 * BOARDS * 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as place:
        yield place


def run_once(folder: Path, name: str, run: str, preset: str = "tarneeb") -> Path:
    """Play the tournament with other settings of [run]; the results have a name of their own."""
    config = write_tournament(folder, BOTS, name=name, boards=BOARDS, run=run, preset=preset)
    results = folder / f"{name}.sqlite"
    begin(config, results)
    with scratch_folder() as scratch:
        code, _, err = play(config, results, scratch=scratch)
    assert code == 0, err
    assert stored(results) == MATCHES
    return results


@pytest.fixture(scope="module")
def serial(folder: Path) -> dict[str, object]:
    """Give what a run of one table and one pairing at a time comes to."""
    return fingerprint(run_once(folder, "serial", "tables = 1\npairings = 1"))


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("both", "tables = 64\npairings = 4"),
        pytest.param("tables", "tables = 64\npairings = 1", marks=pytest.mark.slow),
        pytest.param("pairings", "tables = 1\npairings = 4", marks=pytest.mark.slow),
        pytest.param("auto", "", marks=pytest.mark.slow),
    ],
)
def test_what_is_played_at_once_changes_no_byte(
    folder: Path, serial: dict[str, object], name: str, run: str
) -> None:
    assert fingerprint(run_once(folder, name, run)) == serial


# It thinks of its cards alone, so that it plays alike after it has been started again.
CRASHING_BOT = """
from tarneeb_sdk import Bot, Phase, run

class CrashingBot(Bot):
    def decide(self, view):
        if view.phase is Phase.PLAY and len(view.plays) >= 8 and view.hand.mask % 29 == 5:
            raise ValueError("no idea")
        return view.legal[len(view.legal) // 2]

run(CrashingBot)
"""


def test_a_bot_that_crashes_in_some_positions_does_so_at_any_number_of_tables(
    folder: Path,
) -> None:
    bot = folder / "crashing"
    bot.mkdir()
    (bot / "bot.py").write_text(CRASHING_BOT)
    (bot / "bot.toml").write_text('name = "C"\nversion = "1"\ncommand = ["python", "bot.py"]\n')
    prints = []
    for tables in (1, 4):
        name = f"crashing-{tables}"
        config = write_tournament(
            folder,
            {"Crashing": str(bot), "Cautious": "sample:cautious"},
            name=name,
            boards=4,
            run=f"tables = {tables}",
            # A bot that is started again is on the clock meanwhile, however slow the machine.
            more="[limits]\nrestarts = 3\n[time]\ndecision = 60",
        )
        results = folder / f"{name}.sqlite"
        begin(config, results)
        with scratch_folder() as scratch:
            code, _, err = play(config, results, scratch=scratch)
        assert code == 0, err
        prints.append(fingerprint(results))
    one, many = prints
    # More than the restarts of one board.
    assert len(one["fault"]) > 6  # type: ignore[arg-type]
    assert one == many


@pytest.mark.slow
def test_syrian_41_is_the_same_at_any_number_of_tables(folder: Path) -> None:
    one = run_once(folder, "syrian", "tables = 1\npairings = 2", "syrian41")
    many = run_once(folder, "syrian-many", "tables = 64\npairings = 2", "syrian41")
    assert fingerprint(one) == fingerprint(many)


@pytest.mark.parametrize("kills_due", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_moments_it_comes_to_the_same(
    folder: Path, scratch: Path, serial: dict[str, object], kills_due: int
) -> None:
    """`kill -9`, then the same command again: no match twice, none missing, no process left."""
    seed = time.monotonic_ns()
    dice = random.Random(seed)
    print(f"seed {seed}")
    config = write_tournament(
        folder, BOTS, name="killed", boards=BOARDS, run="tables = 3\npairings = 2"
    )
    kills = finished = 0
    results = folder / f"killed-{kills_due}-0.sqlite"
    begin(config, results)
    while kills < kills_due or stored(results) < MATCHES:
        before = stored(results)
        with start(config, results, scratch=scratch) as process:
            if kills < kills_due:
                _kill_at_a_random_moment(process, dice, results)
                kills += process.returncode == -signal.SIGKILL
            _, err = process.communicate(timeout=120)
        assert process.returncode in {0, -signal.SIGKILL}, err.decode()
        wait_until(lambda: left_processes(scratch) == [], within_s=5)
        assert stored(results) >= before
        if stored(results) == MATCHES and kills < kills_due:
            assert fingerprint(results) == serial
            finished += 1
            results = folder / f"killed-{kills_due}-{finished}.sqlite"
            begin(config, results)
    assert fingerprint(results) == serial


@pytest.mark.parametrize(
    "schedule",
    [
        'schedule = "swiss"\nrounds = 3',
        pytest.param('schedule = "individual"', marks=pytest.mark.slow),
    ],
)
def test_rounds_that_follow_from_results_survive_kills(
    folder: Path, scratch: Path, schedule: str
) -> None:
    """`kill -9` in each of many tries, until the tournament comes to its end."""
    dice = random.Random(schedule)
    name = "rounds" + "".join(each for each in schedule if each.isalpha())
    config = write_tournament(
        folder, BOTS, name=name, boards=2, schedule=schedule, run="tables = 2\npairings = 2"
    )
    whole, killed = folder / f"{name}-whole.sqlite", folder / f"{name}-killed.sqlite"
    begin(config, whole)
    begin(config, killed)
    code, _, err = play(config, whole, scratch=scratch)
    assert code == 0, err
    for _ in range(4):
        with start(config, killed, scratch=scratch) as process:
            _kill_at_a_random_moment(process, dice, killed)
    code, _, err = play(config, killed, scratch=scratch)
    assert code == 0, err
    assert fingerprint(killed) == fingerprint(whole)


def _kill_at_a_random_moment(
    process: "subprocess.Popen[bytes]", dice: random.Random, results: Path
) -> None:
    """Kill it while it checks the bots, in one case of four, else while it plays."""
    if dice.random() < 0.75:
        wait_until(lambda: wal_path(results).exists() or process.poll() is not None)
    try:
        process.wait(timeout=dice.uniform(0.0, 2.5))
    except subprocess.TimeoutExpired:
        process.kill()
    process.wait()
