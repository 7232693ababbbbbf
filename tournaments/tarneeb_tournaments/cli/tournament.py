"""`tarneeb-referee tournament`: run a tournament, or go on with it."""

import shlex
from pathlib import Path

import click

from tarneeb_tournaments.cli.output import INTERRUPTED, progress_shown, show, tell_stored
from tarneeb_tournaments.interrupts import InterruptedRunError
from tarneeb_tournaments.organizer import default_results_path, run_file
from tarneeb_tournaments.standings import compute_standings

_EXAMPLES = """\b
Examples:
  tarneeb-referee tournament tournaments/demo.toml
  tarneeb-referee tournament spring.toml --results /data/spring.sqlite --json
"""


@click.command(short_help="Run a tournament, or go on with it.", epilog=_EXAMPLES)
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="Where the results are kept. By default beside CONFIG, as NAME.results.sqlite.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the standings as JSON.")
def tournament(config: Path, results: Path | None, *, as_json: bool) -> int:
    """Play the tournament that the file CONFIG describes, and show its standings.

    The file and every bot are checked before anything is played. When the results file is there
    already, the run goes on from it; it refuses if the file or a bot has changed since. A run that
    is interrupted, or killed, loses nothing that had a result.

    Exit codes: 0 all is played, 2 your mistake, 3 our fault, 130 interrupted.
    """
    where = results or default_results_path(config)
    go_on = ["tarneeb-referee", "tournament", str(config)]
    if results is not None:
        go_on += ["--results", str(results)]
    if as_json:
        go_on.append("--json")
    with progress_shown() as progress:
        try:
            found = run_file(config, where, progress=progress, go_on=shlex.join(go_on))
        except InterruptedRunError:
            tell_stored(progress, where)
            return INTERRUPTED
    show(compute_standings(found), "json" if as_json else "table")
    return 0
