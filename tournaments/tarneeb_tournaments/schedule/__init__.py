"""Who meets whom, and when: pure functions of the entrants' ids and of earlier results."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tarneeb_tournaments.schedule.base import Pairing, PairingResult, Schedule, drawn_order
from tarneeb_tournaments.schedule.individual import Individual
from tarneeb_tournaments.schedule.planned import Gauntlet, RoundRobin
from tarneeb_tournaments.schedule.round_robin import round_robin
from tarneeb_tournaments.schedule.swiss import Swiss

__all__ = [
    "SCHEDULES",
    "Gauntlet",
    "Individual",
    "Pairing",
    "PairingResult",
    "RoundRobin",
    "Schedule",
    "Swiss",
    "drawn_order",
    "round_robin",
]

# By the word that a tournament's file uses.
SCHEDULES: Mapping[str, Callable[[Sequence[str]], tuple[Pairing, ...]]] = MappingProxyType(
    {"round-robin": round_robin}
)
