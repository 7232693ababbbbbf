# ruff: noqa: RUF001 - names of many scripts are what this file is about

import csv
import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_tournaments.names import (
    csv_name,
    markdown_name,
    name_key,
    normalized_name,
    unused_name,
    verify_name,
)

ALLOWED = [
    "Counting",
    "x",
    "x" * 40,
    "بوت الطرنيب",
    "شَدَّة",
    "می\u200cخواهم",  # Persian: a non-joiner inside a word
    "Ünïcödé 7.5",
    "日本",
    "☠",
    # Odd, but only ever shown, and escaped where it is.
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></tr>",
    "javascript:x",
    "../../etc/x",
    "a/b",
    "CON",
    "-rf",
    "'; DROP TABLE matches;--",
    "{{7*7}}",
    "%s%n",
    "[red]x[/red]",
    "=1+1",
]

REFUSED = {
    "": "it is empty",
    " ": "starts or ends with a space",
    "bot ": "starts or ends with a space",
    " bot": "starts or ends with a space",
    "a  b": "two spaces in a row",
    "x" * 41: "41 characters; at most 40",
    "x" * 10_000: "10000 characters; at most 40",
    "a\nFinished match 9: A won": "a control character (U+000A)",
    "\x1b[2J": "a control character (U+001B)",
    "a\x00b": "a control character (U+0000)",
    "a\x7f": "a control character (U+007F)",
    "a\x85b": "a control character (U+0085)",
    "a\u202eb": "a format character (U+202E)",
    "a\u2066b": "a format character (U+2066)",
    "a\u200bb": "a format character (U+200B)",
    "\ufeffa": "a format character (U+FEFF)",
    "a\u00adb": "a format character (U+00AD)",
    "a\u2028b": "a line separator (U+2028)",
    "a\u2029b": "a paragraph separator (U+2029)",
    "a\u00a0b": "a space other than U+0020 (U+00A0)",
    "a\u3000b": "a space other than U+0020 (U+3000)",
    "a\ud800": "half a surrogate pair (U+D800)",
    "a\ue000": "a private-use character (U+E000)",
    "a\u0378": "an unassigned character (U+0378)",
    "\u3164": "an invisible character (U+3164)",
    "a\u200db": "a joiner that is not between two Arabic letters (U+200D)",
    "\u200cم": "a joiner that is not between two Arabic letters (U+200C)",
    "م\u200c": "a joiner that is not between two Arabic letters (U+200C)",
    "👨\u200d👩": "a joiner that is not between two Arabic letters (U+200D)",
    "\u0301a": "starts with a combining mark",
    "x" + "\u0316" * 4: "more than 3 combining marks in a row",
}

SAME = [
    ("bot", "Bot"),
    ("bot", "BOT"),
    ("é", "e\u0301"),
    ("Ω", "\u2126"),
    ("straße", "STRASSE"),
    ("bot", "ｂｏｔ"),
    ("میخواهم", "می\u200cخواهم"),
    ("☠", "☠\ufe0f"),
]


@pytest.mark.parametrize("name", ALLOWED)
def test_printable_names_of_any_script_are_allowed(name: str) -> None:
    assert verify_name(name) is None


@pytest.mark.parametrize(("name", "reason"), REFUSED.items(), ids=[ascii(n)[:30] for n in REFUSED])
def test_other_names_are_refused_with_the_reason(name: str, reason: str) -> None:
    assert reason in (verify_name(name) or "allowed")


def test_length_is_counted_after_nfc() -> None:
    assert verify_name("e\u0301" * 40) is None
    assert len(normalized_name("e\u0301" * 40)) == 40


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_look_the_same_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_other_names_have_other_keys() -> None:
    assert len({name_key(name) for name in ALLOWED}) == len(ALLOWED)


@given(st.text())
def test_the_reason_itself_is_one_printable_line(name: str) -> None:
    assert (verify_name(name) or "").isprintable()


@given(st.text(max_size=60))
def test_an_allowed_name_is_normalized_and_printable(name: str) -> None:
    if verify_name(name) is None:
        kept = normalized_name(name)
        assert unicodedata.is_normalized("NFC", kept)
        assert 1 <= len(kept) <= 40
        assert verify_name(kept) is None
        assert kept.replace("\u200c", "").replace("\u200d", "").isprintable()


@given(st.text())
def test_a_key_of_a_key_is_the_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


def test_a_taken_name_is_numbered() -> None:
    assert unused_name("Random", []) == "Random"
    assert unused_name("Random", ["random", "Random (2)"]) == "Random (3)"
    assert len(unused_name("x" * 40, ["x" * 40])) == 40


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "'x", "'=1"])
def test_a_spreadsheet_gets_no_formula(name: str) -> None:
    assert csv_name(name) == "'" + name


def test_a_name_comes_back_from_csv() -> None:
    out = io.StringIO()
    csv.writer(out).writerows([[csv_name(name)] for name in ALLOWED])
    read = [row[0] for row in csv.reader(io.StringIO(out.getvalue()))]
    assert [csv_back(name) for name in read] == ALLOWED


def csv_back(name: str) -> str:
    """Undo csv_name, as the docs tell readers to."""
    return name.removeprefix("'")


def test_markdown_signs_are_escaped() -> None:
    assert markdown_name("a|b") == r"a\|b"
    assert markdown_name("<b>*x*</b> [y](z) `w` https://e.org www.e.org") == (
        r"\<b\>\*x\*\</b\> \[y\]\(z\) \`w\` https\://e\.org www\.e\.org"
    )
    assert markdown_name("Counting-2, بوت") == "Counting-2, بوت"
