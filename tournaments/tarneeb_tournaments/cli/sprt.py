"""`tarneeb-referee sprt`: is the new version stronger? Play until it is known."""

import json
import shlex
import sys
from pathlib import Path

import click

from tarneeb_tournaments.cli.duel import (
    duel,
    rules_from,
    rules_options,
    sandbox_option,
    tables_option,
)
from tarneeb_tournaments.cli.output import INTERRUPTED, tell_stored, write
from tarneeb_tournaments.hosting import with_images
from tarneeb_tournaments.interrupts import InterruptedRunError
from tarneeb_tournaments.organizer import run_test
from tarneeb_tournaments.sandbox_config import Kind
from tarneeb_tournaments.sprt import SprtSettings
from tarneeb_tournaments.sprt_match import SprtConduct, new_test
from tarneeb_tournaments.sprt_reporting import sprt_json, sprt_progress_on, sprt_text

_EXAMPLES = """\b
Examples:
  tarneeb-referee sprt my_bot sample:counting
  tarneeb-referee sprt new_version old_version --elo0 0 --elo1 10 --results test.sqlite
  tarneeb-referee sprt a_strangers_bot sample:counting --sandbox docker
"""


@click.command(short_help="Test whether a new bot is stronger.", epilog=_EXAMPLES)
@click.argument("new")
@click.argument("base")
@click.option(
    "--elo0",
    type=float,
    default=0.0,
    show_default=True,
    help="NEW that is stronger by this, or by less, should fail.",
)
@click.option(
    "--elo1",
    type=float,
    default=20.0,
    show_default=True,
    help="NEW that is stronger by this, or by more, should pass.",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="How often it may pass at elo0."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="How often it may fail at elo1."
)
@rules_options
@click.option(
    "--max-boards",
    type=click.IntRange(1, 100_000),
    default=20_000,
    show_default=True,
    help="Give up after so many.",
)
@tables_option
@sandbox_option
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="Where the results are kept, to go on from after an interruption.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the result as JSON.")
def sprt(
    new: str,
    base: str,
    *,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    preset: str,
    target: int | None,
    deals: int | None,
    max_boards: int,
    tables: int | None,
    sandbox: Kind,
    results: Path | None,
    as_json: bool,
) -> int:
    """Play boards until it is known whether the bot NEW is stronger than the bot BASE.

    NEW and BASE are folders with a bot.toml, or sample:<name>. It is the referee of a tournament.
    After each board, which is played twice with the teams swapped, a sequential probability ratio
    test (GSPRT, as fishtest and fastchess use it) tells whether to go on. With --results the same
    command goes on with a test that was interrupted.

    Exit codes: 0 the test has ended, 2 your mistake, 3 our fault, 130 interrupted.
    """
    settings = SprtSettings(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    reason = settings.verify()
    if reason is not None:
        raise click.UsageError(reason)
    rules = rules_from(preset=preset, target=target, deals=deals)
    config = duel(new, base, rules, name="Test", boards=max_boards, tables=tables, sandbox=sandbox)
    go_on = None if results is None else shlex.join(["tarneeb-referee", *sys.argv[1:]])
    with sprt_progress_on(sys.stderr) as progress:
        try:
            config = with_images(config, note=progress.note)
            found = run_test(
                config,
                new_test(config, settings),
                results,
                conduct=SprtConduct(settings, on_state=progress.tested),
                progress=progress,
                go_on=go_on,
            )
        except InterruptedRunError:
            if results is not None:
                tell_stored(progress, results)
            return INTERRUPTED
    if as_json:
        write(json.dumps(sprt_json(found), indent=2, ensure_ascii=False) + "\n")
    else:
        write(sprt_text(found))
    return 0
