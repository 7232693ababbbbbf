"""The tournament in containers that organizers try first, by the program itself."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.docker

DEMO = Path(__file__).parents[2] / "tournaments" / "docker-demo.toml"


def tell(*arguments: str) -> str:
    """Run a command to its end, which must be a good one, and give what it says."""
    done = subprocess.run(
        (sys.executable, "-m", "tarneeb_referee", *arguments),
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_demo_is_played_verified_and_tells_its_logs(tmp_path: Path) -> None:
    results = str(tmp_path / "demo.sqlite")
    tell("tournament", str(DEMO), "--results", results)
    standings = json.loads(tell("standings", results, "--json"))
    assert standings["matches"] == standings["matches_due"] == 96
    assert [row["name"] for row in standings["standings"]] == ["Counting", "Cautious", "Random"]
    assert [row["faults"] for row in standings["standings"]] == [{}, {}, {}]
    assert tell("verify", results).startswith("nothing is wrong: 96 matches")
    assert "exited with 0" in tell("logs", results, "--entrant", "Counting")


def test_a_sequential_test_is_played_in_containers() -> None:
    bots = ("sample:cautious", "sample:random")
    told = tell("sprt", *bots, "--sandbox", "docker", "--deals", "2", "--max-boards", "8", "--json")
    assert json.loads(told)["boards"] == 8
