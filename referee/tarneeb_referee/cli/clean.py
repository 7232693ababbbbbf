"""`tarneeb-referee clean`: remove what runs left whose referee was killed."""

import asyncio

import click

from tarneeb_referee.hosts.base import HostError
from tarneeb_referee.hosts.run_folder import remove_leftovers

__all__ = ["clean"]

EXAMPLES = """\b
Examples:
  tarneeb-referee clean
  DOCKER_HOST=unix:///run/user/1000/podman/podman.sock tarneeb-referee clean
"""


@click.command(epilog=EXAMPLES)
def clean() -> None:
    """Remove what runs left whose referee was killed.

    That is processes and folders, and containers where a container engine answers. A run that is
    alive is not touched, nor anything of other users or other machines, nor a container of a run
    that sees other files than this command does, such as one in a container itself: those are
    named, with what to do. Every new run does this by itself; the command is for when there is
    none.

    Exit codes: 0 done, 2 your mistake, 3 our fault.
    """
    removed = remove_leftovers()
    click.echo(f"processes ended: {removed.processes_killed}")
    click.echo(f"folders removed: {len(removed.run_ids)}")
    click.echo(asyncio.run(_clean_containers(removed.run_ids)))


async def _clean_containers(over: tuple[str, ...]) -> str:
    try:
        from tarneeb_referee.hosts.docker.engine import Engine  # noqa: PLC0415 - an extra
        from tarneeb_referee.hosts.docker.leftovers import (  # noqa: PLC0415
            remove_left_containers,
        )
    except ImportError:
        return "containers: not looked for, as the extra `docker` is not installed"
    engine = Engine.from_environment()
    try:
        await engine.info()
        left = await remove_left_containers(engine, over=over)
    except HostError as error:
        return f"containers: not looked for: {error}"
    finally:
        await engine.close()
    text = f"containers removed: {left.removed}"
    if left.failed:
        text += f" ({left.failed} more could not be)"
    if left.alive:
        text += f"; {left.alive} belong to runs that are alive"
    return "\n".join(filter(None, (text, left.advice())))
