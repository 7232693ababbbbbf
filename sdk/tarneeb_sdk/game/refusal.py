"""What the text of a refusal is made of."""

from __future__ import annotations

from tarneeb_sdk.game.card_set import CardSet
from tarneeb_sdk.game.cards import Card, Suit
from tarneeb_sdk.game.moves import Bid, NameTrump, Pass

__all__ = ["card_due", "deed_of"]


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


def card_due(move: object, *, hand: CardSet | None, led: Suit | None) -> tuple[str, str]:
    """Say what a seat must do instead of a move that is no legal card, and by which rule.

    Args:
        move: what it did.
        hand: the cards that it holds; `None` if they are not known.
        led: the suit to follow; `None` for who leads.
    """
    rule = "R-4.1" if led is None else "R-4.2"
    if hand is None:
        return "the hands are not known", rule
    if type(move) is not Card:
        return "it must play a card", rule
    if led is None or move not in hand:
        return "it does not hold that card", rule
    follow = ", ".join(map(str, hand.of(led)))
    return f"it must follow {led.name.lower()} ({follow})", rule
