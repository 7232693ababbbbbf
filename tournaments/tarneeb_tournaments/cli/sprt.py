"""`tarneeb-referee sprt`: is the new version stronger? Play until it is known."""

import json
import shlex
import sys
from pathlib import Path

import click

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.settings import MAX_TABLES, MatchSettings
from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game import PRESETS, RulesError, rule_set
from tarneeb_tournaments.cli.output import INTERRUPTED, tell_stored, write
from tarneeb_tournaments.config import Entrant, TournamentConfig
from tarneeb_tournaments.names import unused_name
from tarneeb_tournaments.organizer import InterruptedRunError, run_test
from tarneeb_tournaments.sprt import SprtSettings
from tarneeb_tournaments.sprt_match import SprtConduct, new_test
from tarneeb_tournaments.sprt_reporting import sprt_json, sprt_progress_on, sprt_text

_EXAMPLES = """\b
Examples:
  tarneeb-referee sprt my_bot sample:counting
  tarneeb-referee sprt new_version old_version --elo0 0 --elo1 10 --results test.sqlite
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
@click.option("--preset", type=click.Choice(list(PRESETS)), default="tarneeb", show_default=True)
@click.option("--target", type=int, help="The score that wins; by default the preset's.")
@click.option("--deals", type=int, help="So many scored deals a match, instead of a target.")
@click.option(
    "--max-boards",
    type=click.IntRange(1, 100_000),
    default=20_000,
    show_default=True,
    help="Give up after so many.",
)
@click.option(
    "--tables",
    type=click.IntRange(1, MAX_TABLES),
    help="How many boards to play at once; by default by the speed of the bots.",
)
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
    if target is not None and deals is not None:
        raise click.UsageError("--target and --deals exclude each other; give one of the two")
    settings = SprtSettings(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    reason = settings.verify()
    if reason is not None:
        raise click.UsageError(reason)
    config = _config(
        new, base, preset=preset, target=target, deals=deals, boards=max_boards, tables=tables
    )
    go_on = None if results is None else shlex.join(["tarneeb-referee", *sys.argv[1:]])
    with sprt_progress_on(sys.stderr) as progress:
        try:
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


def _config(
    new: str,
    base: str,
    *,
    preset: str,
    target: int | None,
    deals: int | None,
    boards: int,
    tables: int | None,
) -> TournamentConfig:
    try:
        rules = rule_set(preset, target=target, deals=deals)
    except RulesError as error:
        option = "--deals" if target is None else "--target"
        raise ConfigError(f"{option}: {error}") from error
    first, second = load_bot(new), load_bot(base)
    return TournamentConfig(
        name="Test",
        schedule={"schedule": "round-robin", "times": 1},
        boards=boards,
        settings=MatchSettings(rules=rules),
        entrants=(
            Entrant(id="e1", name=first.name, bot=first),
            Entrant(id="e2", name=unused_name(second.name, [first.name]), bot=second),
        ),
        tables=tables,
    )
