"""What every schedule yields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants who meet over a number of boards, or one who has a bye.

    Attributes:
        round: from 1.
        number: the place in its round, from 1; it decides deals and seeds.
        first: the id of who sits as team 0 in the first half, and as team 1 in the second.
        second: the id of the other; None for a bye.
    """

    round: int
    number: int
    first: str
    second: str | None

    @property
    def place(self) -> tuple[int, int]:
        """Round and number: sorts in schedule order."""
        return self.round, self.number

    @property
    def is_bye(self) -> bool:
        return self.second is None

    @property
    def entrants(self) -> tuple[str, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    def teams(self, half: int) -> tuple[str, str]:
        """Give the entrants of team 0 and team 1 in half 1 or 2.

        Raises:
            ValueError: it is a bye, or there is no such half.
        """
        if self.second is None:
            raise ValueError(f"round {self.round}, pairing {self.number} is a bye")
        if half not in {1, 2}:
            raise ValueError(f"a pairing has halves 1 and 2, not {half}")
        return (self.first, self.second) if half == 1 else (self.second, self.first)


class Schedule(Protocol):
    """A form of tournament whose pairings are known before the first match."""

    def __call__(self, entrants: Sequence[str], /) -> tuple[Pairing, ...]:
        """Pair the entrants, rounds in order, byes included.

        Args:
            entrants: ids in the order of the tournament's file.
        """
        ...
