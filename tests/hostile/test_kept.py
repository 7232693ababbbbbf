"""What a real engine makes of a container is what it was told, and what it adds is noticed."""

import asyncio
from typing import Any

import pytest

from tarneeb_referee.hosts.docker import flags
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.kept import lifted_limits
from tarneeb_referee.hosts.run_folder import RunFolder
from tests.hostile.arena import docker_host, hostile_bot

pytestmark = pytest.mark.docker


async def made(arguments: dict[str, Any], host_config: dict[str, Any]) -> list[str]:
    """Make a container with these changes, and give what is not as it was asked for."""
    run = RunFolder.create()
    engine = Engine.from_environment()
    try:
        info = await engine.info()
        async with docker_host() as host:
            bot = await hostile_bot(host, ("honest.py",))
        plan = flags.ContainerPlan(
            image_id=bot.image,
            name=f"tarneeb-test-{run.run_id}",
            labels={},
            seat_path=run.open_seat().path,
            token="token",
            user_id=23456,
            is_podman="BuildahVersion" in info,
        )
        container = await engine.create(
            {**flags.create_arguments(plan), **arguments},
            {**flags.host_config(plan), **host_config},
            flags.masked_paths(),
        )
        try:
            return lifted_limits(
                await engine.inspect(container),
                plan=plan,
                can_limit_swap=bool(info.get("SwapLimit")),
            )
        finally:
            await engine.remove(container)
    finally:
        await engine.close()
        run.close()


def test_a_container_is_made_as_it_was_asked_for() -> None:
    assert asyncio.run(made({}, {})) == []


@pytest.mark.parametrize(
    ("arguments", "host_config", "name"),
    [
        ({"volumes": ["/data"]}, {}, "Mounts"),
        ({"user": "0:0"}, {}, "User"),
        ({}, {"cap_add": ["SYS_ADMIN"]}, "CapAdd"),
        ({}, {"cap_drop": []}, "CapDrop"),
        ({}, {"pid_mode": "host"}, "PidMode"),
        ({}, {"security_opt": ["no-new-privileges", "seccomp=unconfined"]}, "SecurityOpt"),
        ({}, {"tmpfs": {}}, "Tmpfs"),
    ],
)
def test_what_a_container_has_beyond_that_is_noticed(
    arguments: dict[str, Any], host_config: dict[str, Any], name: str
) -> None:
    # Podman tells of a volume in two places.
    assert asyncio.run(made(arguments, host_config))[0] == name
