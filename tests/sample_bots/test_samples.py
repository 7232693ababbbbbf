from __future__ import annotations

import importlib.util
import random
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk import PASS, Bid, Bot, Card, NameTrump, Suit, rule_set
from tarneeb_sdk.game import ALL_CARDS, PRESETS, Match, deal_out, fallback_move, seat_view
from tarneeb_sdk.testing import ask, play_match, view_of

SAMPLES = Path(__file__).resolve().parents[2] / "sample_bots"
NAMES = ("random", "cautious", "counting")


@cache
def load_module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"sample_{name}", SAMPLES / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(name: str) -> type[Bot]:
    bot: type[Bot] = getattr(load_module(name), f"{name.capitalize()}Bot")
    return bot


CautiousBot, CountingBot, RandomBot = load("cautious"), load("counting"), load("random")


@pytest.mark.parametrize("name", NAMES)
def test_the_folder_is_one_that_an_author_would_keep(name: str) -> None:
    settings = tomllib.loads((SAMPLES / name / "bot.toml").read_text(encoding="utf-8"))
    assert settings == {
        "name": name.capitalize(),
        "version": "1.0",
        "command": ["python", "bot.py"],
    }


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", NAMES)
def test_it_plays_legally_and_the_same_each_time(name: str, preset: str) -> None:
    rules = rule_set(preset, deals=4)
    teams = [load(name), RandomBot]
    assert play_match(teams, rules=rules, seed=2) == play_match(teams, rules=rules, seed=2)


@pytest.mark.parametrize(("better", "worse"), [("counting", "cautious"), ("cautious", "random")])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_better_one_wins_both_halves_of_a_board(better: str, worse: str, preset: str) -> None:
    # One board shows no strength; benchmarks/sample_strength.py does. This one shows that
    # nothing is upside down.
    rules = rule_set(preset, deals=8)
    assert play_match([load(better), load(worse)], rules=rules, seed=1).winner == 0
    assert play_match([load(worse), load(better)], rules=rules, seed=1).winner == 1


@pytest.mark.parametrize("preset", PRESETS)
def test_cautious_makes_the_moves_of_r_7_2(preset: str) -> None:
    dice = random.Random(3)
    asked = 0
    for _ in range(5):
        match = Match(rule_set(preset), first_dealer=dice.randrange(4))
        match.start_deal(deal_out(dice.sample(ALL_CARDS, 52), dealer=match.dealer))
        while match.turn is not None:
            # Sometimes a random move, so that there are auctions to answer to.
            move = dice.choice(match.legal_moves()) if dice.random() < 0.3 else None
            assert match.deal is not None
            if move is None:
                move = ask(CautiousBot, seat_view(match, match.turn))
                assert move is fallback_move(match.deal)
                asked += 1
            match.apply(move)
    assert asked > 100


# What counting does, move by move.

STRONG = "AKQJ98.AK.A43.32"
POOR = "5432.5432.543.32"


def test_counting_bids_on_a_strong_hand_and_no_more_than_it_must() -> None:
    assert ask(CountingBot, view_of(STRONG)) is Bid(7)
    assert ask(CountingBot, view_of(STRONG, calls="8")) is Bid(9)


def test_counting_passes_on_a_poor_hand() -> None:
    assert ask(CountingBot, view_of(POOR)) is PASS
    assert ask(CountingBot, view_of(POOR, calls="P P P")) is PASS


def test_counting_does_not_overbid_its_partner() -> None:
    assert ask(CountingBot, view_of(STRONG, calls="7 P")) is PASS


def test_counting_names_its_best_suit() -> None:
    assert ask(CountingBot, view_of(STRONG, calls="7 P P P")) is NameTrump(Suit.SPADES)


def test_counting_declares_more_on_a_better_hand() -> None:
    poor = ask(CountingBot, view_of(POOR, rules="syrian41", revealed="6C"))
    strong = ask(CountingBot, view_of(STRONG, rules="syrian41", revealed="6C"))
    assert poor is Bid(2)
    assert strong in {Bid(6), Bid(7)}


def test_counting_lets_a_hopeless_syrian_deal_go() -> None:
    # 2 + 2 + 2 + 5 would make it count; four tricks more than the hand has.
    hand = "5432.5432.643.32"
    view = view_of(hand, rules="syrian41", revealed="6D", calls="2 2 2")
    assert ask(CountingBot, view) in {Bid(2), Bid(3), Bid(4)}


def test_counting_leaves_the_partners_sure_trick_alone() -> None:
    # Seat 2, the partner of seat 0: the ace of hearts holds the trick, and nobody is void.
    hand = "432.KQ2.5432.432"
    view = view_of(hand, calls="7 P P P", trump="S", plays="AH 3H")
    assert view.seat == 2
    assert ask(CountingBot, view) is Card("2H")


def test_counting_wins_cheaply_in_fourth_hand() -> None:
    hand = "432.KQ2.5432.432"
    view = view_of(hand, calls="7 P P P", trump="S", plays="3H TH 4H")
    assert view.seat == 3
    # The trick is the partner's: seat 1 holds it with the ten.
    assert ask(CountingBot, view) is Card("2H")
    view = view_of(hand, calls="7 P P P", trump="S", plays="TH 3H 4H")
    assert ask(CountingBot, view) is Card("QH")


def test_counting_ruffs_low_when_it_is_void() -> None:
    hand = "9432..65432.5432"
    view = view_of(hand, calls="7 P P P", trump="S", plays="AH 3H 4H")
    assert ask(CountingBot, view) is Card("2S")


def test_counting_draws_trumps_when_it_declares() -> None:
    view = view_of(STRONG, calls="7 P P P", trump="S")
    assert ask(CountingBot, view) is Card("AS")


def test_counting_cashes_a_card_that_has_become_a_master() -> None:
    view = view_of("432.Q652.6432.32", calls="7 P P P", trump="S")
    assert ask(CountingBot, view) in {Card("2H"), Card("2D")}
    hand, plays = "432.AKQ2.5432.32", "AH 3H 4H 5H KH 6H 7H 8H"
    view = view_of(hand, calls="7 P P P", trump="S", plays=plays)
    assert ask(CountingBot, view) is Card("QH")


def test_counting_forgets_a_deal_whose_end_it_was_not_told() -> None:
    # What was on its way when a connection broke is lost.
    class DeafBot(CountingBot):  # type: ignore[valid-type, misc]
        def play(self, view: Any) -> Any:
            card = super().play(view)
            assert self.memory.gone == view.played.mask
            return card

    for hook in ("on_deal_scored", "on_deal_cancelled"):
        setattr(DeafBot, hook, lambda self, result: None)
    play_match([DeafBot, RandomBot], rules=rule_set("syrian41", deals=3), seed=4)


@given(st.integers(0, 10_000))
def test_the_memory_of_counting_is_what_the_view_tells(seed: int) -> None:
    memory_class = load_module("counting").Memory
    checked = 0

    class CheckedBot(CountingBot):  # type: ignore[valid-type, misc]
        def play(self, view: Any) -> Any:
            nonlocal checked
            card = super().play(view)
            assert self.memory.gone == view.played.mask
            voids = [
                tuple(suit for suit in Suit if self.memory.voids[seat] >> suit & 1)
                for seat in range(4)
            ]
            assert tuple(voids) == view.shown_void
            # A bot that was started again in mid-deal knows the same.
            fresh = memory_class(view.deal_number)
            fresh.read(view)
            assert (fresh.gone, fresh.voids) == (self.memory.gone, self.memory.voids)
            checked += 1
            return card

    preset = sorted(PRESETS)[seed % 4]
    play_match([CheckedBot, RandomBot], rules=rule_set(preset, deals=1), seed=seed)
    assert checked > 0
