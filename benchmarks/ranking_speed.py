"""How long ranking takes: schedules, ratings, tables, the sequential test; and the peak of memory.

Run: python benchmarks/ranking_speed.py

The results are made up. Each figure stands beside its goal where there is one; the exit code is 1
if one is missed. Seconds are those of the processor, so that a busy machine changes little.
"""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from time import process_time
from typing import TypeVar

from tarneeb_tournaments.elo import fit_elo
from tarneeb_tournaments.elo_bootstrap import REPETITIONS, bootstrap_elo
from tarneeb_tournaments.pairs import BoardKey, Outcome, PairResult
from tarneeb_tournaments.rating import rate_pairs
from tarneeb_tournaments.schedule import Individual, PairingResult, Schedule, Swiss
from tarneeb_tournaments.sprt import SprtSettings, sprt_state
from tarneeb_tournaments.stats.crosstable import crosstable
from tarneeb_tournaments.stats.pair_inputs import board_scores, elo_tallies
from tarneeb_tournaments.tiebreaks import rank_entrants

T = TypeVar("T")

GOAL_ROUND_S = 1.0
GOAL_STANDINGS_S = 1.0
GOAL_TRUESKILL_S = 5.0
GOAL_MEMORY_MB = 500

MET = "met"
MISSED = "MISSED"


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """Call once, and tell how many seconds of the processor it took."""
    begun = process_time()
    value = call()
    return value, process_time() - begun


def ids(count: int) -> list[str]:
    """Name so many entrants."""
    return [f"e{number:04}" for number in range(1, count + 1)]


def play_rounds(
    schedule: Schedule, entrants: list[str], rng: random.Random
) -> tuple[list[PairingResult], list[float]]:
    """Play a schedule with results by chance, and time each round's pairing."""
    results: list[PairingResult] = []
    times: list[float] = []
    while True:
        pairings, taken = timed(lambda: schedule.next_pairings(entrants, results))
        if not pairings:
            return results, times
        times.append(taken)
        for pairing in pairings:
            won = rng.randint(0, 32) / 2
            results.append(
                PairingResult.bye(pairing)
                if pairing.is_bye
                else PairingResult(pairing, (won, 16 - won))
            )


def made_up_pairs(count: int, entrants: list[str], rng: random.Random) -> Iterator[PairResult]:
    """Spread so many boards over all pairings of the entrants; the first of two wins more often."""
    meetings = list(combinations(entrants, 2))
    for number in range(count):
        first, second = meetings[number % len(meetings)]
        outcome = rng.choices([Outcome.FIRST, Outcome.DRAW, Outcome.SECOND], [6, 1, 3])[0]
        key = BoardKey(1, number % len(meetings) + 1, number // len(meetings) + 1)
        yield PairResult(key, first, second, rng.randint(-60, 70), outcome)


class Report:
    """Prints figures, and counts the goals that are missed."""

    def __init__(self) -> None:
        self.missed = 0

    def add(self, what: str, taken_s: float, goal_s: float | None = None) -> None:
        """Print how many seconds something took."""
        print(f"{what:58} {taken_s:8.3f} s{self._verdict(taken_s, goal_s, 's')}")

    def add_memory(self) -> None:
        """Print the peak of memory so far."""
        memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        verdict = self._verdict(memory_mb, GOAL_MEMORY_MB, "MB")
        print(f"{'peak of memory':58} {memory_mb:8.0f} MB{verdict}")

    def _verdict(self, found: float, goal: float | None, unit: str) -> str:
        if goal is None:
            return ""
        self.missed += found > goal
        return f"  goal {goal:g} {unit}: {MET if found <= goal else MISSED}"


def measure_schedules(report: Report, rng: random.Random) -> None:
    """Time each round's pairing in large fields."""
    results, times = play_rounds(Swiss(10), ids(1_000), rng)
    report.add("Swiss, 1,000 entrants, slowest of 10 rounds", max(times), GOAL_ROUND_S)
    report.add("  all 10 rounds", sum(times))
    report.add("  ranking with tie-breaks", timed(lambda: rank_entrants(ids(1_000), results))[1])
    _, times = play_rounds(Swiss(10), ids(999), rng)
    report.add("Swiss, 999 entrants, slowest of 10 rounds", max(times), GOAL_ROUND_S)
    _, times = play_rounds(Swiss(63), ids(64), rng)
    report.add("Swiss, 64 entrants, slowest of 63 rounds", max(times))
    _, times = play_rounds(Individual(10), ids(1_000), rng)
    report.add("individual, 1,000 entrants, slowest of 10 rounds", max(times))


def measure_table(report: Report, count: int, pairs: list[PairResult]) -> None:
    """Time what standings compute from the pairs of so many entrants."""
    tallies, counting = timed(lambda: elo_tallies(pairs))
    _, fitting = timed(lambda: fit_elo(ids(count), tallies))
    report.add(f"Elo, {count:,} entrants, 25,000 pairs", counting + fitting, GOAL_STANDINGS_S)
    _, taken = timed(lambda: bootstrap_elo(ids(count), tallies, seed=1))
    report.add(f"  bootstrap, {REPETITIONS} repetitions", taken)
    table, taken = timed(lambda: crosstable(board_scores(pairs)))
    report.add(f"  crosstable, {len(table) // 2:,} cells", taken)


def swiss_pairs(rng: random.Random) -> list[PairResult]:
    """Make up five boards for each pairing of 1,000 entrants in 10 rounds of Swiss."""
    results, _ = play_rounds(Swiss(10), ids(1_000), rng)
    return [
        PairResult(
            BoardKey(each.pairing.round, each.pairing.number, board),
            each.pairing.first,
            str(each.pairing.second),
            rng.randint(-60, 60),
            rng.choice([Outcome.FIRST, Outcome.SECOND]),
        )
        for each in results
        for board in range(1, 6)
    ]


def main() -> int:
    """Measure everything once."""
    rng = random.Random(1)
    report = Report()
    measure_schedules(report, rng)
    pairs = list(made_up_pairs(10_000, ids(16), rng))
    report.add("TrueSkill, 10,000 pairs", timed(lambda: rate_pairs(pairs))[1], GOAL_TRUESKILL_S)
    # 50,000 matches are 25,000 pairs.
    for count in (32, 200):
        measure_table(report, count, list(made_up_pairs(25_000, ids(count), rng)))
    measure_table(report, 1_000, swiss_pairs(rng))
    boards = rng.choices([0, 1, 2], [40, 10, 42], k=10_000)
    _, taken = timed(lambda: sprt_state(SprtSettings(elo1=2), boards))
    report.add("sequential test, 10,000 boards", taken)
    report.add_memory()
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
