"""Between the values of `results` and the rows of a results file."""

import array
import json
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import assert_never

from tarneeb_tournaments.results import (
    EntrantRow,
    EntrantTimes,
    Entry,
    MatchKey,
    MatchRow,
    PairingRow,
    Results,
    SeatTimes,
    SessionRow,
    StoredMatch,
    Suspension,
    TournamentInfo,
)
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.store.memory import count_kinds

_MAX_U32 = 2**32 - 1


def insert(entry: Entry, connection: sqlite3.Connection) -> None:
    """Write an entry, inside the caller's transaction."""
    match entry:
        case StoredMatch():
            _insert_match(entry, connection)
        case SessionRow():
            _insert_session(entry, connection)
        case Suspension():
            _mark_suspended(entry, connection)
        case _:
            assert_never(entry)


def select(connection: sqlite3.Connection) -> Results:
    """Read everything but records and logs, inside the caller's transaction."""
    faults = connection.execute("SELECT entrant, kind FROM fault")
    return Results(
        info=_select_info(connection),
        pairings=tuple(_select_pairings(connection)),
        matches=tuple(_select_matches(connection)),
        faults=count_kinds(faults),
        incidents=count_kinds(_select_incidents(connection)),
        times=_select_times(connection),
    )


def now() -> str:
    """Give the time of day, for people: nothing is computed from it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def pack_decisions(times: Iterable[SeatTimes]) -> bytes:
    """Pack the times of single decisions, by seat.

    For each of the four seats: how many, then each in microseconds, all as little-endian 32-bit
    numbers.
    """
    by_seat = {each.seat: each.decisions_us for each in times}
    packed = array.array("I")
    assert packed.itemsize == 4
    for seat in range(4):
        decisions = by_seat.get(seat, ())
        packed.append(len(decisions))
        packed.extend(min(us, _MAX_U32) for us in decisions)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def unpack_decisions(data: bytes) -> tuple[tuple[int, ...], ...]:
    """Undo `pack_decisions`."""
    packed = array.array("I", data)
    if sys.byteorder == "big":
        packed.byteswap()
    seats = []
    start = 0
    while start < len(packed):
        end = start + 1 + packed[start]
        seats.append(tuple(packed[start + 1 : end]))
        start = end
    return tuple(seats)


def _insert_match(match: StoredMatch, connection: sqlite3.Connection) -> None:
    row, key = match.row, match.row.key
    connection.execute(
        "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *key,
            *row.entrants,
            *row.scores,
            row.winner,
            row.ending,
            row.deals,
            *row.bids,
            *row.made,
            *row.autopilot,
        ),
    )
    connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?)", (*key, match.record))
    connection.executemany(
        "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (*key, f.number, f.entrant, f.seat, f.kind, f.deal, f.move_index, f.detail)
            for f in match.faults
        ],
    )
    connection.executemany(
        "INSERT INTO timing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *key,
                each.seat,
                each.entrant,
                len(each.decisions_us),
                sum(each.decisions_us),
                max(each.decisions_us, default=0),
                each.bank_left_us,
                each.timed_out,
                each.late,
            )
            for each in match.times
        ],
    )
    connection.execute(
        "INSERT INTO timing_detail VALUES (?, ?, ?, ?, ?, ?)",
        (*key, pack_decisions(match.times), match.max_lag_us),
    )


def _insert_session(session: SessionRow, connection: sqlite3.Connection) -> None:
    inserted = connection.execute(
        "INSERT INTO session (round, pairing, half, ended_at, voids, stalls, stalled_s, "
        "max_stall_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.round,
            session.pairing,
            session.half,
            now(),
            json.dumps(session.voids),
            session.stalls,
            session.stalled_s,
            session.max_stall_s,
        ),
    )
    connection.executemany(
        "INSERT INTO session_seat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                inserted.lastrowid,
                each.seat,
                each.entrant,
                each.start_s,
                each.restarts,
                each.exit,
                *(each.gone or (None, None)),
                json.dumps(each.incidents),
                each.late,
                each.strays,
                zlib.compress(each.log),
            )
            for each in session.seats
        ],
    )


def _mark_suspended(mark: Suspension, connection: sqlite3.Connection) -> None:
    for place in mark.pairings:
        query = "SELECT suspended FROM pairing WHERE (round, number) = (?, ?)"
        (text,) = connection.execute(query, place).fetchone()
        marked = sorted({*text.split(), mark.entrant})
        connection.execute(
            "UPDATE pairing SET suspended = ? WHERE (round, number) = (?, ?)",
            (" ".join(marked), *place),
        )


def _select_info(connection: sqlite3.Connection) -> TournamentInfo:
    name, settings, public_seed, secret = connection.execute(
        "SELECT name, settings, public_seed, secret FROM tournament"
    ).fetchone()
    entrants = connection.execute(
        "SELECT id, name, bot_name, bot_version, digest FROM entrant ORDER BY number"
    )
    return TournamentInfo(
        name=name,
        settings=json.loads(settings),
        entrants=tuple(EntrantRow(*row) for row in entrants),
        public_seed=public_seed,
        secret=bytes(secret),
    )


def _select_pairings(connection: sqlite3.Connection) -> Iterator[PairingRow]:
    found = connection.execute(
        "SELECT round, number, first, second, suspended FROM pairing ORDER BY round, number"
    )
    for round_, number, first, second, suspended in found:
        yield PairingRow(Pairing(round_, number, first, second), tuple(suspended.split()))


def _select_matches(connection: sqlite3.Connection) -> Iterator[MatchRow]:
    found = connection.execute(
        "SELECT round, pairing, board, half, team0, team1, score0, score1, winner, ending, deals, "
        "bids0, bids1, made0, made1, autopilot0, autopilot1 "
        "FROM match ORDER BY round, pairing, board, half"
    )
    for row in found:
        yield MatchRow(
            key=MatchKey(*row[:4]),
            entrants=row[4:6],
            scores=row[6:8],
            winner=row[8],
            ending=row[9],
            deals=row[10],
            bids=row[11:13],
            made=row[13:15],
            autopilot=(bool(row[15]), bool(row[16])),
        )


def _select_incidents(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    found = connection.execute("SELECT entrant, incidents FROM session_seat ORDER BY session, seat")
    for entrant, incidents in found:
        for kind, _ in json.loads(incidents):
            yield entrant, kind


def _select_times(connection: sqlite3.Connection) -> Mapping[str, EntrantTimes]:
    found = connection.execute(
        "SELECT entrant, sum(decisions), sum(total_us), max(max_us), sum(timed_out), sum(late) "
        "FROM timing GROUP BY entrant ORDER BY entrant"
    )
    return {
        entrant: EntrantTimes(
            decisions=decisions, total_us=total, max_us=longest, timed_out=timed_out, late=late
        )
        for entrant, decisions, total, longest, timed_out, late in found
    }
