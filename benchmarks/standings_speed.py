"""How long standings take, and one more match, when a results file is large.

50,000 matches of 26 entrants, as rows: the cards play no part in it.
"""

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
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results

ENTRANTS = 26
BOARDS = 77
RECORD_BYTES = 2_000
"""About what a match to 41 takes."""


def main() -> None:
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
        last = matches[-10:]
        start = time.perf_counter()
        for done in [store.submit(match) for match in matches[:-10]]:
            done.result()
        took = time.perf_counter() - start
        print(
            f"storing {len(matches):,} matches: {took / len(matches) * 1e6:.0f} us each, in groups"
        )
        start = time.perf_counter()
        for match in last:
            store.submit(match).result()
        print(f"storing one more, by itself: {(time.perf_counter() - start) / 10 * 1e3:.1f} ms")
        start = time.perf_counter()
        results = read_results(path)
        read = time.perf_counter() - start
        compute_standings(results)
        total = time.perf_counter() - start
        print(
            f"standings of {len(results.matches):,} matches: {total:.2f} s (reading {read:.2f} s)"
        )
        store.close()
        print(f"a match takes {path.stat().st_size / len(matches):,.0f} bytes in the file")


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
    )


if __name__ == "__main__":
    main()
