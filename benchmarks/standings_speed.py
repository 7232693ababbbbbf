"""How long standings take, and one more match, when a results file is large.

50,000 matches as rows, the cards play no part in it: of 26 entrants who all met, and of 1,000 after
10 rounds of Swiss. Standings are timed by the processor's seconds, so that a busy machine changes
little; storing waits for the disk, so by the clock. The exit code is 1 if a goal is missed.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from tarneeb_tournaments.formats import format_table
from tarneeb_tournaments.results import (
    EntrantRow,
    MatchKey,
    MatchRow,
    SeatTimes,
    StoredMatch,
    TournamentInfo,
)
from tarneeb_tournaments.rounds import first_pairings, next_step, settled_results
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.standings import compute_standings
from tarneeb_tournaments.stats.behaviour import Behaviour, LevelCount
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results

GOAL_STANDINGS_S = 1.0
GOAL_STORING_MS = 10.0
RECORD_BYTES = 2_000
"""About what a match to 41 takes."""

ALONE = 100
"""So many matches are stored one by one."""


def main() -> int:
    """Fill a results file for each of two tournaments, and time what is done with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "round-robin.sqlite"
        info = made_up(26, boards=77, schedule={"schedule": "round-robin", "times": 1})
        storing_ms = fill_at_once(path, info)
        slowest_s = measure_standings(path)
        path = Path(folder) / "swiss.sqlite"
        info = made_up(1_000, boards=5, schedule={"schedule": "swiss", "rounds": 10})
        fill_by_rounds(path, info)
        slowest_s = max(slowest_s, measure_standings(path))
    return 1 if slowest_s > GOAL_STANDINGS_S or storing_ms > GOAL_STORING_MS else 0


def made_up(entrants: int, *, boards: int, schedule: Mapping[str, str | int]) -> TournamentInfo:
    """Make a tournament of bots that are nowhere."""
    ids = [f"e{number}" for number in range(1, entrants + 1)]
    return TournamentInfo(
        name="Large",
        settings={"tournament": {"boards": boards, **schedule}},
        entrants=tuple(EntrantRow(each, each, "Bot", "1", "0" * 64) for each in ids),
        public_seed="0" * 64,
        secret=bytes(32),
    )


def fill_at_once(path: Path, info: TournamentInfo) -> float:
    """Store all matches of a planned tournament, the last ones by themselves.

    Returns:
        How long each of these took, in milliseconds; the median, since now and then something else
        keeps the disk busy.
    """
    pairings, _ = first_pairings(info)
    matches = all_matches(pairings, info.boards)
    with closing(SqliteStore.create(path, info, pairings)) as store:
        start = time.perf_counter()
        store_all(store, matches[:-ALONE])
        each_us = (time.perf_counter() - start) / (len(matches) - ALONE) * 1e6
        print(f"storing {len(matches):,} matches: {each_us:.0f} us each, in groups")
        took_ms = []
        for match in matches[-ALONE:]:
            start = time.perf_counter()
            store_all(store, [match])
            took_ms.append((time.perf_counter() - start) * 1e3)
    storing_ms = statistics.median(took_ms)
    print(f"storing one more, by itself: {storing_ms:.1f} ms (goal {GOAL_STORING_MS:g} ms)")
    return storing_ms


def fill_by_rounds(path: Path, info: TournamentInfo) -> None:
    """Store all matches of a tournament whose rounds follow from results."""
    pairings, is_final = first_pairings(info)
    with closing(SqliteStore.create(path, info, pairings, is_final=is_final)) as store:
        while not is_final:
            store_all(store, all_matches(pairings, info.boards))
            step = next_step(info, settled_results(store.read()), suspended=frozenset())
            store.submit(step).result()
            pairings, is_final = step.pairings, step.is_final


def measure_standings(path: Path) -> float:
    """Read and compute standings, and give the seconds of the processor that it took."""
    start = time.process_time()
    results = read_results(path)
    read_s = time.process_time() - start
    standings = compute_standings(results)
    total_s = time.process_time() - start
    print(
        f"standings of {len(standings.rows):,} entrants, {len(results.matches):,} matches: "
        f"{total_s:.2f} s (reading {read_s:.2f} s; goal {GOAL_STANDINGS_S:g} s)"
    )
    start = time.process_time()
    format_table(standings)
    print(f"  writing the table: {time.process_time() - start:.2f} s")
    start = time.process_time()
    compute_standings(results, rating="elo")
    print(f"  the same with Elo and its bootstrap: {time.process_time() - start:.2f} s")
    size = path.stat().st_size / len(results.matches)
    print(f"  a match takes {size:,.0f} bytes in the file")
    return total_s


def store_all(store: SqliteStore, matches: Iterable[StoredMatch]) -> None:
    """Hand over matches, and wait until all are kept."""
    for kept in [store.submit(match) for match in matches]:
        kept.result()


def all_matches(pairings: Iterable[Pairing], boards: int) -> list[StoredMatch]:
    """Make up a result for each match of some pairings."""
    return [
        a_match(pairing, board, half)
        for pairing in pairings
        if not pairing.is_bye
        for board in range(1, boards + 1)
        for half in (1, 2)
    ]


def a_match(pairing: Pairing, board: int, half: int) -> StoredMatch:
    """Make up a result that follows from the board."""
    team0, team1 = pairing.teams(half)
    winner = (board * pairing.round + half) % 3 % 2
    scores = (41, board % 41) if winner == 0 else (board % 41, 41)
    key = MatchKey(pairing.round, pairing.number, board, half)
    return StoredMatch(
        row=MatchRow(
            *key,
            team0,
            team1,
            *scores,
            winner,
            "target",
            8,
            5,
            3,
            4,
            2,
        ),
        record=bytes(RECORD_BYTES),
        timings=bytes(RECORD_BYTES // 2),
        times=tuple(
            SeatTimes(seat=seat, entrant=(team0, team1)[seat % 2], decisions=80, total_us=9_000)
            for seat in range(4)
        ),
        behaviour={
            team0: Behaviour({7: LevelCount(4, 3), 8: LevelCount(1, 1)}, 2, 5, 5, 20, 3, -4, 0, 0),
            team1: Behaviour({7: LevelCount(2, 1), 9: LevelCount(1, 1)}, 3, 4, 3, 4, 5, -20, 0, 0),
        },
        time_spread={each: dict.fromkeys(range(200, 230), 5) for each in (team0, team1)},
    )


if __name__ == "__main__":
    sys.exit(main())
