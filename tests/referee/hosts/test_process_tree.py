"""Nothing of a bot outlives it, whatever it started and however it hides (BUG-01, -02, -04, -05).

`perform` checks after each scene that no process is left, nor a zombie, a descriptor or a folder.
"""

import asyncio
import subprocess
import time

import pytest

from tarneeb_referee.hosts.base import BotProcess, stop_all
from tarneeb_referee.hosts.keeper import Keeper
from tests.referee.hosts.kit import Stage, is_alive, linux_only, open_descriptors, perform

THREE_HELPERS = """
plain = subprocess.Popen(SLEEP)
in_session = subprocess.Popen(SLEEP, start_new_session=True)
say(os.getpid(), plain.pid, in_session.pid, daemon(SLEEP))
"""


async def start_wrapped(stage: Stage, script: str) -> tuple[BotProcess, list[int]]:
    """Start a bot through a shell that stays its parent."""
    actor = await stage.start(
        script, ("sh", "run.sh"), **{"run.sh": "python -I -S bot.py\nexit $?\n"}
    )
    return actor.process, await actor.pids()


@linux_only
def test_stopping_a_wrapped_bot_ends_its_child_session_and_daemon() -> None:
    async def scene(stage: Stage) -> None:
        process, pids = await start_wrapped(stage, THREE_HELPERS + "play_on()")
        assert all(map(is_alive, pids))
        await process.stop()
        assert not any(map(is_alive, pids))

    perform(scene)


@linux_only
def test_a_crash_of_a_wrapped_bot_ends_its_child_session_and_daemon() -> None:
    async def scene(stage: Stage) -> None:
        process, pids = await start_wrapped(stage, THREE_HELPERS + "os._exit(3)")
        assert (await process.exited).describe() == "exited with 3"
        await process.logs()  # complete once nothing of the bot is left
        assert not any(map(is_alive, pids))

    perform(scene)


@linux_only
def test_helpers_without_the_bots_environment_are_ended_too() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("say(daemon(SLEEP, env={}))\nplay_on()")
        pids = await actor.pids()
        await actor.process.stop()
        assert not any(map(is_alive, pids))

    perform(scene)


@linux_only
def test_a_swarm_of_stubborn_sessions_is_ended() -> None:
    script = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for _ in range(30):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
        signal.pause()
say("swarm")
play_on()
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        await actor.line()
        await actor.process.stop(grace_s=0.05)

    perform(scene)


@linux_only
def test_a_tree_that_keeps_forking_is_ended() -> None:
    script = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
say("forking")
while True:  # the child lives on, its parent ends: never the same process for long
    if os.fork():
        os._exit(0) if os.getpid() != int(os.environ.get("FIRST", 0)) else signal.pause()
    time.sleep(0.002)
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start("os.environ['FIRST'] = str(os.getpid())\n" + script)
        await actor.line()
        await actor.process.stop(grace_s=0.05)

    perform(scene)


def test_an_open_pipe_of_a_grandchild_keeps_nobody_waiting() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start(
            "", ("sh", "run.sh"), **{"run.sh": "sleep 600 &\npython -I -S bot.py\n"}
        )
        await asyncio.wait_for(actor.process.exited, 5)
        assert (await actor.process.stop()).describe() == "exited with 0"

        actor = await stage.start(
            "say('here')\nplay_on()",
            ("sh", "run.sh"),
            **{"run.sh": "sleep 600 &\npython -I -S bot.py\n"},
        )
        await actor.line()
        began = time.monotonic()
        await actor.process.stop()
        assert time.monotonic() - began < 3

    perform(scene)


def test_a_bot_that_ignores_sigterm_is_killed_after_the_grace() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start(
            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsay('deaf')\nplay_on()"
        )
        await actor.line()
        how = await actor.process.stop(grace_s=0.1)
        assert how.describe() == "ended by the referee with SIGKILL"
        assert how.stopped

    perform(scene)


def test_a_bot_that_stops_itself_is_ended() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("say('frozen')\nos.kill(os.getpid(), signal.SIGSTOP)")
        await actor.line()
        how = await actor.process.stop()
        assert how.describe() == "ended by the referee with SIGTERM"

    perform(scene)


@linux_only
def test_a_bot_that_kills_its_keeper_is_lost_and_ended() -> None:
    script = """
helper = subprocess.Popen(SLEEP, start_new_session=True)
say(os.getpid(), helper.pid, daemon(SLEEP))
os.kill(os.getppid(), signal.SIGKILL)
play_on()
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        pids = await actor.pids()
        how = await asyncio.wait_for(actor.process.exited, 5)
        assert how.describe() == "lost: the process that watches it was killed"
        assert not how.stopped
        assert (await actor.process.stop()).lost
        assert not any(map(is_alive, pids))

    perform(scene)


@linux_only
def test_a_bot_that_stops_its_keeper_is_ended() -> None:
    script = """
say(os.getpid(), daemon(SLEEP))
os.kill(os.getppid(), signal.SIGSTOP)
say("done")
play_on()
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        pids = await actor.pids()
        await actor.line()
        how = await actor.process.stop(grace_s=0.0)
        assert how.lost
        assert how.stopped
        assert not any(map(is_alive, pids))

    perform(scene)


def test_four_bots_without_a_handler_stop_in_less_than_a_second() -> None:
    async def scene(stage: Stage) -> None:
        script = "say('ready')\nplay_on()"
        actors = await asyncio.gather(*(stage.start(script) for _ in range(4)))
        for actor in actors:
            await actor.line()
        began = time.monotonic()
        ends = await stop_all([actor.process for actor in actors])
        assert time.monotonic() - began < 1
        assert {how.describe() for how in ends} == {"ended by the referee with SIGTERM"}

    perform(scene)


def test_four_deaf_bots_share_one_grace() -> None:
    async def scene(stage: Stage) -> None:
        script = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nsay('ready')\nplay_on()"
        actors = await asyncio.gather(*(stage.start(script) for _ in range(4)))
        for actor in actors:
            await actor.line()
        began = time.monotonic()
        await stop_all([actor.process for actor in actors], grace_s=0.4)
        assert 0.4 <= time.monotonic() - began < 1.6

    perform(scene)


def test_closing_the_host_ends_what_still_runs() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("say(os.getpid())\nplay_on()")
        pids = await actor.pids()
        await stage.host.close()
        assert not any(map(is_alive, pids))
        assert actor.process.exited.done()

    perform(scene)


def test_a_start_that_is_given_up_leaves_nothing() -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("play_on()")
        for steps in range(5):
            start = asyncio.ensure_future(stage.host.start(spec))
            for _ in range(steps):
                await asyncio.sleep(0)
            start.cancel()
            with pytest.raises(asyncio.CancelledError):
                await start

    perform(scene)


def test_stopping_twice_and_after_the_end_is_harmless() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("sys.exit(3)")
        first = await actor.process.exited
        assert await stop_all([actor.process, actor.process]) == (first, first)
        assert await actor.process.stop() == first

    perform(scene)


def test_a_bot_can_be_started_again_in_its_seat() -> None:
    async def scene(stage: Stage) -> None:
        spec, lines = await stage.seat("say(os.getpid())\nsys.exit(3)")
        for _ in range(2):
            process = await stage.host.start(spec)
            assert (await process.exited).code == 3
            await process.stop()
        assert await lines.get() != await lines.get()

    perform(scene)


@pytest.mark.parametrize("rounds", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_descriptors_and_children_stay_as_they_were(rounds: int) -> None:
    async def scene(stage: Stage) -> None:
        open_after_first = 0
        for index in range(rounds):
            actors = [await stage.start("", ("sleep", "600")) for _ in range(4)]
            await stop_all([actor.process for actor in actors])
            for actor in actors:
                await stage.host.close_seat(actor.spec.seat)
            for server in stage.servers:
                server.close()
            stage.servers.clear()
            now = open_descriptors()
            open_after_first = open_after_first or now
            assert now == open_after_first, f"after round {index}"

    perform(scene)


@linux_only
def test_a_keeper_that_kills_a_bot_just_forked_does_not_kill_its_own_group() -> None:
    with (
        subprocess.Popen(("sleep", "600")) as just_forked,
        subprocess.Popen(("sleep", "600"), start_new_session=True) as on_its_own,
    ):
        found = dict(Keeper.__new__(Keeper)._descendants())
        just_forked.kill()
        on_its_own.kill()
    assert found[just_forked.pid] == 0
    assert found[on_its_own.pid] == on_its_own.pid
