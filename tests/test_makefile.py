"""`make` finds a Python that serves, or says in a line what it needs; Pythons here are made up."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Answers the question after its version, and "makes" environments.
GOOD = """#!/bin/sh
case "$1 $2" in
  "-m venv") echo "venv by $0"; mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  "-m pip") echo "pip by $0" ;;
esac
"""
TOO_OLD = """#!/bin/sh
case "$1" in -c) exit 1 ;; esac
echo "used $0"
"""
SHIM = """#!/bin/sh
echo "pyenv: command not found" >&2
exit 127
"""
NEEDED = "Python 3.11 or later is needed, and "

pytestmark = pytest.mark.skipif(
    not (ROOT / "Makefile").is_file() or shutil.which("make") is None,
    reason="needs make and a checkout",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("pyproject.toml", "hatch_build.py"):
        (tmp_path / name).touch()
    return tmp_path


def put(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script)
    path.chmod(0o755)


def make(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # Before all that this machine has, so that no real Python is found.
    for name in ("python3.11", "python3.12", "python3.13", "python3"):
        if not (checkout / "bin" / name).exists():
            put(checkout / "bin" / name, SHIM)
    env = {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(
        ["make", *words],
        cwd=checkout,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("target", ["venv", "wheel-test"])
@pytest.mark.parametrize(
    ("script", "words", "says"),
    [
        (TOO_OLD, ["PYTHON=python3.10"], "python3.10 is none: leave PYTHON out or name another"),
        (SHIM, ["PYTHON=python3.10"], "python3.10 is none: leave PYTHON out or name another"),
        (SHIM, [], "none was found"),
    ],
    ids=["too old", "shim", "none"],
)
def test_a_python_that_does_not_serve_is_told_in_a_line(
    checkout: Path, target: str, script: str, words: list[str], says: str
) -> None:
    put(checkout / "bin" / "python3.10", script)
    done = make(checkout, *words, target)
    ours, makes = done.stderr.splitlines()
    assert ours == NEEDED + says
    assert makes.endswith("Error 1")
    assert done.stdout == ""
    assert not (checkout / ".venv").exists()


def test_a_shim_without_a_version_is_passed_over(checkout: Path) -> None:
    put(checkout / "bin" / "python3.12", GOOD)
    done = make(checkout, "venv")
    assert (done.returncode, done.stderr) == (0, "")
    assert "venv by" in done.stdout
    assert (checkout / ".venv" / ".stamp").exists()


def test_an_environment_that_is_too_old_is_made_again(checkout: Path) -> None:
    put(checkout / "bin" / "python3.12", GOOD)
    put(checkout / ".venv" / "bin" / "python", TOO_OLD)
    done = make(checkout, "venv")
    assert (done.returncode, done.stderr) == (0, "")
    assert "making the environment in .venv" in done.stdout
    assert "used" not in done.stdout


def test_the_demo_shows_its_standings_once(checkout: Path) -> None:
    put(checkout / ".venv" / "bin" / "python", GOOD)
    put(checkout / ".venv" / "bin" / "tarneeb-referee", '#!/bin/sh\necho "standings after $1"\n')
    done = make(checkout, "demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("standings after") == 1


def test_an_environment_that_serves_is_kept(checkout: Path) -> None:
    put(checkout / ".venv" / "bin" / "python", GOOD)
    done = make(checkout, "venv")
    assert (done.returncode, done.stderr) == (0, "")
    assert "venv by" not in done.stdout
    assert "pip by" in done.stdout


def test_a_benchmark_that_misses_its_goal_keeps_no_other_from_running(checkout: Path) -> None:
    missing = GOOD + 'case "$1" in benchmarks/*) echo "ran $1"; exit 1 ;; esac\n'
    put(checkout / "bin" / "python3.11", missing)
    scripts = ("benchmarks/a_speed.py", "benchmarks/b_speed.py", "benchmarks/referee_memory.py")
    for script in scripts:
        put(checkout / script, "")
    done = make(checkout, "bench")
    assert done.returncode
    assert all(f"ran {script}" in done.stdout for script in scripts)
