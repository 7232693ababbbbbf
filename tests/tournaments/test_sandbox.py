"""[sandbox] in a tournament's file."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError
from tarneeb_referee.hosts.docker.limits import MIB, ContainerLimits
from tarneeb_referee.hosts.run_folder import Leftovers
from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments import hosting
from tarneeb_tournaments.config import TournamentConfig, load_config
from tarneeb_tournaments.hosting import crowd_warning, open_host
from tarneeb_tournaments.seeds import differences, effective_settings, new_tournament

FILE = """\
[tournament]
name = "Strangers"
boards = 1
{sandbox}
[[entrant]]
name = "A"
bot = "a"

[[entrant]]
name = "B"
{second}
"""

# A command that this machine does not have.
BOT = 'name = "Bot"\nversion = "1"\ncommand = ["no-such-program-here", "x"]\n'
DOCKER = '[sandbox]\nkind = "docker"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.toml").write_text(BOT)
    return tmp_path


def load(folder: Path, sandbox: str, *, second: str = 'bot = "b"') -> TournamentConfig:
    path = folder / "t.toml"
    path.write_text(FILE.format(sandbox=sandbox, second=second))
    return load_config(path)


def problems(folder: Path, sandbox: str, *, second: str = 'bot = "b"') -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(folder, sandbox, second=second)
    return [line.removeprefix(f"{folder}/t.toml: ") for line in str(caught.value).splitlines()]


def test_containers_have_safe_limits_without_a_word(folder: Path) -> None:
    sandbox = load(folder, DOCKER).sandbox
    assert sandbox.kind == "docker"
    assert sandbox.docker.limits == ContainerLimits()
    assert sandbox.docker.runtime == ""


def test_limits_can_be_chosen(folder: Path) -> None:
    keys = 'memory = 512\ncpus = 0.5\nprocesses = 32\nopen_files = 64\nlog = 1\ntmp = 8\nruntime = "runsc"\n'
    docker = load(folder, DOCKER + keys).sandbox.docker
    assert docker.limits == ContainerLimits(
        memory_bytes=512 * MIB,
        cpus=0.5,
        processes=32,
        open_files=64,
        log_bytes=MIB,
        tmp_bytes=8 * MIB,
    )
    assert docker.runtime == "runsc"


@pytest.mark.parametrize(
    ("sandbox", "line"),
    [
        (
            '[sandbox]\nkind = "dcoker"\n',
            'sandbox.kind: \'dcoker\' is not allowed; use "process" or "docker"',
        ),
        (DOCKER + "memroy = 1\n", "sandbox.memroy: unknown key; did you mean memory?"),
        (
            DOCKER + "memory = 0\n",
            "sandbox.memory: 0 is out of range; use a whole number from 32 to 65,536, in MiB",
        ),
        (
            DOCKER + "processes = -1\n",
            "sandbox.processes: -1 is out of range; use a whole number from 16 to 4,096",
        ),
        (
            DOCKER + "cpus = inf\n",
            "sandbox.cpus: inf is not a finite number; use a number from 0.05 to 64",
        ),
        (
            DOCKER + "memory = 64\ntmp = 64\n",
            "sandbox.tmp: 64 is not less than sandbox.memory, 64, of which it is a part",
        ),
    ],
)
def test_a_mistake_gets_a_line(folder: Path, sandbox: str, line: str) -> None:
    assert problems(folder, sandbox) == [line]


def test_limits_mean_nothing_to_processes(folder: Path) -> None:
    lines = problems(folder, "[sandbox]\nmemory = 64\n")
    assert lines[0] == (
        'sandbox.memory: has no meaning for processes; write kind = "docker", or leave it out'
    )


def test_a_command_in_a_container_need_not_be_on_this_machine(folder: Path) -> None:
    assert load(folder, DOCKER).entrants[0].bot.command == ("no-such-program-here", "x")
    assert "is not on the PATH" in problems(folder, "")[0]


def test_an_entrant_may_be_an_image(folder: Path) -> None:
    bot = load(folder, DOCKER, second='image = "theirs:7"').entrants[1].bot
    assert bot.image == "theirs:7"
    assert problems(folder, "", second='image = "theirs:7"')[-1] == (
        'entrant 2: image: takes [sandbox] kind = "docker"; or give a bot'
    )


@pytest.mark.parametrize(
    ("second", "given"),
    [("", "bot is missing"), ('bot = "b"\nimage = "x"', "bot and image stand side by side")],
)
def test_an_entrant_is_one_thing(folder: Path, second: str, given: str) -> None:
    (line,) = problems(folder, DOCKER, second=second)
    assert line == f'entrant 2: {given}; give a folder or "sample:<name>" as bot, or an image'


def test_results_go_on_only_with_the_same_sandbox(folder: Path) -> None:
    begun = new_tournament(load(folder, DOCKER), secret=bytes(32))
    assert differences(begun, load(folder, DOCKER)) == ()
    changed = differences(begun, load(folder, DOCKER + "memory = 512\n"))
    assert changed == ("sandbox.memory_bytes was 268435456 and is 536870912",)


def test_a_warning_above_which_size_changes_no_result(folder: Path) -> None:
    first = effective_settings(load(folder, DOCKER))
    assert first == effective_settings(load(folder, DOCKER + "image_warning = 5\n"))


def test_more_containers_than_the_machine_carries_are_warned_of() -> None:
    limits = ContainerLimits(memory_bytes=256 * MIB)
    gib = 1024 * MIB
    assert crowd_warning(4, limits, cores=2, memory_bytes=2 * gib) is None
    assert crowd_warning(8, limits, cores=8, memory_bytes=4 * gib) is None
    crowded = crowd_warning(16, limits, cores=8, memory_bytes=8 * gib)
    assert crowded == (
        "warning: 16 containers run at once on 8 cores; leave out run.pairings to have no more"
        " than the cores can carry"
    )
    large = crowd_warning(16, limits, cores=16, memory_bytes=2 * gib)
    assert large is not None
    assert "may take 4,096 MiB and this machine has 2,048" in large


class FailingEngine:
    """Answers, but does not list its containers."""

    is_closed = False

    async def info(self) -> Mapping[str, Any]:
        return {}

    async def containers(self, labels: object) -> list[Mapping[str, Any]]:
        raise EngineError(f"cannot list containers with {labels}")

    async def close(self) -> None:
        self.is_closed = True


def test_an_engine_that_fails_at_first_is_let_go_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = FailingEngine()
    monkeypatch.setattr(Engine, "from_environment", lambda: engine)
    monkeypatch.setattr(hosting, "remove_leftovers", Leftovers)
    sandbox = load(folder, DOCKER).sandbox
    with pytest.raises(EngineError, match="cannot list containers"):
        asyncio.run(open_host(sandbox, bots_at_once=4, note=lambda _: None))
    assert engine.is_closed
