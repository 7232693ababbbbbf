"""A stage for bots in processes: they speak to the test in lines over their seat's socket.

No test sleeps: it awaits a line, an exit, or the end of a process (by a pidfd).
"""

import asyncio
import os
import secrets
import select
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.hosts.base import BotProcess, LaunchSpec
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder

linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere only the bot's process group is ended"
)

PATIENCE_S = 20.0
MARK = "TARNEEB_TEST_MARK"

PYTHON = ("python", "-I", "-S", "bot.py")  # starts in a third of the time

PRELUDE = """\
import os, signal, socket, subprocess, sys, time
link = socket.socket(socket.AF_UNIX)
link.connect(os.environ["TARNEEB_ADDRESS"].removeprefix("unix:"))
def say(*words):
    link.sendall((" ".join(map(str, words)) + "\\n").encode())
def play_on():
    link.recv(1)
def daemon(command, **options):
    '''Start a command as a double-forked daemon in a session of its own, and give its pid.'''
    read_end, write_end = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.write(write_end, b"%d" % subprocess.Popen(command, **options).pid)
        os._exit(0)
    os.wait()
    return int(os.read(read_end, 20))
SLEEP = ["sleep", "600"]
"""


@dataclass(slots=True)
class Actor:
    """One bot on the stage."""

    process: BotProcess
    spec: LaunchSpec
    lines: asyncio.Queue[str]

    async def line(self) -> str:
        return await asyncio.wait_for(self.lines.get(), PATIENCE_S)

    async def pids(self) -> list[int]:
        return [int(word) for word in (await self.line()).split()]


@dataclass(slots=True)
class Stage:
    """A host, and what it takes to put bots on it."""

    host: ProcessHost
    run: RunFolder
    folder: Path
    mark: str
    servers: list[asyncio.Server] = field(default_factory=list)

    def bot_folder(self, script: str, command: Iterable[str] = PYTHON, **files: str) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "bot.py").write_text(PRELUDE + script)
        for name, text in files.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        words = ", ".join(f"'{word}'" for word in command)
        (folder / "bot.toml").write_text(f"name = 'A'\nversion = '1'\ncommand = [{words}]\n")
        return folder

    async def seat(
        self, script: str, command: Iterable[str] = PYTHON, **files: str
    ) -> tuple[LaunchSpec, asyncio.Queue[str]]:
        """Make a seat whose socket is served, and what starts a bot in it."""
        seat = self.host.open_seat()
        lines: asyncio.Queue[str] = asyncio.Queue()

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while line := await reader.readline():
                lines.put_nowait(line.decode().strip())
            writer.close()

        address = seat.listen_address.removeprefix("unix:")
        self.servers.append(await asyncio.start_unix_server(listen, address))
        bot = load_bot(self.bot_folder(script, command, **files))
        spec = LaunchSpec(bot=bot, seat=seat, token="secret-token", env=((MARK, self.mark),))
        return spec, lines

    async def start(self, script: str, command: Iterable[str] = PYTHON, **files: str) -> Actor:
        spec, lines = await self.seat(script, command, **files)
        return Actor(process=await self.host.start(spec), spec=spec, lines=lines)


def perform(scenario: Callable[[Stage], Awaitable[None]], **options: int) -> None:
    """Run a scene, strike the stage, and check that nothing is left of it."""
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="tarneeb-test-"))  # short, for the sockets
    mark = secrets.token_hex(8)
    warnings: list[str] = []
    before = open_descriptors()

    async def scene() -> None:
        run = RunFolder.create(base=folder)
        host = ProcessHost(run, warn=warnings.append, **options)
        stage = Stage(host=host, run=run, folder=folder, mark=mark)
        try:
            await asyncio.wait_for(scenario(stage), PATIENCE_S * 3)
        finally:
            for server in stage.servers:
                server.close()
            await host.close()
        assert not run.path.exists()

    try:
        asyncio.run(scene())
        assert carrying(mark) == []
        assert dead_children() == []
        assert open_descriptors() == before
        assert len(warnings) <= 1
    finally:
        for pid in carrying(mark):  # only our own carry it
            os.kill(pid, 9)
        shutil.rmtree(folder, ignore_errors=True)


def carrying(mark: str) -> list[int]:
    """List the processes that carry the test's own mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={mark}".encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def dead_children() -> list[int]:
    """List our children that ended and that nobody has waited for."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == os.getpid() and state == "Z":
            found.append(int(path.parent.name))
    return found


def open_descriptors() -> int:
    for folder in ("/proc/self/fd", "/dev/fd"):
        if Path(folder).is_dir():
            return sum(1 for _ in Path(folder).iterdir())
    raise NotImplementedError


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def await_end(pids: Iterable[int], *, within_s: float) -> None:
    """Wait until processes have ended, children of ours or not."""
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            ended, _, _ = select.select([descriptor], [], [], within_s)
        finally:
            os.close(descriptor)
        assert ended, f"process {pid} lives on"
