"""Between the values of `results` and the rows of a results file."""

import json
import sqlite3
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Literal, assert_never

from tarneeb_referee.faults import FaultKind
from tarneeb_tournaments.chain import record_hash
from tarneeb_tournaments.results import (
    TOLD_LAG_S,
    EntrantRow,
    EntrantTimes,
    Entry,
    LagBesideTimeOuts,
    MatchRow,
    PairingRow,
    PairingStep,
    Results,
    SeatSession,
    SessionRow,
    StoredMatch,
    Suspension,
    TournamentInfo,
    Withdrawal,
)
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.store.links import extend_chain
from tarneeb_tournaments.store.memory import count_kinds
from tarneeb_tournaments.store.totals import add_totals, select_behaviour, select_time_spread

_INSERT_MATCH = (
    f"INSERT INTO match ({', '.join(MatchRow._fields)}, record_sha256) "  # noqa: S608 - constants
    f"VALUES ({', '.join('?' * (len(MatchRow._fields) + 1))})"
)


def insert(entry: Entry, connection: sqlite3.Connection) -> None:
    """Write an entry, inside the caller's transaction."""
    match entry:
        case StoredMatch():
            _insert_match(entry, connection)
        case SessionRow():
            _insert_session(entry, connection)
        case Suspension(entrant=entrant, pairings=places):
            _mark("suspended", entrant, places, connection)
        case Withdrawal():
            query = "UPDATE entrant SET last_round = ? WHERE id = ?"
            connection.execute(query, (entry.last_round, entry.entrant))
            _mark("withdrawn", entry.entrant, entry.pairings, connection)
        case PairingStep():
            insert_step(entry, connection)
        case _:
            assert_never(entry)
    extend_chain(connection)


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
        steps=tuple(_select_steps(connection)),
        behaviour=select_behaviour(connection),
        time_spread=select_time_spread(connection),
        lags=_select_lags(connection),
    )


def insert_step(step: PairingStep, connection: sqlite3.Connection) -> None:
    """Write pairings that were made, inside the caller's transaction."""
    connection.execute(
        "INSERT INTO step VALUES (?, ?, ?, ?)",
        (step.round, " ".join(step.suspended), " ".join(step.withdrawn), step.is_final),
    )
    connection.executemany(
        "INSERT INTO pairing (round, number, first, second, first_partner, second_partner) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [
            (each.round, each.number, each.first, each.second, *(each.partners or (None, None)))
            for each in step.pairings
        ],
    )


def now() -> str:
    """Give the time of day, for people: nothing is computed from it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _insert_match(match: StoredMatch, connection: sqlite3.Connection) -> None:
    key = match.row.key
    connection.execute(_INSERT_MATCH, (*match.row, record_hash(match.record)))
    add_totals(match, connection)
    connection.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?)", (*key, match.record))
    connection.executemany(
        "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (*key, f.number, f.entrant, f.seat, f.kind, f.deal, f.move_index, f.detail)
            for f in match.faults
        ],
    )
    connection.executemany(
        "INSERT INTO timing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *key,
                each.seat,
                each.entrant,
                each.decisions,
                each.total_us,
                each.max_us,
                each.timed_out,
                each.late,
            )
            for each in match.times
        ],
    )
    connection.execute("INSERT INTO timing_detail VALUES (?, ?, ?, ?, ?)", (*key, match.timings))


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
    session_id = inserted.lastrowid
    connection.executemany(
        "INSERT INTO session_seat VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(session_id, *_seat_columns(each)) for each in session.seats],
    )
    connection.executemany(
        "INSERT INTO log VALUES (?, ?, ?, ?, ?)",
        [
            (session_id, each.seat, process, zlib.compress(log.stdout), zlib.compress(log.stderr))
            for each in session.seats
            for process, log in enumerate(each.logs, start=1)
        ],
    )


def _seat_columns(seat: SeatSession) -> tuple[object, ...]:
    return (
        seat.seat,
        seat.entrant,
        seat.start_s,
        seat.restarts,
        seat.exit,
        seat.cpu_s,
        seat.peak_memory_bytes,
        *(seat.gone or (None, None)),
        json.dumps(seat.incidents),
        seat.late,
        seat.strays,
    )


def _mark(
    column: Literal["suspended", "withdrawn"],
    entrant: str,
    places: Iterable[tuple[int, int]],
    connection: sqlite3.Connection,
) -> None:
    for place in places:
        query = f"SELECT {column} FROM pairing WHERE (round, number) = (?, ?)"  # noqa: S608 - see above
        (text,) = connection.execute(query, place).fetchone()
        marked = sorted({*text.split(), entrant})
        connection.execute(
            f"UPDATE pairing SET {column} = ? WHERE (round, number) = (?, ?)",  # noqa: S608
            (" ".join(marked), *place),
        )


def _select_info(connection: sqlite3.Connection) -> TournamentInfo:
    name, settings, public_seed, secret = connection.execute(
        "SELECT name, settings, public_seed, secret FROM tournament"
    ).fetchone()
    entrants = connection.execute(
        "SELECT id, name, bot_name, bot_version, digest, last_round FROM entrant ORDER BY number"
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
        "SELECT round, number, first, second, first_partner, second_partner, suspended, withdrawn "
        "FROM pairing ORDER BY round, number"
    )
    for round_, number, first, second, *partners, suspended, withdrawn in found:
        pair = None if None in partners else (partners[0], partners[1])
        pairing = Pairing(round_, number, first, second, pair)
        yield PairingRow(pairing, tuple(suspended.split()), tuple(withdrawn.split()))


def _select_steps(connection: sqlite3.Connection) -> Iterator[PairingStep]:
    pairings = [row.pairing for row in _select_pairings(connection)]
    rounds = [each.round for each in pairings]
    query = "SELECT round, suspended, withdrawn, final FROM step ORDER BY round"
    found = connection.execute(query).fetchall()
    # A file may have many steps and many pairings, so not all of them are looked at for each.
    starts = [bisect_left(rounds, round_) for round_, *_ in found]
    ends = [*starts[1:], len(pairings)]
    for (first, suspended, withdrawn, is_final), start, end in zip(
        found, starts, ends, strict=True
    ):
        yield PairingStep(
            round=first,
            pairings=tuple(pairings[start:end]),
            suspended=tuple(suspended.split()),
            withdrawn=tuple(withdrawn.split()),
            is_final=bool(is_final),
        )


def _select_matches(connection: sqlite3.Connection) -> Iterator[MatchRow]:
    columns = ", ".join(MatchRow._fields)
    found = connection.execute(
        f"SELECT {columns} FROM match ORDER BY round, pairing, board, half"  # noqa: S608 - constants
    )
    return map(MatchRow._make, found)


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


def _select_lags(connection: sqlite3.Connection) -> Mapping[str, LagBesideTimeOuts]:
    found = connection.execute(
        "SELECT entrant, count(*), max(lag_s) FROM fault JOIN "
        "(SELECT round, pairing, half, max(max_stall_s) AS lag_s FROM session "
        "GROUP BY round, pairing, half HAVING lag_s > ?) USING (round, pairing, half) "
        "WHERE kind = ? GROUP BY entrant ORDER BY entrant",
        (TOLD_LAG_S, FaultKind.TIME_OUT.value),
    )
    return {entrant: LagBesideTimeOuts(count, lag_s) for entrant, count, lag_s in found}
