import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tarneeb_referee.hosts.docker import leftovers
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.leftovers import (
    FOLDER_LABEL,
    MOUNTS_LABEL,
    RUN_LABEL,
    LeftContainers,
    remove_left_containers,
    run_labels,
)
from tarneeb_referee.hosts.docker.place import Place, RunState, judge_run, this_place
from tarneeb_referee.hosts.run_folder import FolderState, RunFolder

HERE = Place(machine="here", boot="b", mounts="1")
ALIVE, OVER, UNKNOWN = RunState.ALIVE, RunState.OVER, RunState.UNKNOWN


@pytest.mark.parametrize(
    ("there", "held", "free", "gone", "closed"),
    [
        # A lock that is seen tells all; what is not seen tells only those who see the same files.
        ({}, ALIVE, OVER, OVER, UNKNOWN),
        ({"mounts": "2"}, ALIVE, OVER, UNKNOWN, UNKNOWN),
        ({"mounts": ""}, ALIVE, OVER, UNKNOWN, UNKNOWN),
        ({"boot": ""}, ALIVE, OVER, OVER, UNKNOWN),
        # No run outlives the machine's start, whatever is seen of its folder.
        ({"boot": "a"}, ALIVE, OVER, OVER, OVER),
        ({"boot": "a", "mounts": "2"}, ALIVE, OVER, OVER, OVER),
        ({"boot": "", "mounts": ""}, ALIVE, OVER, UNKNOWN, UNKNOWN),
        # In another machine a folder of that path is another one.
        ({"machine": "elsewhere"}, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
        ({"machine": "elsewhere", "boot": "a"}, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN),
    ],
)
def test_what_can_be_told_of_a_run_from_here(
    there: Mapping[str, str], held: RunState, free: RunState, gone: RunState, closed: RunState
) -> None:
    place = replace(HERE, **there)
    states = (FolderState.HELD, FolderState.FREE, FolderState.GONE, FolderState.CLOSED)
    judged = tuple(judge_run(state, there=place, here=HERE) for state in states)
    assert judged == (held, free, gone, closed)


def test_who_does_not_know_his_own_namespace_takes_no_missing_folder_for_a_proof() -> None:
    nowhere = replace(HERE, mounts="")
    assert judge_run(FolderState.GONE, there=nowhere, here=nowhere) is UNKNOWN
    assert judge_run(FolderState.GONE, there=HERE, here=nowhere) is UNKNOWN


def test_this_place_stays_the_same() -> None:
    assert this_place() == this_place()
    assert this_place().machine


class FakeEngine:
    """Has containers with these labels, by their number."""

    def __init__(self, *labels: Mapping[str, str]) -> None:
        self.there = dict(enumerate(labels))

    async def containers(self, _: object) -> list[Mapping[str, Any]]:
        return [{"Id": str(number), "Labels": labels} for number, labels in self.there.items()]

    async def remove(self, container: str) -> None:
        del self.there[int(container)]


def remove(engine: FakeEngine, *over: str) -> LeftContainers:
    return asyncio.run(remove_left_containers(cast("Engine", engine), over=over))


def test_only_what_is_known_to_be_over_is_removed(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leftovers, "this_place", lambda: HERE)
    living, over = (RunFolder.create(base=short_folder) for _ in range(2))
    over.close()
    hidden = {**run_labels(over), MOUNTS_LABEL: "2"}
    odd = {RUN_LABEL: "$(reboot)", FOLDER_LABEL: "nowhere"}
    engine = FakeEngine(run_labels(living), run_labels(over), hidden, odd, {RUN_LABEL: "x"})
    left = remove(engine)
    assert sorted(engine.there) == [0, 2, 3, 4]
    assert left == LeftContainers(removed=1, alive=1, unknown=3, unknown_runs=(over.run_id,))
    # Its folder was seen, though by now it is gone.
    left = remove(engine, over.run_id)
    assert left == LeftContainers(removed=1, alive=1, unknown=2)
    living.close()


def test_who_is_told_of_strangers_containers_is_told_what_to_do() -> None:
    assert LeftContainers(removed=1).advice() == ""
    assert LeftContainers(unknown=1).advice().endswith("clean` where they were started")
    several = LeftContainers(unknown=2, unknown_runs=("0" * 16, "1" * 16)).advice()
    assert several.startswith("left alone 2 containers of runs that cannot be judged from here")
    assert several.endswith(
        "docker rm --force $(docker ps --all --quiet --filter label=org.tarneeb.run=ID), where ID"
        " is 0000000000000000 or 1111111111111111"
    )
