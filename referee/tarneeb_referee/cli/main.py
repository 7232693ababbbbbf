"""The program `tarneeb-referee`: its commands, and the exit code of whatever ends it.

Other packages add commands by an entry point in the group `tarneeb_referee.commands`. Each is
loaded when it is asked for, so the referee imports none of them, and one that is broken or
missing takes no other command with it.
"""

import errno
import os
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata
from typing import Final, TextIO

import click

from tarneeb_referee.cli.adjudicate import adjudicate
from tarneeb_referee.cli.clean import clean
from tarneeb_sdk.errors import ConfigError, HarnessError
from tarneeb_sdk.game.near_miss import near_miss

__all__ = ["cli", "main"]

PROGRAM = "tarneeb-referee"
COMMANDS_GROUP = "tarneeb_referee.commands"

# With this set, an error that is nobody's mistake but ours shows where it happened.
TRACEBACK_VARIABLE = "TARNEEB_TRACEBACK"

OK, USER_MISTAKE, OUR_FAULT, INTERRUPTED = 0, 2, 3, 130


class CommandGroup(click.Group):
    """A group that also has the commands which installed packages bring."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_entry_points()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        entry_point = _entry_points().get(cmd_name)
        return None if entry_point is None else _load(entry_point)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            names = self.list_commands(ctx)
            near = near_miss(name, names)
            near = "--help" if name == "help" else near
            hint = f"did you mean {near!r}?" if near else f"there are {', '.join(names)}"
            raise click.UsageError(f"no command {name[:40]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


def _entry_points() -> dict[str, metadata.EntryPoint]:
    """Find the commands of installed packages; the first of a name counts."""
    found: dict[str, metadata.EntryPoint] = {}
    for entry_point in metadata.entry_points(group=COMMANDS_GROUP):
        found.setdefault(entry_point.name, entry_point)
    return found


def _load(entry_point: metadata.EntryPoint) -> click.Command:
    try:
        command = entry_point.load()
    except Exception as error:  # noqa: BLE001 - another package's code: anything may go wrong
        return _broken(entry_point, f"{type(error).__name__}: {error}")
    if not isinstance(command, click.Command):
        return _broken(entry_point, "it is no command")
    return command


def _broken(entry_point: metadata.EntryPoint, why: str) -> click.Command:
    """Make a command that says, when it is run, why it can't."""

    def fail() -> None:
        raise HarnessError(f"the command {entry_point.name} does not load: {why}")

    return click.Command(
        entry_point.name,
        callback=fail,
        short_help="(does not load)",
        help=f"This command does not load: {why}",
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


def _version() -> str:
    try:
        return metadata.version(PROGRAM)
    except metadata.PackageNotFoundError:
        return "unknown"


EXAMPLES = """\b
Examples:
  tarneeb-referee match my_bot sample:random --boards 8
  tarneeb-referee tournament spring.toml
  tarneeb-referee standings spring.results.sqlite
  tarneeb-referee adjudicate records.jsonl
"""


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    epilog=EXAMPLES,
    # The commands of other packages inherit it.
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(_version(), prog_name=PROGRAM, message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play, judge and rate tournaments of Tarneeb bots."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(USER_MISTAKE)


cli.add_command(adjudicate)
cli.add_command(clean)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and give its exit code.

    0: done. 1: a command's own verdict (see its help). 2: the user's mistake. 3: a fault of ours.
    130: interrupted. Errors take one line on the standard error stream.

    Args:
        arguments: those of the command line by default.
    """
    _open_closed_streams()
    try:
        result = cli.main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.ClickException as error:
        return _fail(_usage(error), USER_MISTAKE)
    except ConfigError as error:
        # A file may hold several mistakes: it gets a line for each.
        for line in str(error).splitlines() or [""]:
            _fail(line, USER_MISTAKE)
        return USER_MISTAKE
    except HarnessError as error:
        _print_traceback()
        return _fail(str(error), OUR_FAULT)
    except OSError as error:
        _print_traceback()
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return _fail("no space left on the disk that the output goes to", OUR_FAULT)
        return _fail_by_ourselves(error)
    except Exception as error:  # noqa: BLE001 - the last fence before the user
        _print_traceback()
        return _fail_by_ourselves(error)
    return result if isinstance(result, int) else OK


def _fail_by_ourselves(error: Exception) -> int:
    hint = f"set {TRACEBACK_VARIABLE}=1 to see where"
    return _fail(f"internal error ({hint}): {type(error).__name__}: {error}", OUR_FAULT)


def _open_closed_streams() -> None:
    """Put nothing in the place of streams that were closed when the program started.

    Else the next file that is opened, such as results, takes the number of the standard error
    stream, and what any library writes there goes into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free.
            os.open(os.devnull, os.O_RDWR)
    stderr: TextIO | None = sys.stderr
    if stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def _usage(error: click.ClickException) -> str:
    """Write click's sentence in our style, with where to read on."""
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    for pattern, plain in _PLAIN_WORDS:
        message = pattern.sub(plain, message)
    context = error.ctx if isinstance(error, click.UsageError) else None
    return message if context is None else f"{message} (see {context.command_path} --help)"


def _range_text(found: re.Match[str]) -> str:
    low, high = int(found[1]), int(found[2])
    return f"is out of range; use {low:,} to {high:,}"


# What click says of numbers, in words for people.
_PLAIN_WORDS: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = (
    (re.compile(r"is not a valid integer( range)?"), "is not a whole number"),
    (re.compile(r"is not a valid float"), "is not a number"),
    (re.compile(r"is not in the range (-?\d+)<=x<=(-?\d+)"), _range_text),
)


def _print_traceback() -> None:
    if os.environ.get(TRACEBACK_VARIABLE):
        with suppress(OSError, ValueError):
            traceback.print_exc()


def _fail(message: str, code: int) -> int:
    line = " ".join(message.split())
    # Where nobody can be told, the exit code still tells.
    with suppress(OSError, ValueError):
        click.echo(f"error: {line}", err=True)
    return code
