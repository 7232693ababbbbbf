"""Results in one file of SQLite's, in the form of docs/reference/results-file.md."""

import json
import os
import platform
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Final, Self

from tarneeb_referee.outcome import MatchTimings
from tarneeb_referee.record import MatchRecord
from tarneeb_referee.record_bytes import record_from_bytes, timings_from_bytes
from tarneeb_tournaments.results import (
    Entry,
    MatchKey,
    PairingStep,
    ProcessLog,
    Results,
    SessionRow,
    TournamentInfo,
)
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.store import rows
from tarneeb_tournaments.store.base import StoreError
from tarneeb_tournaments.store.connection import (
    check_tables,
    check_whole,
    connect_to_read,
    connect_to_write,
    make_private,
)
from tarneeb_tournaments.store.log_room import LogRoom
from tarneeb_tournaments.store.schema import APPLICATION_ID, SCHEMA, SCHEMA_VERSION
from tarneeb_tournaments.store.sqlite_errors import explain, explain_read
from tarneeb_tournaments.store.writer import GroupWriter
from tarneeb_tournaments.text import printable

NO_ROOM: Final = b"[it could not be stored]\n"
"""Stands for a log that had no room."""


class SqliteStore:
    """A store in a file. Its caller holds the file's `RefereeLock`."""

    def __init__(self, path: Path, *, warn: Callable[[str], None] = lambda _: None) -> None:
        """Open a file that `is_results_file`; use `create` to begin one.

        Args:
            path: of the file.
            warn: told, in any thread, of what can be done without.

        Raises:
            ConfigError: the file is damaged.
            StoreError: it can't be written.
        """
        check_whole(path)
        self._path = path
        self._warn = warn
        self._log_room = LogRoom()
        self._writer = GroupWriter(
            partial(connect_to_write, path), explain=partial(explain, path=path)
        )
        self._writer.wait_until_open()
        self._file = _identity(path)
        # Shows at once, not at the first result, whether the file can be written.
        self._writer.submit(_note_run).result()

    @classmethod
    def create(
        cls,
        path: Path,
        info: TournamentInfo,
        pairings: Iterable[Pairing],
        *,
        is_final: bool = True,
        warn: Callable[[str], None] = lambda _: None,
    ) -> Self:
        """Begin a file, all or nothing.

        Args:
            path: of the file.
            info: what is fixed.
            pairings: the first ones.
            is_final: no others come.
            warn: hears what a person should know.

        Raises:
            StoreError: it can't be written.
        """
        make_private(path)
        try:
            with closing(connect_to_write(path)) as connection:
                step = PairingStep(round=1, pairings=tuple(pairings), is_final=is_final)
                _begin(connection, info, step)
        except sqlite3.Error as error:
            raise explain(error, path) from error
        return cls(path, warn=warn)

    def read(self) -> Results:
        return read_results(self._path)

    def submit(self, entry: Entry) -> Future[None]:
        if isinstance(entry, SessionRow):
            return self._submit_session(entry)
        return self._writer.submit(partial(self._insert, entry))

    def _insert(self, entry: Entry, connection: sqlite3.Connection) -> None:
        """Write an entry, unless it would go into a file that nobody finds any more."""
        if _identity(self._path) != self._file:
            raise StoreError(
                f"{printable(self._path)}: was deleted, moved or replaced while the tournament "
                "runs, so nothing more can be kept; put it back, with its -wal file, and run the "
                "same command again, or begin anew with another file"
            )
        rows.insert(entry, connection)

    def _submit_session(self, session: SessionRow) -> Future[None]:
        """Keep a session, if need be without what its bots printed."""
        left_out = False

        def insert(connection: sqlite3.Connection) -> None:
            self._insert(session, connection)
            self._log_room.trim(connection)

        def insert_bare(connection: sqlite3.Connection) -> None:
            nonlocal left_out
            left_out = True
            self._log_room.forget()
            self._insert(_without_logs(session), connection)

        def tell(done: Future[None]) -> None:
            if left_out and done.exception() is None:
                self._warn(
                    f"no room for what the bots printed in round {session.round}, pairing "
                    f"{session.pairing}, half {session.half}: it is left out, and play goes on"
                )

        done = self._writer.submit(insert, spare=insert_bare)
        done.add_done_callback(tell)
        return done

    def close(self) -> None:
        self._writer.close()
        if _identity(self._path) != self._file:
            # Opening it would make an empty one.
            return
        with suppress(sqlite3.Error), closing(sqlite3.connect(self._path, timeout=0)) as connection:
            # One plain file at rest: it can be copied alone, and read in a read-only folder.
            # Refused while another program reads it, which does no harm.
            connection.execute("PRAGMA journal_mode = DELETE")


def read_results(path: Path) -> Results:
    """Read all of a file that `is_results_file`, at one moment of a tournament that may run.

    Raises:
        ConfigError: the file is damaged.
        StoreError: it can't be read.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            connection.execute("BEGIN")
            check_tables(connection, path)
            return rows.select(connection)
    except sqlite3.Error as error:
        raise explain_read(error, path) from error


def read_record(path: Path, key: MatchKey) -> bytes | None:
    """Read the record of one match; None if it has no result.

    Raises:
        ConfigError: the file is damaged.
        StoreError: it can't be read.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            query = "SELECT record FROM record WHERE (round, pairing, board, half) = (?, ?, ?, ?)"
            found = connection.execute(query, key).fetchone()
    except sqlite3.Error as error:
        raise explain_read(error, path) from error
    return None if found is None else bytes(found[0])


def read_played(path: Path) -> Iterator[tuple[MatchRecord, MatchTimings]]:
    """Read all records with their times, in schedule order, one after the other.

    Raises:
        ConfigError: the file is damaged.
        StoreError: it can't be read.
    """
    query = (
        "SELECT record, timings FROM record JOIN timing_detail USING (round, pairing, board, half) "
        "ORDER BY round, pairing, board, half"
    )
    try:
        with closing(connect_to_read(path)) as connection:
            for record, timings in connection.execute(query):
                yield record_from_bytes(record), timings_from_bytes(timings)
    except sqlite3.Error as error:
        raise explain_read(error, path) from error


def _identity(path: Path) -> tuple[int, int] | None:
    """Tell which file has this name; None if none has."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _without_logs(session: SessionRow) -> SessionRow:
    seats = (
        replace(seat, logs=tuple(ProcessLog(stderr=NO_ROOM) for _ in seat.logs))
        for seat in session.seats
    )
    return replace(session, seats=tuple(seats))


def _begin(connection: sqlite3.Connection, info: TournamentInfo, step: PairingStep) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in filter(str.strip, SCHEMA.split(";")):
        connection.execute(statement)
    # In the same transaction: a file either has all of this or is still empty.
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute(
        "INSERT INTO tournament VALUES (1, ?, ?, ?, ?, ?)",
        (info.name, json.dumps(info.settings), info.public_seed, info.secret, info.secret_sha256),
    )
    connection.executemany(
        "INSERT INTO entrant VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                number,
                each.id,
                each.name,
                each.bot_name,
                each.bot_version,
                each.digest,
                each.last_round,
            )
            for number, each in enumerate(info.entrants, start=1)
        ],
    )
    rows.insert_step(step, connection)
    connection.execute("COMMIT")
    # Into the file itself, so that a copy without the log is a results file at least.
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _note_run(connection: sqlite3.Connection) -> None:
    connection.execute(
        "INSERT INTO run (started_at, host, pid, version) VALUES (?, ?, ?, ?)",
        (rows.now(), platform.node(), os.getpid(), metadata.version("tarneeb-referee")),
    )
