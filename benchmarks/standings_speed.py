"""How long standings take, and one more match, when a results file is large.

50,000 matches of 26 entrants, as rows: the cards play no part in it. Standings are timed by the
processor's seconds, so that a busy machine changes little; storing waits for the disk, so by the
clock. The exit code is 1 if a goal is missed.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from tarneeb_tournaments.results import (
    EntrantRow,
    MatchKey,
    MatchRow,
    SeatTimes,
    StoredMatch,
    TournamentInfo,
)
from tarneeb_tournaments.schedule import Pairing, round_robin
from tarneeb_tournaments.standings import compute_standings
from tarneeb_tournaments.stats.behaviour import Behaviour, LevelCount
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results

ENTRANTS = 26
BOARDS = 77
GOAL_STANDINGS_S = 1.0
GOAL_STORING_MS = 10.0
RECORD_BYTES = 2_000
"""About what a match to 41 takes."""


def main() -> int:
    """Fill a results file and time what is done with it."""
    ids = [f"e{number}" for number in range(1, ENTRANTS + 1)]
    info = TournamentInfo(
        name="Large",
        settings={"tournament": {"boards": BOARDS}},
        entrants=tuple(EntrantRow(each, each, "Bot", "1", "0" * 64) for each in ids),
        public_seed="0" * 64,
        secret=bytes(32),
    )
    pairings = round_robin(ids)
    matches = [
        a_match(pairing, board, half)
        for pairing in pairings
        for board in range(1, BOARDS + 1)
        for half in (1, 2)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.sqlite"
        store = SqliteStore.create(path, info, pairings)
        last = matches[-100:]
        start = time.perf_counter()
        for done in [store.submit(match) for match in matches[:-100]]:
            done.result()
        took = time.perf_counter() - start
        print(
            f"storing {len(matches):,} matches: {took / len(matches) * 1e6:.0f} us each, in groups"
        )
        took_ms = []
        for match in last:
            start = time.perf_counter()
            store.submit(match).result()
            took_ms.append((time.perf_counter() - start) * 1e3)
        # The median: now and then something else keeps the disk busy.
        storing_ms = statistics.median(took_ms)
        print(f"storing one more, by itself: {storing_ms:.1f} ms (goal {GOAL_STORING_MS:g} ms)")
        start = time.process_time()
        results = read_results(path)
        read = time.process_time() - start
        compute_standings(results)
        total = time.process_time() - start
        print(
            f"standings of {len(results.matches):,} matches: {total:.2f} s (reading {read:.2f} s; "
            f"goal {GOAL_STANDINGS_S:g} s)"
        )
        start = time.process_time()
        compute_standings(results, rating="elo")
        print(f"the same with Elo and its bootstrap: {time.process_time() - start:.2f} s")
        store.close()
        print(f"a match takes {path.stat().st_size / len(matches):,.0f} bytes in the file")
    return 1 if total > GOAL_STANDINGS_S or storing_ms > GOAL_STORING_MS else 0


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
