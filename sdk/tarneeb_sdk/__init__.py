"""What a Tarneeb bot imports.

A bot is a class and one call:

```python
from tarneeb_sdk import PASS, Bid, Bot, Call, Card, SeatView, Suit, run


class MyBot(Bot):
    def call(self, view: SeatView) -> Call:
        return Bid(7) if view.is_last_to_call else PASS

    def name_trump(self, view: SeatView) -> Suit:
        return max(Suit, key=lambda suit: len(view.hand.of(suit)))

    def play(self, view: SeatView) -> Card:
        return view.legal_cards[0]


if __name__ == "__main__":
    run(MyBot)
```

`tarneeb_sdk.testing` plays whole matches in a unit test; `tarneeb_sdk.game` has the rules, with
states to copy and roll out.
"""

from tarneeb_sdk.bot import Bot, BotError, Seating
from tarneeb_sdk.errors import (
    ConfigError,
    HarnessError,
    IllegalMoveError,
    MalformedError,
    RulesError,
    TarneebError,
)
from tarneeb_sdk.game import (
    PASS,
    SUITS,
    Bid,
    Call,
    Card,
    CardSet,
    DealResult,
    Game,
    Move,
    NameTrump,
    Pass,
    Phase,
    RuleSet,
    SeatView,
    Suit,
    rule_set,
)
from tarneeb_sdk.launch import run
from tarneeb_sdk.messages import LapseReason, MatchOver, MoveRefused, TimeControl, TurnLapsed

__all__ = [
    "PASS",
    "SUITS",
    "Bid",
    "Bot",
    "BotError",
    "Call",
    "Card",
    "CardSet",
    "ConfigError",
    "DealResult",
    "Game",
    "HarnessError",
    "IllegalMoveError",
    "LapseReason",
    "MalformedError",
    "MatchOver",
    "Move",
    "MoveRefused",
    "NameTrump",
    "Pass",
    "Phase",
    "RuleSet",
    "RulesError",
    "SeatView",
    "Seating",
    "Suit",
    "TarneebError",
    "TimeControl",
    "TurnLapsed",
    "rule_set",
    "run",
]
