from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.hosts.docker.powers import machine_has_swap, missing_powers

# What a Docker 20.10 with all that is needed says of itself.
ABLE: Mapping[str, Any] = {
    "MemoryLimit": True,
    "SwapLimit": True,
    "CpuCfsQuota": True,
    "PidsLimit": True,
    "OSType": "linux",
    "SecurityOptions": ["name=seccomp,profile=default"],
    "Runtimes": {"runc": {}, "runsc": {}},
}


def test_an_able_engine_lacks_nothing() -> None:
    assert missing_powers(ABLE, has_swap=True) == []
    assert missing_powers(ABLE, runtime="runsc", has_swap=True) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"MemoryLimit": False}, "limit memory"),
        ({"CpuCfsQuota": False}, "limit processor time"),
        ({"PidsLimit": False}, "limit the number of processes"),
        ({"SwapLimit": False}, "limit swap"),
        ({"OSType": "windows"}, "run Linux containers"),
        ({"SecurityOptions": []}, "filter system calls"),
        ({"SecurityOptions": ["name=seccomp,profile=unconfined"]}, "filter system calls"),
        ({"Runtimes": {"runc": {}}}, "run containers by 'runsc' (it knows runc)"),
    ],
)
def test_what_an_engine_lacks_is_told(change: Mapping[str, Any], words: str) -> None:
    (missing,) = missing_powers({**ABLE, **change}, runtime="runsc", has_swap=True)
    assert words in missing


def test_swap_need_not_be_limited_where_there_is_none() -> None:
    assert missing_powers({**ABLE, "SwapLimit": False}, has_swap=False) == []


@pytest.mark.parametrize(
    ("text", "has_swap"),
    [("SwapTotal:       0 kB\n", False), ("SwapTotal:  8388604 kB\n", True), ("", True)],
)
def test_whether_the_machine_swaps(tmp_path: Path, text: str, *, has_swap: bool) -> None:
    file = tmp_path / "meminfo"
    file.write_text(text)
    assert machine_has_swap(file) is has_swap
    assert machine_has_swap(tmp_path / "none") is True
