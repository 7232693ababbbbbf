"""Results on their way to the store while play goes on."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

from tarneeb_referee.outcome import HalfReport
from tarneeb_tournaments.results import Entry
from tarneeb_tournaments.store.base import Store

MAX_ON_THE_WAY: Final = 256
"""Matches of one session that are handed to the store at once: as many as one transaction takes.

Beyond these the session itself keeps a few (`tarneeb_referee.run.MAX_UNSTORED`), and then pauses.
"""


class Keeping:
    """Hands entries to the store without waiting for each, and knows when they are kept."""

    def __init__(self, store: Store, *, on_kept: Callable[[Entry], None]) -> None:
        self._store = store
        self._on_kept = on_kept
        self._waiting: set[asyncio.Future[None]] = set()
        self._error: BaseException | None = None
        self._failed = asyncio.Event()

    async def put(self, entry: Entry) -> None:
        """Submit an entry, and wait only while too many are on their way.

        Raises:
            StoreError: an entry before it could not be kept.
        """
        self._check()
        kept = asyncio.wrap_future(self._store.submit(entry))
        self._waiting.add(kept)
        kept.add_done_callback(partial(self._settle, entry))
        while len(self._waiting) > MAX_ON_THE_WAY:
            await asyncio.wait(self._waiting, return_when=asyncio.FIRST_COMPLETED)

    async def drain(self) -> None:
        """Wait until everything is kept.

        Raises:
            StoreError: something could not be kept.
        """
        while self._waiting:
            await asyncio.wait(self._waiting)
        self._check()

    async def unless_it_fails(self, work: Coroutine[Any, Any, HalfReport]) -> HalfReport:
        """Do some work, and give it up at once when something can't be kept.

        Raises:
            StoreError: something could not be kept.
        """
        task = asyncio.create_task(work)
        failed = asyncio.create_task(self._failed.wait())
        try:
            await asyncio.wait({task, failed}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            failed.cancel()
            if not task.done():
                # It stops its bots; nobody goes on before that.
                task.cancel()
                await asyncio.wait({task})
        self._check()
        return task.result()

    def _settle(self, entry: Entry, kept: asyncio.Future[None]) -> None:
        self._waiting.discard(kept)
        if kept.cancelled():
            return
        error = kept.exception()
        if error is None:
            self._on_kept(entry)
        else:
            self._error = self._error or error
            self._failed.set()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error
