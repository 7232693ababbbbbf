"""Laying out text for people, so that nothing in a name acts on a terminal."""

from collections.abc import Sequence
from typing import Final, Literal, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

# Wide enough for every column with names of 40 characters, where no terminal sets a limit.
FILE_WIDTH: Final = 260


COLUMN_GAP: Final = 2
"""Spaces between two columns."""

MIN_NAME_WIDTH: Final = 16
"""A longer name takes more lines before its column gets narrower than this."""


def plain_console(out: TextIO, *, width: int | None = None) -> Console:
    """Make a console that writes text as it is, without colour.

    Args:
        out: where it writes.
        width: in characters; None for a file or a pipe.
    """
    return Console(
        file=out,
        width=width or FILE_WIDTH,
        color_system=None,
        force_terminal=False,
        markup=False,
        highlight=False,
        emoji=False,
    )


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Lay out a table of which the second column holds names."""
    table = Table(box=None, pad_edge=False)
    for number, heading in enumerate(headings):
        is_name = number == 1
        # A name is never cut: it takes more lines.
        justify: Literal["left", "right"] = "left" if is_name else "right"
        longest = max(map(cell_len, (heading, *(row[number] for row in rows))))
        table.add_column(
            heading,
            justify=justify,
            no_wrap=not is_name,
            overflow="fold",
            min_width=min(longest, MIN_NAME_WIDTH) if is_name else None,
        )
    for row in rows:
        # As Text, in which `[red]` is five characters and no colour.
        table.add_row(*(Text(cell) for cell in row))
    return table


def stripped(text: str) -> str:
    """Take spaces off the ends of lines, which tables fill up."""
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
