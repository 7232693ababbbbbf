"""Finds and removes the containers of runs that are over, and touches nobody else's.

A container tells by its labels whose it is: the run, the run's folder, and the machine. The lock on
that folder tells whether the run lives (`run_folder.py`). What another machine or another user's
run has started is left alone, as from here nobody can tell.
"""

from __future__ import annotations

import hashlib
import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError
from tarneeb_referee.hosts.run_folder import RunFolder, RunState, run_state

__all__ = ["FOLDER_LABEL", "MACHINE_LABEL", "RUN_LABEL", "LeftContainers", "remove_left_containers"]

RUN_LABEL: Final = "org.tarneeb.run"
FOLDER_LABEL: Final = "org.tarneeb.run-folder"
MACHINE_LABEL: Final = "org.tarneeb.machine"

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeftContainers:
    """What was found.

    Attributes:
        removed: how many containers of dead runs were removed.
        failed: how many of them could not be.
        alive: how many belong to runs that live.
        unknown: how many belong to another machine's or user's runs.
    """

    removed: int = 0
    failed: int = 0
    alive: int = 0
    unknown: int = 0


def run_labels(run: RunFolder) -> dict[str, str]:
    """Give the labels by which a run's containers are found again."""
    return {
        RUN_LABEL: run.run_id,
        FOLDER_LABEL: str(run.path),
        MACHINE_LABEL: machine_name(),
    }


async def remove_left_containers(engine: Engine) -> LeftContainers:
    """Remove every container whose run is over.

    Raises:
        EngineError: the engine does not list its containers.
    """
    counts = dict.fromkeys(("removed", "failed", "alive", "unknown"), 0)
    here = machine_name()
    for container in await engine.containers({RUN_LABEL: None}):
        fate = await _settle(engine, container, here)
        counts[fate] += 1
    return LeftContainers(**counts)


def machine_name(machine_id: Path = Path("/etc/machine-id")) -> str:
    """Name this machine: runs in two of them may share an engine, but not their folders.

    The host name is part of it, as the images of virtual machines tend to share their id.
    """
    try:
        own = machine_id.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        own = ""
    return hashlib.sha256(f"{own}/{socket.gethostname()}".encode()).hexdigest()[:16]


async def _settle(engine: Engine, container: Mapping[str, Any], here: str) -> str:
    labels: Mapping[str, str] = container.get("Labels") or {}
    folder = labels.get(FOLDER_LABEL, "")
    if labels.get(MACHINE_LABEL) != here or not folder.startswith("/"):
        return "unknown"
    match run_state(Path(folder)):
        case RunState.ALIVE:
            return "alive"
        case RunState.UNKNOWN:
            return "unknown"
        case RunState.OVER:
            try:
                await engine.remove(str(container["Id"]))
            except EngineError as error:
                _logger.warning("%s", error)
                return "failed"
            return "removed"
