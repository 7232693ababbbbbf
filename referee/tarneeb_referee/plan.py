"""What a session is to play: one half of a pairing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_referee.settings import MAX_TABLES

if TYPE_CHECKING:
    from tarneeb_referee.bot_folder import BotSpec


@dataclass(frozen=True, slots=True)
class BotHandle:
    """Who sits in a seat.

    Attributes:
        entrant_id: by which results are booked; never a name that the bot states.
        spec: how to start it.
    """

    entrant_id: str
    spec: BotSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfPlan:
    """One half of a pairing: four bots, and the boards that they still have to play.

    Attributes:
        round_: the round's number in the schedule.
        pairing: the pairing's number in the round.
        half: 1 or 2; in the second half the teams have swapped seats.
        boards: the boards' numbers, in the order in which they are begun.
        seats: four bots, by seat.
        tables: how many boards are played at once.

    Raises:
        ValueError: not four seats, not half 1 or 2, a board twice, or too many or no tables.
    """

    round_: int
    pairing: int
    half: int
    boards: tuple[int, ...]
    seats: tuple[BotHandle, BotHandle, BotHandle, BotHandle]
    tables: int = 1

    def __post_init__(self) -> None:
        if len(self.seats) != 4:
            raise ValueError(f"a plan has 4 seats, not {len(self.seats)}")
        if self.half not in {1, 2}:
            raise ValueError(f"half is 1 or 2, not {self.half}")
        if len(set(self.boards)) != len(self.boards):
            raise ValueError("a plan names a board twice")
        if not 1 <= self.tables <= MAX_TABLES:
            raise ValueError(f"tables is 1 to {MAX_TABLES}, not {self.tables}")

    @property
    def entrants(self) -> tuple[str, str, str, str]:
        """The entrants' ids, by seat."""
        first, second, third, fourth = self.seats
        return first.entrant_id, second.entrant_id, third.entrant_id, fourth.entrant_id
