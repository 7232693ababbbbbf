"""`tarneeb-referee match`: two bots, a few boards, no file."""

import click

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.settings import MAX_TABLES, MatchSettings
from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game import PRESETS, RulesError, RuleSet, rule_set
from tarneeb_tournaments.cli.output import INTERRUPTED, progress_shown, show, write
from tarneeb_tournaments.config import Entrant, TournamentConfig
from tarneeb_tournaments.fault_lines import first_faults
from tarneeb_tournaments.names import unused_name
from tarneeb_tournaments.organizer import InterruptedRunError, run_match
from tarneeb_tournaments.standings import compute_standings

_EXAMPLES = """\b
Examples:
  tarneeb-referee match sample:counting sample:cautious
  tarneeb-referee match my_bot sample:counting --boards 64 --preset syrian41 --json
"""


@click.command(short_help="Play a quick match of two bots.", epilog=_EXAMPLES)
@click.argument("bot_a", metavar="A")
@click.argument("bot_b", metavar="B")
@click.option(
    "--boards",
    type=click.IntRange(1, 100_000),
    default=16,
    show_default=True,
    help="Each is played twice, with the teams swapped.",
)
@click.option("--preset", type=click.Choice(list(PRESETS)), default="tarneeb", show_default=True)
@click.option("--target", type=int, help="The score that wins; by default the preset's.")
@click.option("--deals", type=int, help="So many scored deals a match, instead of a target.")
@click.option(
    "--tables",
    type=click.IntRange(1, MAX_TABLES),
    help="How many boards to play at once; by default by the speed of the bots.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the standings as JSON.")
def match(
    bot_a: str,
    bot_b: str,
    *,
    boards: int,
    preset: str,
    target: int | None,
    deals: int | None,
    tables: int | None,
    as_json: bool,
) -> int:
    """Let the bots A and B play, and show how they compare.

    A and B are folders with a bot.toml, or sample:<name>. It is the referee of a tournament, with
    its clocks and its faults, on deals that nobody has seen; nothing is kept.

    Exit codes: 0 all is played, 2 your mistake, 3 our fault, 130 interrupted.
    """
    if target is not None and deals is not None:
        raise click.UsageError("--target and --deals exclude each other; give one of the two")
    try:
        rules = rule_set(preset, target=target, deals=deals)
    except RulesError as error:
        option = "--deals" if target is None else "--target"
        raise ConfigError(f"{option}: {error}") from error
    config = _tournament_of_two(bot_a, bot_b, rules, boards=boards, tables=tables)
    try:
        with progress_shown() as progress:
            found, faults = run_match(config, progress=progress)
    except InterruptedRunError:
        return INTERRUPTED
    show(compute_standings(found), "json" if as_json else "table")
    if not as_json:
        write("".join(f"{line}\n" for line in first_faults(found, faults)))
    return 0


def _tournament_of_two(
    bot_a: str, bot_b: str, rules: RuleSet, *, boards: int, tables: int | None
) -> TournamentConfig:
    first, second = load_bot(bot_a), load_bot(bot_b)
    return TournamentConfig(
        name=f"{first.name} v {second.name}",
        schedule={"schedule": "round-robin", "times": 1},
        boards=boards,
        settings=MatchSettings(rules=rules),
        entrants=(
            Entrant(id="e1", name=first.name, bot=first),
            Entrant(id="e2", name=unused_name(second.name, [first.name]), bot=second),
        ),
        tables=tables,
    )
