"""What the commands share: how they show errors, progress and standings."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

import click

from tarneeb_sdk.errors import ConfigError, HarnessError, TarneebError
from tarneeb_tournaments.formats import FORMATS, format_table
from tarneeb_tournaments.reporting import progress_on
from tarneeb_tournaments.runner import Progress
from tarneeb_tournaments.standings import Standings
from tarneeb_tournaments.store.connection import is_results_file
from tarneeb_tournaments.store.sqlite import read_results
from tarneeb_tournaments.text import counted, printable, tamed

INTERRUPTED: Final = 130

_NOTHING_LOST: Final = "what is in a results file is safe and can be shown again"


def show(standings: Standings, form: str) -> None:
    """Write standings to the standard output.

    Args:
        standings: what to write.
        form: a key of `FORMATS`.
    """
    write(written(standings, form))


def written(standings: Standings, form: str) -> str:
    """Write standings as text for the standard output, as wide as a terminal there."""
    stdout: TextIO | None = sys.stdout
    if form == "table" and stdout is not None and stdout.isatty():
        return format_table(standings, width=shutil.get_terminal_size().columns)
    return FORMATS[form](standings)


def write(text: str) -> None:
    """Write to the standard output, whatever characters it can take and whoever wrote them.

    Raises:
        ConfigError: it is closed.
        HarnessError: it takes nothing: its disk is full.
    """
    stdout: TextIO | None = sys.stdout  # None if it was closed when the program started
    if stdout is None:
        raise ConfigError(f"the standard output is closed; {_NOTHING_LOST}")
    encoding = stdout.encoding or "utf-8"
    try:
        # Names may be those of a file that somebody sent.
        click.echo(tamed(text).encode(encoding, "backslashreplace").decode(encoding), nl=False)
    except BrokenPipeError:
        # Whoever read it, such as `head`, has seen enough.
        _silence(stdout)
    except OSError as error:
        _silence(stdout)
        reason = (error.strerror or str(error)).lower()
        raise HarnessError(
            f"the standard output can't be written: {reason}; {_NOTHING_LOST}"
        ) from error


def _silence(out: TextIO) -> None:
    """Let what is still buffered go nowhere, or Python fails on it again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def tell_stored(progress: Progress, results: Path) -> None:
    """Say, after an interruption, how much is stored; nothing if that can't be read."""
    with suppress(TarneebError):
        if not is_results_file(results):
            progress.note("nothing is stored yet")
            return
        found = read_results(results)
        progress.note(f"stored: {counted(len(found.matches), 'match')}, in {printable(results)}")


@contextmanager
def progress_shown() -> Iterator[Progress]:
    """Show how a run goes on, on the standard error stream."""
    with progress_on(sys.stderr) as progress:
        yield progress
