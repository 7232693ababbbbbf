"""What every schedule yields, and what it is told of earlier rounds."""

import hashlib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two sides that meet over a number of boards, or one entrant who has a bye.

    In a pair event a side is one entrant, whose bot sits in both of its seats. In an individual
    event each of the four seats belongs to another entrant, and a side is two of them.

    Attributes:
        round: from 1.
        number: the place in its round, from 1; it decides deals and seeds.
        first: the id of who sits in team 0 in the first half, and in team 1 in the second.
        second: the id of who sits against them; None for a bye.
        partners: in an individual event, the ids of who sits opposite `first` and opposite
            `second`; None in a pair event.
    """

    round: int
    number: int
    first: str
    second: str | None
    partners: tuple[str, str] | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Round and number: sorts in schedule order."""
        return self.round, self.number

    @property
    def is_bye(self) -> bool:
        return self.second is None

    @property
    def entrants(self) -> tuple[str, ...]:
        """Everybody who takes part, each once; by seat in an individual event."""
        if self.second is None:
            return (self.first,)
        if self.partners is None:
            return (self.first, self.second)
        return (self.first, self.second, *self.partners)

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The entrants of the first and of the second side; a bye has one side."""
        if self.second is None:
            return ((self.first,),)
        if self.partners is None:
            return ((self.first,), (self.second,))
        return ((self.first, self.partners[0]), (self.second, self.partners[1]))

    def teams(self, half: int) -> tuple[str, str]:
        """Give the entrants of team 0 and team 1 in half 1 or 2 of a pair event.

        Raises:
            ValueError: it is a bye, or there is no such half.
        """
        first, second, *_ = self.seats(half)
        return first, second

    def seats(self, half: int) -> tuple[str, str, str, str]:
        """Give the entrant of each seat in half 1 or 2; in half 2 the teams have swapped.

        Raises:
            ValueError: it is a bye, or there is no such half.
        """
        if self.second is None:
            raise ValueError(f"round {self.round}, pairing {self.number} is a bye")
        if half not in {1, 2}:
            raise ValueError(f"a pairing has halves 1 and 2, not {half}")
        first, second = self.first, self.second
        first_partner, second_partner = self.partners or (first, second)
        if half == 1:
            return first, second, first_partner, second_partner
        return second, first, second_partner, first_partner


@dataclass(frozen=True, slots=True)
class PairingResult:
    """How a pairing ended.

    Attributes:
        pairing: who met.
        boards: board points of the first and of the second side: 1 for a board (both halves
            together) won, 0.5 for one drawn. None if the pairing does not count as played.
        awarded_to: who scores a pairing that was not played, a bye or because the other side had
            left; None if nobody does.
    """

    pairing: Pairing
    boards: tuple[float, float] | None
    awarded_to: str | None = None

    @classmethod
    def bye(cls, pairing: Pairing) -> "PairingResult":
        """Score a bye: the entrant gets what a win gives."""
        return cls(pairing, None, awarded_to=pairing.first)

    @property
    def points(self) -> tuple[float, float]:
        """What each side scores: 1 for more board points than the other, 0.5 for as many, or 0.

        A pairing that was not played gives 1 to whom it was awarded.
        """
        if self.boards is None:
            to = self.awarded_to
            return (
                float(to == self.pairing.first),
                float(to is not None and to == self.pairing.second),
            )
        first, second = self.boards
        return (1.0, 0.0) if first > second else (0.0, 1.0) if first < second else (0.5, 0.5)


class Schedule(Protocol):
    """A form of tournament: who meets whom, decided by ids and results alone."""

    def verify(self, entrants: Sequence[str], /) -> str | None:
        """Say before round 1 why these entrants can't be scheduled so, or None if they can."""
        ...

    def next_pairings(
        self,
        entrants: Sequence[str],
        results: Sequence[PairingResult],
        /,
        *,
        absent: AbstractSet[str] = NOBODY,
    ) -> tuple[Pairing, ...]:
        """Pair as far ahead as the results allow.

        A schedule that does not depend on results gives all its pairings at the start; others
        give one round at a time. Called again when every pairing given so far has its result, it
        gives the next ones, and none when the tournament is over.

        Args:
            entrants: all ids that the tournament began with, in the order that its draw gave.
            results: of all pairings given so far, byes too, in any order.
            absent: who has left since, by own wish or suspended. They are not paired again.
        """
        ...


def drawn_order(entrants: Iterable[str], *, public_seed: bytes) -> tuple[str, ...]:
    """Order the entrants by lot, the same for the same seed.

    The order of a tournament's file would favour whoever wrote it: it decides first rounds, byes
    and ties. A hash of seed and id can't be steered by the order of the file, and anybody can
    compute it again.
    """

    def lot(entrant: str) -> bytes:
        return hashlib.sha256(b"tarneeb order\0" + public_seed + b"\0" + entrant.encode()).digest()

    return tuple(sorted(entrants, key=lambda entrant: (lot(entrant), entrant)))


def last_round(results: Iterable[PairingResult]) -> int:
    """Find the number of the last round that has results; 0 if there is none."""
    return max((result.pairing.round for result in results), default=0)
