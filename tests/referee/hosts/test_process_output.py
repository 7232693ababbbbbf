"""What a bot prints is taken, capped and kept at both ends (BUG-10, -12)."""

import asyncio
import os
import resource
from textwrap import indent

import pytest

from tests.referee.hosts.kit import Stage, linux_only, perform

CAP_BYTES = 2 * 1024 * 1024
QUARTER = CAP_BYTES // 4

FLOOD = """
import threading
def flood(descriptor):
    block = b"\\n" * 65536
    while True:
        os.write(descriptor, block)
for descriptor in (1, 2):
    threading.Thread(target=flood, args=(descriptor,), daemon=True).start()
"""


def test_a_short_output_is_kept_whole_and_by_stream() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("print('a')\nprint('b', file=sys.stderr)\nprint('c')")
        await actor.process.exited
        logs = await actor.process.logs()
        assert (logs.stdout.text(), logs.stderr.text()) == ("a\nc\n", "b\n")
        assert logs.last_line() == "b"

    perform(scene)


def test_output_can_be_read_while_the_bot_runs() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("print('so far', flush=True)\nsay('ready')\nplay_on()")
        await actor.line()
        both = await asyncio.gather(actor.process.logs(), actor.process.logs())
        assert {logs.stdout.text() for logs in both} == {"so far\n"}

    perform(scene)


@linux_only
def test_a_flood_on_both_streams_neither_stops_the_bot_nor_fills_the_referee() -> None:
    script = FLOOD + "for turn in range(200):\n    say(turn)\nsay('done')\nplay_on()"

    async def scene(stage: Stage) -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        actor = await stage.start(script)
        while await actor.line() != "done":
            pass
        logs = await actor.process.logs()
        while not (logs.stdout.dropped_bytes and logs.stderr.dropped_bytes):
            logs = await actor.process.logs()
        await actor.process.stop()
        logs = await actor.process.logs()
        for output in (logs.stdout, logs.stderr):
            assert output.dropped_bytes > 0
            assert (len(output.head), len(output.tail)) == (QUARTER, QUARTER)
            assert b"bytes cut ...]" in output.to_bytes()
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000

    perform(scene, output_cap_bytes=CAP_BYTES)


def test_the_first_and_the_last_of_much_chatter_are_kept() -> None:
    script = """
print("first words", file=sys.stderr)
sys.stderr.write("x" * 5_000_000)
raise RuntimeError("last words")
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        assert (await actor.process.exited).code == 1
        stderr = (await actor.process.logs()).stderr
        assert stderr.head.startswith(b"first words\n")
        assert stderr.tail.endswith(b"RuntimeError: last words\n")
        assert stderr.last_line() == "RuntimeError: last words"
        assert stderr.total_bytes > 5_000_000

    perform(scene)


@pytest.mark.parametrize("length", [30_000_000, pytest.param(400_000_000, marks=pytest.mark.slow)])
def test_one_endless_line_is_taken(length: int) -> None:
    script = f"""
block = b"x" * 1_000_000
for _ in range({length} // len(block)):
    sys.stdout.buffer.write(block)
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        assert (await actor.process.exited).code == 0
        logs = await actor.process.logs()
        assert logs.stdout.total_bytes == length
        assert len(logs.stdout.last_line()) == 200

    perform(scene)


def test_bytes_that_are_no_text_do_no_harm() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start("os.write(2, bytes(range(256)) * 4)")
        await actor.process.exited
        logs = await actor.process.logs()
        assert logs.stderr.head == bytes(range(256)) * 4
        assert "\\xff" in logs.stderr.text()
        assert logs.last_line().isprintable()

    perform(scene)


def test_a_grandchild_that_prints_after_the_end_does_not_hold_up_the_report() -> None:
    script = "if os.fork() == 0:\n    os.setsid()\n" + indent(FLOOD + "time.sleep(600)\n", "    ")

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        await asyncio.wait_for(actor.process.exited, 5)
        await asyncio.wait_for(actor.process.logs(), 5)

    perform(scene)


def test_the_loop_stays_free_while_four_bots_flood() -> None:
    async def scene(stage: Stage) -> None:
        actors = [await stage.start(FLOOD + "say('ready')\nplay_on()") for _ in range(4)]
        for actor in actors:
            await actor.line()
        cpu_before = sum(os.times()[:2])
        await asyncio.sleep(0.3)
        # The keepers take the flood: it costs the referee nothing.
        assert sum(os.times()[:2]) - cpu_before < 0.1

    perform(scene)
