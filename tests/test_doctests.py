"""The examples in docstrings are true, in the installed packages."""

import doctest
import importlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = ("tarneeb_sdk", "tarneeb_referee", "tarneeb_tournaments")
# A `__main__` runs when it is imported; the samples in a wheel are programs of their own.
NOT_IMPORTED = ("__main__", "_samples")


def module_names() -> Iterator[str]:
    """Name the modules by their files: importing here would turn a fault into a collection error."""
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        root = Path(spec.origin).parent
        for file in sorted(root.rglob("*.py")):
            parts = file.relative_to(root.parent).with_suffix("").parts
            if not set(parts) & set(NOT_IMPORTED):
                yield ".".join(part for part in parts if part != "__init__")


@pytest.mark.parametrize("name", list(module_names()))
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
