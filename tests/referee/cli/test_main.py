"""The program's fences: exit codes, one line an error, and the commands of other packages."""

import errno
import io
import sys
from importlib import metadata

import click
import pytest

from tarneeb_referee.cli.main import cli, main
from tarneeb_sdk.errors import ConfigError, HarnessError


def entry_point(name: str, value: str) -> metadata.EntryPoint:
    return metadata.EntryPoint(name=name, value=value, group="tarneeb_referee.commands")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install packages that bring commands, good and bad ones."""
    here = "tests.referee.cli.plugin"
    found = [
        entry_point("good", f"{here}:good"),
        entry_point("good", "of.a.second.package:good"),
        entry_point("adjudicate", f"{here}:good"),
        entry_point("missing", "no.such.package:command"),
        entry_point("broken", "tests.referee.cli.plugin_that_fails:command"),
        entry_point("absent", f"{here}:no_such_command"),
        entry_point("odd", f"{here}:not_a_command"),
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: found)


@pytest.mark.usefixtures("plugins")
def test_a_package_can_bring_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["good", "--name", "you"]) == 0
    assert capsys.readouterr().out == "good to see you\n"


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize("command", [[], ["adjudicate"], ["good"]], ids=str)
def test_h_is_short_for_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "-h"]) == 0
    short = capsys.readouterr().out
    assert main([*command, "--help"]) == 0
    assert short == capsys.readouterr().out
    assert "-h, --help" in short


@pytest.mark.parametrize("command", ["match", "tournament", "standings", "adjudicate"])
def test_the_programs_help_shows_each_command_in_use(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--help"]) == 0
    assert f"\n    tarneeb-referee {command} " in capsys.readouterr().out


@pytest.mark.usefixtures("plugins")
def test_a_package_cannot_replace_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adjudicate", "--help"]) == 0
    assert "Judge hand records" in capsys.readouterr().out


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing", "ModuleNotFoundError: No module named 'no'"),
        ("broken", "RuntimeError: it fails when it is imported"),
        ("absent", "AttributeError: "),
        ("odd", "it is no command"),
    ],
)
def test_a_command_that_does_not_load_says_so_and_harms_no_other(
    name: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--any", "argument"]) == 3
    output = capsys.readouterr()
    assert output.err.startswith(f"error: the command {name} does not load: {why}")
    assert output.err.count("\n") == 1
    assert main(["adjudicate", "--help"]) == 0
    assert main(["--help"]) == 0
    assert f"{name}" in capsys.readouterr().out


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ConfigError("cup.toml: time.start: too short"), 2, "cup.toml: time.start: too short"),
        (HarnessError("the disk\nis full"), 3, "the disk is full"),
        (KeyboardInterrupt(), 130, None),
        (click.Abort(), 130, None),
        (click.UsageError("Bad thing."), 2, "bad thing"),
        (click.ClickException("Bad thing."), 2, "bad thing"),
        (
            KeyError("x"),
            3,
            "internal error (set TARNEEB_TRACEBACK=1 to see where): KeyError: 'x'",
        ),
        (RecursionError("deep"), 3, "internal error (set TARNEEB_TRACEBACK=1 to see where): "),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_whatever_ends_a_command_has_its_code_and_at_most_one_line(
    error: BaseException,
    code: int,
    line: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tests.referee.cli.plugin.to_raise", error)
    assert main(["good"]) == code
    output = capsys.readouterr()
    if line is None:
        assert output.err.strip() == ""
    else:
        assert output.err.startswith(f"error: {line}")
        assert output.err.count("\n") == 1
    assert output.out == ""


@pytest.mark.usefixtures("plugins")
def test_several_mistakes_in_a_file_get_a_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = ConfigError("cup.toml: name: is empty\ncup.toml: boards:  is missing")
    monkeypatch.setattr("tests.referee.cli.plugin.to_raise", error)
    assert main(["good"]) == 2
    assert capsys.readouterr().err == (
        "error: cup.toml: name: is empty\nerror: cup.toml: boards: is missing\n"
    )


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize("error", [KeyError("x"), HarnessError("x")])
def test_a_traceback_is_shown_to_who_asks_for_it(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.referee.cli.plugin.to_raise", error)
    monkeypatch.setenv("TARNEEB_TRACEBACK", "1")
    assert main(["good"]) == 3
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.usefixtures("plugins")
def test_a_command_chooses_its_own_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.referee.cli.plugin.to_raise", click.exceptions.Exit(7))
    assert main(["good"]) == 7


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["ajudicate"], "no command 'ajudicate'; did you mean 'adjudicate'?"),
        (["x" * 5000], "no command 'xxx"),
        (["--wrong"], "no such option"),
        (["adjudicate"], "missing argument 'FILE.jsonl' (see tarneeb-referee adjudicate --help)"),
        (["adjudicate", "a", "b"], "got unexpected extra argument (b)"),
        (["adjudicate", "--wrong", "a"], "no such option"),
    ],
    ids=["typo", "long", "option", "no file", "two files", "option of a command"],
)
def test_a_wrong_command_line_takes_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"error: {line}")
    assert output.err.count("\n") == 1
    assert len(output.err) < 250
    assert output.out == ""


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Usage: tarneeb-referee" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    version = metadata.version("tarneeb-referee")
    assert capsys.readouterr().out == f"tarneeb-referee {version}\n"


@pytest.mark.parametrize("command", [None, *cli.commands])
def test_help_has_an_example(command: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"] if command is None else [command, "--help"]) == 0
    text = capsys.readouterr().out
    _, _, examples = text.partition("Example")
    assert f" tarneeb-referee {command or ''}" in examples


class FullDisk(io.StringIO):
    def write(self, _: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_an_error_that_nobody_can_be_told_still_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", FullDisk())
    assert main(["nothing"]) == 2


def test_help_as_a_command_is_pointed_to_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 2
    assert "no command 'help'; did you mean '--help'?" in capsys.readouterr().err
