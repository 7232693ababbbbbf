"""Links matches in a results file as soon as all before them are there."""

import json
import sqlite3
from typing import Final

from tarneeb_tournaments.chain import first_link, next_link
from tarneeb_tournaments.results import EntrantRow, MatchKey, MatchRow

_COLUMNS: Final = ", ".join(MatchRow._fields)

# There are no more due than these: a pairing that is not played has no matches.
_NEXT_PAIRING: Final = """
SELECT round, number FROM pairing
WHERE (round, number) > (?, ?) AND second IS NOT NULL AND suspended = '' AND withdrawn = ''
ORDER BY round, number LIMIT 1
"""

_FIRST_UNLINKED: Final = """
SELECT round, pairing, board, half FROM match WHERE link IS NULL
ORDER BY round, pairing, board, half LIMIT 1
"""

_LAST_BEFORE: Final = """
SELECT round, pairing, board, half, link FROM match
WHERE (round, pairing, board, half) < (?, ?, ?, ?)
ORDER BY round DESC, pairing DESC, board DESC, half DESC LIMIT 1
"""

_ROW: Final = (
    f"SELECT {_COLUMNS}, record_sha256 FROM match "  # noqa: S608 - constants
    "WHERE (round, pairing, board, half) = (?, ?, ?, ?)"
)

_SET: Final = "UPDATE match SET link = ? WHERE (round, pairing, board, half) = (?, ?, ?, ?)"


def extend_chain(connection: sqlite3.Connection) -> None:
    """Link every match whose turn has come, inside the caller's transaction.

    Costs a few look-ups by key when there is none.
    """
    unlinked = connection.execute(_FIRST_UNLINKED).fetchone()
    if unlinked is None:
        return
    boards = _boards(connection)
    before = connection.execute(_LAST_BEFORE, unlinked).fetchone()
    if before is None:
        key, link = None, _first_link(connection)
    else:
        key, link = MatchKey(*before[:4]), before[4]
    while True:
        key = _next_key(connection, key, boards)
        found = None if key is None else connection.execute(_ROW, key).fetchone()
        if found is None:
            return
        *row, record_sha256 = found
        link = next_link(link, MatchRow._make(row), record_sha256)
        connection.execute(_SET, (link, *(key or ())))


def _next_key(connection: sqlite3.Connection, key: MatchKey | None, boards: int) -> MatchKey | None:
    """Name the match that comes next in the schedule as it is known now."""
    if key is not None and key.half == 1:
        return key._replace(half=2)
    if key is not None and key.board < boards:
        return key._replace(board=key.board + 1, half=1)
    place = (0, 0) if key is None else key[:2]
    found = connection.execute(_NEXT_PAIRING, place).fetchone()
    return None if found is None else MatchKey(found[0], found[1], board=1, half=1)


def _boards(connection: sqlite3.Connection) -> int:
    (settings,) = connection.execute("SELECT settings FROM tournament").fetchone()
    boards = json.loads(settings)["tournament"]["boards"]
    assert isinstance(boards, int)
    return boards


def _first_link(connection: sqlite3.Connection) -> str:
    public_seed, secret_sha256 = connection.execute(
        "SELECT public_seed, secret_sha256 FROM tournament"
    ).fetchone()
    entrants = connection.execute(
        "SELECT id, name, bot_name, bot_version, digest FROM entrant ORDER BY number"
    )
    return first_link(public_seed, secret_sha256, tuple(EntrantRow(*row) for row in entrants))
