"""What the layers' contracts in pyproject.toml can't say."""

import ast
import sys
from pathlib import Path

import pytest

import tarneeb_sdk

GAME = Path(tarneeb_sdk.__file__).parent / "game"

# What pure code needs of the standard library. Anything else is a question for a review.
PURE = {
    "__future__",
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
}


def imported_modules(source: Path) -> set[str]:
    """Name every module that a file imports, at any depth of it."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("source", sorted(GAME.rglob("*.py")), ids=lambda path: path.name)
def test_the_rules_core_imports_itself_and_pure_modules_alone(source: Path) -> None:
    foreign = {
        module
        for module in imported_modules(source) - PURE
        if module != "tarneeb_sdk.game" and not module.startswith("tarneeb_sdk.game.")
    }
    assert foreign == set()


def test_the_pure_modules_are_of_the_standard_library() -> None:
    assert {name.split(".")[0] for name in PURE} <= sys.stdlib_module_names
