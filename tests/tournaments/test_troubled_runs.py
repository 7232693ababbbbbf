"""Runs in which something goes wrong that must not end them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.tournaments.kit.real_run import (
    PROGRAM,
    begin,
    broken_bot,
    environment,
    play,
    scratch_folder,
    stored,
    write_tournament,
)

SAMPLES = {"Counting": "sample:counting", "Random": "sample:random"}


@pytest.fixture
def scratch() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder


ONE_BAD_MOMENT = """
import os, pathlib, tarneeb_sdk
from tarneeb_sdk import Bot

MARK = pathlib.Path(os.environ["TMPDIR"]) / "mark"

class Moody(Bot):
    def decide(self, view):
        if {when}:
            MARK.touch()
            os._exit(3)
        return view.legal[0]

    call = name_trump = play = decide

tarneeb_sdk.run(Moody)
"""


def test_a_crash_in_its_check_is_no_reason_to_refuse_a_bot(tmp_path: Path, scratch: Path) -> None:
    mark = tmp_path / "mark"
    code = ONE_BAD_MOMENT.replace('os.environ["TMPDIR"]', repr(str(tmp_path)))
    bot = broken_bot(tmp_path, "moody", code.format(when="not MARK.exists()"))
    config = write_tournament(tmp_path, {"Moody": bot, "Random": "sample:random"}, boards=1)
    status, _, err = play(config, tmp_path / "cup.sqlite", scratch=scratch)
    assert status == 0, err
    assert mark.exists()
    assert "warning: Moody, in its check: crash: " in err


def test_a_run_goes_on_with_a_bot_that_fails_its_check(tmp_path: Path, scratch: Path) -> None:
    """It was there when the tournament began; now its matches tell what it is worth."""
    bots = {
        "Gone": broken_bot(tmp_path, "gone", "raise ValueError('no model')\n"),
        "Random": "sample:random",
    }
    config = write_tournament(tmp_path, bots, boards=2, more="[time]\nstart = 5\n")
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    status, out, err = play(config, results, scratch=scratch)
    assert status == 0, err
    assert "warning: Gone, in its check: never ready: " in err
    assert "ValueError: no model" in err
    assert "Gone is suspended, after its last pairing" in err
    assert "Gone: suspended; " in out


def test_endless_redeals_end(tmp_path: Path, scratch: Path) -> None:
    """BUG-09: bots that always pass are stopped by R-8.1, not by anybody's patience."""
    passes = ONE_BAD_MOMENT.format(when="False").replace("view.legal[0]", "view.legal[-1]")
    passes = passes.replace("view.legal[-1]", "PASS if PASS in view.legal else view.legal[0]")
    passes = passes.replace("import Bot", "import Bot\nfrom tarneeb_sdk.game import PASS")
    passes = passes.replace('os.environ["TMPDIR"]', "'/'")
    bots = {
        "One": broken_bot(tmp_path, "one", passes),
        "Two": broken_bot(tmp_path, "two", passes),
    }
    config = write_tournament(tmp_path, bots, boards=1)
    status, out, err = play(config, tmp_path / "cup.sqlite", scratch=scratch)
    assert status == 0, err
    assert "finished, 2 matches" in out


@pytest.mark.parametrize("reader", ["gone", "frozen"])
def test_nobody_who_reads_the_progress_can_stop_a_run(
    tmp_path: Path, scratch: Path, reader: str
) -> None:
    """A closed pipe, as of `2>&1 >/dev/null | head -1`, or a full one that nobody empties."""
    config = write_tournament(tmp_path, SAMPLES, boards=1)
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    out, into = os.pipe()
    if reader == "gone":
        os.close(out)
    else:
        os.set_blocking(into, False)
        with suppress(BlockingIOError):
            while True:
                os.write(into, bytes(1 << 16))
        os.set_blocking(into, True)
    command = [*PROGRAM, "tournament", str(config), "--results", str(results)]
    done = subprocess.run(
        command,
        env=environment(scratch),
        stdout=subprocess.PIPE,
        stderr=into,
        timeout=60,
        check=False,
    )
    os.close(into)
    if reader == "frozen":
        os.close(out)
    assert done.returncode == 0
    assert b"finished, 2 matches" in done.stdout
    assert stored(results) == 2
