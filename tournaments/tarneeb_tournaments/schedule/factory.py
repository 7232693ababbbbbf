"""From the settings of a tournament to its schedule."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tarneeb_tournaments.schedule.base import Schedule
from tarneeb_tournaments.schedule.individual import Individual
from tarneeb_tournaments.schedule.planned import Gauntlet, Planned, RoundRobin
from tarneeb_tournaments.schedule.swiss import Swiss

ScheduleSettings = Mapping[str, str | int | float | bool | None]
"""The table `tournament` of a tournament's settings; keys of no meaning to a schedule are passed
over."""


def _round_robin(settings: ScheduleSettings) -> Schedule:
    return RoundRobin(times=int(settings.get("times") or 1))


def _gauntlet(settings: ScheduleSettings) -> Schedule:
    challengers = tuple(str(settings["challengers"]).split())
    return Gauntlet(challengers, times=int(settings.get("times") or 1))


def _swiss(settings: ScheduleSettings) -> Schedule:
    return Swiss(int(settings["rounds"] or 0), rematches=bool(settings.get("rematches")))


def _individual(settings: ScheduleSettings) -> Schedule:
    rounds = settings.get("rounds")
    return Individual(None if rounds is None else int(rounds))


# By the word that a tournament's file uses.
SCHEDULES: Final[Mapping[str, Callable[[ScheduleSettings], Schedule]]] = MappingProxyType(
    {
        "round-robin": _round_robin,
        "swiss": _swiss,
        "gauntlet": _gauntlet,
        "individual": _individual,
    }
)

SCHEDULE_KEYS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "round-robin": ("times",),
        "swiss": ("rounds", "rematches"),
        "gauntlet": ("challengers", "times"),
        "individual": ("rounds",),
    }
)
"""Which settings each schedule takes."""


def schedule_of(settings: ScheduleSettings) -> Schedule:
    """Make the schedule that a tournament was set up with.

    Args:
        settings: `schedule`, a key of `SCHEDULES`, which may be left out for a round-robin; and
            the keys that `SCHEDULE_KEYS` names for it. Challengers are ids with spaces between.

    >>> schedule_of({"schedule": "swiss", "rounds": 5})
    Swiss(rounds=5, rematches=False)
    """
    return SCHEDULES[str(settings.get("schedule", "round-robin"))](settings)


def is_planned(schedule: Schedule) -> bool:
    """Tell whether a schedule gives all its pairings at the start."""
    return isinstance(schedule, Planned)
