"""Standings as a table for people, JSON and CSV for programs, and Markdown for pages."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Final, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tarneeb_tournaments.names import csv_name, markdown_name
from tarneeb_tournaments.standings import Standings, StandingsRow
from tarneeb_tournaments.text import counted

DASH: Final = "-"
"""Stands for what can't be computed yet."""

# Wide enough for every column with names of 40 characters, where no terminal sets a limit.
_FILE_WIDTH: Final = 200

_COLUMNS: Final = (
    "#",
    "entrant",
    "rating",
    "μ ± σ",  # noqa: RUF001 - Greek on purpose
    "W-D-L",
    "pts/deal",
    "made",
    "ms",
    "total s",
)
_NAME_COLUMN: Final = 1


def format_table(standings: Standings, *, width: int | None = None) -> str:
    """Write the standings as a table between a heading and notes.

    Args:
        standings: what to write.
        width: of the terminal in characters; None for a file or a pipe.
    """
    out = io.StringIO()
    console = Console(
        file=out,
        width=width or _FILE_WIDTH,
        color_system=None,
        force_terminal=False,
        markup=False,
        highlight=False,
        emoji=False,
    )
    table = Table(box=None, pad_edge=False)
    for number, column in enumerate(_COLUMNS):
        is_name = number == _NAME_COLUMN
        # A name is never cut: it takes more lines.
        justify: Literal["left", "right"] = "left" if is_name else "right"
        table.add_column(column, justify=justify, no_wrap=not is_name, overflow="fold")
    for row in standings.rows:
        # As Text, in which `[red]` is five characters and no colour.
        table.add_row(*(Text(cell) for cell in _cells(row)))
    console.print(Text(_heading(standings)))
    console.print(table)
    for row in standings.rows:
        if misdeeds := _misdeeds(row):
            console.print(Text(f"{row.entrant.name}: {misdeeds}"))
    for note in _notes(standings):
        console.print(Text(note), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def format_markdown(standings: Standings) -> str:
    """Write the standings as a Markdown table; names are escaped."""
    lines = [
        f"| {' | '.join(_COLUMNS)} |",
        f"|{'|'.join('--:' if each != 'entrant' else '---' for each in _COLUMNS)}|",
    ]
    for row in standings.rows:
        rank, name, *cells = _cells(row)
        lines.append(f"| {' | '.join([rank, markdown_name(name), *cells])} |")
    heading = f"**{markdown_name(standings.results.info.name)}**, {_progress(standings)}"
    misdeeds = [
        f"- {markdown_name(row.entrant.name)}: {found}"
        for row in standings.rows
        if (found := _misdeeds(row))
    ]
    notes = [f"- {note}" for note in _notes(standings)]
    return "\n".join([heading, "", *lines, "", *misdeeds, *notes]) + "\n"


def format_csv(standings: Standings) -> str:
    """Write a line for each entrant; what can't be computed is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, row in enumerate(standings.rows):
        values = _values(row)
        values["name"] = csv_name(row.entrant.name)
        values["faults"] = _faults(row.faults)
        values["incidents"] = _faults(row.incidents)
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
        "standings": [_values(row) for row in standings.rows],
        "pairings": [
            {
                "round": row.pairing.round,
                "pairing": row.pairing.number,
                "entrants": list(row.pairing.entrants),
                "bye": row.pairing.is_bye,
                "suspended": list(row.suspended),
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
    notes += [
        f"public seed: {results.info.public_seed}",
        f"SHA-256 of the secret: {results.info.secret_sha256}",
    ]
    if results.is_finished:
        notes.append(f"secret: {results.info.secret.hex()}")
    return notes


def _cells(row: StandingsRow) -> list[str]:
    counts, rating, times = row.counts, row.rating, row.times
    played = counts.won + counts.drawn + counts.lost
    return [
        DASH if row.rank is None else str(row.rank),
        row.entrant.name,
        DASH if rating is None else f"{rating.conservative:.2f}",
        DASH if rating is None else f"{rating.mu:.2f} ± {rating.sigma:.2f}",
        f"{counts.won}-{counts.drawn}-{counts.lost}" if played else DASH,
        DASH if row.points_per_deal is None else f"{row.points_per_deal:+.2f}",
        DASH if row.made_share is None else f"{counts.made}/{counts.bids} {row.made_share:.0%}",
        DASH if row.decision_s is None else f"{row.decision_s * 1e3:.2f}",
        DASH if not times.decisions else f"{times.total_us / 1e6:.1f}",
    ]


def _misdeeds(row: StandingsRow) -> str:
    parts = ["suspended"] if row.is_suspended else []
    if row.faults:
        parts.append(_faults(row.faults))
    if row.incidents:
        parts.append(f"between matches {_faults(row.incidents)}")
    if row.counts.autopilots:
        parts.append(f"on autopilot in {counted(row.counts.autopilots, 'match')}")
    if row.times.late:
        parts.append(counted(row.times.late, "late answer"))
    return "; ".join(parts)


def _faults(faults: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(faults.items()))


def _values(row: StandingsRow) -> dict[str, object]:
    counts, rating, times = asdict(row.counts), row.rating, row.times
    return {
        "rank": row.rank,
        "id": row.entrant.id,
        "name": row.entrant.name,
        "suspended": row.is_suspended,
        "rating": None if rating is None else _rounded(rating.conservative),
        "mu": None if rating is None else _rounded(rating.mu),
        "sigma": None if rating is None else _rounded(rating.sigma),
        **counts,
        "points_per_deal": _rounded(row.points_per_deal),
        "made_share": _rounded(row.made_share),
        "decisions": times.decisions,
        "decision_s": _rounded(row.decision_s),
        "total_s": _rounded(times.total_us / 1e6),
        "max_s": _rounded(times.max_us / 1e6),
        "late": times.late,
        "faults": dict(row.faults),
        "incidents": dict(row.incidents),
        "bot": row.entrant.bot_name,
        "bot_version": row.entrant.bot_version,
        "digest": row.entrant.digest,
    }


def _rounded(value: float | None) -> float | None:
    # The last digits are not the same on every machine.
    return None if value is None else round(value, 6)
