from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, Protocol

import pytest

from tarneeb_sdk.messages import Batch, Response, Turn, Welcome
from tarneeb_sdk.testing import view_of

BOT = """
import sys, time
from tarneeb_sdk import Bot, PASS, run

class ScriptBot(Bot):
    def decide(self, view):
{decide}

run(ScriptBot)
print("after the session")
"""


class StartBot(Protocol):
    def __call__(self, decide: str, **environment: str) -> subprocess.Popen[str]: ...


class RunBot(Protocol):
    def __call__(self, decide: str, **environment: str) -> tuple[int, str, str]: ...


@pytest.fixture
def start_bot(tmp_path: Path) -> StartBot:
    def start(decide: str, **environment: str) -> subprocess.Popen[str]:
        file = tmp_path / "bot.py"
        file.write_text(BOT.format(decide=indent(decide, " " * 8)), encoding="utf-8")
        own = {key: value for key, value in os.environ.items() if not key.startswith("TARNEEB_")}
        return subprocess.Popen(
            [sys.executable, file],
            env={**own, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture
def run_bot(start_bot: StartBot) -> RunBot:
    def run(decide: str, **environment: str) -> tuple[int, str, str]:
        process = start_bot(decide, **environment)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    return run


def one_turn(welcome: Welcome) -> Any:
    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(Turn(1, 0xABC, 1.0, view_of("AKQ.J98.T765.432")),))
        for _ in talk.rest():
            return

    return script


def test_without_a_referee_it_says_what_to_do(run_bot: RunBot) -> None:
    code, out, err = run_bot("return PASS")
    assert code == 2
    assert out == ""
    assert err.startswith("ERROR TARNEEB_ADDRESS is not set: the referee sets it")
    assert err.count("\n") == 1


def test_a_session_ends_with_0_and_the_script_goes_on(
    run_bot: RunBot, referee: Any, welcome: Welcome
) -> None:
    referee.scripts.append(one_turn(welcome))
    code, out, err = run_bot(
        'print("chatter\\n" * 3)\nself.log.info("bid %s", view.legal[0])\nreturn PASS',
        TARNEEB_ADDRESS=referee.address,
        TARNEEB_TOKEN="t",
    )
    assert code == 0, err
    assert out.endswith("after the session\n")
    assert err == "INFO table abc seat 0: bid P\n"


def test_the_collector_leaves_out_what_was_loaded_before_play(
    run_bot: RunBot, referee: Any, welcome: Welcome
) -> None:
    referee.scripts.append(one_turn(welcome))
    code, out, err = run_bot(
        "import gc\nprint(gc.get_freeze_count() > 1000)\nreturn PASS",
        TARNEEB_ADDRESS=referee.address,
        TARNEEB_TOKEN="t",
    )
    assert (code, out.splitlines()[0]) == (0, "True"), err


def test_the_log_starts_at_the_level_that_is_asked_for(
    run_bot: RunBot, referee: Any, welcome: Welcome
) -> None:
    referee.scripts.append(one_turn(welcome))
    code, _, err = run_bot(
        'self.log.info("quiet")\nself.log.error("loud")\nreturn PASS',
        TARNEEB_ADDRESS=referee.address,
        TARNEEB_TOKEN="t",
        TARNEEB_LOG="error",
    )
    assert (code, err) == (0, "ERROR table abc seat 0: loud\n")


def test_an_unknown_level_is_told(run_bot: RunBot, referee: Any, welcome: Welcome) -> None:
    referee.scripts.append(one_turn(welcome))
    _, _, err = run_bot(
        "return PASS",
        TARNEEB_ADDRESS=referee.address,
        TARNEEB_TOKEN="t",
        TARNEEB_LOG="loud",
    )
    assert "TARNEEB_LOG is 'loud', not one of debug, info, warning, error" in err


def test_an_exception_reaches_the_author_with_the_view(
    run_bot: RunBot, referee: Any, welcome: Welcome
) -> None:
    referee.scripts.append(one_turn(welcome))
    code, out, err = run_bot("return 1 // 0", TARNEEB_ADDRESS=referee.address, TARNEEB_TOKEN="t")
    assert code == 1
    assert "after the session" not in out
    assert "return 1 // 0" in err
    assert "ZeroDivisionError" in err
    assert "while deciding at table abc, deal 1, 1.000 s left:" in err
    assert "hand AKQ.J98.T765.432" in err


@pytest.mark.parametrize(
    ("decide", "last"),
    [
        ('raise RuntimeError("oh no")', "RuntimeError: oh no"),
        ("return 7", "tarneeb_sdk.bot.BotError: ScriptBot.decide returned 7 (int); it must"),
    ],
)
def test_the_exception_is_the_last_line_after_the_view(
    run_bot: RunBot, referee: Any, welcome: Welcome, decide: str, last: str
) -> None:
    referee.scripts.append(one_turn(welcome))
    _, _, err = run_bot(decide, TARNEEB_ADDRESS=referee.address, TARNEEB_TOKEN="t")
    lines = err.splitlines()
    assert lines[0] == "while deciding at table abc, deal 1, 1.000 s left:"
    assert lines[-1].startswith(last)
    assert err.count("while deciding") == 1


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "class B(Bot): pass\nx = B.__new__(B)",
            "the class is needed, not one bot of it: write B, ",
        ),
        ("x = 42", "42 is no class; give a class derived from tarneeb_sdk.Bot"),
        ("class B: pass\nx = B", "B is no Bot; derive the class from it: class B(Bot)"),
        (
            "class B(Bot):\n  def __init__(self): self.seen = 0\nx = B",
            "B.__init__ must take the seating and call super().__init__(seating); simpler: leave",
        ),
    ],
    ids=["instance", "number", "other class", "init"],
)
def test_what_makes_no_bots_is_told_in_a_line(script: str, message: str) -> None:
    code = f"from tarneeb_sdk import Bot, run\n{script}\nrun(x)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"ERROR run: {message}")
    assert done.stderr.count("\n") == 1


def test_a_referee_that_is_not_there_is_told_and_ends_with_4(tmp_path: Any) -> None:
    code = (
        "from tarneeb_sdk.client import Client, ClientSettings\n"
        "from tarneeb_sdk import Bot\n"
        "from tarneeb_sdk.launch import start_logging\n"
        "start_logging('info')\n"
        f"settings = ClientSettings(address='unix:{tmp_path}/no', token='t', give_up_s=0.1)\n"
        "raise SystemExit(Client(Bot, settings).play())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 4
    assert done.stderr == f"ERROR no referee at unix:{tmp_path}/no for 0.1 s\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM")
def test_sigterm_ends_it_quietly(start_bot: StartBot, referee: Any, welcome: Welcome) -> None:
    referee.scripts.append(one_turn(welcome))
    process = start_bot(
        'print("thinking", flush=True)\ntime.sleep(60)',
        TARNEEB_ADDRESS=referee.address,
        TARNEEB_TOKEN="t",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "thinking\n"
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


def test_the_import_is_light() -> None:
    code = "import sys, tarneeb_sdk; print([name for name in sys.modules if name in {'grpc', 'google.protobuf', 'asyncio'}])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
