"""What the commands share that play two bots and need no tournament's file."""

from collections.abc import Callable
from typing import TypeVar

import click

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.settings import MAX_TABLES, MatchSettings
from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game import PRESETS, RulesError, RuleSet, rule_set
from tarneeb_tournaments.config import Entrant, TournamentConfig
from tarneeb_tournaments.names import unused_name
from tarneeb_tournaments.sandbox_config import Kind, SandboxSection, make_sandbox

Command = TypeVar("Command", bound=Callable[..., object])

_RULES = (
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default="tarneeb", show_default=True
    ),
    click.option("--target", type=int, help="The score that wins; by default the preset's."),
    click.option("--deals", type=int, help="So many scored deals a match, instead of a target."),
)

tables_option = click.option(
    "--tables",
    type=click.IntRange(1, MAX_TABLES),
    help="How many boards to play at once; by default by the speed of the bots.",
)

sandbox_option = click.option(
    "--sandbox",
    type=click.Choice(["process", "docker"]),
    default="process",
    show_default=True,
    help="Run the bots as processes, or each in a container.",
)


def rules_options(command: Command) -> Command:
    """Add `--preset`, `--target` and `--deals`; `rules_from` takes their values."""
    for option in reversed(_RULES):
        command = option(command)
    return command


def rules_from(*, preset: str, target: int | None, deals: int | None) -> RuleSet:
    """Make the rules of a match.

    Raises:
        UsageError: a target and a number of deals.
        ConfigError: the preset does not have them.
    """
    if target is not None and deals is not None:
        raise click.UsageError("--target and --deals exclude each other; give one of the two")
    try:
        return rule_set(preset, target=target, deals=deals)
    except RulesError as error:
        option = "--deals" if target is None else "--target"
        raise ConfigError(f"{option}: {error}") from error


def duel(
    first: str,
    second: str,
    rules: RuleSet,
    *,
    name: str | None = None,
    boards: int,
    tables: int | None,
    sandbox: Kind,
) -> TournamentConfig:
    """Set up one pairing.

    Args:
        first: a bot's folder, or `sample:<name>`.
        second: the other one.
        rules: of every match.
        name: of the tournament; the bots' names by default.
        boards: each is played twice.
        tables: how many matches at once; None to choose.
        sandbox: where the bots run.

    Raises:
        ConfigError: there is no such bot.
    """
    runs_here = sandbox == "process"
    one, other = (load_bot(bot, runs_here=runs_here) for bot in (first, second))
    return TournamentConfig(
        name=name or f"{one.name} v {other.name}",
        schedule={"schedule": "round-robin", "times": 1},
        boards=boards,
        settings=MatchSettings(rules=rules),
        entrants=(
            Entrant(id="e1", name=one.name, bot=one),
            Entrant(id="e2", name=unused_name(other.name, [one.name]), bot=other),
        ),
        tables=tables,
        sandbox=make_sandbox(SandboxSection.model_validate({"kind": sandbox})),
    )
