"""Standings as a table for people, JSON and CSV for programs, and Markdown for pages."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from tarneeb_tournaments.behaviour_format import BEHAVIOUR, behaviour_columns
from tarneeb_tournaments.columns import LEFT_OUT_FIRST, NAME, Column, columns_of, row_values
from tarneeb_tournaments.crosstable_format import chance_values, crosstable_values
from tarneeb_tournaments.layout import (
    COLUMN_GAP,
    FILE_WIDTH,
    MIN_NAME_WIDTH,
    plain_console,
    plain_table,
    stripped,
)
from tarneeb_tournaments.names import csv_name, markdown_name
from tarneeb_tournaments.results import LagBesideTimeOuts
from tarneeb_tournaments.standings import Standings, StandingsRow
from tarneeb_tournaments.tempo_format import tempo_lines, tempo_values
from tarneeb_tournaments.text import counted


def format_table(standings: Standings, *, width: int | None = None) -> str:
    """Write the standings as a table between a heading and notes.

    Args:
        standings: what to write.
        width: of the terminal in characters; None for a file or a pipe.
    """
    width = width or FILE_WIDTH
    out = io.StringIO()
    console = plain_console(out, width=width)
    console.print(Text(_heading(standings)))
    columns, left_out = fitting_columns(standings, columns_of(standings), width=width)
    console.print(plain_table(*_cells(standings, columns)))
    if behaviour := behaviour_columns(standings):
        columns, also_left_out = fitting_columns(standings, behaviour, width=width)
        left_out += also_left_out
        console.print(Text(BEHAVIOUR), soft_wrap=True)
        console.print(plain_table(*_cells(standings, columns)))
    if left_out:
        console.print(Text(f"no room for: {', '.join(left_out)}; --format csv has all"))
    for row in standings.rows:
        if told := misdeeds(row):
            console.print(Text(f"{row.entrant.name}: {told}"))
    for line in tempo_lines(standings):
        console.print(Text(line), soft_wrap=True)
    for note in _notes(standings):
        console.print(Text(note), soft_wrap=True)
    return stripped(out.getvalue())


def fitting_columns(
    standings: Standings, columns: Sequence[Column], *, width: int
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Choose the columns for which a terminal has room.

    Args:
        standings: what is to be written.
        columns: of a table; the first two, rank and name, are never left out.
        width: of the terminal, in characters.

    Returns:
        The columns, and the headings of those that are left out.
    """
    needed = {each.heading: _width(each, standings) for each in columns}
    needed[NAME.heading] = min(needed[NAME.heading], MIN_NAME_WIDTH)
    left_out = []
    for heading in _by_importance(columns):
        if sum(needed.values()) + COLUMN_GAP * (len(needed) - 1) <= width:
            break
        del needed[heading]
        left_out.append(f"level {heading}" if heading.isdecimal() else heading)
    return tuple(each for each in columns if each.heading in needed), tuple(left_out)


def _by_importance(columns: Sequence[Column]) -> list[str]:
    """List the headings that may be left out, the least important first."""
    headings = [each.heading for each in columns[2:]]
    named = [each for each in LEFT_OUT_FIRST if each in headings]
    return named + [each for each in reversed(headings) if each not in named]


def _width(column: Column, standings: Standings) -> int:
    texts = [column.heading, *(column.text(row) for row in standings.rows)]
    return max(map(cell_len, texts))


def _cells(
    standings: Standings, columns: Sequence[Column]
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    rows = [[each.text(row) for each in columns] for row in standings.rows]
    return [each.heading for each in columns], rows


def format_markdown(standings: Standings) -> str:
    """Write the standings as a Markdown table; names are escaped."""
    lines = _markdown_table(standings, columns_of(standings))
    if behaviour := behaviour_columns(standings):
        lines += ["", BEHAVIOUR, "", *_markdown_table(standings, behaviour)]
    heading = f"**{markdown_name(standings.results.info.name)}**, {_progress(standings)}"
    wrongs = [
        f"- {markdown_name(row.entrant.name)}: {found}"
        for row in standings.rows
        if (found := misdeeds(row))
    ]
    notes = [f"- {note}" for note in _notes(standings)]
    return "\n".join([heading, "", *lines, "", *wrongs, *notes]) + "\n"


def _markdown_table(standings: Standings, columns: Sequence[Column]) -> list[str]:
    headings = [each.heading for each in columns]
    lines = [
        f"| {' | '.join(headings)} |",
        f"|{'|'.join('--:' if each != NAME.heading else '---' for each in headings)}|",
    ]
    for row in standings.rows:
        rank, name, *cells = (each.text(row) for each in columns)
        lines.append(f"| {' | '.join([rank, markdown_name(name), *cells])} |")
    return lines


def format_csv(standings: Standings) -> str:
    """Write a line for each entrant; what can't be computed is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, row in enumerate(standings.rows):
        values = row_values(row)
        values["name"] = csv_name(row.entrant.name)
        values["faults"] = _faults(row.faults)
        values["incidents"] = _faults(row.incidents)
        values["levels"] = ", ".join(
            f"{level}: {count.made}/{count.bid}"
            for level, count in sorted(row.behaviour.levels.items())
        )
        if number == 0:
            writer.writerow(values)
        writer.writerow(["" if value is None else value for value in values.values()])
    return out.getvalue()


def format_json(standings: Standings) -> str:
    """Write everything as one JSON object; what can't be computed is null."""
    return json.dumps(standings_json(standings), indent=2, allow_nan=False) + "\n"


def standings_json(standings: Standings) -> dict[str, object]:
    """Give the standings as plain values; docs/reference/results-file.md names the keys."""
    results = standings.results
    info = results.info
    return {
        "tournament": info.name,
        "settings": {section: dict(keys) for section, keys in info.settings.items()},
        "finished": results.is_finished,
        "matches": len(results.matches),
        "matches_due": results.matches_due,
        "public_seed": info.public_seed,
        "secret_sha256": info.secret_sha256,
        "secret": info.secret.hex() if results.is_finished else None,
        "rating": standings.rating,
        "standings": [
            {**row_values(row), **tempo_values(standings, row.entrant.id)} for row in standings.rows
        ],
        "crosstable": crosstable_values(standings),
        "chances_above": chance_values(standings),
        "pairings": [
            {
                "round": row.pairing.round,
                "pairing": row.pairing.number,
                "entrants": list(row.pairing.entrants),
                "bye": row.pairing.is_bye,
                "suspended": list(row.suspended),
                "withdrawn": list(row.withdrawn),
            }
            for row in results.pairings
        ],
    }


FORMATS: Final[Mapping[str, Callable[[Standings], str]]] = MappingProxyType(
    {
        "table": format_table,
        "json": format_json,
        "csv": format_csv,
        "md": format_markdown,
    }
)


def _heading(standings: Standings) -> str:
    return f"{standings.results.info.name}: {_progress(standings)}"


def _progress(standings: Standings) -> str:
    results = standings.results
    if results.is_finished:
        return f"finished, {counted(results.matches_due, 'match')}"
    return f"{len(results.matches):,} of {counted(results.matches_due, 'match')}"


def _notes(standings: Standings) -> list[str]:
    results = standings.results
    notes = []
    left_out = sum(bool(row.suspended) for row in results.pairings)
    if left_out:
        notes.append(f"not played, because an entrant is suspended: {counted(left_out, 'pairing')}")
    left = sum(bool(row.withdrawn) for row in results.pairings)
    if left:
        notes.append(f"not played, because an entrant has withdrawn: {counted(left, 'pairing')}")
    notes += [
        f"public seed: {results.info.public_seed}",
        f"SHA-256 of the secret: {results.info.secret_sha256}",
    ]
    if results.is_finished:
        notes.append(f"secret: {results.info.secret.hex()}")
    return notes


def misdeeds(row: StandingsRow) -> str:
    """Say in one line what an entrant did wrong; empty if nothing."""
    parts = ["suspended"] if row.is_suspended else []
    if row.entrant.last_round is not None:
        parts.append(f"withdrawn after round {row.entrant.last_round}")
    if row.faults:
        parts.append(_faults(row.faults))
    if row.lag.time_outs:
        parts.append(_lag(row.lag))
    if row.incidents:
        parts.append(f"between matches {_faults(row.incidents)}")
    if row.counts.autopilots:
        parts.append(f"on autopilot in {counted(row.counts.autopilots, 'match')}")
    if row.times.late:
        parts.append(counted(row.times.late, "late answer"))
    return "; ".join(parts)


def _lag(lag: LagBesideTimeOuts) -> str:
    """Mark time-outs that may be the machine's doing.

    >>> _lag(LagBesideTimeOuts(2, 0.3149))
    '2 of the time-outs while the referee itself was late, by up to 0.31 s'
    """
    return (
        f"{lag.time_outs} of the time-outs while the referee itself was late,"
        f" by up to {lag.max_s:.2f} s"
    )


def _faults(faults: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(faults.items()))
