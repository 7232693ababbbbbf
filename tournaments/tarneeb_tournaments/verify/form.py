"""Is the file a referee's at all? What must hold before anything in it can be read and believed."""

import sqlite3
from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel

from tarneeb_tournaments.config_models import (
    MAX_ENTRANTS,
    MatchSection,
    TournamentSection,
)
from tarneeb_tournaments.config_problems import check_section
from tarneeb_tournaments.config_schedule import too_many_pairings
from tarneeb_tournaments.names import name_key, verify_name
from tarneeb_tournaments.results import Settings, TournamentInfo
from tarneeb_tournaments.sprt_match import SECTION, is_test, settings_of_test
from tarneeb_tournaments.store.form import table_problem, type_problem
from tarneeb_tournaments.text import printable, short_repr
from tarneeb_tournaments.verify.finding import DisprovedError, Where

NOWHERE: Final = Where()

_SECTIONS: Final = frozenset({"tournament", "match", "time", "limits", "sandbox"})

# Sections whose keys are those of a file's; with numbers beyond its own a check would never end.
_BOUNDED: Final[Mapping[str, type[BaseModel]]] = {
    "tournament": TournamentSection,
    "match": MatchSection,
}


def check_form(connection: sqlite3.Connection) -> None:
    """Check tables, indexes, types and references of a database.

    Raises:
        DisprovedError: the first that is not as a referee makes it.
        sqlite3.Error: the file can't be read.
    """
    # First: what is in the tables can mislead only through them.
    problem = table_problem(connection, may_have_more=False)
    if problem is not None:
        raise DisprovedError(NOWHERE, problem)
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise DisprovedError(NOWHERE, f"the database is damaged: {printable(verdict)}")
    # A connection that only reads leaves out what CHECK asks for; all else of it is worked out anew.
    (count,) = connection.execute("SELECT count(*) FROM tournament").fetchone()
    if count != 1:
        raise DisprovedError(NOWHERE, f"the table tournament has {count} rows, not 1")
    problem = type_problem(connection)
    if problem is not None:
        raise DisprovedError(NOWHERE, problem)


def check_references(connection: sqlite3.Connection) -> None:
    """Check that what is told of a match, an entrant or a session is of one that is there.

    Raises:
        DisprovedError: it is of none.
    """
    stray = connection.execute("PRAGMA foreign_key_check").fetchone()
    if stray is not None:
        raise DisprovedError(NOWHERE, f"the table {stray[0]} holds something of no {stray[2]}")


def check_settings(settings: Settings) -> None:
    """Check that a tournament's file can have had these settings.

    Raises:
        DisprovedError: it can't: one is missing, unknown, or out of range.
    """
    sections = _SECTIONS | {SECTION} if is_test(settings) else _SECTIONS
    odd = sorted(sections ^ settings.keys())
    if odd:
        raise DisprovedError(NOWHERE, f"the settings: {short_repr(odd[0])} is missing, or too much")
    for place, section in _BOUNDED.items():
        found: object = settings[place]
        if isinstance(found, Mapping):
            # A file has names there, the settings ids; the schedule knows whether they fit.
            found = {key: value for key, value in found.items() if key != "challengers"}
        _, problems = check_section(section, found, place=place)
        if problems:
            raise DisprovedError(NOWHERE, f"the settings: {problems[0]}")
    if is_test(settings):
        try:
            settings_of_test(settings)
        except (AttributeError, ValueError) as error:
            raise DisprovedError(NOWHERE, f"the settings: {printable(error)}") from error


def check_entrants(info: TournamentInfo) -> None:
    """Check that nobody can be taken for somebody else.

    Raises:
        DisprovedError: there are too few or too many, a name may not be, or two are the same.
    """
    if not 2 <= len(info.entrants) <= MAX_ENTRANTS:
        raise DisprovedError(NOWHERE, f"{len(info.entrants)} entrants")
    too_many = too_many_pairings(info.settings["tournament"], len(info.entrants))
    if too_many is not None:
        raise DisprovedError(NOWHERE, f"the settings: {too_many}")
    seen: set[str] = set()
    for each in info.entrants:
        # A test takes the names that the bots' own files give them.
        reason = None if is_test(info.settings) else verify_name(each.name)
        key = name_key(each.name)
        if reason is None and key in seen:
            reason = "another entrant has it"
        if reason is not None:
            raise DisprovedError(NOWHERE, f"the name {short_repr(each.name)}: {reason}")
        seen.add(key)
