"""A Dockerfile of a stranger keeps to its limits, and ends when its time is up."""

import asyncio
import io
import os
import tarfile
from typing import Any

import docker
import docker.utils
import pytest

from tarneeb_referee.hosts.docker.builds import BuildFailedError, BuildRequest
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.limits import MIB

pytestmark = pytest.mark.docker

SLEEPS = "sleep 4242"


def context() -> io.BytesIO:
    base = os.environ.get("TARNEEB_BASE_IMAGE", "python:3.11-slim")
    dockerfile = f"FROM {base}\nRUN {SLEEPS}\n".encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(dockerfile)
        tar.addfile(entry, io.BytesIO(dockerfile))
    packed.seek(0)
    return packed


def steps() -> list[dict[str, Any]]:
    """The limits of the containers in which that step runs."""
    client = docker.APIClient(**docker.utils.kwargs_from_env())
    try:
        found = [each for each in client.containers(all=True) if SLEEPS in each["Command"]]
        return [client.inspect_container(each["Id"])["HostConfig"] for each in found]
    finally:
        client.close()


def test_a_step_that_says_nothing_ends_with_its_time() -> None:
    async def main() -> None:
        request = BuildRequest(
            context=context(),
            tag="tarneeb-test:never",
            labels={},
            arguments={},
            network="none",
            memory_bytes=64 * MIB,
            timeout_s=6.0,
        )
        engine = Engine.from_environment()
        building = asyncio.create_task(engine.build(request))
        try:
            while not (running := await asyncio.to_thread(steps)):
                assert not building.done(), building
                await asyncio.sleep(0.1)
            (limits,) = running
            assert limits["Memory"] == limits["MemorySwap"] == 64 * MIB
            assert limits["CpuShares"] == 128
            with pytest.raises(BuildFailedError, match="building took more than 6 s"):
                await building
            for _ in range(100):
                if not await asyncio.to_thread(steps):
                    return
                await asyncio.sleep(0.1)
            pytest.fail("it runs on")
        finally:
            await engine.close()

    asyncio.run(main())
