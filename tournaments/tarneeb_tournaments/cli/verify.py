"""`tarneeb-referee verify`: prove a results file, or say what is wrong in it."""

import json
from pathlib import Path

import click

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.cli.output import progress_shown, write
from tarneeb_tournaments.store.connection import is_results_file
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.report import verdict_json, verdict_text, verify_file

_EXAMPLES = """\b
Examples:
  tarneeb-referee verify spring.results.sqlite
  tarneeb-referee verify spring.results.sqlite --json
"""


@click.command(short_help="Check that a results file is true.", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Write the verdict as JSON.")
def verify(file: Path, *, as_json: bool) -> int:
    """Check everything that can be checked in FILE, with nothing but FILE.

    The secret hashes to what was published, and every deal follows from it; every move is legal
    and every score right; no board is missing or doubled; the pairings follow from the seed and
    the results; all sums follow from the matches; and the chain of records is unbroken. The first
    thing that is wrong is named in one line.

    While the tournament runs, all is checked that needs no secret.

    Exit codes: 0 nothing is wrong, 1 something is, 2 your mistake, 3 our fault.
    """
    if not is_results_file(file):
        missing = "is empty" if file.exists() else "no such file"
        raise ConfigError(f"{printable(file)}: {missing}; give the results file of a tournament")
    with progress_shown() as progress:
        verdict = verify_file(
            file,
            on_progress=lambda checked, total: progress.advance(stored=checked, due=total),
        )
    if as_json:
        write(json.dumps(verdict_json(verdict), indent=2, ensure_ascii=False) + "\n")
    else:
        write(verdict_text(verdict))
    return 0 if verdict.wrong is None else 1
