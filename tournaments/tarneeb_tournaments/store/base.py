"""The port that results go through."""

from concurrent.futures import Future
from typing import Protocol

from tarneeb_sdk.errors import HarnessError
from tarneeb_tournaments.results import Entry, Results


class StoreError(HarnessError):
    """Results can't be kept: no space, no right to write, another referee at work."""


class Store(Protocol):
    """Keeps the results of one tournament."""

    def read(self) -> Results:
        """Take all results at one moment, those that were submitted and not yet kept left out."""
        ...

    def submit(self, entry: Entry) -> Future[None]:
        """Take in an entry; may be called from any thread, never raises, and never waits.

        Returns:
            Done when the entry is kept for good. Fails with StoreError if it can't be; no entry
            that was submitted after it is kept then.
        """
        ...

    def close(self) -> None:
        """Keep what was submitted, then let go of everything. May be called again."""
        ...
