"""What is a hand record, and what a line must not hold to be one."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_referee.adjudicate import judge_line
from tarneeb_referee.hand_record import TIME_OUT, NoMove, parse_record
from tarneeb_referee.verdict import MalformedLine, Verdict, format_verdict
from tarneeb_sdk.game import PASS, Bid, Card, MalformedError, NameTrump, Suit, rule_set

HANDS = ["AKQJT98765432...", ".AKQJT98765432..", "..AKQJT98765432.", "...AKQJT98765432"]
LEAST = {"rules": "tarneeb", "dealer": 3}


def reason(line: str | bytes) -> str:
    verdict = judge_line(line if isinstance(line, bytes) else line.encode())
    assert isinstance(verdict, MalformedLine), verdict
    return verdict.reason


def short(value: object) -> str:
    return ascii(value)[:40]


def each(key: str, values: Iterable[object], why: str) -> list[tuple[dict[str, Any], str]]:
    """Give one case for each wrong value of a key."""
    return [({key: value}, why) for value in values]


def test_a_record_is_read_into_values_of_the_core() -> None:
    line = json.dumps(
        {
            "rules": {"preset": "tarneeb", "target": 61, "defenders_always_score": True},
            "dealer": 3,
            "scores": [-5, 12],
            "hands": HANDS,
            "calls": [7, "P", "timeout", "x"],
            "trump": "D",
            "plays": ["AS", "timeout", 7],
        }
    )
    record = parse_record(line)
    assert record.rules == rule_set("tarneeb", target=61, defenders_always_score=True)
    assert (record.dealer, record.scores, record.tricks) == (3, (-5, 12), None)
    assert record.hands is not None
    assert Card("AH") in record.hands[1]
    assert record.calls == (Bid(7), PASS, TIME_OUT, NoMove('"x"'))
    assert record.trump is NameTrump(Suit.DIAMONDS)
    assert record.plays == (Card("AS"), TIME_OUT, NoMove("7"))


def test_what_may_be_absent_has_its_default() -> None:
    record = parse_record('{"rules": "syrian41", "dealer": 0}')
    assert record.scores == (0, 0, 0, 0)
    assert (record.hands, record.revealed, record.trump, record.tricks) == (None,) * 4
    assert (record.calls, record.plays) == ((), ())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "bad JSON: expecting value at column 1"),
        ("{", "bad JSON: expecting property name enclosed in double quotes at column 2"),
        ('{"rules": "tarneeb", "dealer": 3} {}', "bad JSON: extra data at column 35"),
        ("{'rules': 'tarneeb'}", "bad JSON: "),
        ('{"rules": "tarneeb\n"}', "bad JSON: invalid control character"),
        ('\ufeff{"rules": "tarneeb", "dealer": 3}', "bad JSON: "),
        ('{"rules": "tarneeb", "dealer": NaN}', "bad JSON: NaN is no number of JSON"),
        ('{"rules": "tarneeb", "dealer": 3, "calls": [-Infinity]}', "bad JSON: -Infinity"),
        ('{"rules": "tarneeb", "dealer": 3, "dealer": 3}', 'the key "dealer" stands twice'),
        ('{"rules": {"preset": "tarneeb", "preset": 1}, "dealer": 3}', "stands twice"),
        ("[" * 100_000, "bad JSON: nested too deeply"),
        ('{"a":' * 100_000, "bad JSON: nested too deeply"),
        ("[]", "a record is an object, not a list"),
        ("null", "a record is an object, not null"),
        ('"tarneeb"', 'a record is an object, not "tarneeb"'),
        ("1e999", "a record is an object, not a huge number"),
        ("{}", "the record has no 'rules'"),
        ('{"rules": "tarneeb"}', "the record has no 'dealer'"),
        (b'{"rules": "tarneeb\xff", "dealer": 3}', "bad UTF-8: invalid start byte at byte 19"),
        (b"\xff\xfe{\x00}\x00", "bad UTF-8: invalid start byte at byte 1"),
        (b'{"rules": "\xed\xa0\x80"}', "bad UTF-8: "),
        (b"\x00\x00", "bad JSON: "),
    ],
    ids=short,
)
def test_a_line_that_is_no_object_of_json_is_malformed(line: str | bytes, why: str) -> None:
    assert reason(line).startswith(why) or why in reason(line)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"deeler": 3}, "the record has an unknown key \"deeler\"; did you mean 'dealer'?"),
        ({"x" * 100_000: 3}, "unknown key"),
        ({"\ud800": 3}, 'unknown key "\\ud800"'),
        ({"id": 1}, 'unknown key "id"; it may have rules, dealer,'),
        ({"rules": "tarneb"}, "no preset 'tarneb'; did you mean tarneeb?"),
        ({"rules": "Tarneeb"}, "no preset 'Tarneeb'"),
        ({"rules": "x" * 100_000}, "no preset"),
        ({"rules": ["tarneeb"]}, "'rules' is a preset's name or an object, not a list"),
        ({"rules": None}, "'rules' is a preset's name or an object, not null"),
        ({"rules": {}}, "'preset' is a preset's name, not null"),
        ({"rules": {"preset": "tarneeb", "targt": 41}}, "did you mean 'target'?"),
        ({"rules": {"preset": "tarneeb", "deals": 4}}, "'rules' has an unknown key \"deals\""),
        ({"rules": {"preset": "tarneeb", "target": 42}}, "31 or 41 or 61, not 42"),
        ({"rules": {"preset": "tarneeb", "target": 41.0}}, "'target' is a whole number, not 41.0"),
        ({"rules": {"preset": "tarneeb", "target": True}}, "'target' is a whole number, not true"),
        ({"rules": {"preset": "tarneeb", "target": None}}, "'target' is a whole number, not null"),
        ({"rules": {"preset": "syrian41", "target": 31}}, "the target of syrian41 is 41, not 31"),
        ({"rules": {"preset": "tarneeb", "defenders_always_score": 1}}, "is true or false, not 1"),
        (
            {"rules": {"preset": "syrian41", "defenders_always_score": True}},
            "defenders_always_score has no meaning in syrian41",
        ),
        *each("dealer", [-1, 4, 1.0, "1", True, None, [], 10**30], "is a seat from 0 to 3, not "),
        *each("scores", [None, 0, "0,0", [], [0], [0, 0, 0], [0] * 4], "the scores of two teams"),
        *each("scores", [[0, "0"], [0, 0.0], [0, True], [None, 0], [[], 0]], "whole numbers, not"),
        *each("scores", [[0, 2**53], [-(2**53), 0], [0, 10**30]], "whole numbers, not"),
        *each("hands", [None, "", {}, [], [""], [*HANDS, ""]], "the hands of four seats"),
        ({"hands": [*HANDS[:3], None]}, "the hand of seat 3 is a text S.H.D.C, not null"),
        ({"hands": [*HANDS[:3], "A" * 100_000]}, "the hand of seat 3 is a text S.H.D.C, not"),
        ({"hands": [*HANDS[:3], "..AKQ"]}, "the hand of seat 3: "),
        ({"hands": [*HANDS[:3], "...akqjt98765432"]}, "the hand of seat 3: "),
        ({"hands": [*HANDS[:3], "...AKQJ1098765432"]}, "the hand of seat 3: "),
        ({"hands": [*HANDS[:3], "...AKQJT9876543"]}, "the hand of seat 3 has 12 cards, not 13"),
        ({"hands": [*HANDS[:3], "2...AKQJT98765432"]}, "the hand of seat 3 has 14 cards, not 13"),
        ({"hands": [*HANDS[:3], "...AAQJT98765432"]}, "the hand of seat 3: "),
        ({"hands": [*HANDS[:3], "2...AKQJT9876543"]}, "2S is in two hands"),
        ({"revealed": "AS"}, "'revealed' has no meaning in tarneeb"),
        ({"rules": "syrian41", "revealed": None}, "'revealed' is a card such as \"AS\", not null"),
        ({"rules": "syrian41", "revealed": "as"}, '\'revealed\' is a card such as "AS", not "as"'),
        ({"rules": "syrian41", "revealed": 51}, "'revealed' is a card"),
        ({"rules": "syrian41", "hands": HANDS, "revealed": "AS"}, "not in the hand of seat 3"),
        *each("calls", [None, "P", 7, {}, True], "'calls' is a list of moves"),
        *each("plays", [None, "AS", 7, {}], "'plays' is a list of moves"),
        *each("tricks", [None, 13, "13", {}, [], [13], [13, 0, 0], [13] + [0] * 4], "four seats"),
        *each("tricks", [[13, 0, 0, -0.0], [14, -1, 0, 0], [13, 0, 0, False]], "from 0 to 13, not"),
        *each("tricks", [[13, 0, 0, "0"], [13, 0, 0, None]], "from 0 to 13, not"),
        *each("tricks", [[12, 0, 0, 0], [13, 1, 0, 0]], "add up to 1"),
        ({"calls": [13], "tricks": [13, 0, 0, 0], "plays": []}, "both 'plays' and 'tricks'"),
    ],
    ids=short,
)
def test_an_object_that_is_no_record_is_malformed(keys: dict[str, Any], why: str) -> None:
    given_reason = reason(json.dumps({**LEAST, **keys}))
    assert why in given_reason
    assert len(given_reason) < 300


def test_a_reason_is_one_short_line_of_ascii() -> None:
    line = json.dumps({**LEAST, "calls": ["\ud800\n\x00" + "♠" * 1000]})
    text = format_verdict(judge_line(line.encode()))
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 600


def test_numbers_of_any_length_are_refused_and_not_read() -> None:
    digits = "9" * 500_000
    for number in (digits, f"-{digits}", f"{digits}.0", "1e400", "-1e400", f"1e{digits}"):
        verdict = judge_line(f'{{"rules": "tarneeb", "dealer": 3, "calls": [{number}]}}'.encode())
        assert isinstance(verdict, Verdict)
        assert verdict.rejection is not None
        assert "'dealer'" in reason(f'{{"rules": "tarneeb", "dealer": {number}}}')
        assert "'scores'" in reason(f'{{"rules": "tarneeb", "dealer": 0, "scores": [{number}, 0]}}')


def test_a_move_may_be_any_json_however_deep() -> None:
    deep = "[" * 300 + "]" * 300
    verdict = judge_line(f'{{"rules": "tarneeb", "dealer": 3, "calls": [{deep}]}}'.encode())
    assert isinstance(verdict, Verdict)
    assert verdict.rejection is not None
    assert "not a list" in verdict.rejection.reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
MOVES = st.lists(JSON | st.sampled_from(["P", 7, 9, 13, "timeout", "AS", "2C", "S"]), max_size=6)


@given(
    keys=st.fixed_dictionaries(
        {},
        optional={
            "rules": st.sampled_from(["tarneeb", "syrian41"]) | JSON,
            "dealer": st.integers(0, 3) | JSON,
            "scores": st.lists(st.integers() | JSON, max_size=4) | JSON,
            "hands": st.just(HANDS) | JSON,
            "revealed": st.sampled_from(["AS", "2H"]) | JSON,
            "calls": MOVES | JSON,
            "trump": st.sampled_from(["S", "timeout"]) | JSON,
            "plays": MOVES | JSON,
            "tricks": st.just([13, 0, 0, 0]) | JSON,
        },
    )
)
def test_whatever_a_line_holds_gets_a_verdict(keys: dict[str, Any]) -> None:
    text = format_verdict(judge_line(json.dumps({**LEAST, **keys}).encode()))
    assert json.loads(text)["status"] in {"accepted", "rejected", "malformed"}


@given(st.binary())
def test_whatever_bytes_a_line_holds_it_gets_a_verdict(line: bytes) -> None:
    assert json.loads(format_verdict(judge_line(line)))["status"] == "malformed"


@given(st.text())
def test_parse_record_raises_one_kind_of_error(text: str) -> None:
    with pytest.raises(MalformedError):
        parse_record(text)
