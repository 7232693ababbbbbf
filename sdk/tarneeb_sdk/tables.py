"""One instance of a bot for each table: batches in, answers out, no I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from tarneeb_sdk.bot import Bot, Seating, decide_checked, verify_bot_class, verify_seated
from tarneeb_sdk.messages import (
    Answer,
    DealCancelled,
    DealScored,
    MatchOver,
    MoveRefused,
    TurnLapsed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarneeb_sdk.messages import Batch, Notice, Turn, Welcome


_KEPT = 2
"""So many times the tables that the referee plays at once, and the one unused for longest goes."""


class _Table:
    """A bot, and the turn that it decided last."""

    __slots__ = ("answer", "bot", "turn", "used")

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        # When it was last heard of, as `BotTables` counts.
        self.used = 0
        self.turn: Turn | None = None
        # None while the turn waits: not decided yet, or its move was refused.
        self.answer: Answer | None = None


class BotTables:
    """All tables at which a bot sits in one session.

    A turn that comes again under the same id, as it does after a reconnection, gets the same
    answer again: the bot is not asked twice, so its dice and its memory stay as they were. Only a
    refused move is thought over.

    Raises:
        BotError: the class makes no bots, or lacks a method.
    """

    def __init__(self, bot_class: type[Bot], welcome: Welcome) -> None:
        error = verify_bot_class(bot_class, rules=welcome.rules)
        if error is not None:
            raise error
        self.welcome = welcome
        self._bot_class = bot_class
        self._tables: dict[int, _Table] = {}
        self._events = 0

    def __len__(self) -> int:
        return len(self._tables)

    def handle(self, batch: Batch, send: Callable[[Answer], object]) -> None:
        """Tell the bots what happened, then answer each turn in order.

        Args:
            batch: what the referee sent.
            send: takes each answer as soon as it is decided.

        Raises:
            Exception: whatever a bot raises, with a note on what it was asked.
        """
        again: dict[int, Turn] = {}
        for notice in batch.notices:
            turn = self._notice(notice)
            if turn is not None:
                again[turn.turn_id] = turn
            elif isinstance(notice, TurnLapsed):
                again.pop(notice.turn_id, None)
        if again:
            sent_again = {turn.turn_id for turn in batch.turns}
            for turn_id, turn in again.items():
                if turn_id not in sent_again:
                    send(self._answer(turn))
        for turn in batch.turns:
            send(self._answer(turn))

    def _answer(self, turn: Turn) -> Answer:
        table = self._table(turn.table_id)
        known = table.turn
        if known is not None and known.turn_id == turn.turn_id and table.answer is not None:
            return table.answer
        table.turn = turn
        table.answer = None
        bot = table.bot
        bot.time_left_s = turn.time_left_s
        try:
            move = decide_checked(bot, turn.view)
        except Exception as error:
            view = turn.view
            error.add_note(
                f"while deciding at table {turn.table_id:x}, deal {view.deal_number}, "
                f"{turn.time_left_s:.3f} s left:\n{view}"
            )
            raise
        answer = table.answer = Answer(turn.turn_id, move)
        return answer

    def _table(self, table_id: int) -> _Table:
        table = self._tables.get(table_id)
        if table is None:
            table = self._open(table_id)
        self._events += 1
        table.used = self._events
        return table

    def _open(self, table_id: int) -> _Table:
        welcome = self.welcome
        # A match that the referee gave up, for reasons of its own, has no end to be told of.
        if len(self._tables) >= _KEPT * welcome.tables > 0:
            del self._tables[min(self._tables, key=lambda each: self._tables[each].used)]
        bot = self._bot_class(
            Seating(welcome.seat, welcome.rules, welcome.time, table_id, welcome.seed)
        )
        error = verify_seated(bot)
        if error is not None:
            raise error
        self._call_hook(bot.on_match_start, table_id=table_id)
        table = self._tables[table_id] = _Table(bot)
        return table

    def _notice(self, notice: Notice) -> Turn | None:
        """Pass a notice on; return the turn that must be decided again, if any."""
        table_id = notice.table_id
        table = self._table(table_id)
        bot = table.bot
        match notice:
            case DealScored():
                self._call_hook(bot.on_deal_scored, notice.result, table_id=table_id)
            case DealCancelled():
                self._call_hook(bot.on_deal_cancelled, notice.result, table_id=table_id)
            case MatchOver():
                del self._tables[table_id]
                self._call_hook(bot.on_match_over, notice, table_id=table_id)
            case TurnLapsed():
                self._call_hook(bot.on_turn_lapsed, notice, table_id=table_id)
            case MoveRefused():
                self._call_hook(bot.on_move_refused, notice, table_id=table_id)
                turn = table.turn
                if turn is not None and turn.turn_id == notice.turn_id:
                    table.answer = None
                    # After the last refusal the referee moves.
                    return turn if notice.retries_left else None
            case _:
                assert_never(notice)
        return None

    @staticmethod
    def _call_hook(hook: Callable[..., None], *arguments: Any, table_id: int) -> None:
        try:
            hook(*arguments)
        except Exception as error:
            error.add_note(f"in {hook.__name__} at table {table_id:x}")
            raise
