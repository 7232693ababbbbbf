"""`tarneeb-referee standings`: the leaderboard of a results file."""

from pathlib import Path

import click

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.cli.output import show
from tarneeb_tournaments.formats import FORMATS
from tarneeb_tournaments.standings import compute_standings
from tarneeb_tournaments.store.connection import is_results_file
from tarneeb_tournaments.store.sqlite import read_results
from tarneeb_tournaments.text import printable

_EXAMPLES = """\b
Examples:
  tarneeb-referee standings spring.results.sqlite
  tarneeb-referee standings spring.results.sqlite --format csv > spring.csv
"""


@click.command(short_help="Show the standings of a results file.", epilog=_EXAMPLES)
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
def standings(file: Path, *, form: str, as_json: bool) -> int:
    """Show the standings that follow from the results in FILE.

    FILE is only read, and may belong to a tournament that still runs. Everything is computed anew
    from the results each time.

    Exit codes: 0 done, 2 your mistake, 3 our fault.
    """
    if not is_results_file(file):
        missing = "is empty" if file.exists() else "no such file"
        raise ConfigError(f"{printable(file)}: {missing}; give the results file of a tournament")
    show(compute_standings(read_results(file)), "json" if as_json else form)
    return 0
