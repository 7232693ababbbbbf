"""The crosstable and the chances of being above, for people and for programs."""

import io
from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from tarneeb_tournaments.columns import DASH, estimate_values, rounded
from tarneeb_tournaments.layout import plain_console, plain_table, stripped
from tarneeb_tournaments.standings import Standings
from tarneeb_tournaments.stats.crosstable import Cell, Crosstable

_LEGEND: Final = (
    "Each line against each other: boards won, drawn and lost, and points a board with the 95% "
    "interval; * differs from 0, ** even as one of all cells (with 6 boards at least)."
)

MAX_CHANCES: Final = 64
"""With more entrants than this, chances for each two of them are not listed."""


def crosstable_values(standings: Standings) -> list[dict[str, object]] | None:
    """List the cells, each once, the higher entrant first; None in an individual event."""
    cells = standings.crosstable
    if cells is None:
        return None
    return [
        {
            "entrant": one,
            "opponent": other,
            "won": cell.won,
            "drawn": cell.drawn,
            "lost": cell.lost,
            **estimate_values("points_per_board", cell.points),
            "p_value": rounded(cell.points.p_value),
            **estimate_values("score", cell.score),
            "significant": cell.is_significant,
            "significant_in_table": cell.is_significant_in_table,
        }
        for one, other in _in_order(standings)
        if (cell := cells.get((one, other))) is not None
    ]


def chance_values(standings: Standings) -> list[dict[str, object]] | None:
    """List for each two how likely the higher one is the stronger; None without Elo ratings."""
    table = standings.elo
    if table is None or len(standings.rows) > MAX_CHANCES:
        return None
    rated = {row.entrant.id for row in standings.rows if row.elo is not None}
    return [
        {"entrant": one, "opponent": other, "chance": round(table.chance_above(one, other), 3)}
        for one, other in _in_order(standings)
        if one in rated and other in rated
    ]


def format_crosstable(standings: Standings) -> str:
    """Write the crosstable, and with Elo ratings the chances of being above, as text."""
    cells = standings.crosstable
    if cells is None:
        return "an individual event has no crosstable: whom a partner beat can't be told apart\n"
    out = io.StringIO()
    console = plain_console(out)
    console.print(Text(_LEGEND), soft_wrap=True)
    console.print(plain_table(*_crosstable_cells(standings, cells)))
    if standings.elo is not None and len(standings.rows) <= MAX_CHANCES:
        console.print(Text("Chance of being stronger:"))
        console.print(plain_table(*_chance_cells(standings)))
    return stripped(out.getvalue())


def _crosstable_cells(
    standings: Standings, cells: Crosstable
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    headings = ["#", "entrant", *(str(number + 1) for number in range(len(standings.rows)))]
    ids = [row.entrant.id for row in standings.rows]
    rows = [
        [
            str(place),
            row.entrant.name,
            *(_cell_text(cells.get((row.entrant.id, other))) for other in ids),
        ]
        for place, row in enumerate(standings.rows, start=1)
    ]
    return headings, rows


def _chance_cells(standings: Standings) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    table = standings.elo
    assert table is not None
    rows = [row for row in standings.rows if row.elo is not None]
    headings = ["#", "entrant", *(str(number + 1) for number in range(len(rows)))]
    cells = [
        [
            str(place),
            row.entrant.name,
            *(
                DASH
                if other is row
                else f"{table.chance_above(row.entrant.id, other.entrant.id):.1%}"
                for other in rows
            ),
        ]
        for place, row in enumerate(rows, start=1)
    ]
    return headings, cells


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return DASH
    points = cell.points
    reach = "" if points.high is None else f" ± {points.high - points.value:.1f}"
    mark = "**" if cell.is_significant_in_table else "*" if cell.is_significant else ""
    return f"{cell.won}-{cell.drawn}-{cell.lost} {points.value:+.1f}{reach}{mark}"


def _in_order(standings: Standings) -> Iterator[tuple[str, str]]:
    ids = [row.entrant.id for row in standings.rows]
    for place, one in enumerate(ids):
        for other in ids[place + 1 :]:
            yield one, other
