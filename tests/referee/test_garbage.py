"""The collector is kept out of the way where it matters, by the program itself."""

import subprocess
import sys

import pytest

from tarneeb_referee.processors import available_processors

SHOW = """
import asyncio, gc
from tarneeb_referee.cli.main import main
before = gc.get_threshold()
code = main(["match", "sample:random", "sample:random", "--boards", "1"])
print(code, gc.get_threshold() != before, gc.get_freeze_count() > 1000)
"""


@pytest.mark.slow
def test_a_match_is_played_with_a_calm_collector() -> None:
    shown = subprocess.run((sys.executable, "-c", SHOW), capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "0 True True"


def test_there_is_a_processor() -> None:
    assert available_processors() >= 1
