import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def full_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out_dir = tmp_path_factory.mktemp("full-wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(out_dir)], cwd=ROOT, check=True)
    [wheel] = out_dir.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def sdk_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out_dir = tmp_path_factory.mktemp("sdk-wheel")
    command = [sys.executable, str(ROOT / "tools" / "build_sdk_wheel.py")]
    subprocess.run([*command, "--out-dir", str(out_dir)], cwd=ROOT, check=True)
    [wheel] = out_dir.glob("*.whl")
    return wheel


class CleanVenv:
    """A fresh environment, and what a test does in one."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.python = folder / "bin" / "python"

    def install(self, *requirements: str | Path) -> None:
        self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)

    def run(self, *arguments: str | Path) -> str:
        """Run Python in it and return what it prints; a failure shows its errors."""
        # -I: neither the current folder nor the environment may lend it the checkout's modules.
        command = [str(self.python), "-I", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


@pytest.fixture
def clean_venv(tmp_path: Path) -> CleanVenv:
    return CleanVenv(tmp_path / "venv")
