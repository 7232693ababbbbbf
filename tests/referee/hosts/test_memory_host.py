import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tarneeb_referee.hosts.base import ExitInfo, Host, HostError, LaunchSpec
from tarneeb_referee.hosts.memory import BotContext, MemoryBot, MemoryHost, idle, memory_bot
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder


async def start(host: MemoryHost, name: str) -> MemoryBot:
    return await host.start(LaunchSpec(bot=memory_bot(name), seat=host.open_seat(), token="t"))


def play(folder: Path, scenario: Callable[[MemoryHost], Awaitable[None]], **mains: object) -> None:
    async def scene() -> None:
        host = MemoryHost(RunFolder.create(base=folder), mains)  # type: ignore[arg-type]
        try:
            await asyncio.wait_for(scenario(host), 20)
        finally:
            await host.close()

    asyncio.run(scene())


def test_both_hosts_have_the_form_of_the_port(short_folder: Path) -> None:
    run = RunFolder.create(base=short_folder)
    hosts: tuple[Host, ...] = (MemoryHost(run, {}), ProcessHost(run))
    assert {host.run_id for host in hosts} == {run.run_id}
    run.close()


def well(_: BotContext) -> None:
    return None


def badly(_: BotContext) -> int:
    return 3


def leaving(_: BotContext) -> None:
    sys.exit(4)


def raising(_: BotContext) -> None:
    raise RuntimeError("no idea")


def segfaulting(_: BotContext) -> ExitInfo:
    return ExitInfo(signal_name="SIGSEGV")


async def raising_task(_: BotContext) -> None:
    raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (well, "exited with 0"),
        (badly, "exited with 3"),
        (leaving, "exited with 4"),
        (raising, "exited with 1"),
        (raising_task, "exited with 1"),
        (segfaulting, "killed by SIGSEGV"),
    ],
)
def test_a_function_ends_as_a_process_would(
    short_folder: Path, main: Callable[[BotContext], object], words: str
) -> None:
    async def scenario(host: MemoryHost) -> None:
        bot = await start(host, "a")
        assert (await bot.exited).describe() == words
        if "raising" in main.__name__:
            assert (await bot.logs()).last_line() == "RuntimeError: no idea"

    play(short_folder, scenario, a=main)


def test_a_bot_gets_its_seat_and_prints(short_folder: Path) -> None:
    def main(context: BotContext) -> None:
        context.write_stdout(
            f"{context.env['TARNEEB_ADDRESS']} {context.env['TARNEEB_TOKEN']}".encode()
        )
        context.write_stderr(b"hm\n")

    async def scenario(host: MemoryHost) -> None:
        bot = await start(host, "a")
        await bot.exited
        logs = await bot.logs()
        assert logs.stdout.text() == f"{bot.spec.seat.bot_address} t"
        assert logs.stderr.text() == "hm\n"
        assert host.started == [bot]

    play(short_folder, scenario, a=main)


def test_a_thread_is_asked_to_stop(short_folder: Path) -> None:
    def main(context: BotContext) -> int:
        context.stop_asked.wait()
        return 5

    async def scenario(host: MemoryHost) -> None:
        bot = await start(host, "a")
        assert await bot.stop(grace_s=5) == ExitInfo(code=5, stopped=True)
        assert await bot.stop() == ExitInfo(code=5, stopped=True)

    play(short_folder, scenario, a=main)


def test_a_deaf_thread_is_left_behind(short_folder: Path) -> None:
    release = threading.Event()

    def main(_: BotContext) -> None:
        release.wait()

    async def scenario(host: MemoryHost) -> None:
        bot = await start(host, "a")
        assert (await bot.stop(grace_s=0.01)).describe() == "ended by the referee with SIGKILL"
        release.set()

    play(short_folder, scenario, a=main)


def test_a_task_is_cancelled(short_folder: Path) -> None:
    async def scenario(host: MemoryHost) -> None:
        bot = await start(host, "a")
        assert await bot.stop() == ExitInfo(signal_name="SIGTERM", stopped=True)

    play(short_folder, scenario, a=idle)


def test_the_test_decides_how_an_idle_bot_ends(short_folder: Path) -> None:
    async def scenario(host: MemoryHost) -> None:
        bot = await start(host, "a")
        bot.finish(ExitInfo(code=9))
        assert await bot.exited == ExitInfo(code=9)
        bot.finish(ExitInfo(code=8))
        assert (await bot.stop()).code == 9

    play(short_folder, scenario, a=idle)


def test_a_bot_without_a_function_is_our_mistake(short_folder: Path) -> None:
    async def scenario(host: MemoryHost) -> None:
        with pytest.raises(HostError, match="no function for bot 'b'"):
            await start(host, "b")

    play(short_folder, scenario, a=idle)


def test_seats_are_real_folders(short_folder: Path) -> None:
    async def scenario(host: MemoryHost) -> None:
        seat = host.open_seat()
        assert seat.path.is_dir()
        await host.close_seat(seat)
        assert not seat.path.exists()

    play(short_folder, scenario)
