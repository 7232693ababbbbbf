"""What verification reads of a results file, all of it at one moment."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tarneeb_tournaments.results import FaultRow, MatchKey, MatchRow, Results, SeatTimes
from tarneeb_tournaments.store import rows
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.finding import DisprovedError, Where

_KEY: Final = "(round, pairing, board, half) = (?, ?, ?, ?)"

_MATCHES: Final = (
    f"SELECT {', '.join('match.' + name for name in MatchRow._fields)}, record_sha256, link, "  # noqa: S608 - constants
    "record, timings FROM match LEFT JOIN record USING (round, pairing, board, half) "
    "LEFT JOIN timing_detail USING (round, pairing, board, half) "
    "ORDER BY match.round, match.pairing, match.board, match.half"
)

_FAULTS: Final = (
    "SELECT number, entrant, seat, kind, deal, move_index, detail FROM fault "  # noqa: S608 - constants
    f"WHERE {_KEY} ORDER BY number"
)

_TIMES: Final = (
    "SELECT seat, entrant, decisions, total_us, max_us, timed_out, late FROM timing "  # noqa: S608 - constants
    f"WHERE {_KEY} ORDER BY seat"
)

_HALF_SIDES: Final = (
    "SELECT count(*) FROM pairing WHERE (first_partner IS NULL) != (second_partner IS NULL)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMatch:
    """A match as it lies in the file, believed in nothing."""

    row: MatchRow
    record_sha256: str
    link: str | None
    record: bytes = field(repr=False)
    timings: bytes = field(repr=False)
    faults: tuple[FaultRow, ...]
    times: tuple[SeatTimes, ...]


def read_tournament(connection: sqlite3.Connection) -> tuple[Results, str]:
    """Read everything but records, and the published hash of the secret.

    Raises:
        DisprovedError: it can't be read as results.
    """
    try:
        results = rows.select(connection)
        if not isinstance(results.info.settings, dict):
            raise TypeError("the settings are no table")
        (published,) = connection.execute(
            "SELECT secret_sha256 FROM tournament WHERE id = 1"
        ).fetchone()
        (halves,) = connection.execute(_HALF_SIDES).fetchone()
    except (
        AssertionError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        what = f"the tables can't be read as results: {type(error).__name__}: {error}"
        raise DisprovedError(Where(), printable(what)) from error
    if halves:
        raise DisprovedError(Where(), "a pairing has one partner, and not the other")
    return results, str(published)


def read_matches(connection: sqlite3.Connection) -> Iterator[FoundMatch]:
    """Go through the matches in schedule order, one at a time.

    Raises:
        DisprovedError: one has no record or no timings.
    """
    width = len(MatchRow._fields)
    for found in connection.execute(_MATCHES):
        row = MatchRow._make(found[:width])
        where = where_of(row.key)
        record_sha256, link, record, timings = found[width:]
        if not isinstance(record, bytes) or not isinstance(timings, bytes):
            raise DisprovedError(where, "the match has no record or no timings")
        faults = connection.execute(_FAULTS, row.key)
        times = connection.execute(_TIMES, row.key)
        yield FoundMatch(
            row=row,
            record_sha256=record_sha256,
            link=link,
            record=record,
            timings=timings,
            faults=tuple(FaultRow(row.key, *each) for each in faults),
            times=tuple(
                SeatTimes(
                    seat=seat,
                    entrant=entrant,
                    decisions=decisions,
                    total_us=total_us,
                    max_us=max_us,
                    timed_out=timed_out,
                    late=late,
                )
                for seat, entrant, decisions, total_us, max_us, timed_out, late in times
            ),
        )


def read_ended_sessions(
    connection: sqlite3.Connection,
) -> dict[tuple[int, int, int], str]:
    """Give, by round, pairing and half, which boards the last session has left void, as JSON."""
    found = connection.execute("SELECT round, pairing, half, voids FROM session ORDER BY id")
    return {(round_, pairing, half): voids for round_, pairing, half, voids in found}


def where_of(key: MatchKey) -> Where:
    """Name the place of a match."""
    return Where(round=key.round, pairing=key.pairing, board=key.board, half=key.half)
