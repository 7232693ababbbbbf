"""The program without its extra `referee`."""

import tomllib
from pathlib import Path

from tarneeb_referee import __main__ as program

PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_it_knows_the_packages_that_the_extra_brings() -> None:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extra = project["optional-dependencies"]["referee"]
    assert {line.partition(">=")[0] for line in extra} == program._OF_THE_EXTRA
