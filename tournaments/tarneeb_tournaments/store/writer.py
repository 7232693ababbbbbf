"""One thread that writes, many entries in one transaction when they queue up."""

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from typing import NamedTuple

from tarneeb_sdk.errors import TarneebError
from tarneeb_tournaments.store.base import StoreError

Job = Callable[[sqlite3.Connection], None]
Explain = Callable[[sqlite3.Error], TarneebError]

# Bounds how much a lost transaction could cost, not how fast it goes: at 64 tables a few matches
# end in the time that one transaction takes to reach the disk.
MAX_GROUP = 256


class _Queued(NamedTuple):
    job: Job
    spare: Job | None
    done: Future[None]


class GroupWriter:
    """Runs jobs on a connection of its own, in the order given, and commits them in groups.

    A group is whatever has queued up while the last one was being written. After an error no
    later job is run: what is on disk is a beginning of what was submitted.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], *, explain: Explain) -> None:
        self._connect = connect
        self._explain = explain
        self._jobs: queue.SimpleQueue[_Queued | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._broken: TarneebError | None = None
        self._opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="results writer", daemon=True)
        self._thread.start()

    def wait_until_open(self) -> None:
        """Wait for the connection.

        Raises:
            TarneebError: it can't be opened.
        """
        self._opened.result()

    def submit(self, job: Job, *, spare: Job | None = None) -> Future[None]:
        """Queue a job; see `Store.submit`.

        Args:
            job: what to do.
            spare: what to do instead if that fails.
        """
        done: Future[None] = Future()
        with self._closing:
            if self._closed:
                done.set_exception(StoreError("the results file is closed already"))
            else:
                self._jobs.put(_Queued(job, spare, done))
        return done

    def close(self) -> None:
        """Write what was submitted, and end the thread. May be called again."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            connection = self._connect()
        except sqlite3.Error as error:
            self._broken = self._explain(error)
            self._opened.set_exception(self._broken)
            self._refuse_all()
            return
        self._opened.set_result(None)
        try:
            while group := self._next_group():
                self._write(connection, group)
        finally:
            with suppress(sqlite3.Error):
                connection.close()

    def _next_group(self) -> list[_Queued]:
        """Wait for a job and take what else is there; empty at the end."""
        first = self._jobs.get()
        group = []
        while first is not None:
            group.append(first)
            if len(group) == MAX_GROUP:
                break
            try:
                first = self._jobs.get_nowait()
            except queue.Empty:
                break
        else:
            # The mark of the end: seen again by the next call, after this group is written.
            if group:
                self._jobs.put(None)
        return group

    def _write(self, connection: sqlite3.Connection, group: list[_Queued]) -> None:
        if self._broken is None:
            error = self._attempt(connection, [each.job for each in group])
            if error is not None and any(each.spare is not None for each in group):
                error = self._attempt(connection, [each.spare or each.job for each in group])
            self._broken = None if error is None else self._told(error)
        for each in group:
            if self._broken is None:
                each.done.set_result(None)
            else:
                each.done.set_exception(self._broken)

    def _attempt(self, connection: sqlite3.Connection, jobs: Iterable[Job]) -> Exception | None:
        """Run all jobs in one transaction, or give what kept us from it."""
        try:
            # IMMEDIATE: wait for another program's write here, not in the middle.
            connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                job(connection)
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - a thread that dies leaves its callers waiting
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            return error
        return None

    def _told(self, error: Exception) -> TarneebError:
        if isinstance(error, sqlite3.Error):
            return self._explain(error)
        if isinstance(error, TarneebError):
            return error
        return StoreError(f"results can't be written: {type(error).__name__}: {error}")

    def _refuse_all(self) -> None:
        while (entry := self._jobs.get()) is not None:
            assert self._broken is not None
            entry.done.set_exception(self._broken)
