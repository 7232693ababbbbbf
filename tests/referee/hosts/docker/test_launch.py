"""The host for containers, with an engine that fails as it is told."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.hosts.base import HostError
from tarneeb_referee.hosts.docker.attached_output import AttachedOutput
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError, EngineUnreachableError
from tarneeb_referee.hosts.docker.flags import ContainerPlan
from tarneeb_referee.hosts.docker.host import DockerHost
from tarneeb_referee.hosts.docker.image_files import FileStat
from tarneeb_referee.hosts.docker.settings import DockerSettings
from tarneeb_referee.hosts.run_folder import RunFolder

PLAN = ContainerPlan(
    image_id="sha256:1", name="x", labels={}, seat_path=Path("/seat"), token="t", user_id=23456
)
PLAIN = FileStat(is_plain=True, is_directory=False, link_target="", size_bytes=9)
PIPE = FileStat(is_plain=False, is_directory=False, link_target="", size_bytes=0)


class FailingEngine(Engine):
    """Has an output to read, and fails at a start, or says nothing of what it has started."""

    def __init__(
        self,
        output: AttachedOutput,
        *,
        can_start: bool = True,
        can_remove: bool = True,
        passwd: FileStat = PLAIN,
    ) -> None:
        self.output = output
        self.can_start = can_start
        self.can_remove = can_remove
        self.passwd = passwd
        self.looks = 0
        self.starts = 0

    async def path_stat(self, _container: str, path: str) -> FileStat:
        self.looks += 1
        return self.passwd if path == "/etc/passwd" else PLAIN

    async def attach(self, _container: str) -> AttachedOutput:
        return self.output

    async def start(self, _container: str) -> None:
        self.starts += 1
        if not self.can_start:
            raise EngineUnreachableError("gone")

    async def inspect(self, _container: str) -> Mapping[str, Any]:
        return {}

    async def remove(self, container: str) -> None:
        if not self.can_remove:
            raise EngineError(f"cannot remove {container}")


@contextlib.contextmanager
def host_on(engine: FailingEngine) -> Iterator[DockerHost]:
    run = RunFolder.create()
    try:
        host = DockerHost(run, engine=engine, info={}, settings=DockerSettings())
        host._is_verified = True
        yield host
    finally:
        run.close()


@pytest.mark.parametrize("can_start", [False, True])
def test_the_output_of_a_bot_that_does_not_start_is_let_go(*, can_start: bool) -> None:
    ours, theirs = socket.socketpair()

    async def main() -> None:
        engine = FailingEngine(AttachedOutput(ours), can_start=can_start)
        with host_on(engine) as host, pytest.raises(HostError):
            await host._launch("x", PLAN)

    with theirs:
        theirs.settimeout(10.0)
        asyncio.run(main())
        assert theirs.recv(1) == b"", "nobody reads it any more"


def test_an_image_that_would_hang_the_engine_is_not_started() -> None:
    ours, theirs = socket.socketpair()

    async def main() -> None:
        engine = FailingEngine(AttachedOutput(ours), passwd=PIPE)
        with theirs, host_on(engine) as host:
            bot = await host._launch("x", PLAN)
            assert (await bot.exited).code == 126
            assert "the image's /etc/passwd is a pipe" in (await bot.logs()).stderr.text()
            assert engine.starts == 0

    asyncio.run(main())


def test_the_files_of_an_image_are_looked_at_once() -> None:
    async def main() -> None:
        pairs = [socket.socketpair() for _ in range(3)]
        engine = FailingEngine(AttachedOutput(pairs[0][0]), can_start=False)
        looks: list[int] = []
        with host_on(engine) as host:
            for (ours, theirs), image in zip(pairs, "iij", strict=True):
                engine.output = AttachedOutput(ours)
                with theirs, pytest.raises(HostError):
                    await host._launch("x", replace(PLAN, image_id=image))
                looks.append(engine.looks)
        assert looks[0] == looks[1] < looks[2]

    asyncio.run(main())


def test_a_container_that_cannot_be_removed_is_told(caplog: pytest.LogCaptureFixture) -> None:
    ours, theirs = socket.socketpair()

    async def main() -> None:
        engine = FailingEngine(AttachedOutput(ours), can_start=False, can_remove=False)
        with theirs, host_on(engine) as host, pytest.raises(EngineUnreachableError, match="gone"):
            await host._launch("x", PLAN)

    with caplog.at_level(logging.WARNING):
        asyncio.run(main())
    assert caplog.messages == ["cannot remove x"]
