"""Compare the rules core with OpenSpiel's `spades` in decisions a second, and price a copy.

Both play random legal deals in one process, by the same loop and round by round in turns, so that
what slows the machine slows both. A round is timed twice:

- *whole deals*, from nothing dealt to the last card. Each engine deals in its own way: the core
  takes a shuffled deck, OpenSpiel goes through its 52 chance nodes. The goal is set for this.
- *moves alone*: the deals lie ready, and only calls and cards are timed.

Only what a player decides counts as a decision. Needs `open_spiel` (the `bench` extra).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from time import perf_counter_ns
from typing import Any, TypeAlias

from tarneeb_sdk.game import ALL_CARDS, Deal, deal_out, rule_set, start_deal

GOAL_RATIO = 2.0
GOAL_COPY_NS = 2000

Chance: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The figures of one run: medians over its rounds.

    Attributes:
        core_per_s: decisions a second of the core in whole deals of Tarneeb.
        syrian41_per_s: the same in Syrian 41.
        open_spiel_per_s: decisions a second of OpenSpiel in whole deals of spades.
        ratio: `core_per_s` over `open_spiel_per_s`, the median of the rounds' ratios.
        core_moves_per_s: the core, moves alone.
        open_spiel_moves_per_s: OpenSpiel, moves alone.
        moves_ratio: the median of the rounds' ratios, moves alone.
        copy_ns: one `Deal.copy` in mid-play.
        decision_ns: one decision of the core in whole deals.
    """

    core_per_s: float
    syrian41_per_s: float
    open_spiel_per_s: float
    ratio: float
    core_moves_per_s: float
    open_spiel_moves_per_s: float
    moves_ratio: float
    copy_ns: float
    decision_ns: float

    @property
    def reached(self) -> bool:
        """Whether both goals hold."""
        return self.ratio >= GOAL_RATIO and self.copy_ns < max(GOAL_COPY_NS, self.decision_ns)


def core_deals(preset: str, count: int, rng: random.Random) -> Iterator[Deal]:
    """Deal so many deals, one as each is asked for."""
    rules = rule_set(preset)
    chance = rng.random
    for number in range(count):
        dealer = number & 3
        deck = sorted(ALL_CARDS, key=lambda _card: chance())
        yield start_deal(rules, dealer=dealer, hands=deal_out(deck, dealer=dealer))


def open_spiel_deals(count: int, rng: random.Random) -> Iterator[Any]:
    """Deal so many deals of spades, one as each is asked for."""
    import pyspiel

    game = pyspiel.load_game("spades")
    chance = rng.random
    for _ in range(count):
        state = game.new_initial_state()
        while state.is_chance_node():
            # The 52 outcomes are equally likely, so none of their probabilities is looked at.
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(chance() * len(outcomes))][0])
        yield state


def play_core(deals: Iterable[Deal], chance: Chance) -> int:
    """Play the deals to their ends and count the decisions."""
    decisions = 0
    for deal in deals:
        while deal.turn is not None:
            legal = deal.legal_moves()
            deal.apply(legal[int(chance() * len(legal))])
            decisions += 1
    return decisions


def play_open_spiel(states: Iterable[Any], chance: Chance) -> int:
    """Play the deals to their ends and count the decisions."""
    decisions = 0
    for state in states:
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(chance() * len(legal))])
            decisions += 1
    return decisions


def per_second(play: Callable[[Any, Chance], int], deals: Iterable[Any], seed: int) -> float:
    """Time one engine over some deals; what an iterator deals on the way is timed too."""
    chance = random.Random(seed).random
    start = perf_counter_ns()
    decisions = play(deals, chance)
    return decisions * 1e9 / (perf_counter_ns() - start)


def copy_cost_ns(rng: random.Random, *, deals: int = 50, times: int = 200) -> float:
    """Time `Deal.copy` at random places of the play."""
    halfway: list[Deal] = []
    for deal in core_deals("tarneeb", deals, rng):
        stop = rng.randrange(1, 52)
        while deal.turn is not None and len(deal.plays) < stop:
            deal.apply(rng.choice(deal.legal_moves()))
        if deal.turn is not None:
            halfway.append(deal)
    start = perf_counter_ns()
    for deal in halfway:
        for _ in range(times):
            deal.copy()
    return (perf_counter_ns() - start) / (times * len(halfway))


def measure(*, deals: int, rounds: int, seed: int) -> Report:
    """Run all rounds."""
    rng = random.Random(seed)
    rows = [
        (
            per_second(play_core, core_deals("tarneeb", deals, rng), turn),
            per_second(play_open_spiel, open_spiel_deals(deals, rng), turn),
            per_second(play_core, core_deals("syrian41", deals, rng), turn),
            per_second(play_core, list(core_deals("tarneeb", deals, rng)), turn),
            per_second(play_open_spiel, list(open_spiel_deals(deals, rng)), turn),
            copy_cost_ns(rng),
        )
        for turn in range(rounds)
    ]
    core, spiel, syrian, core_moves, spiel_moves, copy_ns = map(
        statistics.median, zip(*rows, strict=True)
    )
    return Report(
        core_per_s=core,
        syrian41_per_s=syrian,
        open_spiel_per_s=spiel,
        ratio=statistics.median(row[0] / row[1] for row in rows),
        core_moves_per_s=core_moves,
        open_spiel_moves_per_s=spiel_moves,
        moves_ratio=statistics.median(row[3] / row[4] for row in rows),
        copy_ns=copy_ns,
        decision_ns=1e9 / core,
    )


def tell(report: Report) -> None:
    """Print the figures as a table."""
    print("random legal play, decisions a second   whole deals   moves alone")
    print(
        f"  tarneeb_sdk.game, tarneeb   {report.core_per_s:19,.0f}{report.core_moves_per_s:14,.0f}"
    )
    print(f"  tarneeb_sdk.game, syrian41  {report.syrian41_per_s:19,.0f}")
    print(
        f"  OpenSpiel, spades           {report.open_spiel_per_s:19,.0f}"
        f"{report.open_spiel_moves_per_s:14,.0f}"
    )
    print(
        f"  ratio (goal {GOAL_RATIO}, whole deals) {report.ratio:18.2f}{report.moves_ratio:14.2f}"
    )
    print(
        f"copy in mid-play: {report.copy_ns:,.0f} ns (goal: under {GOAL_COPY_NS:,} ns, or one "
        f"decision: {report.decision_ns:,.0f} ns)"
    )


def main() -> int:
    """Print the figures; exit 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description="the speed of the rules core beside OpenSpiel's")
    parser.add_argument("--deals", type=int, default=100, help="deals a round (100)")
    parser.add_argument("--rounds", type=int, default=50, help="rounds to take medians of (50)")
    parser.add_argument("--seed", type=int, default=1, help="of the deals and of the play (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    try:
        report = measure(deals=options.deals, rounds=options.rounds, seed=options.seed)
    except ModuleNotFoundError as error:
        if error.name != "pyspiel":
            raise
        print("open_spiel is missing: pip install 'tarneeb-referee[bench]'", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(asdict(report)))
    else:
        tell(report)
    return 0 if report.reached else 1


if __name__ == "__main__":
    sys.exit(main())
