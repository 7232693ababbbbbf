"""What the rules core raises.

```
TarneebError
└─ RulesError (ValueError)
   ├─ MalformedError     it does not parse: no such card, bid, suit or hand
   └─ IllegalMoveError   it parses, and is not legal now
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_sdk.game.moves import Move

__all__ = ["IllegalMoveError", "MalformedError", "RulesError", "TarneebError"]


class TarneebError(Exception):
    """The root of all errors that this project raises on purpose."""


class RulesError(TarneebError, ValueError):
    """A value that the rules do not allow."""


class MalformedError(RulesError):
    """A text or number that names no card, bid, suit, hand or move."""


class IllegalMoveError(RulesError):
    """A move that is not legal in the state it was made in [R-7.1].

    Attributes:
        move: the refused move, or whatever was given for one.
        reason: one sentence that ends with the rule in brackets.
        rule: the rule's number, such as `R-4.2`.
        legal: what the seat may do instead, in the order of `Deal.legal_moves`; empty when
            nobody is to move.
    """

    def __init__(self, move: object, reason: str, *, rule: str, legal: tuple[Move, ...]) -> None:
        self.move = move
        self.reason = f"{reason} [{rule}]"
        self.rule = rule
        self.legal = legal
        super().__init__(self.reason)

    def __reduce__(self) -> tuple[object, ...]:
        bare = self.reason.removesuffix(f" [{self.rule}]")
        return (_rebuild, (self.move, bare, self.rule, self.legal))


def _rebuild(move: object, reason: str, rule: str, legal: tuple[Move, ...]) -> IllegalMoveError:
    return IllegalMoveError(move, reason, rule=rule, legal=legal)
