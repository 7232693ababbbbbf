"""Who made the calls of an auction [R-3.1, R-3.3, R-6.3]."""

from __future__ import annotations

from collections.abc import Sequence

from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.moves import Call, Pass
from tarneeb_sdk.game.seats import Seat, turn_order

__all__ = ["callers"]


def callers(calls: Sequence[Call], *, dealer: Seat) -> tuple[Seat, ...]:
    """Find the seat of each call: counter-clockwise over those that have not passed.

    Args:
        calls: from the dealer's right, of either game.
        dealer: who dealt.

    Raises:
        RulesError: there are calls after all have passed.

    >>> from tarneeb_sdk.game.moves import PASS, Bid
    >>> callers((PASS, Bid(7), Bid(8), PASS, Bid(9)), dealer=3)
    (0, 1, 2, 3, 1)
    """
    waiting = list(turn_order(dealer))
    seats: list[Seat] = []
    place = 0
    for call in calls:
        if not waiting:
            raise RulesError("nobody can call after all have passed [R-3.6]")
        place %= len(waiting)
        seats.append(waiting[place])
        if isinstance(call, Pass):
            del waiting[place]
        else:
            place += 1
    return tuple(seats)
