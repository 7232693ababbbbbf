"""`tarneeb-referee match`: two bots, a few boards, no file."""

import click

from tarneeb_tournaments.cli.duel import (
    duel,
    rules_from,
    rules_options,
    sandbox_option,
    tables_option,
)
from tarneeb_tournaments.cli.output import INTERRUPTED, progress_shown, show, write
from tarneeb_tournaments.fault_lines import first_faults
from tarneeb_tournaments.interrupts import InterruptedRunError
from tarneeb_tournaments.organizer import run_match
from tarneeb_tournaments.sandbox_config import Kind
from tarneeb_tournaments.standings import compute_standings

_EXAMPLES = """\b
Examples:
  tarneeb-referee match sample:counting sample:cautious
  tarneeb-referee match my_bot sample:counting --boards 64 --preset syrian41 --json
  tarneeb-referee match a_strangers_bot sample:counting --sandbox docker
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
@rules_options
@tables_option
@sandbox_option
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
    sandbox: Kind,
    as_json: bool,
) -> int:
    """Let the bots A and B play, and show how they compare.

    A and B are folders with a bot.toml, or sample:<name>. It is the referee of a tournament, with
    its clocks and its faults, on deals that nobody has seen; nothing is kept.

    Exit codes: 0 all is played, 2 your mistake, 3 our fault, 130 interrupted.
    """
    rules = rules_from(preset=preset, target=target, deals=deals)
    config = duel(bot_a, bot_b, rules, boards=boards, tables=tables, sandbox=sandbox)
    try:
        with progress_shown() as progress:
            found, faults = run_match(config, progress=progress)
    except InterruptedRunError:
        return INTERRUPTED
    show(compute_standings(found), "json" if as_json else "table")
    if not as_json:
        write("".join(f"{line}\n" for line in first_faults(found, faults)))
    return 0
