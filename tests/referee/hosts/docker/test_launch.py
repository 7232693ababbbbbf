"""The host for containers, with an engine that fails as it is told."""

import asyncio
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.hosts.base import HostError
from tarneeb_referee.hosts.docker.attached_output import AttachedOutput
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineUnreachableError
from tarneeb_referee.hosts.docker.flags import ContainerPlan
from tarneeb_referee.hosts.docker.host import DockerHost
from tarneeb_referee.hosts.docker.settings import DockerSettings
from tarneeb_referee.hosts.run_folder import RunFolder

PLAN = ContainerPlan(
    image_id="sha256:1", name="x", labels={}, seat_path=Path("/seat"), token="t", user_id=23456
)


class FailingEngine(Engine):
    """Has an output to read, and fails at a start, or says nothing of what it has started."""

    def __init__(self, output: AttachedOutput, *, can_start: bool) -> None:
        self.output = output
        self.can_start = can_start

    async def attach(self, _container: str) -> AttachedOutput:
        return self.output

    async def start(self, _container: str) -> None:
        if not self.can_start:
            raise EngineUnreachableError("gone")

    async def inspect(self, _container: str) -> Mapping[str, Any]:
        return {}

    async def remove(self, container: str) -> None:
        pass


@pytest.mark.parametrize("can_start", [False, True])
def test_the_output_of_a_bot_that_does_not_start_is_let_go(*, can_start: bool) -> None:
    ours, theirs = socket.socketpair()

    async def main() -> None:
        run = RunFolder.create()
        engine = FailingEngine(AttachedOutput(ours), can_start=can_start)
        host = DockerHost(run, engine=engine, info={}, settings=DockerSettings())
        host._is_verified = True
        try:
            with pytest.raises(HostError):
                await host._launch("x", PLAN)
        finally:
            run.close()

    with theirs:
        theirs.settimeout(10.0)
        asyncio.run(main())
        assert theirs.recv(1) == b"", "nobody reads it any more"
