"""What is found wrong, and where."""

from dataclasses import dataclass, fields, replace
from typing import Final

from tarneeb_sdk.errors import TarneebError


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A place in a tournament, as exact as is known.

    Attributes:
        deal: from 1, cancelled ones counted.
        move: from 1, among the calls, the naming of trump and the plays of its deal.

    >>> str(Where(round=1, pairing=2, board=3))
    'round 1, pairing 2, board 3'
    """

    round: int | None = None
    pairing: int | None = None
    board: int | None = None
    half: int | None = None
    deal: int | None = None
    move: int | None = None

    def at_deal(self, deal: int, move: int | None = None) -> "Where":
        """Go into a match.

        Args:
            deal: from 1.
            move: from 1; None for the deal as a whole.
        """
        return replace(self, deal=deal, move=move)

    def __str__(self) -> str:
        known = [(each.name, getattr(self, each.name)) for each in fields(self)]
        return ", ".join(f"{name} {number}" for name, number in known if number is not None)


MAX_TEXT: Final = 500
"""What is found in a forged file may be of any length; its beginning tells enough."""


class DisprovedError(TarneebError):
    """Something in a results file can't be true.

    Attributes:
        where: the place; empty for what concerns the whole tournament.
        what: one line, cut after `MAX_TEXT` characters.
    """

    def __init__(self, where: Where, what: str) -> None:
        if len(what) > MAX_TEXT:
            what = f"{what[:MAX_TEXT]}…"
        place = str(where)
        super().__init__(f"{place}: {what}" if place else what)
        self.where = where
        self.what = what
