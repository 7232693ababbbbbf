"""Keeps what bots print from filling the results file."""

import sqlite3
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

MAX_LOG_BYTES: Final = 16 << 20
"""Of each entrant's logs this much is kept, compressed, over the whole tournament."""

# Of these, so much belongs to the first sessions, where a bot that can't work shows why.
_SHARE_OF_THE_FIRST: Final = 4

_SIZES: Final = """
SELECT session, entrant, sum(length(stdout) + length(stderr))
FROM log JOIN session_seat USING (session, seat)
WHERE session > ? GROUP BY session, entrant ORDER BY session
"""

_DELETE: Final = """
DELETE FROM log WHERE session = ?
AND seat IN (SELECT seat FROM session_seat WHERE (session, entrant) = (?, ?))
"""


@dataclass(slots=True)
class _Kept:
    """Sizes of one entrant's logs, in bytes: of its first sessions, and of each later one."""

    first_bytes: int = 0
    later_bytes: int = 0
    later: deque[tuple[int, int]] = field(default_factory=deque)


class LogRoom:
    """Deletes logs of sessions in the middle once an entrant has printed too much.

    The logs of an entrant's latest session always stay. SQLite uses the room of what is deleted
    again, so the file stops growing.
    """

    def __init__(self, *, limit_bytes: int = MAX_LOG_BYTES) -> None:
        self._limit = limit_bytes
        self.forget()

    def forget(self) -> None:
        """Look at the file anew the next time, after a transaction was rolled back."""
        self._seen = 0
        self._kept: dict[str, _Kept] = defaultdict(_Kept)

    def trim(self, connection: sqlite3.Connection) -> None:
        """Make room after a session was written, inside the caller's transaction."""
        for session, entrant, size in connection.execute(_SIZES, (self._seen,)).fetchall():
            self._seen = session
            for old in self._admit(self._kept[entrant], session, size):
                connection.execute(_DELETE, (old, old, entrant))

    def _admit(self, kept: _Kept, session: int, size: int) -> Iterator[int]:
        """Count a session's logs, and give the sessions whose logs must go for them."""
        share = self._limit // _SHARE_OF_THE_FIRST
        if not kept.later and kept.first_bytes + size <= share:
            kept.first_bytes += size
            return
        kept.later.append((session, size))
        kept.later_bytes += size
        while len(kept.later) > 1 and kept.first_bytes + kept.later_bytes > self._limit:
            old, old_size = kept.later.popleft()
            kept.later_bytes -= old_size
            yield old
