from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk import (
    PASS,
    Bid,
    Bot,
    BotError,
    Call,
    Card,
    DealResult,
    MatchOver,
    NameTrump,
    Seating,
    SeatView,
    Suit,
    rule_set,
)
from tarneeb_sdk.game import ALL_CARDS, Match, deal_out, seat_view
from tarneeb_sdk.messages import (
    Answer,
    Batch,
    DealScored,
    LapseReason,
    MoveRefused,
    TimeControl,
    Turn,
    TurnLapsed,
    Welcome,
)
from tarneeb_sdk.tables import BotTables
from tarneeb_sdk.testing import view_of

TIME = TimeControl(decision_s=1.0, bank_s=15.0, margin_s=0.05, retries=3, strikes=3)
WELCOME = Welcome(1, 0, rule_set("tarneeb"), TIME, 4, b"seed")
VIEW = view_of("AKQ.J98.T765.432")


class DiceBot(Bot):
    """Throws its dice for each decision, and for each deal that it hears of."""

    def decide(self, view: SeatView) -> Any:
        return self.rng.choice(view.legal)

    def on_deal_scored(self, result: DealResult) -> None:
        self.rng.random()


class PlainBot(Bot):
    def call(self, view: SeatView) -> Call:
        return PASS

    def name_trump(self, view: SeatView) -> Suit:
        return Suit.CLUBS

    def play(self, view: SeatView) -> Card:
        return view.legal_cards[0]


def collect(tables: BotTables, *batches: Batch) -> list[Answer]:
    sent: list[Answer] = []
    for batch in batches:
        tables.handle(batch, sent.append)
    return sent


def script_of_table(table_id: int) -> list[Batch]:
    """Make what a seat gets at one table over two deals, a message for each event."""
    dice = random.Random(table_id)
    match = Match(rule_set("tarneeb"), first_dealer=0)
    batches: list[Batch] = []
    number = 0
    while match.deals_scored < 2:
        if match.turn is None:
            match.start_deal(deal_out(dice.sample(ALL_CARDS, 52), dealer=match.dealer))
        while match.turn is not None:
            if match.turn == 0 and match.forced_move() is None:
                number += 1
                turn = Turn(table_id << 20 | number, table_id, 1.0, seat_view(match, 0))
                batches.append(Batch(turns=(turn,)))
            match.apply(dice.choice(match.legal_moves()))
        assert match.last_result is not None
        batches.append(Batch((DealScored(table_id, match.last_result),)))
    return batches


SCRIPTS = {table_id: script_of_table(table_id) for table_id in (1, 2, 3)}


def by_table(answers: list[Answer]) -> dict[int, list[Answer]]:
    return {
        table_id: [answer for answer in answers if answer.turn_id >> 20 == table_id]
        for table_id in SCRIPTS
    }


@given(st.randoms(use_true_random=False))
def test_answers_do_not_depend_on_how_tables_are_interleaved(dice: random.Random) -> None:
    one_after_another = collect(
        BotTables(DiceBot, WELCOME), *(batch for script in SCRIPTS.values() for batch in script)
    )
    order = [table_id for table_id, script in SCRIPTS.items() for _ in script]
    dice.shuffle(order)
    waiting = {table_id: iter(script) for table_id, script in SCRIPTS.items()}
    mixed = [next(waiting[table_id]) for table_id in order]
    # Some of the events come together in one message.
    merged: list[Batch] = []
    for batch in mixed:
        if merged and not merged[-1].turns and dice.random() < 0.5:
            merged[-1] = Batch(merged[-1].notices + batch.notices, batch.turns)
        else:
            merged.append(batch)
    interleaved = collect(BotTables(DiceBot, WELCOME), *merged)
    assert by_table(interleaved) == by_table(one_after_another)


def test_tables_have_dice_of_their_own() -> None:
    views = [view_of("AKQ.J98.T765.432")] * 30
    answers = collect(
        BotTables(DiceBot, WELCOME),
        Batch(turns=tuple(Turn(n, n, 1.0, view) for n, view in enumerate(views, 1))),
    )
    assert len({answer.move for answer in answers}) > 3


def test_another_seed_is_other_dice() -> None:
    other = Welcome(1, 0, rule_set("tarneeb"), TIME, 4, b"another")
    turns = tuple(Turn(n, n, 1.0, VIEW) for n in range(1, 20))
    assert collect(BotTables(DiceBot, WELCOME), Batch(turns=turns)) != collect(
        BotTables(DiceBot, other), Batch(turns=turns)
    )


def test_a_turn_that_comes_again_is_not_decided_again() -> None:
    tables = BotTables(DiceBot, WELCOME)
    turn = Turn(11, 7, 1.0, VIEW)
    first, again = collect(tables, Batch(turns=(turn,)), Batch(turns=(turn,)))
    assert again is first
    fresh = collect(BotTables(DiceBot, WELCOME), Batch(turns=(turn, Turn(12, 7, 1.0, VIEW))))
    # The dice stand where they would stand without the repetition.
    assert collect(tables, Batch(turns=(Turn(12, 7, 1.0, VIEW),))) == fresh[1:]


def test_a_refused_turn_is_decided_again_once_even_if_it_comes_again_too() -> None:
    turn = Turn(11, 7, 1.0, VIEW)
    refused = MoveRefused(7, 11, "no", VIEW.legal, 2)
    alone = collect(BotTables(DiceBot, WELCOME), Batch(turns=(turn,)), Batch(notices=(refused,)))
    with_turn = collect(
        BotTables(DiceBot, WELCOME), Batch(turns=(turn,)), Batch((refused,), (turn,))
    )
    assert len(alone) == 2
    assert alone == with_turn


def test_a_refused_turn_comes_before_the_new_ones() -> None:
    tables = BotTables(DiceBot, WELCOME)
    refused = MoveRefused(7, 11, "no", VIEW.legal, 2)
    sent = collect(
        tables,
        Batch(turns=(Turn(11, 7, 1.0, VIEW),)),
        Batch((refused,), (Turn(21, 8, 1.0, VIEW),)),
    )
    assert [answer.turn_id for answer in sent] == [11, 11, 21]


def test_a_refusal_of_an_unknown_turn_is_told_and_not_answered() -> None:
    told: list[MoveRefused] = []

    class TellingBot(DiceBot):
        def on_move_refused(self, refusal: MoveRefused) -> None:
            told.append(refusal)

    refused = MoveRefused(7, 99, "no", VIEW.legal, 2)
    assert collect(BotTables(TellingBot, WELCOME), Batch(notices=(refused,))) == []
    assert told == [refused]


def test_after_the_last_refusal_it_is_the_referee_that_moves() -> None:
    tables = BotTables(DiceBot, WELCOME)
    last = MoveRefused(7, 11, "no", VIEW.legal, 0)
    lapsed = TurnLapsed(7, 11, LapseReason.REFUSED_MOVES, PASS)
    sent = collect(tables, Batch(turns=(Turn(11, 7, 1.0, VIEW),)), Batch((last,)), Batch((lapsed,)))
    assert [answer.turn_id for answer in sent] == [11]


def test_a_turn_that_lapsed_after_its_refusal_is_not_decided_again() -> None:
    tables = BotTables(DiceBot, WELCOME)
    refused = MoveRefused(7, 11, "no", VIEW.legal, 2)
    lapsed = TurnLapsed(7, 11, LapseReason.TIME, PASS)
    turn = Turn(11, 7, 1.0, VIEW)
    other = Turn(21, 8, 1.0, VIEW)
    sent = collect(tables, Batch(turns=(turn,)), Batch((refused, lapsed), (other,)))
    assert [answer.turn_id for answer in sent] == [11, 21]


def test_a_table_is_dropped_when_its_match_is_over() -> None:
    tables = BotTables(DiceBot, WELCOME)
    collect(tables, Batch(turns=(Turn(1, 7, 1.0, VIEW), Turn(2, 8, 1.0, VIEW))))
    assert len(tables) == 2
    collect(tables, Batch((MatchOver(7, (41, 0), 0), MatchOver(8, (41, 0), 0))))
    assert len(tables) == 0


def test_tables_whose_end_was_never_told_are_dropped_in_time() -> None:
    tables = BotTables(DiceBot, WELCOME)
    for table_id in range(1, 100):
        # Table 1 goes on, all others fall silent.
        turns = (Turn(2 * table_id, 1, 1.0, VIEW), Turn(2 * table_id + 1, table_id, 1.0, VIEW))
        collect(tables, Batch(turns=turns))
    assert len(tables) == 2 * WELCOME.tables
    collect(tables, Batch((MatchOver(1, (41, 0), 0),)))
    assert len(tables) == 2 * WELCOME.tables - 1


def test_a_bot_knows_its_seat_rules_time_and_time_left() -> None:
    seen: list[object] = []

    class SeeingBot(PlainBot):
        def call(self, view: SeatView) -> Call:
            seen.append((self.seat, self.rules, self.time, self.time_left_s))
            return PASS

    collect(BotTables(SeeingBot, WELCOME), Batch(turns=(Turn(1, 7, 12.5, VIEW),)))
    assert seen == [(0, WELCOME.rules, TIME, 12.5)]


def test_an_own_init_takes_the_seating_and_hands_it_on() -> None:
    class OwnInitBot(PlainBot):
        def __init__(self, seating: Seating) -> None:
            super().__init__(seating)
            self.seen = seating.table_id

        def call(self, view: SeatView) -> Call:
            return Bid(self.seen)

    assert collect(BotTables(OwnInitBot, WELCOME), Batch(turns=(Turn(1, 7, 1.0, VIEW),))) == [
        Answer(1, Bid(7))
    ]


def test_lapses_and_refusals_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    notices = (
        MoveRefused(7, 99, "seat 0 bid 7; it must bid higher [R-3.2]", VIEW.legal, 2),
        TurnLapsed(7, 99, LapseReason.TIME, PASS),
    )
    collect(BotTables(PlainBot, WELCOME), Batch(notices=notices))
    assert "seat 0 bid 7; it must bid higher [R-3.2]" in caplog.text
    assert "the referee played P for this bot (time)" in caplog.text


@pytest.mark.parametrize("missing", ["call", "play", "name_trump"])
def test_a_missing_method_is_named_before_the_first_turn(missing: str) -> None:
    methods = {name: getattr(PlainBot, name) for name in ("call", "play", "name_trump")}
    del methods[missing]
    incomplete = type("IncompleteBot", (Bot,), methods)
    with pytest.raises(BotError, match=rf"IncompleteBot has no method {missing}\(self, view\)"):
        BotTables(incomplete, WELCOME)


def test_an_init_that_keeps_the_seating_to_itself_is_told() -> None:
    class ForgetfulBot(PlainBot):
        def __init__(self, seating: Seating) -> None:
            self.seen = 0

    with pytest.raises(
        BotError, match=r"call super\(\).__init__\(seating\); simpler: leave it out"
    ):
        collect(BotTables(ForgetfulBot, WELCOME), Batch(turns=(Turn(1, 7, 1.0, VIEW),)))


def test_syrian_41_needs_no_name_trump() -> None:
    methods = {name: getattr(PlainBot, name) for name in ("call", "play")}
    welcome = Welcome(1, 0, rule_set("syrian41"), TIME, 4, b"seed")
    BotTables(type("SyrianBot", (Bot,), methods), welcome)


@pytest.mark.parametrize(
    ("method", "view", "wrong", "text"),
    [
        ("call", VIEW, 7, r"WrongBot.call returned 7 \(int\); it must return a Bid or PASS"),
        ("call", VIEW, None, r"WrongBot.call returned None \(NoneType\)"),
        ("call", VIEW, Card("2C"), r"WrongBot.call returned Card\('2C'\) \(Card\)"),
        (
            "play",
            view_of("AKQ.J98.T765.432", calls="7 P P P", trump="S"),
            51,
            r"WrongBot.play returned 51 \(int\); it must return a Card, such as Card\('2C'\)",
        ),
        (
            "name_trump",
            view_of("AKQ.J98.T765.432", calls="7 P P P"),
            "S",
            r"WrongBot.name_trump returned 'S' \(str\); it must return a Suit",
        ),
    ],
)
def test_a_value_that_is_no_move_is_told_with_the_method(
    method: str, view: SeatView, wrong: object, text: str
) -> None:
    wrong_bot = type("WrongBot", (PlainBot,), {method: lambda self, view: wrong})
    with pytest.raises(BotError, match=text) as raised:
        collect(BotTables(wrong_bot, WELCOME), Batch(turns=(Turn(1, 0xAB, 1.0, view),)))
    assert "table ab, deal 1" in "".join(raised.value.__notes__)


def test_a_wrong_value_of_decide_is_told_as_its_own() -> None:
    class WrongBot(Bot):
        def decide(self, view: SeatView) -> Any:
            return 3

    with pytest.raises(BotError, match=r"WrongBot.decide returned 3 \(int\)"):
        collect(BotTables(WrongBot, WELCOME), Batch(turns=(Turn(1, 7, 1.0, VIEW),)))


@pytest.mark.parametrize("returned", [Suit.HEARTS, NameTrump(Suit.HEARTS)])
def test_trump_is_named_by_a_suit_or_a_move(returned: Suit | NameTrump) -> None:
    bot = type("HeartsBot", (PlainBot,), {"name_trump": lambda self, view: returned})
    view = view_of("AKQ.J98.T765.432", calls="7 P P P")
    sent = collect(BotTables(bot, WELCOME), Batch(turns=(Turn(1, 7, 1.0, view),)))
    assert sent == [Answer(1, NameTrump(Suit.HEARTS))]


def test_what_a_hook_raises_is_told_with_the_hook() -> None:
    class BuggyBot(PlainBot):
        def on_match_over(self, over: MatchOver) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as raised:
        collect(BotTables(BuggyBot, WELCOME), Batch((MatchOver(7, (41, 0), 0),)))
    assert raised.value.__notes__ == ["in on_match_over at table 7"]
