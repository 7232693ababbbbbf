"""What the commands share: how they show errors, progress and standings."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from tarneeb_tournaments.formats import FORMATS, format_table
from tarneeb_tournaments.reporting import progress_on
from tarneeb_tournaments.runner import Progress
from tarneeb_tournaments.standings import Standings

INTERRUPTED: Final = 130


def show(standings: Standings, form: str) -> None:
    """Write standings to the standard output.

    Args:
        standings: what to write.
        form: a key of `FORMATS`.
    """
    write(written(standings, form))


def written(standings: Standings, form: str) -> str:
    """Write standings as text for the standard output, as wide as a terminal there."""
    if form == "table" and sys.stdout.isatty():
        return format_table(standings, width=shutil.get_terminal_size().columns)
    return FORMATS[form](standings)


def write(text: str) -> None:
    """Write to the standard output, whatever characters it can take."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)
    except BrokenPipeError:
        # Whoever read it, such as `head`, has seen enough. The interpreter would complain again
        # when it flushes at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress_shown() -> Iterator[Progress]:
    """Show how a run goes on, on the standard error stream."""
    with progress_on(sys.stderr) as progress:
        yield progress
