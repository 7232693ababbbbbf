"""The README and the tutorial work: their files are written and their commands run, in order.

A block's first line says what it is: `file=` names the file to write; `runs=` marks a command, and
`fails` that it must fail.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tarneeb_sdk import Bid
from tarneeb_sdk.testing import ask, view_of

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
TUTORIAL = ROOT / "docs" / "tutorial" / "write-a-bot.md"
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    words: dict[str, str]
    text: str


def blocks(page: Path) -> list[Block]:
    found = []
    for language, info, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        words = dict((*word.split("=", 1), "")[:2] for word in info.split())
        found.append(Block(language, words, text))
    return found


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(
        shlex.split(command),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def follow(page: Path, folder: Path, *, kinds: set[str]) -> int:
    """Write the files and run the commands of some kinds; return how many were run."""
    folder.mkdir(exist_ok=True)
    commands = 0
    for block in blocks(page):
        if "file" in block.words:
            path = folder / block.words["file"]
            path.parent.mkdir(exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.words.get("runs") in kinds:
            commands += 1
            done = run(block.text, folder)
            output = done.stdout + done.stderr
            if "fails" in block.words:
                assert done.returncode == 1, output
                assert "1 failed, 2 passed" in output
            else:
                assert done.returncode == 0, output
    return commands


def test_the_tests_of_the_tutorial_fail_and_pass_where_it_says_so(tmp_path: Path) -> None:
    assert follow(TUTORIAL, tmp_path / "first_bot", kinds={"tests"}) == 2


@pytest.mark.slow
def test_the_matches_of_the_tutorial_are_played(tmp_path: Path) -> None:
    assert follow(TUTORIAL, tmp_path / "first_bot", kinds={"copy", "match"}) == 3


def test_the_bot_of_the_readme_plays_a_match_and_a_tournament(tmp_path: Path) -> None:
    assert follow(README, tmp_path, kinds={"match", "tournament", "standings"}) == 3


def test_the_bot_of_the_readme_declares_the_least_in_41() -> None:
    (program,) = [each for each in blocks(README) if each.words.get("file") == "my_bot/bot.py"]
    names: dict[str, Any] = {"__name__": "bot"}
    exec(program.text, names)
    strong = "AKQJ98.AK.A43.32"
    assert ask(names["MyBot"], view_of(strong)) == Bid(7)
    view = view_of(strong, rules="syrian41", revealed="7H")
    assert ask(names["MyBot"], view) == view.legal_calls[0] != Bid(7)


@pytest.mark.parametrize("page", [README, TUTORIAL], ids=lambda page: page.stem)
def test_every_block_is_written_run_shown_or_shell_for_the_reader(page: Path) -> None:
    for block in blocks(page):
        known = block.words.keys() & {"file", "runs"}
        assert known or block.language in {"sh", "text"}, block.text
