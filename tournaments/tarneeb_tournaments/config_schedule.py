"""The schedule that a tournament's file asks for, checked before anything is played."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tarneeb_tournaments.config_models import TournamentSection
from tarneeb_tournaments.config_problems import Problem, unknown_word
from tarneeb_tournaments.names import name_key
from tarneeb_tournaments.schedule import (
    SCHEDULE_KEYS,
    SCHEDULES,
    ScheduleSettings,
    schedule_of,
)
from tarneeb_tournaments.text import join_words

MAX_PLANNED: Final = 1_000_000
"""Pairings that are made, and kept, before round 1: a thousand entrants meet twice."""

_DEFAULTS: Mapping[str, int | bool | None] = {"times": 1, "rounds": None, "rematches": False}

# Without it there is no such schedule; what is wrong with the schedule as a whole is told there.
_NEEDED: Mapping[str, str] = {"swiss": "rounds", "gauntlet": "challengers"}


def read_schedule(
    section: TournamentSection, ids: Mapping[str, str], *, is_complete: bool = True
) -> tuple[ScheduleSettings, Sequence[Problem]]:
    """Read what a schedule needs, and ask it whether these entrants can be scheduled so.

    Args:
        section: of the file.
        ids: of the entrants, by name, in the order of the file.
        is_complete: these are all entrants; else they are not asked about.

    Returns:
        The settings of the schedule, and every problem in them.
    """
    word = section.schedule
    if word not in SCHEDULES:
        # Told of already.
        return {"schedule": word}, ()
    given: dict[str, Any] = {
        key: value
        for key in dict.fromkeys(key for keys in SCHEDULE_KEYS.values() for key in keys)
        if (value := getattr(section, key)) is not None
    }
    problems = _key_problems(word, given)
    settings: dict[str, str | int | float | bool | None] = {"schedule": word}
    for key in SCHEDULE_KEYS[word]:
        if key == "challengers":
            settings[key], unknown = _ids_of(given.get(key, ()), ids, is_complete=is_complete)
            problems += unknown
        else:
            settings[key] = given.get(key, _DEFAULTS[key])
    if is_complete and not problems:
        reason = schedule_of(settings).verify(tuple(ids.values()))
        too_many = None if reason is not None else too_many_pairings(settings, len(ids))
        if too_many is not None:
            problems.append(Problem("tournament.times", too_many))
        if reason is not None:
            key = _NEEDED.get(word, "schedule")
            problems.append(Problem(f"tournament.{key}", reason))
    return settings, problems


def too_many_pairings(settings: ScheduleSettings, entrants: int) -> str | None:
    """Say why a schedule that is known from the start would take all memory, or give None."""
    word = settings.get("schedule", "round-robin")
    if word == "gauntlet":
        challengers = len(str(settings.get("challengers") or "").split())
        once = challengers * (entrants - challengers)
    elif word == "round-robin":
        once = entrants * (entrants - 1) // 2
    else:
        return None
    pairings = once * int(settings.get("times") or 1)
    if pairings <= MAX_PLANNED:
        return None
    return f"{pairings:,} pairings are too many; use fewer than {MAX_PLANNED // once + 1} times"


def _key_problems(word: str, given: Mapping[str, Any]) -> list[Problem]:
    """Find keys that the schedule does not take, and the one that it lacks."""
    takes = SCHEDULE_KEYS[word]
    problems = [
        Problem(f"tournament.{key}", f"has no meaning in {word}, which takes {join_words(takes)}")
        for key in given
        if key not in takes
    ]
    needed = _NEEDED.get(word)
    if needed is not None and needed not in given:
        problems.append(Problem(f"tournament.{needed}", f"is missing; {word} needs it"))
    return problems


def _ids_of(
    names: Sequence[str], ids: Mapping[str, str], *, is_complete: bool
) -> tuple[str, list[Problem]]:
    by_key = {name_key(name): id_ for name, id_ in ids.items()}
    key = "tournament.challengers"
    unknown = [
        unknown_word(key, name, list(ids), what="entrant's name")
        for name in names
        if is_complete and name_key(name) not in by_key
    ]
    return " ".join(by_key[name_key(name)] for name in names if name_key(name) in by_key), unknown
