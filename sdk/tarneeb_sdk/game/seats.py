"""Seats, teams and the order of turns [R-1.1, R-1.2]."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["SEATS", "TEAMS", "Seat", "Team", "partner_of", "right_of", "team_of", "turn_order"]

Seat: TypeAlias = int
"""0 to 3, rising in turn order."""

Team: TypeAlias = int
"""0 (seats 0 and 2) or 1 (seats 1 and 3)."""

SEATS: tuple[Seat, ...] = (0, 1, 2, 3)
TEAMS: tuple[tuple[Seat, Seat], ...] = ((0, 2), (1, 3))


def right_of(seat: Seat) -> Seat:
    """Give the seat that moves after this one [R-1.1]."""
    return (seat + 1) & 3


def partner_of(seat: Seat) -> Seat:
    """Give the seat opposite [R-1.2]."""
    return seat ^ 2


def team_of(seat: Seat) -> Team:
    """Give the team that holds a seat [R-1.2]."""
    return seat & 1


def turn_order(dealer: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """List the seats from the dealer's right to the dealer.

    >>> turn_order(2)
    (3, 0, 1, 2)
    """
    return ((dealer + 1) & 3, (dealer + 2) & 3, (dealer + 3) & 3, dealer)
