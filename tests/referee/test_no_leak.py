"""What a seat is sent tells nothing that the seat may not know [R-1.4].

Two matches are played side by side. Their deals differ only in cards that one seat, the observer,
cannot see: who of the other three holds which card that was not played. The same moves are played
in both. Then the observer must be sent the same bytes, message by message, whatever happens in
between: time-outs, refused moves, crashes and returns of any seat, cancelled deals.

The two matches go different ways inside the referee: a card that is forced in one is asked for in
the other, and so there are other turns, other strikes and other clocks.

Not covered, and not promised: at what time messages are sent. A forced card takes none.
"""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tarneeb_referee.deals import Hands
from tarneeb_referee.table import Table
from tarneeb_sdk.game import (
    ALL_CARDS,
    Call,
    Card,
    Deal,
    Game,
    Move,
    NameTrump,
    Phase,
    RuleSet,
    SeatView,
    Suit,
    rule_set,
    seat_view,
)
from tarneeb_sdk.messages import Answer
from tests.referee.kit import Rig, plan_of, settings_of

MATCHES = int(os.environ.get("LEAK_MATCHES", "150"))
"""For each set of rules; the nightly run plays more."""

RULES = (
    rule_set("tarneeb"),
    rule_set("tarneeb-outright", defenders_always_score=True),
    rule_set("syrian41"),
)

Key = tuple[int, int]
"""The number of a deal, and of its redeal."""

EVENTS = ("slow", "late", "wrong", "malformed", "crash", "lost stream")


class OtherCourseError(Exception):
    """The referee itself moved otherwise [R-7.2], so nothing can be compared."""


@dataclass
class Script:
    """What was played, and what happened before it was."""

    moves: dict[Key, list[Move]] = field(default_factory=dict)
    events: dict[tuple[Key, int], str] = field(default_factory=dict)

    def length(self) -> int:
        return sum(map(len, self.moves.values()))


class MatchOnABench:
    """One match at one table, of which the test knows everything."""

    def __init__(self, rules: RuleSet, hands_of: Callable[[int, int], Hands]) -> None:
        self.rig = rig_with(rules, lambda _board, deal, redeal: hands_of(deal, redeal), boards=1)
        [self.table] = self.rig.session._hall.live

    def asked(self) -> tuple[int, SeatView, Key, int]:
        [(seat, turn)] = self.rig.waiting()
        return seat, turn.view, self.table._numbers, self.table._moves_made

    def let(self, event: str, move: Move) -> None:
        """Let the seat that is asked make a move, after something has happened to it."""
        rig = self.rig
        [(seat, turn)] = rig.waiting()
        match event:
            case "late":
                rig.pass_time(1800)
                # It is slow and does not hang.
                rig.session.seat_state(seat).silent = 0
                return
            case "slow":
                rig.pass_time(800)
            case "wrong":
                wrong = next(card for card in ALL_CARDS if card not in turn.view.legal)
                rig.answer(seat, Answer(turn.turn_id, wrong))
            case "malformed":
                rig.send(seat, b"")
            case "crash":
                rig.exit(seat)
                rig.launch(seat)
                rig.hello(seat)
            case "lost stream":
                rig.lose_stream(seat)
                rig.hello(seat)
            case _:
                assert event == ""
        if self.table.turn is not None and self.table.turn.turn_id == turn.turn_id:
            rig.answer(seat, Answer(turn.turn_id, move))

    def moves(self) -> dict[Key, list[Move]]:
        return self.moves_at(self.table)

    @staticmethod
    def moves_at(table: Table) -> dict[Key, list[Move]]:
        """List all moves by deal, the forced ones and the referee's included."""
        played = {
            (deal.deal_number, deal.redeal_number): list(
                in_order(table, deal.calls, deal.trump, deal.plays)
            )
            for deal in table._deals
        }
        if not table.over and table._moves_made:
            deal = deal_of(table)
            played[table._numbers] = list(in_order(table, deal.calls, deal.trump, deal.plays))
        return played


def rig_with(rules: RuleSet, hands: Callable[[int, int, int], Hands], *, boards: int) -> Rig:
    rig = Rig(
        settings_of(rules, decision_s=0.5, bank_s=1.0, strikes=4, restarts=999, streams=999),
        plan=plan_of(boards=boards, tables=boards),
    )
    rig.session._hall._hands = hands  # type: ignore[method-assign,assignment]
    return rig.begin()


def deal_of(table: Table) -> Deal:
    deal = table._match.deal
    assert deal is not None
    return deal


def in_order(
    table: Table, calls: tuple[Call, ...], trump: Suit | None, plays: tuple[Card, ...]
) -> Iterator[Move]:
    yield from calls
    if table._match.rules.game is Game.TARNEEB and trump is not None:
        yield NameTrump(trump)
    yield from plays


def play_at_random(bench: MatchOnABench, script: Script, rng: random.Random, *, moves: int) -> None:
    """Play until so many moves have been made, and write down what happened."""
    while not bench.table.over and sum(map(len, bench.moves().values())) < moves:
        _, view, key, index = bench.asked()
        event = rng.choice(EVENTS) if rng.random() < 0.06 else ""
        if event:
            script.events[key, index] = event
        bench.let(event, choose(view, rng))
    script.moves = bench.moves()


def choose(view: SeatView, rng: random.Random) -> Move:
    if view.phase is Phase.AUCTION and rng.random() < 0.7:
        return view.legal[0]
    return rng.choice(view.legal)


def play_again(bench: MatchOnABench, script: Script) -> None:
    """Play the same moves with other hidden cards; let the same happen where a seat is asked."""
    while not bench.table.over and sum(map(len, bench.moves().values())) < script.length():
        _, _, key, index = bench.asked()
        bench.let(script.events.get((key, index), ""), script.moves[key][index])
        for deal, moves in bench.moves().items():
            known = script.moves.get(deal, [])
            if moves[: len(known)] != known[: len(moves)]:
                raise OtherCourseError


def with_other_hidden_cards(
    table: Table, dealt: dict[Key, Hands], observer: int, rng: random.Random
) -> dict[Key, Hands]:
    """Deal anew what the observer has not seen: cancelled deals, and the one in progress."""
    others = [seat for seat in range(4) if seat != observer]
    changed = dict(dealt)
    for deal in table._deals:
        if deal.cancelled:
            key = (deal.deal_number, deal.redeal_number)
            fixed = shown_card(table, dealt[key], deal.dealer)
            changed[key] = swapped(dealt[key], others, rng, fixed=fixed, voids={})
    if not table.over:
        deal_now = deal_of(table)
        key = table._numbers
        fixed = shown_card(table, dealt[key], deal_now.dealer) | set(deal_now.plays)
        voids = {seat: shown_void(table, seat) for seat in others}
        changed[key] = swapped(dealt[key], others, rng, fixed=fixed, voids=voids)
    return changed


def shown_card(table: Table, hands: Hands, dealer: int) -> set[Card]:
    return {hands[dealer][12]} if table._match.rules.game is Game.SYRIAN41 else set()


def shown_void(table: Table, seat: int) -> set[int]:
    return {int(suit) for suit in seat_view(table._match, seat).shown_void[seat]}


def swapped(
    hands: Hands,
    others: list[int],
    rng: random.Random,
    *,
    fixed: set[Card],
    voids: dict[int, set[int]],
) -> Hands:
    """Swap cards among the others, but not the fixed ones, nor into a void that was shown."""
    new = [list(hand) for hand in hands]
    for _ in range(40):
        one, two = rng.sample(others, 2)
        at_one, at_two = rng.randrange(13), rng.randrange(13)
        first, second = new[one][at_one], new[two][at_two]
        if first in fixed or second in fixed:
            continue
        if int(first.suit) in voids.get(two, ()) or int(second.suit) in voids.get(one, ()):
            continue
        new[one][at_one], new[two][at_two] = second, first
    return tuple(new[0]), tuple(new[1]), tuple(new[2]), tuple(new[3])


def deals_from(rng: random.Random, dealt: dict[Key, Hands]) -> Callable[[int, int], Hands]:
    def hands_of(deal_number: int, redeal_number: int) -> Hands:
        key = (deal_number, redeal_number)
        if key not in dealt:
            deck = list(ALL_CARDS)
            rng.shuffle(deck)
            dealt[key] = (
                tuple(deck[:13]),
                tuple(deck[13:26]),
                tuple(deck[26:39]),
                tuple(deck[39:]),
            )
        return dealt[key]

    return hands_of


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.preset)
def test_bug_17_messages_do_not_depend_on_cards_that_the_seat_cannot_see(rules: RuleSet) -> None:
    rng = random.Random(f"no leak {rules.preset}")
    deals = compared = changed_deals = 0
    for _ in range(MATCHES):
        observer = rng.randrange(4)
        dealt: dict[Key, Hands] = {}
        script = Script()
        one = MatchOnABench(rules, deals_from(rng, dealt))
        play_at_random(one, script, rng, moves=rng.randrange(1, 240))
        changed = with_other_hidden_cards(one.table, dealt, observer, rng)
        changed_deals += sum(changed[key] != dealt[key] for key in dealt)
        other = MatchOnABench(rules, deals_from(random.Random(0), dict(changed)))
        try:
            play_again(other, script)
        except OtherCourseError:
            continue
        sent = one.rig.seats[observer].raw
        assert other.rig.seats[observer].raw[: len(sent)] == sent
        deals += len(dealt)
        compared += len(sent)
    # It did compare something.
    assert deals > 2.5 * MATCHES
    assert changed_deals > MATCHES
    assert compared > 20 * MATCHES


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.preset)
def test_what_is_said_of_a_table_does_not_depend_on_hidden_cards_at_another(
    rules: RuleSet,
) -> None:
    """Several tables share messages; which ones go together is a matter of time."""
    rng = random.Random(f"tables {rules.preset}")
    for _ in range(max(1, MATCHES // 15)):
        observer = rng.randrange(4)
        dealt: dict[int, dict[Key, Hands]] = {board: {} for board in (1, 2, 3)}
        sources = {board: deals_from(rng, dealt[board]) for board in dealt}
        one = rig_with(rules, lambda board, *key: sources[board](*key), boards=3)  # noqa: B023
        for _ in range(rng.randrange(1, 300)):
            if one.waiting():
                seat, turn = rng.choice(one.waiting())
                one.answer(seat, Answer(turn.turn_id, choose(turn.view, rng)))
        tables = {table.place.board: table for table in one.session._hall.live}
        again = {
            board: deals_from(
                random.Random(board),
                with_other_hidden_cards(tables[board], dealt[board], observer, rng)
                if board in tables
                else dealt[board],
            )
            for board in dealt
        }
        other = rig_with(rules, lambda board, *key: again[board](*key), boards=3)  # noqa: B023
        follow(one, other)
        for table_id in one.session._hall._live:
            said, said_again = (said_of(table_id, rig, observer) for rig in (one, other))
            assert said_again[: len(said)] == said


def follow(one: Rig, other: Rig) -> None:
    """Play in the other what was played in the one, as far as that went."""
    played = {table.table_id: MatchOnABench.moves_at(table) for table in one.session._hall.live}
    went_on = True
    while went_on:
        went_on = False
        other.hurry()
        for seat, turn in other.waiting():
            table = other.session._hall.find(turn.table_id)
            assert table is not None
            moves = played.get(turn.table_id, {}).get(table._numbers, [])
            if table._moves_made < len(moves):
                other.answer(seat, Answer(turn.turn_id, moves[table._moves_made]))
                went_on = True
                break


def said_of(table_id: int, rig: Rig, seat: int) -> list[object]:
    log = rig.seats[seat]
    said: list[object] = []
    for batch in log.batches:
        both = (*batch.notices, *batch.turns)
        said += [each for each in both if each.table_id == table_id]
    return said


def test_the_hidden_cards_are_really_others() -> None:
    """The test above would notice a leak: the other seats' bytes do differ."""
    rng = random.Random(5)
    differing = 0
    for _ in range(10):
        dealt: dict[Key, Hands] = {}
        script = Script()
        one = MatchOnABench(RULES[0], deals_from(rng, dealt))
        play_at_random(one, script, rng, moves=40)
        changed = with_other_hidden_cards(one.table, dealt, 0, rng)
        other = MatchOnABench(RULES[0], deals_from(random.Random(0), dict(changed)))
        try:
            play_again(other, script)
        except OtherCourseError:
            continue
        differing += one.rig.seats[1].raw != other.rig.seats[1].raw
    assert differing > 3


def test_turns_of_others_are_not_counted() -> None:
    """Forced cards are not asked for, so a common counter would tell of them."""
    rng = random.Random(6)
    bench = MatchOnABench(rule_set("tarneeb", deals=2), deals_from(rng, {}))
    play_at_random(bench, Script(), rng, moves=10_000)
    for log in bench.rig.seats:
        numbers = sorted({turn.turn_id & 0xFFFF for turn in log.asked})
        assert numbers == list(range(1, len(numbers) + 1))


def test_every_seat_is_told_the_same_of_a_deal_that_has_ended() -> None:
    rng = random.Random(7)
    bench = MatchOnABench(rule_set("tarneeb", deals=2), deals_from(rng, {}))
    play_at_random(bench, Script(), rng, moves=10_000)
    results = [
        [notice for notice in log.notices if hasattr(notice, "result")] for log in bench.rig.seats
    ]
    assert results[0] == results[1] == results[2] == results[3]
    assert len(results[0]) >= 2
