"""Schedules that are known before the first match, since they don't depend on results."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from tarneeb_tournaments.schedule.base import NOBODY, Pairing, PairingResult
from tarneeb_tournaments.schedule.round_robin import round_robin


class Planned(ABC):
    """A schedule that gives all its pairings at the start.

    Pairings with an entrant who leaves later stay in the plan; whoever plays it leaves them out.
    """

    __slots__ = ()

    @abstractmethod
    def verify(self, entrants: Sequence[str], /) -> str | None:
        """Say why these entrants can't be scheduled so, or None if they can."""

    @abstractmethod
    def plan(self, entrants: Sequence[str]) -> tuple[Pairing, ...]:
        """Pair the entrants, rounds in order, byes included."""

    def next_pairings(
        self,
        entrants: Sequence[str],
        results: Sequence[PairingResult],
        /,
        *,
        absent: AbstractSet[str] = NOBODY,
    ) -> tuple[Pairing, ...]:
        del absent
        return () if results else self.plan(entrants)


@dataclass(frozen=True, slots=True)
class RoundRobin(Planned):
    """Everybody meets everybody, once or several times.

    Attributes:
        times: how often; sides are swapped each time.
    """

    times: int = 1

    def verify(self, entrants: Sequence[str], /) -> str | None:
        if len(entrants) < 2:
            return f"a round-robin needs at least 2 entrants, not {len(entrants)}"
        return _verify_times("a round-robin", self.times)

    def plan(self, entrants: Sequence[str]) -> tuple[Pairing, ...]:
        return _repeated(round_robin(entrants), self.times)


@dataclass(frozen=True, slots=True)
class Gauntlet(Planned):
    """Each challenger meets everybody of the field; neither side meets its own kind.

    Whoever has no opponent in a round just waits. That is no bye: it scores nothing, and everybody
    of a kind plays equally often.

    Attributes:
        challengers: ids; all other entrants are the field.
        times: how often each two meet; sides are swapped each time.
    """

    challengers: tuple[str, ...]
    times: int = 1

    def verify(self, entrants: Sequence[str], /) -> str | None:
        if not self.challengers:
            return "a gauntlet needs at least 1 challenger"
        if len(set(self.challengers)) < len(self.challengers):
            return "a challenger is named twice"
        unknown = [each for each in self.challengers if each not in entrants]
        if unknown:
            return f"challenger {unknown[0]} is not an entrant"
        if len(entrants) == len(self.challengers):
            return "all entrants are challengers; a gauntlet needs at least 1 other"
        return _verify_times("a gauntlet", self.times)

    def plan(self, entrants: Sequence[str]) -> tuple[Pairing, ...]:
        field = [each for each in entrants if each not in self.challengers]
        count = max(len(self.challengers), len(field))
        pairings = []
        for turn in range(count):
            number = 0
            for place, challenger in enumerate(self.challengers):
                against = (place + turn) % count
                if against >= len(field):
                    continue
                number += 1
                # By the sum of places: then sides differ by at most one for everybody.
                swaps = (place + against) % 2
                first, second = challenger, field[against]
                pairings.append(
                    Pairing(turn + 1, number, *((second, first) if swaps else (first, second)))
                )
        return _repeated(tuple(pairings), self.times)


def _verify_times(what: str, times: int) -> str | None:
    return f"{what} is played at least 1 time, not {times}" if times < 1 else None


def _repeated(pairings: tuple[Pairing, ...], times: int) -> tuple[Pairing, ...]:
    """Play the same rounds again, with the sides swapped every other time."""
    rounds = max((pairing.round for pairing in pairings), default=0)
    return tuple(
        replace(
            pairing if cycle % 2 == 0 else _swapped(pairing), round=cycle * rounds + pairing.round
        )
        for cycle in range(times)
        for pairing in pairings
    )


def _swapped(pairing: Pairing) -> Pairing:
    if pairing.second is None:
        return pairing
    return replace(pairing, first=pairing.second, second=pairing.first)
