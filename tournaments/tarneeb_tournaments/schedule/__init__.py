"""Who meets whom, and when: pure functions of the entrants' ids and of earlier results."""

from collections.abc import Mapping
from types import MappingProxyType

from tarneeb_tournaments.schedule.base import Pairing, Schedule
from tarneeb_tournaments.schedule.round_robin import round_robin

__all__ = ["SCHEDULES", "Pairing", "Schedule", "round_robin"]

# By the word that a tournament's file uses.
SCHEDULES: Mapping[str, Schedule] = MappingProxyType({"round-robin": round_robin})
