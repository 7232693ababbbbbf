"""Has a results file the form in which a referee writes it? Its tables, and the types in them.

Anybody may have written into a file. A view in the place of a table can tell each reader something
else, a trigger can act when the referee writes, and SQLite takes a text where a number belongs.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from typing import Final

from tarneeb_tournaments.store.schema import SCHEMA
from tarneeb_tournaments.text import short_repr

_ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "TEXT": ("text",),
    "INTEGER": ("integer",),
    "REAL": ("real",),
    "BLOB": ("blob",),
}

_OBJECTS: Final = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"


def table_problem(connection: sqlite3.Connection, *, may_have_more: bool) -> str | None:
    """Say which table is not the one that a referee makes; None if all are.

    Args:
        connection: to a results file.
        may_have_more: tables and views of others beside the referee's are let pass, triggers are
            not.
    """
    expected, found = _expected_objects(), dict(_objects(connection))
    for name in sorted(expected.keys() | found.keys()):
        due, there = expected.get(name), found.get(name)
        if there is None:
            return f"the {due[0] if due else 'table'} {name} is missing"
        kind = f"the {there[0]} {short_repr(name)}"
        if due is None and (there[0] == "trigger" or not may_have_more):
            return f"{kind} is none that a referee makes"
        if due is not None and there != due:
            return f"{kind} is not the one that a referee makes"
    return None


def type_problem(connection: sqlite3.Connection) -> str | None:
    """Say which column of the referee's tables holds something of a wrong type; None if none does.

    Args:
        connection: to a file without a `table_problem`.
    """
    for table, columns in _expected_columns().items():
        checks = ", ".join(
            f"max(typeof({name}) NOT IN ({', '.join(map(repr, types))}))"
            for name, types in columns.items()
        )
        found = connection.execute(f"SELECT {checks} FROM {table}").fetchone()  # noqa: S608 - constants
        for name, is_wrong in zip(columns, found, strict=True):
            if is_wrong:
                return f"the column {name} of the table {table} holds something that is no {columns[name][0]}"
    return None


def _objects(connection: sqlite3.Connection) -> Iterator[tuple[str, tuple[str, str]]]:
    for kind, name, sql in connection.execute(_OBJECTS):
        # How it is laid out in lines is of no account.
        yield name, (kind, " ".join(str(sql).split()))


@cache
def _expected_objects() -> Mapping[str, tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return dict(_objects(connection))


@cache
def _expected_columns() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Give, by table and column, the types that may stand there."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        return {
            table: {
                name: _ALLOWED[declared] + (() if not_null or is_key else ("null",))
                for _, name, declared, not_null, _, is_key in connection.execute(
                    f"PRAGMA table_info({table})"
                )
            }
            for table, (kind, _) in _expected_objects().items()
            if kind == "table"
        }
