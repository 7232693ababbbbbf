"""What a bot's author writes: a class that answers calls, names trump and plays cards."""

from __future__ import annotations

import hashlib
import inspect
import logging
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_sdk.errors import TarneebError
from tarneeb_sdk.game import Bid, Card, Game, NameTrump, Pass, Phase, Suit

if TYPE_CHECKING:
    from tarneeb_sdk.game import Call, DealResult, Move, RuleSet, SeatView
    from tarneeb_sdk.messages import MatchOver, MoveRefused, TimeControl, TurnLapsed

LOGGER_NAME = "tarneeb_sdk.bot"


class BotError(TarneebError):
    """A bot's class lacks a method, or a method returned what is no move."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Where one instance of a bot sits.

    Attributes:
        seat: 0 to 3; the partner sits at `(seat + 2) % 4`.
        rules: what is played.
        time: how long the bot may think.
        table_id: names the table; equal ids of two sessions mean nothing.
        seed: for the bot's own dice; it tells nothing of a deal.
    """

    seat: int
    rules: RuleSet
    time: TimeControl
    table_id: int
    seed: bytes


class Bot:
    """A bot at one table, for one match.

    Derive from it and write `call` and `play`, and `name_trump` for Tarneeb. A process has one
    instance a table and asks them one at a time, so a bot needs no locks; what it remembers of a
    match it keeps in `self`. What all tables share, such as a model, belongs into the module.

    A class with an `__init__` of its own takes the seating and hands it on. Most need none:
    `on_match_start` is the place for what a match begins with.

    Attributes:
        seat: its seat, 0 to 3.
        rules: what is played.
        time: how long it may think.
        time_left_s: until the turn being decided times out, when the referee sent it.
        rng: its dice: seeded for this table, so that equal tournaments play equal matches.
        log: its log; it goes to stderr, and from there into the referee's records.
    """

    def __init__(self, seating: Seating) -> None:
        self.seat = seating.seat
        self.rules = seating.rules
        self.time = seating.time
        self.time_left_s = seating.time.decision_s
        self.rng = random.Random(_table_seed(seating))  # noqa: S311 - a bot's own dice
        self.log = logging.LoggerAdapter(
            logging.getLogger(LOGGER_NAME),
            {"table": f"{seating.table_id:x}", "seat": seating.seat},
        )

    def call(self, view: SeatView) -> Call:
        """Bid or pass; in Syrian 41, declare.

        Returns:
            `Bid(n)` or `PASS`, one of `view.legal`.
        """
        raise NotImplementedError

    def name_trump(self, view: SeatView) -> Suit | NameTrump:
        """Name trump after winning the auction [R-3.7]; never asked in Syrian 41."""
        raise NotImplementedError

    def play(self, view: SeatView) -> Card:
        """Play a card; not asked when only one is legal.

        Returns:
            One of `view.legal`.
        """
        raise NotImplementedError

    def decide(self, view: SeatView) -> Move:
        """Decide any turn, by asking `call`, `name_trump` or `play`.

        A bot that treats all moves alike, such as a search, overrides this one alone.
        """
        phase = view.phase
        if phase is Phase.PLAY:
            return self.play(view)
        if phase is Phase.AUCTION:
            return self.call(view)
        suit = self.name_trump(view)
        return NameTrump(suit) if isinstance(suit, Suit) else suit

    def on_match_start(self) -> None:
        """Prepare for the match; `seat`, `rules` and the rest are set."""

    def on_deal_scored(self, result: DealResult) -> None:
        """Learn how a deal went: every call and card of it, and the scores."""

    def on_deal_cancelled(self, result: DealResult) -> None:
        """Learn that a deal was cancelled and is dealt again [R-3.6, R-6.4]."""

    def on_match_over(self, over: MatchOver) -> None:
        """Learn the match's end; nothing follows at this table."""

    def on_move_refused(self, refusal: MoveRefused) -> None:
        """Learn that the last move broke a rule; the same turn is asked again, with the same view."""
        self.log.warning("move refused: %s", refusal.reason)

    def on_turn_lapsed(self, lapse: TurnLapsed) -> None:
        """Learn that the referee moved for this bot [R-7.2]."""
        self.log.warning("the referee played %s for this bot (%s)", lapse.move, lapse.reason.value)


def _table_seed(seating: Seating) -> int:
    text = seating.seed + seating.table_id.to_bytes(8, "big")
    return int.from_bytes(hashlib.sha256(text).digest(), "big")


def verify_makes_bots(bot_class: object) -> BotError | None:
    """Find why something can't be called with a seating to make a bot.

    Args:
        bot_class: should be a class derived from `Bot`, but authors get it wrong.
    """
    if isinstance(bot_class, Bot):
        name = type(bot_class).__name__
        return BotError(f"the class is needed, not one bot of it: write {name}, not {name}(...)")
    if not isinstance(bot_class, type):
        return BotError(f"{bot_class!r} is no class; give a class derived from tarneeb_sdk.Bot")
    name = bot_class.__name__
    if not issubclass(bot_class, Bot):
        return BotError(f"{name} is no Bot; derive the class from it: class {name}(Bot)")
    try:
        inspect.signature(bot_class.__init__).bind(None, None)
    except TypeError:
        return _init_error(name)
    return None


def verify_seated(bot: Bot) -> BotError | None:
    """Find out whether a new bot's `__init__` has handed the seating on."""
    return None if hasattr(bot, "rng") else _init_error(type(bot).__name__)


def _init_error(name: str) -> BotError:
    return BotError(
        f"{name}.__init__ must take the seating and call super().__init__(seating); "
        "simpler: leave it out and set up the bot's memory in on_match_start(self)"
    )


def verify_bot_class(bot_class: type[Bot], *, rules: RuleSet) -> BotError | None:
    """Find what a class lacks to play by these rules.

    It is asked before the first turn, so that a misspelt method shows at once.
    """
    misuse = verify_makes_bots(bot_class)
    if misuse is not None:
        return misuse
    if bot_class.decide is not Bot.decide:
        return None
    needed = ["call", "play"]
    if rules.game is Game.TARNEEB:
        needed.append("name_trump")
    for name in needed:
        if getattr(bot_class, name) is getattr(Bot, name):
            return BotError(f"{bot_class.__name__} has no method {name}(self, view)")
    return None


_EXPECTED: dict[Phase, tuple[str, tuple[type[Move], ...], str]] = {
    Phase.AUCTION: ("call", (Bid, Pass), "a Bid or PASS"),
    Phase.TRUMP: ("name_trump", (NameTrump,), "a Suit"),
    Phase.PLAY: ("play", (Card,), "a Card"),
}


def decide_checked(bot: Bot, view: SeatView) -> Move:
    """Ask a bot for its move and check the move's type.

    Whether the move is legal is the referee's to judge.

    Raises:
        BotError: it returned no move, or a move of another kind.
    """
    move = bot.decide(view)
    method, types, expected = _EXPECTED[view.phase]
    if type(move) in types:
        return move
    if type(bot).decide is not Bot.decide:
        method = "decide"
    raise BotError(
        f"{type(bot).__name__}.{method} returned {move!r} ({type(move).__name__}); "
        f"it must return {expected}, such as {view.legal[0]!r}"
    )
