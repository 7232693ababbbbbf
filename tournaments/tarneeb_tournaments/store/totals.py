"""Counts that are kept for each entrant as matches are stored, so that nobody must add them up.

They are added to in the transaction of each match. Sums of whole numbers don't depend on the order
of matches, so they are the same however a tournament ran.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import fields

from tarneeb_tournaments.results import StoredMatch
from tarneeb_tournaments.stats.behaviour import Behaviour, LevelCount

# The columns of the table `behaviour`; levels have a table of their own.
_SUMS = tuple(each.name for each in fields(Behaviour) if each.name != "levels")

_ADD_SUMS = (
    f"INSERT INTO behaviour (entrant, {', '.join(_SUMS)}) VALUES (?{', ?' * len(_SUMS)}) "  # noqa: S608
    "ON CONFLICT (entrant) DO UPDATE SET "
    + ", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS)
)

_ADD_CONTRACTS = (
    "INSERT INTO contract VALUES (?, ?, ?, ?) ON CONFLICT (entrant, level) "
    "DO UPDATE SET bid = bid + excluded.bid, made = made + excluded.made"
)

_ADD_TIMES = (
    "INSERT INTO time_spread VALUES (?, ?, ?) ON CONFLICT (entrant, step) "
    "DO UPDATE SET count = count + excluded.count"
)


def add_totals(match: StoredMatch, connection: sqlite3.Connection) -> None:
    """Add what a match brings, inside the caller's transaction."""
    connection.executemany(
        _ADD_SUMS,
        [
            (entrant, *(getattr(behaviour, name) for name in _SUMS))
            for entrant, behaviour in match.behaviour.items()
        ],
    )
    connection.executemany(
        _ADD_CONTRACTS,
        [
            (entrant, level, count.bid, count.made)
            for entrant, behaviour in match.behaviour.items()
            for level, count in behaviour.levels.items()
        ],
    )
    connection.executemany(
        _ADD_TIMES,
        [
            (entrant, step, count)
            for entrant, counts in match.time_spread.items()
            for step, count in counts.items()
        ],
    )


def select_behaviour(connection: sqlite3.Connection) -> Mapping[str, Behaviour]:
    """Read how everybody bid and scored, by entrant."""
    names = ", ".join(_SUMS)
    found = connection.execute(f"SELECT entrant, {names} FROM behaviour ORDER BY entrant")  # noqa: S608
    counted = {
        entrant: Behaviour(**dict(zip(_SUMS, sums, strict=True))) for entrant, *sums in found
    }
    contracts = connection.execute("SELECT entrant, level, bid, made FROM contract")
    for entrant, level, bid, made in contracts:
        counted[entrant].levels[level] = LevelCount(bid, made)
    return counted


def select_time_spread(connection: sqlite3.Connection) -> Mapping[str, Mapping[int, int]]:
    """Read how many decisions took how long, by entrant and step."""
    counted: dict[str, dict[int, int]] = defaultdict(dict)
    found = connection.execute("SELECT entrant, step, count FROM time_spread")
    for entrant, step, count in found:
        counted[entrant][step] = count
    return dict(counted)
