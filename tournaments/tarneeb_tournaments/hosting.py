"""Opens the place where a tournament's bots run, and clears up what dead runs left there."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tarneeb_referee.hosts.base import Host
from tarneeb_referee.hosts.docker.limits import MIB, ContainerLimits
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.remote import Lobby, MixedHost
from tarneeb_referee.hosts.run_folder import RunFolder, remove_leftovers
from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.config import Entrant, TournamentConfig
from tarneeb_tournaments.sandbox_config import Sandbox
from tarneeb_tournaments.tables import BOTS_IN_A_PAIRING
from tarneeb_tournaments.text import counted, printable

Note = Callable[[str], None]

BOTS_OF_AN_ENTRANT: Final = 2


def with_images(
    config: TournamentConfig, config_path: Path | None = None, *, note: Note
) -> TournamentConfig:
    """Build the images of bots in containers and pin them; other bots stay as they are.

    An image's id takes the place of the digest of the folder, so it goes into the results and
    into the public seed.

    Args:
        config: as it was read.
        config_path: where it was read from, for errors.
        note: told what the organizer should know.

    Raises:
        ConfigError: a line for each bot whose image cannot be had.
        HarnessError: there is no engine, or it failed.
    """
    if config.sandbox.kind == "process":
        return config
    if find_spec("docker") is None:
        raise ConfigError(
            "containers take the extra `docker`: pip install 'tarneeb-referee[docker]'"
        )
    where = "" if config_path is None else f"{printable(config_path)}: "
    return asyncio.run(_pin_all(config, where, note))


async def open_place(
    config: TournamentConfig, *, bots_at_once: int, cores: int, note: Note
) -> Host:
    """Open where the bots of a tournament run, and let in those that are elsewhere.

    Args:
        config: the whole tournament.
        bots_at_once: how many bots will run at once.
        cores: how many there are for them.
        note: told what the organizer should know.

    Raises:
        ConfigError: a certificate that cannot be read.
        HarnessError: there is no place for bots, or no engine.
    """
    host = await open_host(config.sandbox, bots_at_once=bots_at_once, cores=cores, note=note)
    remote = config.remote
    if remote is None:
        return host
    lobby = Lobby(remote.settings)
    try:
        await lobby.open()
        note(f"remote bots dial in at {remote.settings.listen}; waiting for two of each entrant")
        missing = await lobby.wait_for_bots(BOTS_OF_AN_ENTRANT, timeout_s=remote.wait_s)
    except BaseException:
        await lobby.close()
        await host.close()
        raise
    names = {each.id: each.name for each in config.entrants}
    for entrant in missing:
        note(f"warning: {names[entrant]} has not dialled in twice within {remote.wait_s:g} s")
    return MixedHost(host, lobby)


async def open_host(sandbox: Sandbox, *, bots_at_once: int, cores: int = 0, note: Note) -> Host:
    """Remove what dead runs left, and open a host for a new one.

    Args:
        sandbox: where bots run.
        bots_at_once: how many will.
        cores: how many there are for them; 0 if that is not known.
        note: told what the organizer should know.

    Raises:
        HarnessError: there is no place for bots, or no engine.
    """
    removed = await asyncio.to_thread(remove_leftovers)
    if removed.processes_killed:
        count = counted(removed.processes_killed, "process")
        note(f"ended {count} that a killed referee had left")
    if sandbox.kind == "process":
        return ProcessHost(RunFolder.create(), warn=note)
    from tarneeb_referee.hosts.docker.engine import Engine  # noqa: PLC0415 - an extra
    from tarneeb_referee.hosts.docker.host import DockerHost  # noqa: PLC0415
    from tarneeb_referee.hosts.docker.leftovers import remove_left_containers  # noqa: PLC0415

    warning = crowd_warning(bots_at_once, sandbox.docker.limits, cores=cores)
    if warning is not None:
        note(warning)
    engine = Engine.from_environment()
    try:
        await engine.info()
        left = await remove_left_containers(engine, over=removed.run_ids)
        if left.removed:
            note(f"removed {counted(left.removed, 'container')} that a killed referee had left")
        if left.unknown:
            note(f"warning: {left.advice()}")
        run = RunFolder.create()
    except BaseException:
        await engine.close()
        raise
    settings = replace(sandbox.docker, at_once=bots_at_once)
    try:
        return await DockerHost.open(run, settings=settings, engine=engine, warn=note)
    except BaseException:
        run.close()
        raise


def crowd_warning(
    bots_at_once: int,
    limits: ContainerLimits,
    *,
    cores: int,
    memory_bytes: int | None = None,
) -> str | None:
    """Warn of more containers than the machine has memory for, if each takes what it may.

    Cores are shared without harm while bots wait for each other; `overload_warning` of
    `tables.py` tells when that is not so.

    Args:
        bots_at_once: how many containers there will be.
        limits: what each may use.
        cores: that they may use; 0 if that is not known.
        memory_bytes: the machine's; looked up if absent.
    """
    have = memory_bytes or os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    need = bots_at_once * limits.memory_bytes
    if need > have:
        return (
            f"warning: {bots_at_once} bots at once may take {need // MIB:,} MiB and this machine"
            f" has {have // MIB:,}; lower sandbox.memory or run.pairings"
        )
    if cores and bots_at_once > max(BOTS_IN_A_PAIRING, cores):
        return (
            f"warning: {bots_at_once} containers run at once on {cores} cores; leave out"
            " run.pairings to have no more than the cores can carry"
        )
    return None


async def _pin_all(config: TournamentConfig, where: str, note: Note) -> TournamentConfig:
    from tarneeb_referee.hosts.docker.engine import Engine  # noqa: PLC0415
    from tarneeb_referee.hosts.docker.images import ImageStore  # noqa: PLC0415

    engine = Engine.from_environment()
    try:
        info = await engine.info()
        store = ImageStore(
            engine,
            architecture=str(info.get("Architecture") or ""),
            settings=config.sandbox.docker,
            note=note,
        )
        entrants: list[Entrant] = []
        problems: list[str] = []
        # One after the other: a build uses all cores by itself.
        for entrant in config.entrants:
            if entrant.bot.remote:
                entrants.append(entrant)
                continue
            try:
                entrants.append(replace(entrant, bot=await store.pin(entrant.bot)))
            except ConfigError as error:
                place = f"{where}entrant {entrant.id[1:]}, {entrant.name}"
                problems.append(f"{place}: {printable(error)}")
    finally:
        await engine.close()
    if problems:
        raise ConfigError("\n".join(problems))
    return replace(config, entrants=tuple(entrants))
