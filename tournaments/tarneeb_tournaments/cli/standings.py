"""`tarneeb-referee standings`: the leaderboard of a results file."""

from dataclasses import replace
from pathlib import Path

import click

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.cli.output import write, written
from tarneeb_tournaments.crosstable_format import format_crosstable
from tarneeb_tournaments.formats import FORMATS
from tarneeb_tournaments.standings import RatingKind, compute_standings
from tarneeb_tournaments.store.connection import is_results_file
from tarneeb_tournaments.store.sqlite import read_played, read_results
from tarneeb_tournaments.tempo_format import tempo_by_entrant
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.altered import altered_file_told

_EPILOG = """\b
Columns:
  #              rank
  rating         what the strength is above with 99.9%, by TrueSkill; then its
                 mean and uncertainty
  Elo, ranks     with --rating elo: strength and range of ranks, with 95% intervals
  points, median, Buchholz, h2h, boards
                 of a Swiss tournament: points and tie-breaks
  W-D-L          boards won, drawn and lost, both halves together
  won 95%        share of boards won, with its 95% interval
  pts/board 95%  points more than the opponents, a board
  pts/deal       the same, a deal
  made           contracts made, of those bid
  ms, ms 99%     mean time of a decision, and what 99 of 100 did not exceed
  total s        time of all decisions together
  over, under    tricks that contracts lacked, and that they brought above the bid
  declarer, defender
                 points a deal as the one and as the other
  kaboots        contracts with all thirteen tricks, made and suffered
  7, 8, ...      contracts of that level made, of those bid
A - stands for what can't be computed yet. A narrow terminal gets fewer columns.

\b
Examples:
  tarneeb-referee standings spring.results.sqlite
  tarneeb-referee standings spring.results.sqlite --format csv > spring.csv
  tarneeb-referee standings spring.results.sqlite --rating elo --crosstable
"""


@click.command(short_help="Show the standings of a results file.", epilog=_EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="table",
    show_default=True,
    help="How to write them.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--rating",
    type=click.Choice(["trueskill", "elo"]),
    default="trueskill",
    show_default=True,
    help="Elo comes with intervals, ranges of ranks and chances, and takes longer.",
)
@click.option(
    "--crosstable", is_flag=True, help="Also write who did what against whom. JSON always has it."
)
@click.option(
    "--tempo",
    is_flag=True,
    help="Also compare times with partners' next moves, from all records; takes longer.",
)
def standings(
    file: Path,
    *,
    form: str,
    as_json: bool,
    rating: RatingKind,
    crosstable: bool,
    tempo: bool,
) -> int:
    """Show the standings that follow from the results in FILE.

    FILE is only read, and may belong to a tournament that still runs. Everything is computed anew
    from the results each time.

    Exit codes: 0 done, 2 your mistake, 3 our fault.
    """
    if not is_results_file(file):
        missing = "is empty" if file.exists() else "no such file"
        raise ConfigError(f"{printable(file)}: {missing}; give the results file of a tournament")
    form = "json" if as_json else form
    if crosstable and form in {"csv", "md"}:
        raise click.UsageError(f"--crosstable has no form in {form}; use table or json")
    with altered_file_told(file):
        found = compute_standings(read_results(file), rating=rating)
        if tempo:
            found = replace(found, tempo=tempo_by_entrant(read_played(file)))
        shown = written(found, form)
        if crosstable and form == "table":
            shown += format_crosstable(found)
    write(shown)
    return 0
