"""The referee is killed: its bots go with it, and the next run finds what could not (BUG-03)."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarneeb_referee.hosts.marks import marked_processes
from tarneeb_referee.hosts.run_folder import Leftovers, RunFolder, remove_leftovers
from tests.referee.hosts.kit import MARK, PRELUDE, await_end, carrying, is_alive, linux_only

pytestmark = linux_only

REFEREE = """
import asyncio, sys
from pathlib import Path
from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.hosts.base import LaunchSpec
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder

base, mark = Path(sys.argv[1]), sys.argv[2]

async def main():
    host = ProcessHost(RunFolder.create(base=base), warn=lambda _: None)
    bot = load_bot(base / "bot")
    for _ in range(2):
        seat, ready = host.open_seat(), asyncio.Event()
        async def listen(reader, writer):
            await reader.readline()
            ready.set()
        await asyncio.start_unix_server(listen, seat.listen_address.removeprefix("unix:"))
        await host.start(LaunchSpec(bot=bot, seat=seat, token="t", env=((f"{MARK}", mark),)))
        await ready.wait()
    print(host.run_id, flush=True)
    await asyncio.sleep(600)

MARK = "TARNEEB_TEST_MARK"
asyncio.run(main())
"""

BOT = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(SLEEP, start_new_session=True)
daemon(SLEEP)
say("ready")
time.sleep(600)
"""


@pytest.fixture
def killed_soon(short_folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a referee with two bots of four processes each, keepers included."""
    (short_folder / "bot").mkdir()
    (short_folder / "bot" / "bot.py").write_text(PRELUDE + BOT)
    command = "['python', '-I', '-S', 'bot.py']"
    (short_folder / "bot" / "bot.toml").write_text(
        f"name = 'A'\nversion = '1'\ncommand = {command}\n"
    )
    mark = short_folder.name
    with subprocess.Popen(
        (sys.executable, "-c", REFEREE, str(short_folder), mark), stdout=subprocess.PIPE, text=True
    ) as referee:
        assert referee.stdout is not None
        run_id = referee.stdout.readline().strip()
        try:
            assert len(carrying(mark)) == 8
            yield referee, run_id
        finally:
            referee.kill()
            for pid in carrying(mark):
                os.kill(pid, signal.SIGKILL)


def test_the_bots_of_a_killed_referee_end_within_two_seconds(
    killed_soon: tuple[subprocess.Popen[str], str], short_folder: Path
) -> None:
    referee, run_id = killed_soon
    pids = carrying(short_folder.name)
    referee.kill()
    await_end(pids, within_s=2)
    assert carrying(short_folder.name) == []

    root = short_folder / f"tarneeb-{os.geteuid()}"
    for copy in ("bots/b0", "s0/bot", "s1/bot"):
        assert (root / run_id / copy / "bot.py").is_file()
    assert remove_leftovers(base=short_folder) == Leftovers((run_id,), 0)
    assert not (root / run_id).exists()


def test_what_outlives_referee_and_keepers_is_removed_and_no_living_run_is_touched(
    killed_soon: tuple[subprocess.Popen[str], str], short_folder: Path
) -> None:
    referee, run_id = killed_soon
    living = RunFolder.create(base=short_folder)
    environment = {"TARNEEB_RUN": f"{living.run_id}/1", MARK: short_folder.name}
    with subprocess.Popen(("sleep", "600"), env=environment) as bystander:
        try:
            os.kill(referee.pid, signal.SIGSTOP)  # or it would end the bots when a keeper ends
            keepers = [pid for pid in marked_processes(run_id) if parent(pid) == referee.pid]
            assert len(keepers) == 2
            for pid in keepers:
                os.kill(pid, signal.SIGKILL)
            # With their keepers the bots themselves go, and their helpers stay.
            left = remaining(run_id, 4)
            assert len(left) == 4

            assert remove_leftovers(base=short_folder) == Leftovers()
            assert all(map(is_alive, left))

            referee.kill()
            referee.wait()
            assert remove_leftovers(base=short_folder) == Leftovers((run_id,), 4)
            await_end(left, within_s=2)
            assert is_alive(bystander.pid)
            assert living.path.is_dir()
        finally:
            bystander.kill()
            living.close()


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def remaining(run_id: str, number: int) -> list[int]:
    """Wait until so many processes of a run are left."""
    left: list[int] = []
    for _ in range(10_000):
        left = [pid for pid in marked_processes(run_id) if is_alive(pid)]
        if len(left) == number:
            break
        os.sched_yield()
    return left
