import subprocess
import sys

import pytest


def modules_after(statement: str) -> set[str]:
    """Name the modules that a fresh interpreter holds after a statement."""
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    command = [sys.executable, "-c", script]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.fixture(scope="module")
def after_the_sdk() -> set[str]:
    return modules_after("import tarneeb_sdk")


@pytest.mark.parametrize(
    "unwanted",
    [
        "click",
        "docker",
        "pydantic",
        "rich",
        "sqlite3",
        "tarneeb_referee",
        "tarneeb_tournaments",
        "trueskill",
    ],
)
def test_importing_the_sdk_loads_nothing_of_the_referee(
    unwanted: str, after_the_sdk: set[str]
) -> None:
    assert unwanted not in after_the_sdk


@pytest.mark.parametrize("package", ["tarneeb_sdk", "tarneeb_referee", "tarneeb_tournaments"])
def test_a_package_exports_only_what_it_has(package: str) -> None:
    script = f"from {package} import *"
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)
