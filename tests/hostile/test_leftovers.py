"""What a killed referee leaves is removed; what is another's is not touched."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest

from tarneeb_referee.hosts.base import LaunchSpec
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.leftovers import (
    BOOT_LABEL,
    MACHINE_LABEL,
    MOUNTS_LABEL,
    RUN_LABEL,
    remove_left_containers,
    run_labels,
)
from tarneeb_referee.hosts.run_folder import RunFolder
from tests.hostile.arena import containers_of, docker_host, hostile_bot

pytestmark = pytest.mark.docker

# Starts a container in a run, tells of it, and waits to be killed.
VICTIM = """
import asyncio, sys
from tarneeb_referee.hosts.base import LaunchSpec
from tests.hostile.arena import docker_host, hostile_bot

async def main():
    async with docker_host() as host:
        bot = await hostile_bot(host, ("lives_on.py",))
        if sys.argv[1] == "created":
            # Between the making of a container and its start.
            host._engine.start = lambda container: asyncio.sleep(3600)
        seat = host.open_seat()
        (seat.path / "referee.sock").touch()
        start = asyncio.create_task(host.start(LaunchSpec(bot, seat, "token")))
        await asyncio.sleep(2)
        print(host.run_id, flush=True)
        await asyncio.sleep(3600)

asyncio.run(main())
"""


@contextlib.contextmanager
def victim(moment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A referee in a process of its own, with one container."""
    process = subprocess.Popen(
        (sys.executable, "-c", VICTIM, moment),
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent.parent,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def clean(*through: str) -> str:
    """Run `tarneeb-referee clean`, through another command if one is named; give what it says."""
    command = (*through, sys.executable, "-m", "tarneeb_referee", "clean")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("moment", ["created", "started"])
def test_a_killed_referees_containers_are_removed(moment: str) -> None:
    with victim(moment) as (process, run_id):
        assert len(asyncio.run(containers_of(run_id))) == 1
        clean()
        assert len(asyncio.run(containers_of(run_id))) == 1, "it is alive"
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        clean()
        assert asyncio.run(containers_of(run_id)) == []


def test_a_new_run_removes_them_and_leaves_the_living_alone() -> None:
    with victim("started") as (dead, dead_run), victim("started") as (_, living_run):
        dead.send_signal(signal.SIGKILL)
        dead.wait(10)
        arguments = ("match", "sample:random", "sample:random", "--boards", "1", "--deals", "1")
        done = subprocess.run(
            (sys.executable, "-m", "tarneeb_referee", *arguments, "--sandbox", "docker"),
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        assert "removed 1 container that a killed referee had left" in done.stderr
        assert asyncio.run(containers_of(dead_run)) == []
        assert len(asyncio.run(containers_of(living_run))) == 1


def can_unshare() -> bool:
    """Whether this user may have a mount namespace of his own."""
    if shutil.which("unshare") is None:
        return False
    tried = subprocess.run(("unshare", "--mount", "true"), capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.skipif(not can_unshare(), reason="takes root")
def test_who_sees_other_files_leaves_a_living_run_alone() -> None:
    # As a service with PrivateTmp does, or who runs in a container with the engine's socket.
    with victim("started") as (process, run_id):
        clean()
        runs = f"{tempfile.gettempdir()}/tarneeb-{os.geteuid()}"
        hide = ("unshare", "--mount", "sh", "-c", f'mount -t tmpfs none {runs} && exec "$@"', "sh")
        said = clean(*hide)
        assert len(asyncio.run(containers_of(run_id))) == 1, "it is alive"
        assert "containers removed: 0\nleft alone 1 container " in said
        assert f"where ID is {run_id}" in said
        process.send_signal(signal.SIGKILL)
        process.wait(10)
        assert clean(*hide) == said
        assert "left alone" not in clean("unshare", "--mount"), "it sees the same folder"
        assert asyncio.run(containers_of(run_id)) == []


@contextlib.contextmanager
def container(labels: dict[str, str]) -> Iterator[str]:
    client = docker.from_env()
    image = os.environ.get("TARNEEB_BASE_IMAGE", "python:3.11-slim")
    made = client.containers.create(image, ["sleep", "60"], network_mode="none", labels=labels)
    try:
        yield str(made.id)
    finally:
        with contextlib.suppress(docker.errors.NotFound):
            made.remove(force=True)
        client.close()


def ids() -> set[str]:
    client = docker.from_env()
    try:
        return {str(each.id) for each in client.containers.list(all=True)}
    finally:
        client.close()


def test_what_nobody_here_can_judge_is_left_alone() -> None:
    run = RunFolder.create()
    labels = run_labels(run)
    run.close()
    with (
        container({}) as unrelated,
        container({**labels, MACHINE_LABEL: "another machine"}) as foreign,
        container({**labels, MOUNTS_LABEL: "1"}) as hidden,
        container({**labels, MOUNTS_LABEL: "1", BOOT_LABEL: "another"}) as of_another_boot,
        container({RUN_LABEL: "x"}) as unlabelled,
        container(labels) as left,
    ):
        said = clean()
        assert {unrelated, foreign, hidden, unlabelled} <= ids()
        assert {left, of_another_boot}.isdisjoint(ids())
        assert "left alone 3 containers" in said
        assert said.endswith(f"where ID is {run.run_id}\n")


def test_removing_twice_at_once_is_no_error() -> None:
    run = RunFolder.create()
    labels = run_labels(run)
    run.close()

    async def twice() -> None:
        engine = Engine.from_environment()
        try:
            first, second = await asyncio.gather(
                remove_left_containers(engine), remove_left_containers(engine)
            )
            assert first.failed == second.failed == 0
        finally:
            await engine.close()

    with container(labels) as left:
        asyncio.run(twice())
        assert left not in ids()


def test_a_start_that_was_cancelled_leaves_nothing() -> None:
    async def cancel_at(delay_s: float) -> None:
        async with docker_host() as host:
            bot = await hostile_bot(host, ("honest.py",))
            seat = host.open_seat()
            (seat.path / "referee.sock").touch()
            starting = asyncio.create_task(host.start(LaunchSpec(bot, seat, "token")))
            await asyncio.sleep(delay_s)
            starting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await starting
            await host.close_seat(seat)
            assert await containers_of(host.run_id) == []

    for delay_s in (0.0, 0.01, 0.05, 0.15):
        asyncio.run(cancel_at(delay_s))


def test_a_stop_is_quick_whatever_the_bot_does() -> None:
    async def stop() -> float:
        async with docker_host() as host:
            bot = await hostile_bot(host, ("lives_on.py",))
            seat = host.open_seat()
            (seat.path / "referee.sock").touch()
            process = await host.start(LaunchSpec(bot, seat, "token"))
            await asyncio.sleep(1)
            begin = time.monotonic()
            how = await process.stop(grace_s=0.2)
            assert how.stopped
            assert how.signal_name == "SIGKILL"
            return time.monotonic() - begin

    assert asyncio.run(stop()) < 3.0
