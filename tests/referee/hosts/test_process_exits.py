"""An end is noticed at once and told in words (BUG-05, -12)."""

import dataclasses
import time
from pathlib import Path

import pytest

from tarneeb_referee.hosts.base import ExitInfo, HostError
from tests.referee.hosts.kit import PYTHON, Stage, linux_only, perform

LATE_S = 1.0  # "at once" on a machine that is busy with other tests


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("sys.exit()", "exited with 0"),
        ("os._exit(3)", "exited with 3"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
        pytest.param(
            "os.kill(os.getpid(), signal.SIGRTMIN + 2)", "killed by signal 36", marks=linux_only
        ),
        ("os.abort()", "killed by SIGABRT"),
    ],
)
def test_an_end_is_told_by_its_code_or_signal(script: str, words: str) -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        how = await actor.process.exited
        assert how.describe() == words
        assert not how.stopped
        assert not how.lost

    perform(scene)


def test_the_end_of_the_process_is_noticed_at_once() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("say(time.monotonic())\nos._exit(0)")
        ended = float(await actor.line())
        await actor.process.exited
        assert time.monotonic() - ended < LATE_S

    perform(scene)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#!/no/such/program\n", "exited with 127 before ready: exec: No such file or directory"),
        ("no program\n", "exited with 126 before ready: exec: Exec format error: ./run (a script"),
        ("#!/bin/sh\nexec no-such-program\n", "exited with 127 before ready: "),
    ],
)
def test_a_command_that_cannot_run_says_why(text: str, words: str) -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("", PYTHON, run=text)
        bot = dataclasses.replace(spec.bot, command=("./run",))
        process = await stage.host.start(dataclasses.replace(spec, bot=bot))
        how = await process.exited
        logs = await process.logs()
        told = how.describe(before_ready=True, last_line=logs.last_line())
        assert told.startswith(words)
        assert logs.last_line() in told

    perform(scene)


def test_a_bot_that_closes_its_output_early_plays_on() -> None:
    script = "os.close(1)\nos.close(2)\nsay('closed')\ntime.sleep(0.1)\nsay('here')\nplay_on()"

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        assert await actor.line() == "closed"
        assert await actor.line() == "here"
        assert not actor.process.exited.done()

    perform(scene)


def test_a_last_line_written_on_sigterm_is_kept_even_below_a_shell() -> None:
    script = """
def last_words(*_):
    time.sleep(0.05)
    print("good game", file=sys.stderr)
    sys.exit()
signal.signal(signal.SIGTERM, last_words)
say("ready")
signal.pause()
"""

    async def scene(stage: Stage) -> None:
        for command, files in (
            (PYTHON, {}),
            (("sh", "run.sh"), {"run.sh": "python -I -S bot.py\nexit $?\n"}),
        ):
            actor = await stage.start(script, command, **files)
            await actor.line()
            await actor.process.stop()
            assert (await actor.process.logs()).stderr.head == b"good game\n"

    perform(scene)


def test_processor_time_and_memory_are_reported() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("block = b'x' * 50_000_000\nsum(range(1_000_000))")
        how = await actor.process.exited
        assert how.cpu_s is not None
        assert how.cpu_s > 0
        assert how.peak_memory_bytes is not None
        assert how.peak_memory_bytes > 50_000_000

    perform(scene)


def test_a_folder_that_vanished_is_no_fault_of_the_bot() -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("")
        for path in spec.bot.folder.iterdir():
            path.unlink()
        spec.bot.folder.rmdir()
        with pytest.raises(HostError, match=r"cannot copy the files of bot 'A': no such file"):
            await stage.host.start(spec)

    perform(scene)


def test_a_machine_without_descriptors_is_no_fault_of_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("")

        def no_more(*_: object, **__: object) -> None:
            raise OSError(24, "Too many open files")

        for name in ("socket.socketpair", "subprocess.Popen"):
            with monkeypatch.context() as patch:
                patch.setattr(f"tarneeb_referee.hosts.process.{name}", no_more)
                with pytest.raises(HostError, match="Too many open files"):
                    await stage.host.start(spec)

    perform(scene)


def test_a_keeper_that_ends_too_early_is_no_fault_of_the_bot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "tarneeb_referee.hosts.keeper.__file__", str(tmp_path / "a" / "b" / "keeper.py")
    )

    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("")
        with pytest.raises(HostError, match="its keeper ended before it had started the bot"):
            await stage.host.start(spec)

    perform(scene)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (ExitInfo(over_memory=True, code=137), "killed at its memory limit"),
        (
            ExitInfo(signal_name="SIGKILL", over_memory=True, host_out_of_memory=True),
            "killed for the memory it held while the machine was out of memory",
        ),
        (
            ExitInfo(signal_name="SIGKILL", host_out_of_memory=True),
            "killed by SIGKILL while the machine was out of memory",
        ),
        (ExitInfo(lost=True), "lost: the process that watches it was killed"),
        (ExitInfo(lost=True, host_failure="no space"), "lost: the host failed: no space"),
    ],
)
def test_rare_ends_have_words_too(how: ExitInfo, words: str) -> None:
    assert how.describe() == words
