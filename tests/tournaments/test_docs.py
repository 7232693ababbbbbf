"""The pages on tournaments say what the program does."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import pytest
from pydantic import BaseModel

from tarneeb_tournaments.cli.match import match
from tarneeb_tournaments.cli.sprt import sprt
from tarneeb_tournaments.cli.standings import standings
from tarneeb_tournaments.cli.tournament import tournament
from tarneeb_tournaments.cli.verify import verify
from tarneeb_tournaments.config import load_config
from tarneeb_tournaments.config_models import (
    EntrantSection,
    LimitsSection,
    MatchSection,
    RemoteSection,
    RunSection,
    TimeSection,
    TournamentSection,
)
from tarneeb_tournaments.formats import standings_json
from tarneeb_tournaments.sandbox_config import SandboxSection
from tarneeb_tournaments.schedule import SCHEDULES
from tarneeb_tournaments.standings import compute_standings
from tarneeb_tournaments.store.memory import MemoryStore
from tarneeb_tournaments.store.schema import SCHEMA
from tarneeb_tournaments.store.sqlite import read_results
from tarneeb_tournaments.verify.report import verdict_json, verify_file
from tests.tournaments.kit import made_up
from tests.tournaments.kit.forgery import altered, found_in
from tests.tournaments.kit.table_play import config, play

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FILE_PAGE = (DOCS / "reference" / "tournament-file.md").read_text(encoding="utf-8")
RESULTS_PAGE = (DOCS / "reference" / "results-file.md").read_text(encoding="utf-8")
COMMANDS_PAGE = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")

SECTIONS = {
    "[tournament]": TournamentSection,
    "[match]": MatchSection,
    "[time]": TimeSection,
    "[limits]": LimitsSection,
    "[run]": RunSection,
    "[sandbox]": SandboxSection,
    "[remote]": RemoteSection,
    "[[entrant]]": EntrantSection,
}


def table_of(page: str, heading: str) -> dict[str, list[str]]:
    """Read the first table below a heading: its cells by what stands in the first column."""
    below = page.split(f"## `{heading}", maxsplit=1)[1]
    rows = {}
    for line in re.findall(r"^\| (.*) \|$", below.split("\n## ")[0], re.MULTILINE)[1:]:
        name, *cells = re.split(r" \| ", line)
        rows[name.strip("`")] = cells
    return rows


@pytest.mark.parametrize(("section", "model"), SECTIONS.items())
def test_every_key_of_a_tournaments_file_is_described(section: str, model: type[BaseModel]) -> None:
    rows = table_of(FILE_PAGE, section)
    assert list(rows) == list(model.model_fields)
    for key, field in model.model_fields.items():
        described = rows[key][-1].strip("`")
        if field.is_required():
            assert described == "needed", key
        elif field.default is not None:
            default = field.default
            shown = f"{default:g}" if isinstance(default, float) else str(default)
            assert described.strip('"') == shown.replace("False", "false"), key


@pytest.mark.parametrize(
    "command", [tournament, match, standings, sprt, verify], ids=lambda each: each.name
)
def test_every_option_of_a_command_is_described(command: click.Command) -> None:
    rows = table_of(COMMANDS_PAGE, str(command.name))
    described = {name.split()[0].rstrip("`") for name in rows}
    options = {each.opts[0] for each in command.params if isinstance(each, click.Option)}
    assert described == options


def test_every_table_and_column_of_a_results_file_is_described() -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(SCHEMA)
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        tables = [name for (name,) in database.execute(query)]
        for table in tables:
            assert f"| `{table}` |" in RESULTS_PAGE, table


def test_every_column_of_the_chain_is_described() -> None:
    assert "`record_sha256`" in RESULTS_PAGE
    assert "`link`" in RESULTS_PAGE


def test_every_key_of_a_verdict_is_described(tmp_path: Path) -> None:
    play(tmp_path / "r.sqlite", config("AB", boards=1))
    section = COMMANDS_PAGE.split("## `verify FILE`")[1].split("\n## ")[0]
    verdict = verify_file(tmp_path / "r.sqlite", on_progress=lambda _checked, _total: None)
    for key in verdict_json(verdict):
        assert f"`{key}`" in section, key


def test_every_key_of_the_json_is_described() -> None:
    info = made_up.info("AB")
    data = standings_json(compute_standings(MemoryStore(info, made_up.pairings(info)).read()))
    lists = [data["standings"], data["pairings"]]
    keys = [*data, *(key for each in lists for key in each[0])]  # type: ignore[index]
    for key in keys:
        assert f"`{key}`" in RESULTS_PAGE, key


EXAMPLES = sorted((ROOT / "tournaments").glob("*.toml"))

# tests/hostile/test_docker_demo.py plays the other one, which takes an engine.
IN_PROCESSES = [path for path in EXAMPLES if path.stem != "docker-demo"]


def test_there_is_an_example_of_each_schedule() -> None:
    schedules = {str(load_config(path).schedule["schedule"]) for path in EXAMPLES}
    assert schedules == set(SCHEDULES)


@pytest.mark.slow
@pytest.mark.parametrize("path", IN_PROCESSES, ids=lambda path: path.stem)
def test_each_example_runs_to_its_end_and_is_proved(path: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.sqlite"
    program = [sys.executable, "-m", "tarneeb_referee"]
    for arguments in (
        ["tournament", str(path), "--results", str(results)],
        ["standings", str(results), "--rating", "elo", "--crosstable", "--tempo"],
        ["verify", str(results)],
    ):
        done = subprocess.run([*program, *arguments], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
    found = read_results(results)
    assert found.is_finished
    assert not found.faults
    with altered(results, tmp_path / "altered.sqlite") as database:
        database.execute("UPDATE match SET score1 = score1 + 1 WHERE (board, half) = (2, 2)")
    assert ": score1 is " in found_in(tmp_path / "altered.sqlite")


def test_the_how_to_works(tmp_path: Path) -> None:
    page = (DOCS / "how-to" / "run-a-tournament.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```toml file=spring.toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "spring.toml").write_text(text, encoding="utf-8")
    commands = re.findall(r"^```sh runs=\w+\n(.*)\n```$", page, re.MULTILINE)
    assert len(commands) == 4
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    outs = {}
    for command in commands:
        done = subprocess.run(
            command.split(), cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        outs[command.split()[1]] = done.stdout.decode()
    assert "بوت الحذر" in outs["standings"]
    assert outs["verify"].startswith("nothing is wrong")
    assert "== round 1, pairing 1, half 1" in outs["logs"]
    assert (tmp_path / "spring.results.sqlite").exists()
