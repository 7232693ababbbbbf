"""The examples in docstrings are true, in the installed packages."""

import doctest
import importlib
import pkgutil

import pytest

PACKAGES = ("tarneeb_sdk", "tarneeb_referee", "tarneeb_tournaments")


def module_names() -> list[str]:
    names = []
    for package in PACKAGES:
        names.append(package)
        path = importlib.import_module(package).__path__
        names += [module.name for module in pkgutil.walk_packages(path, f"{package}.")]
    # Importing a `__main__` would run it.
    return [name for name in names if not name.endswith(".__main__")]


@pytest.mark.parametrize("name", module_names())
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
