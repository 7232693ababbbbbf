"""A table in this process: four bots, a match, and every message through the wire's bytes."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_sdk.errors import IllegalMoveError
from tarneeb_sdk.game import (
    ALL_CARDS,
    Match,
    RulesError,
    RuleSet,
    Termination,
    deal_out,
    rule_set,
    seat_view,
)
from tarneeb_sdk.messages import (
    Answer,
    Answers,
    Batch,
    DealCancelled,
    DealScored,
    MatchOver,
    TimeControl,
    Turn,
    Welcome,
)
from tarneeb_sdk.tables import BotTables
from tarneeb_sdk.wire import (
    answers_to_wire,
    request_from_wire,
    response_from_wire,
    response_to_wire,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tarneeb_sdk.bot import Bot
    from tarneeb_sdk.game import Card, DealResult, Move, SeatView, Team
    from tarneeb_sdk.messages import Notice

TEST_TIME = TimeControl(decision_s=1.0, bank_s=15.0, margin_s=0.05, retries=3, strikes=3)
"""What bots are told here; no clock runs."""

_TABLE_ID = 1


class BotMoveError(IllegalMoveError):
    """A bot made a move that the referee would refuse; the text says which bot, and where."""


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal of a match.

    Attributes:
        hands: as dealt, by seat.
        result: the public record.
    """

    hands: tuple[tuple[Card, ...], ...]
    result: DealResult


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that was played here.

    Attributes:
        winner: the team, 0 (seats 0 and 2) or 1; None for a draw.
        termination: why it ended.
        scores: of the teams, or of the seats in Syrian 41.
        deals: every deal, cancelled ones too.
    """

    rules: RuleSet
    winner: Team | None
    termination: Termination
    scores: tuple[int, ...]
    deals: tuple[PlayedDeal, ...]


def play_match(
    bots: Sequence[type[Bot]],
    *,
    rules: RuleSet | str = "tarneeb",
    seed: int = 0,
    first_dealer: int | None = None,
) -> MatchResult:
    """Play a match in this process, as the referee plays it, without clocks.

    Equal arguments give equal matches, if the bots take their dice from `self.rng`. The cards of
    a deal follow from the seed and the deal's number alone, so teams that swap seats under one
    seed get the same cards: a duplicate board.

    Args:
        bots: the classes for the seats 0 to 3; or two classes, one a team.
        rules: what is played, or a preset's name.
        seed: decides the cards and the bots' dice.
        first_dealer: by default the seed decides.

    Raises:
        BotMoveError: a bot made an illegal move.
        BotError: what is given makes no bots, lacks a method, or returned what is no move.
        RulesError: there are not two or four bots, or no such preset.
    """
    if len(bots) not in {2, 4}:
        raise RulesError(f"a match has 4 bots, or 2 for the teams, not {len(bots)}")
    seats = tuple(bots) if len(bots) == 4 else tuple(bots) * 2
    chosen = rule_set(rules) if isinstance(rules, str) else rules
    if first_dealer is None:
        first_dealer = _dice(seed, "dealer").randrange(4)
    table = _Table(seats, Match(chosen, first_dealer=first_dealer), seed=seed)
    return table.play()


def _dice(seed: int, purpose: str) -> random.Random:
    return random.Random(f"{seed}/{purpose}")  # noqa: S311 - a test's cards are no secret


def _deal_cards(seed: int, match: Match) -> tuple[tuple[Card, ...], ...]:
    dice = _dice(seed, f"deal {match.deal_number} redeal {match.redeal_number}")
    return deal_out(dice.sample(ALL_CARDS, 52), dealer=match.dealer)


class _Seat:
    """One bot behind the wire."""

    def __init__(self, bot_class: type[Bot], welcome: Welcome) -> None:
        self._tables = BotTables(bot_class, welcome)
        self.name = bot_class.__name__
        self._welcome = welcome
        self._turn_id = 0

    def tell(self, notice: Notice) -> None:
        self._exchange(Batch(notices=(notice,)))

    def ask(self, view: SeatView) -> Move:
        self._turn_id += 1
        turn = Turn(self._turn_id, _TABLE_ID, TEST_TIME.decision_s, view)
        answer = self._exchange(Batch(turns=(turn,)))
        assert answer is not None
        return answer.move

    def _exchange(self, batch: Batch) -> Answer | None:
        received = response_from_wire(response_to_wire(batch), welcome=self._welcome)
        assert isinstance(received, Batch)
        sent: list[Answer] = []
        self._tables.handle(received, sent.append)
        if not sent:
            return None
        request = request_from_wire(answers_to_wire(sent))
        assert isinstance(request, Answers)
        answer = request.answers[0]
        assert isinstance(answer, Answer)
        return answer


class _Table:
    def __init__(self, bots: Sequence[type[Bot]], match: Match, *, seed: int) -> None:
        self._match = match
        self._seed = seed
        self._deals: list[PlayedDeal] = []
        self._seats = [
            _Seat(bot, _welcome(seat, match.rules, seed=seed)) for seat, bot in enumerate(bots)
        ]

    def play(self) -> MatchResult:
        match = self._match
        while not match.over:
            self._play_deal(_deal_cards(self._seed, match))
        assert match.termination is not None
        for seat in self._seats:
            seat.tell(MatchOver(_TABLE_ID, match.scores, match.winner))
        return MatchResult(
            rules=match.rules,
            winner=match.winner,
            termination=match.termination,
            scores=match.scores,
            deals=tuple(self._deals),
        )

    def _play_deal(self, hands: tuple[tuple[Card, ...], ...]) -> None:
        match = self._match
        match.start_deal(hands)
        while (seat := match.turn) is not None:
            move = match.forced_move()
            if move is not None:
                match.apply(move)
                continue
            view = seat_view(match, seat)
            move = self._seats[seat].ask(view)
            try:
                match.apply(move)
            except IllegalMoveError as error:
                raise _blame(error, bot=self._seats[seat].name, view=view) from None
        result = match.last_result
        assert result is not None
        self._deals.append(PlayedDeal(hands, result))
        notice = DealCancelled if result.cancelled else DealScored
        for each in self._seats:
            each.tell(notice(_TABLE_ID, result))


def _welcome(seat: int, rules: RuleSet, *, seed: int) -> Welcome:
    bot_seed = hashlib.sha256(f"{seed}/seat {seat}".encode()).digest()
    return Welcome(
        protocol_version=1, seat=seat, rules=rules, time=TEST_TIME, tables=1, seed=bot_seed
    )


def ask(bot_class: type[Bot], view: SeatView, *, seed: int = 0) -> Move:
    """Ask a fresh bot for one decision, and check that it is legal.

    Args:
        bot_class: the bot.
        view: what it sees, such as from `view_of`.
        seed: decides its dice.

    Raises:
        BotMoveError: the move is illegal.
        BotError: what is given makes no bots, lacks a method, or returned what is no move.
    """
    move = _Seat(bot_class, _welcome(view.seat, view.rules, seed=seed)).ask(view)
    if move in view.legal:
        return move
    legal = ", ".join(map(str, view.legal))
    reason = f"seat {view.seat} chose {move}; it may choose {legal}"
    error = IllegalMoveError(move, reason, rule="R-7.1", legal=view.legal)
    raise _blame(error, bot=bot_class.__name__, view=view)


def _blame(error: IllegalMoveError, *, bot: str, view: SeatView) -> BotMoveError:
    reason = f"{bot}: {error.reason.removesuffix(f' [{error.rule}]')}"
    blamed = BotMoveError(error.move, reason, rule=error.rule, legal=error.legal)
    blamed.add_note(f"deal {view.deal_number}, {view.phase.value}; the bot saw:\n{view}")
    return blamed
