"""How strong the sample bots are: duplicate boards, in this process, in all presets.

Run: python benchmarks/sample_strength.py [--boards 60] [--deals 8]

A board is played twice with the teams swapped, both times with the same cards, for a fixed number
of scored deals. What counts is the difference in points over both; a line says its mean, the 95%
interval, and whether that is clear of zero. The exit code is 1 if one is not.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import sys
import time
from pathlib import Path

from tarneeb_sdk import Bot, RuleSet, rule_set
from tarneeb_sdk.game import PRESETS, team_scores
from tarneeb_sdk.testing import play_match

SAMPLES = Path(__file__).resolve().parents[1] / "sample_bots"
DUELS = (("counting", "cautious"), ("cautious", "random"))
CONFIDENCE = statistics.NormalDist().inv_cdf(0.975)


def load_sample(name: str) -> type[Bot]:
    """Load the bot of a sample's folder."""
    spec = importlib.util.spec_from_file_location(f"sample_{name}", SAMPLES / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    bots = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == spec.name
    ]
    assert len(bots) == 1, f"{name} has {len(bots)} bots"
    return bots[0]


def play_board(first: type[Bot], second: type[Bot], *, rules: RuleSet, seed: int) -> int:
    """Play both halves of a board; return the first bot's points less the second's."""
    difference = 0
    for teams, sign in (((first, second), 1), ((second, first), -1)):
        match = play_match(teams, rules=rules, seed=seed)
        ours, theirs = team_scores(match.scores)
        difference += sign * (ours - theirs)
    return difference


def main() -> int:
    """Play every duel in every preset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=60, help="boards a duel (default 60)")
    parser.add_argument("--deals", type=int, default=8, help="scored deals a match (default 8)")
    options = parser.parse_args()
    bots = {name: load_sample(name) for name in {name for duel in DUELS for name in duel}}
    print(f"points a board of twice {options.deals} deals, mean and 95% interval")
    all_clear = True
    for better, worse in DUELS:
        for preset in PRESETS:
            rules = rule_set(preset, deals=options.deals)
            begun = time.perf_counter()
            differences = [
                play_board(bots[better], bots[worse], rules=rules, seed=seed)
                for seed in range(options.boards)
            ]
            mean = statistics.mean(differences)
            half_width = CONFIDENCE * statistics.stdev(differences) / options.boards**0.5
            clear = mean - half_width > 0
            all_clear &= clear
            print(
                f"{better:8} > {worse:8} {preset:16} {mean:+7.1f} "
                f"[{mean - half_width:+.1f}, {mean + half_width:+.1f}]  n={options.boards}  "
                f"{'clear of zero' if clear else 'NOT CLEAR'}  "
                f"({time.perf_counter() - begun:.1f} s)"
            )
    return 0 if all_clear else 1


if __name__ == "__main__":
    sys.exit(main())
