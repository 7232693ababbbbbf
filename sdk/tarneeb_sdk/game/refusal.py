"""Words for the text of a refusal."""

from __future__ import annotations

from tarneeb_sdk.game.cards import Card
from tarneeb_sdk.game.moves import Bid, NameTrump, Pass

__all__ = ["deed_of"]


def deed_of(move: object) -> str:
    """Tell what a seat did with a move, or with what it gave for one."""
    match move:
        case Card():
            return f"played {move}"
        case Bid():
            return f"bid {move}"
        case Pass():
            return "passed"
        case NameTrump():
            return f"named {move.suit.name.lower()}"
        case _:
            text = repr(move)
            return f"answered {text if len(text) <= 40 else text[:37] + '...'}"
