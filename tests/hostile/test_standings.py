"""What hostile bots did stands in the results and the standings of a tournament, and costs them alone."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from tests.hostile.arena import assert_nothing_is_left, docker_host, hostile_bot, surroundings

pytestmark = pytest.mark.docker

# The command of each entrant, and the fault that the standings must tell of.
HOSTILE = {
    "Hungry": (("memory_hog.py",), "over memory"),
    "Leaver": (("leaver.py", "play"), "crash"),
    "Flooder": (("tiny_messages.py",), "flooding"),
    "Babbler": (("garbage.py",), "malformed"),
    "Liar": (("liar.py",), "malformed"),
    "Stopped": (("stops_itself.py",), "time-out"),
}
HEAD = """\
[tournament]
name = "Hostile"
boards = 1
schedule = "gauntlet"
challengers = ["Honest"]
[match]
deals = 2
[time]
start = 5
decision = 0.5
bank = 0.5
margin = 0.1
[limits]
strikes = 2
restarts = 2
[run]
pairings = 2
[sandbox]
kind = "docker"
memory = 96
"""


def write_tournament(folder: Path, hostile: dict[str, tuple[str, ...]]) -> Path:
    commands = {"Honest": ("honest.py",)} | hostile

    async def build() -> dict[str, str]:
        async with docker_host() as host:
            bots = {name: await hostile_bot(host, command) for name, command in commands.items()}
            return {name: bot.image for name, bot in bots.items()}

    entrants = [
        f'[[entrant]]\nname = "{name}"\nimage = "{image}"\n'
        for name, image in asyncio.run(build()).items()
    ]
    path = folder / "hostile.toml"
    path.write_text(HEAD + "".join(entrants))
    return path


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "tarneeb_referee", *map(str, arguments))
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=400)


def tell(*arguments: object) -> str:
    """Run a command to its end, which must be a good one, and give what it says."""
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_standings_tell_what_each_hostile_bot_did_and_the_honest_one_pays_for_none(
    tmp_path: Path,
) -> None:
    config = write_tournament(tmp_path, {name: command for name, (command, _) in HOSTILE.items()})
    results = tmp_path / "hostile.sqlite"
    before = surroundings()
    tell("tournament", config, "--results", results)
    assert_nothing_is_left(before)

    standings = json.loads(tell("standings", results, "--json"))
    rows = {row["name"]: row for row in standings["standings"]}
    assert standings["matches"] == standings["matches_due"] == 2 * len(HOSTILE)
    for name, (_, kind) in HOSTILE.items():
        told = rows[name]["faults"] | rows[name]["incidents"]
        assert kind in told, (name, rows[name])
    assert (rows["Honest"]["faults"], rows["Honest"]["incidents"]) == ({}, {})

    with closing(sqlite3.connect(results)) as file:
        kinds = defaultdict(set)
        for name, kind in file.execute(
            "SELECT entrant.name, fault.kind FROM fault JOIN entrant ON fault.entrant = entrant.id"
        ):
            kinds[name].add(kind)
        voids = [json.loads(text) for (text,) in file.execute("SELECT voids FROM session")]
    assert set(kinds) == set(HOSTILE)
    assert not any(voids), "nothing that a bot does is a fault of ours"
    assert tell("verify", results).startswith("nothing is wrong")


def test_a_bot_that_says_half_a_sentence_is_turned_away_before_the_start(tmp_path: Path) -> None:
    config = write_tournament(tmp_path, {"Half": ("half_frame.py",)})
    before = surroundings()
    done = run("tournament", config, "--results", tmp_path / "half.sqlite")
    assert_nothing_is_left(before)
    assert done.returncode == 2
    assert "Half: never ready: did not become ready within 5.0 s" in done.stderr
