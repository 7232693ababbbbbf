"""For a bot's unit tests: whole matches and single decisions, without a referee or a socket.

```python
from tarneeb_sdk.testing import ask, play_match, view_of


def test_it_bids_on_a_strong_hand():
    assert ask(MyBot, view_of("AKQJ98.AK.A2.432")) == Bid(9)


def test_it_plays_a_match():
    assert play_match([MyBot, OtherBot], seed=1).winner == 0
```
"""

from tarneeb_sdk.testing.matches import (
    TEST_TIME,
    BotMoveError,
    MatchResult,
    PlayedDeal,
    ask,
    play_match,
)
from tarneeb_sdk.testing.positions import view_of

__all__ = [
    "TEST_TIME",
    "BotMoveError",
    "MatchResult",
    "PlayedDeal",
    "ask",
    "play_match",
    "view_of",
]
