from __future__ import annotations

from typing import Any

import pytest

from tarneeb_sdk import PASS, Bid, Bot, BotError, Call, Card, Game, SeatView, Suit, rule_set
from tarneeb_sdk.game import PRESETS, RulesError, Termination, fallback_call, fallback_declaration
from tarneeb_sdk.testing import BotMoveError, MatchResult, ask, play_match, view_of


class DiceBot(Bot):
    def decide(self, view: SeatView) -> Any:
        return self.rng.choice(view.legal)


class PlainBot(Bot):
    def call(self, view: SeatView) -> Call:
        if view.rules.game is Game.SYRIAN41:
            return fallback_declaration(view.calls)
        return fallback_call(view.calls)

    def name_trump(self, view: SeatView) -> Suit:
        return Suit.CLUBS

    def play(self, view: SeatView) -> Card:
        return view.legal_cards[-1]


@pytest.mark.parametrize("preset", PRESETS)
def test_equal_arguments_give_equal_matches(preset: str) -> None:
    first = play_match([DiceBot, PlainBot], rules=preset, seed=5)
    assert play_match([DiceBot, PlainBot], rules=preset, seed=5) == first
    assert play_match([DiceBot, PlainBot], rules=preset, seed=6) != first
    assert first.deals[-1].result.scores == first.scores


def test_teams_that_swap_seats_get_the_same_cards() -> None:
    rules = rule_set("tarneeb", deals=4)

    def dealt(match: MatchResult) -> dict[tuple[int, int], Any]:
        redeals: dict[int, int] = {}
        hands = {}
        for deal in match.deals:
            number = deal.result.deal_number
            hands[number, redeals.get(number, 0)] = deal.hands
            redeals[number] = redeals.get(number, 0) + 1
        return hands

    first = dealt(play_match([DiceBot, PlainBot], rules=rules, seed=1, first_dealer=0))
    second = dealt(play_match([PlainBot, DiceBot], rules=rules, seed=1, first_dealer=0))
    assert all(first[key] == second[key] for key in first.keys() & second.keys())
    assert (4, 0) in first


def test_a_match_may_have_a_fixed_number_of_deals() -> None:
    match = play_match([PlainBot] * 4, rules=rule_set("syrian41", deals=3))
    assert match.termination is Termination.DEALS
    assert sum(not deal.result.cancelled for deal in match.deals) == 3


def test_an_illegal_move_names_the_bot_the_rule_and_the_view() -> None:
    class CheatBot(PlainBot):
        def play(self, view: SeatView) -> Card:
            held = set(view.hand)
            return next(card for card in map(Card, range(52)) if card not in held)

    with pytest.raises(BotMoveError, match=r"CheatBot: seat \d .*\[R-4\.\d\]") as raised:
        play_match([CheatBot, PlainBot])
    assert "the bot saw:\nseat" in "".join(raised.value.__notes__)
    assert raised.value.rule.startswith("R-4")


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_a_match_needs_two_or_four_bots(count: int) -> None:
    with pytest.raises(RulesError, match="4 bots, or 2 for the teams"):
        play_match([PlainBot] * count)


def test_hooks_are_called_as_at_a_table() -> None:
    events: dict[int, list[str]] = {seat: [] for seat in range(4)}

    class ListeningBot(PlainBot):
        def on_deal_scored(self, result: Any) -> None:
            events[self.seat].append(f"deal {result.deal_number}")

        def on_match_over(self, over: Any) -> None:
            events[self.seat].append(f"over {over.winner}")

    match = play_match([ListeningBot] * 4, rules=rule_set("tarneeb", deals=2))
    assert set(map(tuple, events.values())) == {("deal 1", "deal 2", f"over {match.winner}")}


@pytest.mark.parametrize(
    ("bots", "text"),
    [
        ([int, int], r"int is no Bot; derive the class from it: class int\(Bot\)"),
        (["PlainBot", "PlainBot"], "'PlainBot' is no class; give a class derived from"),
    ],
)
def test_what_makes_no_bots_is_refused(bots: Any, text: str) -> None:
    with pytest.raises(BotError, match=text):
        play_match(bots)
    with pytest.raises(BotError, match=text):
        ask(bots[0], view_of("AKQ.J98.T765.432"))


def test_ask_gives_one_decision() -> None:
    assert ask(PlainBot, view_of("AKQ.J98.T765.432")) is PASS
    assert ask(PlainBot, view_of("AKQ.J98.T765.432", calls="P P P")) is Bid(7)


def test_ask_refuses_an_illegal_move() -> None:
    class LowBot(PlainBot):
        def call(self, view: SeatView) -> Call:
            return Bid(7)

    with pytest.raises(BotMoveError, match="LowBot: seat 1 chose 7; it may choose P, 8"):
        ask(LowBot, view_of("AKQ.J98.T765.432", calls="7"))


def test_ask_refuses_what_is_no_move() -> None:
    class NoBot(PlainBot):
        def call(self, view: SeatView) -> Any:
            return "pass"

    with pytest.raises(BotError, match=r"NoBot\.call returned 'pass'"):
        ask(NoBot, view_of("AKQ.J98.T765.432"))
