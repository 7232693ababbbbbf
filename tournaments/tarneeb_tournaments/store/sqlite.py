"""Results in one file of SQLite's, in the form of docs/reference/results-file.md."""

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Self

from tarneeb_referee.outcome import MatchTimings
from tarneeb_referee.record import MatchRecord
from tarneeb_referee.record_bytes import record_from_bytes, timings_from_bytes
from tarneeb_tournaments.results import (
    Entry,
    MatchKey,
    PairingStep,
    Results,
    TournamentInfo,
)
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.store import rows
from tarneeb_tournaments.store.connection import (
    check_whole,
    connect_to_read,
    connect_to_write,
    make_private,
)
from tarneeb_tournaments.store.schema import APPLICATION_ID, MATCH_KEY, SCHEMA, SCHEMA_VERSION
from tarneeb_tournaments.store.sqlite_errors import explain
from tarneeb_tournaments.store.writer import GroupWriter


class SqliteStore:
    """A store in a file. Its caller holds the file's `RefereeLock`."""

    def __init__(self, path: Path) -> None:
        """Open a file that `is_results_file`; use `create` to begin one.

        Raises:
            ConfigError: the file is damaged.
            StoreError: it can't be written.
        """
        check_whole(path)
        self._path = path
        self._writer = GroupWriter(
            partial(connect_to_write, path), explain=partial(explain, path=path)
        )
        self._writer.wait_until_open()
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
    ) -> Self:
        """Begin a file, all or nothing.

        Args:
            path: of the file.
            info: what is fixed.
            pairings: the first ones.
            is_final: no others come.

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
        return cls(path)

    def read(self) -> Results:
        return read_results(self._path)

    def stored_keys(self) -> frozenset[MatchKey]:
        with closing(connect_to_read(self._path)) as connection:
            found = connection.execute(f"SELECT {MATCH_KEY} FROM match")  # noqa: S608 - a constant
            return frozenset(MatchKey(*key) for key in found)

    def submit(self, entry: Entry) -> Future[None]:
        return self._writer.submit(partial(rows.insert, entry))

    def close(self) -> None:
        self._writer.close()
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
            return rows.select(connection)
    except sqlite3.Error as error:
        raise explain(error, path) from error


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
        raise explain(error, path) from error
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
        raise explain(error, path) from error


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
