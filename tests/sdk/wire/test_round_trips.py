"""Whatever is written is read back equal, for every message."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk import wire
from tarneeb_sdk.game import (
    ALL_CARDS,
    MOVES,
    PRESETS,
    DealResult,
    Match,
    Move,
    RuleSet,
    SeatView,
    Suit,
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
    Hello,
    LapseReason,
    MatchOver,
    MoveRefused,
    Notice,
    Refusal,
    Response,
    TimeControl,
    Turn,
    TurnLapsed,
    Welcome,
)

moves = st.sampled_from(MOVES)
ids = st.integers(1, 2**60)
texts = st.text(max_size=40)
milliseconds = st.integers(0, 10**6).map(lambda ms: ms / 1000)
small = st.integers(0, 1000)


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    preset = draw(st.sampled_from(sorted(PRESETS)))
    max_deals = draw(st.integers(1, 200))
    return rule_set(
        preset,
        target=draw(st.sampled_from(PRESETS[preset].allowed_targets)),
        defenders_always_score=preset != "syrian41" and draw(st.booleans()),
        deals=draw(st.none() | st.integers(1, max_deals)),
        max_cancelled=draw(st.integers(1, 1000)),
        max_deals=max_deals,
    )


time_controls = st.builds(
    TimeControl,
    decision_s=milliseconds,
    bank_s=milliseconds,
    margin_s=milliseconds,
    retries=small,
    strikes=small,
)
welcomes = st.builds(
    Welcome,
    protocol_version=small,
    seat=st.integers(0, 3),
    rules=rule_sets(),
    time=time_controls,
    tables=small,
    seed=st.binary(max_size=32),
)


def make_welcome(rules: RuleSet, *, seat: int) -> Welcome:
    return Welcome(1, seat, rules, TimeControl(1, 15, 0.05, 3, 3), 64, b"")


def play_some(rules: RuleSet, seed: int, number: int) -> Match:
    """Play so many random moves, over several deals if need be."""
    dice = random.Random(seed)
    match = Match(rules, first_dealer=dice.randrange(4))
    for _ in range(number):
        if match.over:
            break
        if match.turn is None:
            match.start_deal(deal_out(dice.sample(ALL_CARDS, 52), dealer=match.dealer))
        match.apply(dice.choice(match.legal_moves()))
    return match


@st.composite
def views(draw: st.DrawFn) -> SeatView:
    """The view of the seat that is to move, anywhere in a match."""
    match = play_some(draw(rule_sets()), draw(st.integers(0, 2**32)), draw(st.integers(1, 200)))
    if match.turn is None and not match.over:
        match.start_deal(deal_out(ALL_CARDS, dealer=match.dealer))
    return seat_view(match, 0 if match.turn is None else match.turn)


@st.composite
def results(draw: st.DrawFn) -> tuple[RuleSet, DealResult]:
    rules = draw(rule_sets())
    dice = random.Random(draw(st.integers(0, 2**32)))
    match = Match(rules, first_dealer=dice.randrange(4))
    match.start_deal(deal_out(dice.sample(ALL_CARDS, 52), dealer=match.dealer))
    while match.turn is not None:
        match.apply(dice.choice(match.legal_moves()))
    assert match.last_result is not None
    return rules, match.last_result


def round_trip(response: Response, welcome: Welcome | None = None) -> Response:
    return wire.response_from_wire(wire.response_to_wire(response), welcome=welcome)


def round_trip_notice(notice: Notice, rules: RuleSet) -> None:
    batch = Batch(notices=(notice,))
    assert round_trip(batch, make_welcome(rules, seat=0)) == batch


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_that_leave_their_limits_out_have_the_usual_ones(preset: str) -> None:
    told = wire.rules_to_wire(PRESETS[preset])
    told.ClearField("max_cancelled")
    told.ClearField("max_deals")
    assert wire.rules_from_wire(told) == PRESETS[preset]


@pytest.mark.parametrize("move", MOVES)
def test_a_move(move: Move) -> None:
    read = wire.move_from_wire(wire.move_to_wire(move))
    # Moves are ints of which some are equal to other numbers; there is one object for each.
    assert read is move


@pytest.mark.parametrize("suit", [None, *Suit])
def test_a_suit_or_none(suit: Suit | None) -> None:
    assert wire.suit_from_wire(wire.suit_to_wire(suit)) is suit


@given(st.lists(st.sampled_from(ALL_CARDS), max_size=52).map(tuple))
def test_a_sequence_of_cards(cards: tuple[Move, ...]) -> None:
    assert wire.cards_from_wire(bytes(cards)) == cards


@given(st.lists(st.sampled_from(MOVES[52:65]), max_size=30).map(tuple))
def test_a_sequence_of_calls(calls: tuple[Move, ...]) -> None:
    read = wire.calls_from_wire(wire.calls_to_wire(calls))  # type: ignore[arg-type]
    assert read == calls
    assert all(one is other for one, other in zip(read, calls, strict=True))


@given(
    st.sampled_from([MOVES[:52], MOVES[52:65], MOVES[65:]]).flatmap(
        lambda kind: st.lists(st.sampled_from(kind), unique=True).map(
            lambda chosen: tuple(sorted(chosen))
        )
    )
)
def test_legal_moves_of_a_kind(legal: tuple[Move, ...]) -> None:
    read = wire.legal_from_wire(wire.legal_to_wire(legal))
    assert read == legal
    assert all(one is other for one, other in zip(read, legal, strict=True))


@given(rule_sets())
def test_rules(rules: RuleSet) -> None:
    assert wire.rules_from_wire(wire.rules_to_wire(rules)) == rules


@given(welcomes)
def test_a_welcome(welcome: Welcome) -> None:
    assert round_trip(welcome) == welcome


@given(st.builds(Refusal, texts, st.lists(small).map(tuple)))
def test_a_refusal(refusal: Refusal) -> None:
    assert round_trip(refusal) == refusal


@given(st.builds(Hello, st.lists(small).map(tuple), texts, texts, texts))
def test_a_hello(hello: Hello) -> None:
    assert wire.request_from_wire(wire.request_to_wire(hello)) == hello


@given(st.lists(st.builds(Answer, ids, moves)).map(tuple))
def test_answers(answers: tuple[Answer, ...]) -> None:
    read = wire.request_from_wire(wire.answers_to_wire(answers))
    assert read == Answers(answers)
    assert wire.request_from_wire(wire.request_to_wire(Answers(answers))) == read


@given(views(), ids, ids, milliseconds)
def test_a_turn(view: SeatView, turn_id: int, table_id: int, time_left_s: float) -> None:
    if not view.legal:
        return
    batch = Batch(turns=(Turn(turn_id, table_id, time_left_s, view),))
    read = round_trip(batch, make_welcome(view.rules, seat=view.seat))
    assert read == batch
    assert isinstance(read, Batch)
    assert repr(read.turns[0].view) == repr(view)


@given(results(), ids)
def test_a_deal_that_ended(played: tuple[RuleSet, DealResult], table_id: int) -> None:
    rules, result = played
    notice = DealCancelled if result.cancelled else DealScored
    round_trip_notice(notice(table_id, result), rules)


@given(rule_sets(), ids, st.integers(-(10**6), 10**6), st.sampled_from([None, 0, 1]))
def test_a_match_that_is_over(
    rules: RuleSet, table_id: int, score: int, winner: int | None
) -> None:
    round_trip_notice(MatchOver(table_id, (score,) * rules.num_scores, winner), rules)


@given(views(), ids, ids, texts, small)
def test_a_refused_move(
    view: SeatView, table_id: int, turn_id: int, reason: str, retries: int
) -> None:
    notice = MoveRefused(table_id, turn_id, reason, view.legal, retries)
    round_trip_notice(notice, view.rules)


@given(ids, ids, st.sampled_from(LapseReason), moves)
def test_a_lapsed_turn(table_id: int, turn_id: int, reason: LapseReason, move: Move) -> None:
    round_trip_notice(TurnLapsed(table_id, turn_id, reason, move), rule_set("tarneeb"))


@given(st.lists(views(), max_size=5))
def test_a_batch_keeps_the_order_of_notices_and_turns(seen: list[SeatView]) -> None:
    rules = rule_set("tarneeb")
    turns = tuple(
        Turn(number, number, 1.0, view)
        for number, view in enumerate(seen, 1)
        if view.rules == rules and view.seat == 0 and view.legal
    )
    notices = tuple(MatchOver(number, (number, 0), 0) for number in range(1, 4))
    batch = Batch(notices, turns)
    assert round_trip(batch, make_welcome(rules, seat=0)) == batch
