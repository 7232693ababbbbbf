import asyncio
import dataclasses
from pathlib import Path

import pytest

from tarneeb_referee.bot_folder import BotSpec, load_bot
from tarneeb_referee.hosts.base import BotProcess, HostError, LaunchSpec
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import ProbeResult
from tarneeb_referee.plan import BotHandle
from tarneeb_referee.probe import probe
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.errors import HarnessError
from tarneeb_sdk.game import rule_set
from tests.referee.arena import POLITE, MixedHost, chaos
from tests.referee.kit import settings_of


def check(bot: BotSpec, settings: MatchSettings | None = None) -> ProbeResult:
    async def run() -> ProbeResult:
        host = MixedHost(RunFolder.create())
        try:
            return await probe(
                BotHandle("entrant", bot),
                host=host,
                settings=settings or settings_of(start_s=5.0, decision_s=0.5),
            )
        finally:
            await host.close()

    return asyncio.run(asyncio.wait_for(run(), 30))


BOT_TOML = 'name = "Mine"\nversion = "1"\ncommand = [{command}]\n'
BOT = """
from tarneeb_sdk import Bot, run

class MyBot(Bot):
    def decide(self, view):
        {decide}

run(MyBot)
"""


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_a_bot_that_plays_has_no_problem_and_its_speed_is_known(preset: str) -> None:
    result = check(load_bot("sample:counting"), settings_of(rule_set(preset)))
    assert (result.problem, result.warning) == (None, None)
    assert result.ready_s is not None
    assert 0 < result.ready_s < 10
    assert result.decision_s is not None
    assert 0 < result.decision_s < 1


PROBLEMS = [
    (chaos("no_such_bot"), "never ready: exited with 1 before ready"),
    (
        dataclasses.replace(chaos("x"), name="broken", command=("/no/such/program",)),
        "never ready: exited with 127 before ready",
    ),
    (
        dataclasses.replace(chaos("x"), name="forgets run", command=("true",)),
        "never ready: exited with 0 before ready (does it end with run(MyBot)?)",
    ),
    (chaos("deaf", "nothing"), "never ready: did not become ready within 1.0 s (start limit)"),
    (chaos("version", "999"), "incompatible: the referee speaks version 1, the bot said 999"),
    (chaos("stuck", "exit"), "crash: exited with 0"),
    (chaos("flood"), "flooding: more than 1000 answers a board to turns that did not wait"),
]


@pytest.mark.parametrize(("bot", "problem"), PROBLEMS, ids=lambda value: str(value)[:40])
def test_a_bot_that_cannot_play_is_told_why(bot: BotSpec, problem: str) -> None:
    result = check(bot, settings_of(start_s=1.0 if "deaf" in bot.name else 10.0, decision_s=5.0))
    assert result.problem is not None
    assert result.problem.startswith(problem)
    assert "\n" not in result.problem


def test_the_last_line_of_a_bot_that_crashed_is_told() -> None:
    result = check(chaos("no_such_bot"))
    assert result.problem is not None
    assert "No module named tests.chaos.no_such_bot" in result.problem
    assert result.logs is not None


def test_the_line_told_of_a_bot_that_raised_is_the_exception(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(BOT_TOML.format(command='"python", "bot.py"'))
    (tmp_path / "bot.py").write_text(BOT.format(decide='raise RuntimeError("oh no")'))
    result = check(load_bot(tmp_path))
    assert result.problem == "crash: exited with 1 (its last line was: RuntimeError: oh no)"


def test_a_bots_command_can_set_its_environment(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        BOT_TOML.format(command='"env", "TARNEEB_LOG=debug", "python", "bot.py"')
    )
    (tmp_path / "bot.py").write_text(
        BOT.format(decide='self.log.debug("deep"); return view.legal[0]')
    )
    result = check(load_bot(tmp_path))
    assert result.problem is None
    assert result.logs is not None
    assert b"DEBUG table" in result.logs.stderr.head


WARNINGS = [
    (chaos("cheat", "card not held"), "illegal: seat 0 played"),
    (chaos("babble", ""), "malformed: the message holds neither hello nor answers"),
    (chaos("stuck", "sleep"), "time-out: no answer in time"),
]


@pytest.mark.parametrize(("bot", "warning"), WARNINGS, ids=lambda value: str(value)[:40])
def test_a_bot_that_errs_can_play_and_its_author_is_warned(bot: BotSpec, warning: str) -> None:
    result = check(bot, settings_of(decision_s=0.5))
    assert result.problem is None
    assert result.warning is not None
    assert result.warning.startswith(warning)


def test_a_host_that_fails_is_no_problem_of_the_bots() -> None:
    class NoHost(MixedHost):
        async def start(self, spec: LaunchSpec) -> BotProcess:
            raise HostError("no process to be had")

    async def run() -> None:
        host = NoHost(RunFolder.create())
        try:
            await probe(BotHandle("entrant", POLITE), host=host, settings=settings_of())
        finally:
            await host.close()

    with pytest.raises(HarnessError, match="checking 'polite': no process to be had"):
        asyncio.run(run())
