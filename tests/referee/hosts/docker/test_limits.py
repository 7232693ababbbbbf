from dataclasses import fields
from typing import Any

import pytest

from tarneeb_referee.hosts.docker.limits import LIMIT_RANGES, MIB, ContainerLimits

NAMES = [field.name for field in fields(ContainerLimits)]


def limits_with(name: str, value: float) -> ContainerLimits:
    arguments: dict[str, Any] = {name: value}
    return ContainerLimits(**arguments)


def test_every_limit_has_a_range() -> None:
    assert set(LIMIT_RANGES) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unlimited", [0, -1, float("inf"), float("-inf"), float("nan")])
def test_no_limit_can_be_lifted(name: str, unlimited: float) -> None:
    with pytest.raises(ValueError, match=name):
        limits_with(name, unlimited)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_has_two_ends(name: str) -> None:
    allowed = LIMIT_RANGES[name]
    with pytest.raises(ValueError, match=name):
        limits_with(name, allowed.lowest * 0.99)
    with pytest.raises(ValueError, match=name):
        limits_with(name, allowed.highest * 1.01)


def test_temporary_files_are_a_part_of_the_memory() -> None:
    with pytest.raises(ValueError, match="of which it is a part"):
        ContainerLimits(memory_bytes=64 * MIB, tmp_bytes=64 * MIB)


def test_the_defaults_are_those_of_the_docs() -> None:
    assert ContainerLimits() == ContainerLimits(
        memory_bytes=256 * MIB,
        cpus=1.0,
        processes=64,
        open_files=256,
        log_bytes=2 * MIB,
        tmp_bytes=16 * MIB,
        tmp_files=4096,
        image_warning_bytes=1024 * MIB,
    )
