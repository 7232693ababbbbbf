"""Finds and removes the containers of runs that are over, and touches nobody else's.

A container tells by its labels whose it is: the run, the run's folder, and the place that the
folder is seen from (`place.py`). The lock on that folder tells whether the run lives. What cannot be
judged from here is left alone, and told of.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError
from tarneeb_referee.hosts.docker.place import Place, RunState, judge_run, this_place
from tarneeb_referee.hosts.run_folder import RunFolder, folder_state

__all__ = [
    "BOOT_LABEL",
    "FOLDER_LABEL",
    "MACHINE_LABEL",
    "MOUNTS_LABEL",
    "RUN_LABEL",
    "LeftContainers",
    "remove_left_containers",
    "run_labels",
]

RUN_LABEL: Final = "org.tarneeb.run"
FOLDER_LABEL: Final = "org.tarneeb.run-folder"
MACHINE_LABEL: Final = "org.tarneeb.machine"
BOOT_LABEL: Final = "org.tarneeb.boot"
MOUNTS_LABEL: Final = "org.tarneeb.mounts"

# Labels are anybody's who may use the engine, and these are shown to be pasted into a shell.
_RUN_ID: Final = re.compile(r"[0-9a-f]{16}", re.ASCII)

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeftContainers:
    """What was found.

    Attributes:
        removed: how many containers of dead runs were removed.
        failed: how many of them could not be.
        alive: how many belong to runs that live.
        unknown: how many belong to runs that cannot be judged from here.
        unknown_runs: the ids of those runs, as far as they have one.
    """

    removed: int = 0
    failed: int = 0
    alive: int = 0
    unknown: int = 0
    unknown_runs: tuple[str, ...] = ()

    def advice(self) -> str:
        """Say in one line what was left alone, and what to do about it; empty if there is none."""
        if not self.unknown:
            return ""
        containers = "1 container" if self.unknown == 1 else f"{self.unknown} containers"
        text = (
            f"left alone {containers} of runs that cannot be judged from here, being of another"
            " user, machine or mount namespace (a container's, or a service's with PrivateTmp);"
            " run `tarneeb-referee clean` where they were started"
        )
        if not self.unknown_runs:
            return text
        return (
            f"{text}, or if you know that they are over, docker rm --force"
            f" $(docker ps --all --quiet --filter label={RUN_LABEL}=ID), where ID is"
            f" {' or '.join(self.unknown_runs)}"
        )


def run_labels(run: RunFolder) -> dict[str, str]:
    """Give the labels by which a run's containers are found again."""
    here = this_place()
    return {
        RUN_LABEL: run.run_id,
        FOLDER_LABEL: str(run.path),
        MACHINE_LABEL: here.machine,
        BOOT_LABEL: here.boot,
        MOUNTS_LABEL: here.mounts,
    }


async def remove_left_containers(engine: Engine, *, over: Collection[str] = ()) -> LeftContainers:
    """Remove every container whose run is over.

    Args:
        engine: where to look.
        over: ids of runs that are known to be, as of those whose folders were just removed.

    Raises:
        EngineError: the engine does not list its containers.
    """
    counts = dict.fromkeys(("removed", "failed", "alive", "unknown"), 0)
    unknown_runs = set[str]()
    here = this_place()
    for container in await engine.containers({RUN_LABEL: None}):
        labels: Mapping[str, str] = container.get("Labels") or {}
        is_over = labels.get(RUN_LABEL) in over
        match RunState.OVER if is_over else _state(labels, here):
            case RunState.ALIVE:
                counts["alive"] += 1
            case RunState.UNKNOWN:
                counts["unknown"] += 1
                unknown_runs.add(labels.get(RUN_LABEL, ""))
            case RunState.OVER:
                counts[await _remove(engine, container)] += 1
    return LeftContainers(
        **counts, unknown_runs=tuple(sorted(filter(_RUN_ID.fullmatch, unknown_runs)))
    )


def _state(labels: Mapping[str, str], here: Place) -> RunState:
    there = Place(
        machine=labels.get(MACHINE_LABEL, ""),
        boot=labels.get(BOOT_LABEL, ""),
        mounts=labels.get(MOUNTS_LABEL, ""),
    )
    folder = labels.get(FOLDER_LABEL, "")
    if there.machine != here.machine or not folder.startswith("/"):
        return RunState.UNKNOWN
    return judge_run(folder_state(Path(folder)), there=there, here=here)


async def _remove(engine: Engine, container: Mapping[str, Any]) -> str:
    try:
        await engine.remove(str(container["Id"]))
    except EngineError as error:
        _logger.warning("%s", error)
        return "failed"
    return "removed"
