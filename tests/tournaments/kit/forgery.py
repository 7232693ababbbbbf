"""Results files that somebody has altered, clumsily or with care."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tarneeb_referee.outcome import MatchOutcome
from tarneeb_referee.record import MatchRecord
from tarneeb_referee.record_bytes import record_from_bytes, record_to_bytes, timings_from_bytes
from tarneeb_sdk.game import RulesError
from tarneeb_tournaments.chain import record_hash
from tarneeb_tournaments.outcomes import stored_match
from tarneeb_tournaments.results import MatchKey, MatchRow, StoredMatch
from tarneeb_tournaments.store.links import extend_chain
from tarneeb_tournaments.verify.report import Verdict, verify_file

_KEY = "(round, pairing, board, half) = (?, ?, ?, ?)"


def verdict_on(path: Path) -> Verdict:
    return verify_file(path, on_progress=lambda _checked, _total: None)


def found_in(path: Path) -> str:
    """Give the first thing that is wrong; empty if nothing is."""
    wrong = verdict_on(path).wrong
    return "" if wrong is None else str(wrong)


@contextmanager
def altered(original: Path, copy: Path) -> Iterator[sqlite3.Connection]:
    """Copy a file and open the copy to write anything into it."""
    shutil.copyfile(original, copy)
    with closing(sqlite3.connect(copy)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        yield database
        database.commit()


def relink(database: sqlite3.Connection) -> None:
    """Make the chain whole again, as a forger can who has the file alone."""
    database.execute("UPDATE match SET link = NULL")
    extend_chain(database)


def forge(
    database: sqlite3.Connection, key: MatchKey, change: Callable[[MatchRecord], MatchRecord]
) -> None:
    """Alter a record, and with it all of its match that follows from it."""
    (found,) = database.execute(f"SELECT record FROM record WHERE {_KEY}", key).fetchone()
    (times,) = database.execute(
        f"SELECT timings FROM timing_detail WHERE {_KEY}",
        key,
    ).fetchone()
    record = change(record_from_bytes(found))
    data = record_to_bytes(record)
    database.execute(f"UPDATE record SET record = ? WHERE {_KEY}", (data, *key))
    database.execute(
        f"UPDATE match SET record_sha256 = ? WHERE {_KEY}",
        (record_hash(data), *key),
    )
    # Nothing follows from a record that breaks the rules; the record itself is found wrong first.
    with suppress(IndexError, RulesError):
        _put(database, stored_match(MatchOutcome(record, timings_from_bytes(times))))
    relink(database)


def _put(database: sqlite3.Connection, due: StoredMatch) -> None:
    key = due.row.key
    names = ", ".join(MatchRow._fields[4:])
    marks = ", ".join("?" * len(MatchRow._fields[4:]))
    database.execute(
        f"UPDATE match SET ({names}) = ({marks}) WHERE {_KEY}",
        (*due.row[4:], *key),
    )
    database.execute(f"DELETE FROM fault WHERE {_KEY}", key)
    database.executemany(
        "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                *key,
                each.number,
                each.entrant,
                each.seat,
                each.kind,
                each.deal,
                each.move_index,
                each.detail,
            )
            for each in due.faults
        ],
    )
