"""How a record is judged where the judged vectors leave it open."""

import json
from typing import Any

import pytest

from tarneeb_referee.adjudicate import adjudicate, judge_line
from tarneeb_referee.hand_record import HandRecord, parse_record
from tarneeb_referee.verdict import Fallback, Verdict, format_verdict
from tarneeb_sdk.game import PASS, Bid, Phase

HANDS = ["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"]
SPADES_FIRST = {"rules": "tarneeb", "dealer": 3, "hands": HANDS, "calls": [7, "P", "P", "P"]}
SYRIAN = {"rules": "syrian41", "dealer": 3, "hands": HANDS, "revealed": "2C"}


def judge(**record: Any) -> dict[str, Any]:
    verdict = json.loads(format_verdict(judge_line(json.dumps(record).encode())))
    assert isinstance(verdict, dict)
    return verdict


def assert_rejected(verdict: dict[str, Any], field: str, index: int, rule: str) -> None:
    assert verdict["status"] == "rejected"
    assert verdict["at"] == {"field": field, "index": index}
    assert verdict["reason"].endswith(f"[{rule}]"), verdict["reason"]


NO_CALLS = ["7", 7.5, 7.0, 1e300, True, False, None, "NT", "p", "pass", "", [], [7], {}, "P ", "AS"]


@pytest.mark.parametrize("value", NO_CALLS, ids=repr)
@pytest.mark.parametrize(("preset", "rule"), [("tarneeb", "R-3.2"), ("syrian41", "R-6.3")])
def test_any_value_that_is_no_call_is_a_refused_move(preset: str, rule: str, value: object) -> None:
    verdict = judge(rules=preset, dealer=3, calls=[8, value])
    assert_rejected(verdict, "calls", 1, rule)
    assert verdict["phase"] == "auction"
    assert verdict["turn"] == 1


@pytest.mark.parametrize("value", ["NT", "s", "", "SS", "spades", 3, True, None, [], {}], ids=repr)
def test_any_value_that_is_no_suit_is_a_refused_trump(value: object) -> None:
    verdict = judge(**SPADES_FIRST, trump=value)
    assert_rejected(verdict, "trump", 0, "R-3.7")
    assert verdict["phase"] == "trump"
    assert verdict["contract"] == {"seat": 0, "bid": 7, "trump": None}


@pytest.mark.parametrize(
    "value", ["as", "SA", "10S", "", "P", 51, True, None, [], ["AS"]], ids=repr
)
def test_any_value_that_is_no_card_is_a_refused_play(value: object) -> None:
    verdict = judge(**SPADES_FIRST, trump="S", plays=["AS", value])
    assert_rejected(verdict, "plays", 1, "R-1.3")
    assert verdict["trick"] == ["AS"]
    assert verdict["turn"] == 1


def test_r_4_2_a_card_not_held_is_a_refused_play() -> None:
    assert_rejected(judge(**SPADES_FIRST, trump="S", plays=["AS", "KS"]), "plays", 1, "R-4.2")
    assert_rejected(judge(**SPADES_FIRST, trump="S", plays=["AH"]), "plays", 0, "R-4.1")


def test_a_bid_of_the_other_game_is_refused() -> None:
    assert_rejected(judge(rules="tarneeb", dealer=0, calls=[2]), "calls", 0, "R-3.2")
    assert_rejected(judge(rules="syrian41", dealer=0, calls=["P"]), "calls", 0, "R-6.3")


@pytest.mark.parametrize("late", ["P", 9, "timeout", "x", None])
def test_r_3_4_nothing_is_called_after_the_auction(late: object) -> None:
    verdict = judge(rules="tarneeb", dealer=3, calls=[7, "P", "P", "P", late])
    assert_rejected(verdict, "calls", 4, "R-3.4")
    assert verdict["phase"] == "trump"
    assert verdict["fallbacks"] == []


@pytest.mark.parametrize("late", ["S", "timeout", None])
def test_r_3_6_no_trump_is_named_in_a_cancelled_deal(late: object) -> None:
    verdict = judge(rules="tarneeb", dealer=2, calls=["P"] * 4, trump=late)
    assert_rejected(verdict, "trump", 0, "R-3.6")
    assert (verdict["phase"], verdict["next_dealer"], verdict["scores"]) == ("cancelled", 2, [0, 0])


def test_r_6_4_no_card_is_played_in_a_cancelled_deal() -> None:
    verdict = judge(**SYRIAN, calls=[2, 2, 2, 2], plays=["AS"])
    assert_rejected(verdict, "plays", 0, "R-6.4")
    assert verdict["next_dealer"] == 0


def test_r_3_7_trump_waits_for_the_auction_and_cards_for_trump() -> None:
    assert_rejected(judge(rules="tarneeb", dealer=3, calls=[7], trump="S"), "trump", 0, "R-3.4")
    assert_rejected(judge(**{**SPADES_FIRST, "calls": [7]}, plays=["AS"]), "plays", 0, "R-3.4")
    assert_rejected(judge(**SPADES_FIRST, plays=["AS"]), "plays", 0, "R-3.7")


def test_r_6_2_nobody_names_trump_in_syrian_41() -> None:
    assert_rejected(judge(**SYRIAN, calls=[3, 3, 2, 3], trump="S"), "trump", 0, "R-6.2")
    assert_rejected(judge(**SYRIAN, calls=[3], trump="S"), "trump", 0, "R-6.2")


def test_the_first_wrong_move_is_the_one_that_is_named() -> None:
    verdict = judge(**{**SPADES_FIRST, "calls": [7, 7]}, trump="X", plays=[None])
    assert verdict["at"] == {"field": "calls", "index": 1}


def test_a_move_after_the_last_trick_is_refused_and_the_score_stands() -> None:
    plays = [rank + suit for rank in "AKQJT98765432" for suit in "SHDC"]
    verdict = judge(**SPADES_FIRST, trump="S", plays=[*plays, "timeout"])
    assert_rejected(verdict, "plays", 52, "R-4.4")
    assert (verdict["phase"], verdict["turn"], verdict["legal"]) == ("scored", None, [])
    assert (verdict["points"], verdict["scores"]) == ([16, 0], [16, 0])
    assert verdict["fallbacks"] == []


def test_an_empty_record_waits_for_the_dealers_right() -> None:
    verdict = judge(rules="tarneeb", dealer=1)
    assert (verdict["status"], verdict["phase"], verdict["turn"]) == ("accepted", "auction", 2)
    assert "contract" not in verdict
    assert "tricks" not in verdict


def test_without_hands_the_legal_cards_are_not_listed() -> None:
    verdict = judge(rules="tarneeb", dealer=3, calls=[13], trump="H")
    assert (verdict["phase"], verdict["turn"], verdict["legal"]) == ("play", 0, [])
    assert (verdict["tricks"], verdict["trick"]) == ([0, 0, 0, 0], [])


def test_r_6_5_without_the_shown_card_the_lead_is_still_known() -> None:
    verdict = judge(rules="syrian41", dealer=3, hands=HANDS, calls=[3, 3, 2, 3])
    assert (verdict["phase"], verdict["turn"], len(verdict["legal"])) == ("play", 0, 13)
    assert verdict["legal"][0] == "2S"
    assert verdict["contract"] == {"bids": [3, 3, 2, 3], "trump": None}


@pytest.mark.parametrize(
    ("record", "missing"),
    [
        ({"rules": "tarneeb", "calls": [13], "trump": "S", "plays": ["AS"]}, "without 'hands'"),
        ({"rules": "tarneeb", "calls": [13], "trump": "timeout"}, "without 'hands'"),
        ({"rules": "syrian41", "calls": [3, 3, 3, 3], "plays": ["AS"]}, "without 'hands'"),
        (
            {"rules": "syrian41", "calls": [3, 3, 3, 3], "hands": HANDS, "plays": ["timeout"]},
            "without 'revealed'",
        ),
    ],
)
def test_what_can_not_be_judged_without_the_cards_is_no_record(
    record: dict[str, Any], missing: str
) -> None:
    verdict = judge(dealer=3, **record)
    assert verdict["status"] == "malformed"
    assert missing in verdict["reason"]


def test_what_is_wrong_even_without_the_cards_is_rejected() -> None:
    record = {"rules": "tarneeb", "dealer": 3}
    assert_rejected(judge(**record, calls=["P"] * 4, plays=["AS"]), "plays", 0, "R-3.6")
    assert_rejected(judge(**record, calls=[13], plays=["AS"]), "plays", 0, "R-3.7")
    assert_rejected(judge(**record, calls=[13], trump="S", plays=[None]), "plays", 0, "R-1.3")
    assert_rejected(judge(**record, calls=[7], trump="timeout"), "trump", 0, "R-3.4")


def test_r_7_2_each_time_out_is_told_with_the_move_made_for_it() -> None:
    calls = ["timeout", "timeout", "timeout", "timeout"]
    verdict = judge(**{**SPADES_FIRST, "calls": calls}, trump="timeout", plays=["timeout"] * 2)
    assert verdict["fallbacks"] == [
        {"field": "calls", "index": 0, "move": "P"},
        {"field": "calls", "index": 1, "move": "P"},
        {"field": "calls", "index": 2, "move": "P"},
        {"field": "calls", "index": 3, "move": 7},
        {"field": "trump", "index": 0, "move": "C"},
        {"field": "plays", "index": 0, "move": "2C"},
        {"field": "plays", "index": 1, "move": "2S"},
    ]


def test_a_sheet_is_scored_without_trump_and_with_it() -> None:
    record = {"rules": "tarneeb", "dealer": 3, "calls": [13], "tricks": [7, 0, 6, 0]}
    assert judge(**record)["points"] == [26, 0]
    with_trump = judge(**record, trump="H")
    assert with_trump["contract"] == {"seat": 0, "bid": 13, "trump": "H"}
    assert (with_trump["points"], with_trump["trick"]) == ([26, 0], [])


def test_a_wrong_move_before_a_sheet_rejects_it() -> None:
    record = {"rules": "tarneeb", "dealer": 3, "tricks": [7, 0, 6, 0]}
    assert_rejected(judge(**record, calls=[6]), "calls", 0, "R-3.2")
    verdict = judge(**record, calls=[13], trump="X")
    assert_rejected(verdict, "trump", 0, "R-3.7")
    assert "points" not in verdict


@pytest.mark.parametrize(
    ("calls", "why"), [([7], "the auction is not over"), (["P"] * 4, "the deal is cancelled")]
)
def test_a_sheet_of_a_deal_that_was_not_played_is_no_record(calls: list[object], why: str) -> None:
    verdict = judge(rules="tarneeb", dealer=3, calls=calls, tricks=[13, 0, 0, 0])
    assert verdict["status"] == "malformed"
    assert why in verdict["reason"]


def test_r_5_8_scores_that_no_match_could_have_still_get_an_answer() -> None:
    record = {"rules": "tarneeb", "dealer": 3, "calls": [7, "P", "P", "P"], "tricks": [4, 3, 3, 3]}
    assert judge(**record, scores=[50, 60])["winner"] == 1
    assert judge(**record, scores=[53, 60])["winner"] is None
    assert judge(**record, scores=[2**53 - 1, -(2**53) + 1])["winner"] == 0


def test_r_5_8_a_cancelled_deal_has_no_winner() -> None:
    verdict = judge(rules="tarneeb", dealer=3, scores=[70, 0], calls=["P"] * 4)
    assert (verdict["scores"], verdict["winner"]) == ([70, 0], None)


def test_r_5_4_an_outright_win_comes_before_the_scores() -> None:
    record = {"rules": "tarneeb-outright", "dealer": 3, "calls": [13], "scores": [-40, 40]}
    assert judge(**record, tricks=[13, 0, 0, 0])["winner"] == 0
    assert judge(**record, tricks=[12, 1, 0, 0])["winner"] == 1


def test_r_5_6_defenders_score_only_when_the_option_is_on() -> None:
    record = {"dealer": 3, "calls": [7, "P", "P", "P"], "tricks": [4, 3, 3, 3]}
    on = {"preset": "tarneeb", "defenders_always_score": True}
    off = {"preset": "tarneeb", "defenders_always_score": False}
    assert judge(rules=on, **record)["points"] == [7, 6]
    assert judge(rules=off, **record)["points"] == [7, 0]


def test_r_6_7_both_teams_at_the_target_play_an_extra_deal_when_equal() -> None:
    record = {"rules": "syrian41", "dealer": 3, "calls": [2, 2, 2, 5], "tricks": [2, 2, 2, 7]}
    level = judge(**record, scores=[42, 42, 3, 0])
    assert (level["scores"], level["winner"]) == ([44, 44, 5, 5], None)
    assert judge(**record, scores=[42, 42, 3, 1])["winner"] == 1
    assert judge(**record, scores=[42, 42, 3, -5])["winner"] == 0


def test_a_verdict_is_a_value() -> None:
    record = parse_record('{"rules": "tarneeb", "dealer": 3, "calls": ["timeout", 8]}')
    assert isinstance(record, HandRecord)
    verdict = adjudicate(record)
    assert isinstance(verdict, Verdict)
    assert verdict.phase is Phase.AUCTION
    assert verdict.fallbacks == (Fallback("calls", 0, PASS),)
    assert verdict.legal == (PASS, *map(Bid, range(9, 14)))
    assert adjudicate(record) == verdict
