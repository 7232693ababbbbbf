"""Who meets whom, and when: pure functions of the entrants' ids and of earlier results."""

from tarneeb_tournaments.schedule.base import Pairing, PairingResult, Schedule, drawn_order
from tarneeb_tournaments.schedule.factory import (
    SCHEDULE_KEYS,
    SCHEDULES,
    ScheduleSettings,
    is_planned,
    schedule_of,
)
from tarneeb_tournaments.schedule.individual import Individual
from tarneeb_tournaments.schedule.planned import Gauntlet, RoundRobin
from tarneeb_tournaments.schedule.round_robin import round_robin
from tarneeb_tournaments.schedule.swiss import Swiss

__all__ = [
    "SCHEDULES",
    "SCHEDULE_KEYS",
    "Gauntlet",
    "Individual",
    "Pairing",
    "PairingResult",
    "RoundRobin",
    "Schedule",
    "ScheduleSettings",
    "Swiss",
    "drawn_order",
    "is_planned",
    "round_robin",
    "schedule_of",
]
