"""What a bot gets from us, and what it does not."""

import dataclasses
import logging
import os
import signal
import sys
from pathlib import Path

import pytest

from tarneeb_referee.hosts.process import NOT_A_SANDBOX, ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder
from tests.referee.hosts.kit import MARK, Stage, carrying, linux_only, perform


def test_the_environment_is_ours_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_USER", "x")
    script = "say(*(f'{k}={v}' for k, v in sorted(os.environ.items())))"

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        env = dict(word.split("=", 1) for word in (await actor.line()).split())
        seat = actor.spec.seat
        marked = env.pop("TARNEEB_RUN")
        assert marked.startswith(f"{stage.host.run_id}/")
        assert env.pop("PATH").split(":")[0] == str(Path(sys.executable).parent)
        env.pop("LC_CTYPE", None)  # Python's own
        assert env == {
            "HOME": str(seat.path / "home"),
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "PYTHONUNBUFFERED": "1",
            "TARNEEB_ADDRESS": seat.bot_address,
            "TARNEEB_TOKEN": "secret-token",
            "TMPDIR": str(seat.path / "tmp"),
            MARK: stage.mark,
        }

    perform(scene)


def test_extra_variables_cannot_replace_ours() -> None:
    async def scene(stage: Stage) -> None:
        spec, lines = await stage.seat("say(os.environ['HOME'], os.environ['EXTRA'])")
        spec = dataclasses.replace(spec, env=(*spec.env, ("HOME", "/"), ("EXTRA", "1")))
        await stage.host.start(spec)
        assert await lines.get() == f"{spec.seat.path}/home 1"

    perform(scene)


def test_home_and_tmp_are_there_and_private() -> None:
    script = """
for name in ("HOME", "TMPDIR"):
    open(os.path.join(os.environ[name], "file"), "w").close()
    say(oct(os.stat(os.environ[name]).st_mode & 0o777), os.getcwd())
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        for _ in range(2):
            assert await actor.line() == f"0o700 {actor.spec.seat.path / 'bot'}"
        assert actor.spec.seat.path.stat().st_mode & 0o777 == 0o700
        await actor.process.stop()
        await stage.host.close_seat(actor.spec.seat)
        assert not actor.spec.seat.path.exists()

    perform(scene)


def test_a_bot_has_its_own_session_away_from_the_terminal() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("say(os.getpid(), os.getsid(0), os.getpgrp())")
        pid, session, group = await actor.pids()
        assert pid == session == group
        assert session != os.getsid(0)

    perform(scene)


@linux_only
def test_a_bot_inherits_no_descriptor_and_reads_nothing() -> None:
    script = """
say(*sorted(os.listdir("/proc/self/fd"), key=int))
say(os.readlink("/proc/self/fd/0"), repr(sys.stdin.read()))
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        # 3 is the bot's own socket, 4 the listing.
        assert await actor.line() == "0 1 2 3 4"
        assert await actor.line() == "/dev/null ''"

    perform(scene)


# 32 and 33: glibc keeps them to itself and lets nobody reset them, so that a bot has them as
# whoever started the tests had them.
SIGNALS_OF_THE_C_LIBRARY = 1 << 31 | 1 << 32


@linux_only
def test_a_bot_meets_its_signals_as_a_fresh_process_would() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("", ("cat", "/proc/self/status"))
        await actor.process.exited
        lines = (await actor.process.logs()).stdout.text().splitlines()
        masks = dict(line.split(":\t") for line in lines if line.startswith("Sig"))
        assert int(masks["SigBlk"], 16) & ~SIGNALS_OF_THE_C_LIBRARY == 0
        assert int(masks["SigIgn"], 16) & ~SIGNALS_OF_THE_C_LIBRARY == 0

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as below nohup or `&` of a script
    try:
        perform(scene)
    finally:
        signal.signal(signal.SIGINT, before)


def command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@linux_only
def test_the_token_is_on_no_command_line() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("say('ready')\nplay_on()")
        await actor.line()
        pids = carrying(stage.mark)
        assert len(pids) == 2  # the bot and its keeper
        assert not any(b"secret" in command_line(pid) for pid in pids)
        assert "secret" not in repr(actor.spec)

    perform(scene)


def test_a_crash_leaves_no_core_file() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start(
            "import resource\nsay(resource.getrlimit(resource.RLIMIT_CORE)[0])"
        )
        assert await actor.line() == "0"

    perform(scene)


def test_it_is_said_once_that_processes_are_no_sandbox() -> None:
    told: list[str] = []

    async def scene(stage: Stage) -> None:
        stage.host._warn = told.append
        for _ in range(3):
            await (await stage.start("", ("true",))).process.exited

    perform(scene)
    assert told == [NOT_A_SANDBOX]


def test_without_a_listener_the_warning_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("", ("true",))
        run = RunFolder.create(base=stage.folder)
        host = ProcessHost(run)
        await (await host.start(spec)).exited
        await host.close()

    with caplog.at_level(logging.WARNING):
        perform(scene)
    assert [record.getMessage() for record in caplog.records] == [NOT_A_SANDBOX]
