"""Build the light wheel `tarneeb-sdk`: the contract and the SDK, without the referee.

    python tools/build_sdk_wheel.py [--out-dir dist]

Hatchling builds one wheel for a pyproject. This takes the same pyproject, replaces what
`[tool.tarneeb.sdk-wheel]` names, drops what only the referee has, and lets hatchling build that.
Version, Python and dependency floors thus can't drift apart. It needs hatchling (`dev` extra).
"""

import argparse
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

ROOT = Path(__file__).resolve().parent.parent
REFEREE_ONLY = ("optional-dependencies", "scripts", "entry-points")


def sdk_config(pyproject: dict[str, Any]) -> dict[str, Any]:
    """Derive the light wheel's pyproject from the full one."""
    light = dict(pyproject["tool"]["tarneeb"]["sdk-wheel"])
    packages = light.pop("packages")
    project = {key: value for key, value in pyproject["project"].items() if key not in REFEREE_ONLY}
    return {
        "build-system": pyproject["build-system"],
        "project": project | light,
        "tool": {"hatch": {"build": {"targets": {"wheel": {"packages": packages}}}}},
    }


def build(out_dir: Path) -> Path:
    """Build the wheel into a folder, which is made if it is missing, and return its path."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    config = sdk_config(pyproject)
    plugins = PluginManager()
    metadata = ProjectMetadata(str(ROOT), plugins, config)
    builder = WheelBuilder(str(ROOT), plugins, config, metadata)
    return Path(next(builder.build(directory=str(out_dir), versions=["standard"])))


def main() -> None:
    """Parse the command line, build, and print where the wheel is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--out-dir", type=Path, default=ROOT / "dist", help="default: dist/")
    print(build(parser.parse_args().out_dir.resolve()))


if __name__ == "__main__":
    main()
