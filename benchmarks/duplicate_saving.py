"""How many matches duplicate boards save: measured with the sample bots, in both games.

Run: python benchmarks/duplicate_saving.py [--boards 200]

A board is played twice with the teams swapped, so that good cards help both bots equally. Two
matches on cards of their own would cost the same. The saving is the ratio of the scatter of these
two to that of the pair: so many times as many matches without duplicate boards give the same
interval. It is computed from the halves of the same boards: without duplicates their luck would be
independent, so the scatter of the sum would be the sum of their scatters. The interval of the
saving is a bootstrap over boards.

It depends on how alike the bots are. The same cards are the same luck only for bots that would do
about the same with them, which is where many matches are needed. A much stronger bot wins with any
cards, and what is left of the luck is how much a deal lets it win; that is the same in both halves,
and adds up.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from tarneeb_sdk import Bot, RuleSet, rule_set
from tarneeb_sdk.game import Card, SeatView, team_scores
from tarneeb_sdk.testing import play_match

SAMPLES = Path(__file__).resolve().parents[1] / "sample_bots"

# How often the tired bot plays just any card.
TIRED = 0.1

DUELS = (("counting", "tired"), ("counting", "cautious"))
PRESETS = ("tarneeb", "syrian41")
REPETITIONS = 2_000

Floats = np.ndarray[Any, np.dtype[np.float64]]


def load_sample(name: str) -> type[Bot]:
    """Load the bot of a sample's folder."""
    names = runpy.run_path(str(SAMPLES / name / "bot.py"), run_name=f"sample_{name}")
    (bot,) = (
        value
        for value in names.values()
        if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
    )
    return bot


def tired(kind: type[Bot]) -> type[Bot]:
    """Make a bot that now and then plays any legal card, and is otherwise the same."""

    class Tired(kind):  # type: ignore[valid-type, misc]
        def play(self, view: SeatView) -> Card:
            if self.rng.random() < TIRED:
                card = self.rng.choice(view.legal)
                assert isinstance(card, Card)
                return card
            played = super().play(view)
            assert isinstance(played, Card)
            return played

    return Tired


def play_halves(
    first: type[Bot], second: type[Bot], *, rules: RuleSet, seed: int
) -> tuple[float, float]:
    """Play both halves of a board; return the first bot's points less the second's in each."""
    leads = []
    for teams, sign in (((first, second), 1), ((second, first), -1)):
        ours, theirs = team_scores(play_match(teams, rules=rules, seed=seed).scores)
        leads.append(float(sign * (ours - theirs)))
    return leads[0], leads[1]


def saving(halves: Floats) -> float:
    """Divide the scatter that independent halves would have by that of the pairs.

    Args:
        halves: boards by two.
    """
    apart = halves.var(axis=0, ddof=1).sum()
    together = halves.sum(axis=1).var(ddof=1)
    return float(apart / together)


def main() -> int:
    """Measure every duel in both games, for a target and for a fixed number of deals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=200, help="boards a duel (default 200)")
    options = parser.parse_args()
    if options.boards < 20:
        parser.error("a scatter needs at least 20 boards")
    bots = {name: load_sample(name) for name in ("counting", "cautious")}
    bots["tired"] = tired(bots["counting"])
    rng = np.random.RandomState(1)
    print("matches that duplicate boards save, with 95% interval")
    for preset in PRESETS:
        for deals in (None, 8):
            rules = rule_set(preset, deals=deals)
            for first, second in DUELS:
                begun = time.perf_counter()
                halves = np.array(
                    [
                        play_halves(bots[first], bots[second], rules=rules, seed=seed)
                        for seed in range(options.boards)
                    ]
                )
                samples = [
                    saving(halves[rng.randint(0, len(halves), len(halves))])
                    for _ in range(REPETITIONS)
                ]
                low, high = np.quantile(samples, (0.025, 0.975))
                length = f"to {rules.target}" if deals is None else f"{deals} deals"
                print(
                    f"{preset:9} {length:8} {first} v {second:8} "
                    f"{saving(halves):5.2f} times [{low:.2f}, {high:.2f}]  "
                    f"mean {halves.sum(axis=1).mean():+6.1f} a board  n={len(halves)}  "
                    f"({time.perf_counter() - begun:.0f} s)"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
