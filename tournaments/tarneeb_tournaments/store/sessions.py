"""Reads sessions and their logs back out of a results file; standings never need them."""

import json
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tarneeb_referee.record_bytes import timings_from_bytes
from tarneeb_tournaments.results import (
    FaultRow,
    MatchKey,
    ProcessLog,
    SeatSession,
    SessionRow,
    StoredFault,
    StoredSession,
)
from tarneeb_tournaments.store.connection import connect_to_read
from tarneeb_tournaments.store.sqlite_errors import explain


def read_sessions(path: Path, entrant: str) -> tuple[StoredSession, ...]:
    """Read the seats of one entrant in each session, in the order in which sessions ended.

    What went wrong in matches is told with the last session of their half, as a match does not
    tell which one it was played in.

    Raises:
        ConfigError: the file is damaged.
        StoreError: it can't be read.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            connection.execute("BEGIN")
            return tuple(_select(connection, entrant))
    except sqlite3.Error as error:
        raise explain(error, path) from error


def _select(connection: sqlite3.Connection, entrant: str) -> Iterator[StoredSession]:
    seats: dict[int, list[SeatSession]] = {}
    for session, *columns in connection.execute(
        "SELECT * FROM session_seat WHERE entrant = ? ORDER BY session, seat", (entrant,)
    ):
        seats.setdefault(session, []).append(_seat_session(connection, session, columns))
    faults = _select_faults(connection, entrant)
    query = "SELECT round, pairing, half, max(id) FROM session GROUP BY round, pairing, half"
    last = {session: tuple(half) for *half, session in connection.execute(query)}
    for session, *columns in connection.execute(
        "SELECT id, round, pairing, half, ended_at, voids, stalls, stalled_s, max_stall_s "
        "FROM session ORDER BY id"
    ):
        if session in seats:
            round_, pairing, half, ended_at, voids, stalls, stalled_s, max_stall_s = columns
            row = SessionRow(
                round=round_,
                pairing=pairing,
                half=half,
                seats=tuple(seats[session]),
                voids=tuple((board, why) for board, why in json.loads(voids)),
                stalls=stalls,
                stalled_s=stalled_s,
                max_stall_s=max_stall_s,
            )
            yield StoredSession(
                number=session,
                ended_at=ended_at,
                row=row,
                faults=tuple(faults.get(last.get(session, ()), ())),
            )


def _select_faults(
    connection: sqlite3.Connection, entrant: str
) -> Mapping[tuple[int, ...], list[StoredFault]]:
    """Read what an entrant did wrong in matches: by round, pairing and half, in schedule order."""
    found: dict[tuple[int, ...], list[StoredFault]] = defaultdict(list)
    lags_s: dict[MatchKey, float] = {}
    for *key, number, seat, kind, deal, move_index, detail in connection.execute(
        "SELECT round, pairing, board, half, number, seat, kind, deal, move_index, detail "
        "FROM fault WHERE entrant = ? ORDER BY round, pairing, half, board, number",
        (entrant,),
    ):
        match = MatchKey(*key)
        if match not in lags_s:
            lags_s[match] = _lag_s(connection, match)
        row = FaultRow(match, number, entrant, seat, kind, deal, move_index, detail)
        found[match.round, match.pairing, match.half].append(StoredFault(row, lags_s[match]))
    return found


def _lag_s(connection: sqlite3.Connection, match: MatchKey) -> float:
    query = "SELECT timings FROM timing_detail WHERE (round, pairing, board, half) = (?, ?, ?, ?)"
    (timings,) = connection.execute(query, match).fetchone()
    return timings_from_bytes(timings).max_lag_us / 1e6


def _seat_session(connection: sqlite3.Connection, session: int, columns: list[Any]) -> SeatSession:
    seat, entrant, start_s, restarts, exit_, cpu_s, peak, kind, detail, incidents, late, strays = (
        columns
    )
    logs = connection.execute(
        "SELECT stdout, stderr FROM log WHERE (session, seat) = (?, ?) ORDER BY process",
        (session, seat),
    )
    return SeatSession(
        seat=seat,
        entrant=entrant,
        start_s=start_s,
        restarts=restarts,
        exit=exit_,
        cpu_s=cpu_s,
        peak_memory_bytes=peak,
        gone=None if kind is None else (kind, detail),
        incidents=tuple((kind, detail) for kind, detail in json.loads(incidents)),
        late=late,
        strays=strays,
        logs=tuple(
            ProcessLog(stdout=zlib.decompress(stdout), stderr=zlib.decompress(stderr))
            for stdout, stderr in logs
        ),
    )
