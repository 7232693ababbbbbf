import csv
import io
import itertools
import json
import re

import pytest

from tarneeb_tournaments.columns import DASH
from tarneeb_tournaments.formats import FORMATS, format_table
from tarneeb_tournaments.names import verify_name
from tarneeb_tournaments.results import Suspension
from tarneeb_tournaments.standings import Standings, compute_standings
from tarneeb_tournaments.store.memory import MemoryStore
from tests.tournaments.kit import made_up

ODD_NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></tr>",
    "javascript:x",
    "../../etc/x",
    "a/b|c",
    "CON",
    "-rf",
    "'; DROP TABLE matches;--",
    "{{7*7}}",
    "%s%n",
    "[red]x[/red]",
    "=1+1",
    "بوت الطرنيب",
    ":smile: `code` *b*",
]


def table(names: list[str], *, matches: int = 0) -> Standings:
    info = made_up.info(names)
    store = MemoryStore(info, made_up.pairings(info))
    for row in store.read().pairings[:matches]:
        for board in (1, 2):
            for half in (1, 2):
                pairing = row.pairing
                key = (pairing.round, pairing.number, board, half)
                faults = [(0, "time-out"), (1, "crash")]
                store.submit(made_up.match(key, pairing.teams(half), faults=faults)).result()
    return compute_standings(store.read())


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("matches", [0, 1])
def test_numbers_that_are_not_there_yet_are_no_nan(form: str, matches: int) -> None:
    text = FORMATS[form](table(list("ABCD"), matches=matches))
    assert not re.search(r"\b(nan|inf|infinity|none)\b", text, re.IGNORECASE)


def test_dashes_stand_for_what_cannot_be_computed() -> None:
    line = FORMATS["table"](table(["A", "B"])).splitlines()[2]
    assert line.split() == [DASH, "A", *[DASH] * 10]


@pytest.mark.parametrize("form", FORMATS)
def test_no_name_reaches_a_format_as_anything_but_text(form: str) -> None:
    assert all(verify_name(name) is None for name in ODD_NAMES)
    text = FORMATS[form](table(ODD_NAMES, matches=3))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


def test_names_stand_as_they_are_in_a_table() -> None:
    text = FORMATS["table"](table(ODD_NAMES))
    for name in ODD_NAMES:
        assert name in text


def test_a_narrow_terminal_gets_whole_names() -> None:
    name = "x" * 40
    text = format_table(table([name, "B"]), width=80)
    assert max(map(len, text.splitlines()[:-2])) <= 80
    assert text.count("x") >= 40


@pytest.mark.parametrize("width", [20, 30, 40, 60, 80, 100, 130])
def test_no_terminal_is_too_narrow_for_names(width: int) -> None:
    text = format_table(table(["Nightingale", "B"], matches=1), width=width)
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if "entrant" in line)
    heading, first, second = lines[start : start + 3]
    assert {first.split()[1], second.split()[1]} == {"Nightingale", "B"}
    assert max(map(len, (heading, first, second))) <= width
    assert "--format" in text.replace("\n", " ") or width == 130


def test_what_has_no_room_is_named() -> None:
    found = table(["A", "B"], matches=1)
    every = set(re.split(r"  +", format_table(found).splitlines()[1]))
    text = format_table(found, width=50)
    shown = set(re.split(r"  +", text.splitlines()[1]))
    (told,) = re.findall(r"no room for: (.*); --format csv has all", text.replace("\n", " "))
    assert shown < every
    assert every - shown == set(told.split(", "))
    assert "no room" not in format_table(found)


def test_an_absence_is_not_counted_beside_what_it_follows_from() -> None:
    info = made_up.info("AB")
    store = MemoryStore(info, made_up.pairings(info))
    match = made_up.match(faults=[(0, "crash"), (0, "absent")], autopilot=(True, False))
    store.submit(match).result()
    standings = compute_standings(store.read())
    assert "A: 1 crash; on autopilot in 1 match" in FORMATS["table"](standings)
    assert json.loads(FORMATS["json"](standings))["standings"][0]["faults"] == {"crash": 1}


def test_json_holds_every_name_and_number() -> None:
    data = json.loads(FORMATS["json"](table(ODD_NAMES, matches=3)))
    assert {row["name"] for row in data["standings"]} == set(ODD_NAMES)
    assert data["matches"] == 12
    assert data["standings"][0]["rank"] == 1
    assert data["standings"][0]["faults"]


def test_csv_reads_back_and_holds_no_formula() -> None:
    text = FORMATS["csv"](table(ODD_NAMES, matches=3))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["name"].removeprefix("'") for row in rows} == set(ODD_NAMES)
    for row in rows:
        assert not row["name"].startswith(("=", "+", "-", "@"))


def test_markdown_has_as_many_cells_in_each_line() -> None:
    lines = FORMATS["md"](table(ODD_NAMES, matches=3)).splitlines()
    lines = [line for line in lines if line.startswith("|")]
    assert len(lines) == 2 + len(ODD_NAMES)
    cells = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
    assert cells == {13}
    assert all("<" not in re.sub(r"\\<", "", line) for line in lines)


def test_the_secret_is_told_only_when_all_is_played() -> None:
    secret = made_up.SECRET.hex()
    running, finished = table(["A", "B"]), table(["A", "B"], matches=1)
    for form, write in FORMATS.items():
        assert secret not in write(running)
        assert (secret in write(finished)) is (form != "csv")
    hashed = running.results.info.secret_sha256
    assert hashed in FORMATS["table"](running)
    assert json.loads(FORMATS["json"](running))["secret"] is None


def test_a_suspended_entrant_is_marked() -> None:
    info = made_up.info("ABC")
    store = MemoryStore(info, made_up.pairings(info))
    for number, half in itertools.product((1, 2), (1, 2)):
        teams = ("e3", "e2") if half == 1 else ("e2", "e3")
        piloted = (teams[0] == "e3", teams[1] == "e3")
        store.submit(made_up.match((1, 1, number, half), teams, autopilot=piloted)).result()
    store.submit(Suspension("e3", ((2, 1),))).result()
    standings = compute_standings(store.read())
    text = FORMATS["table"](standings)
    assert "suspended" in text
    assert "not played, because an entrant is suspended: 1 pairing" in text
    data = json.loads(FORMATS["json"](standings))
    assert [row["suspended"] for row in data["standings"]] == [False, False, True]
    last = data["standings"][-1]
    assert (last["id"], last["rank"], last["rating"], last["matches"]) == ("e3", None, None, 4)


def test_what_an_entrant_did_wrong_stands_below_the_table() -> None:
    info = made_up.info("AB")
    store = MemoryStore(info, made_up.pairings(info))
    faults = [(0, "crash"), (0, "time-out"), (2, "time-out")]
    match = made_up.match(faults=faults, autopilot=(True, False), late=1)
    store.submit(match).result()
    store.submit(made_up.session()).result()
    standings = compute_standings(store.read())
    wrong = "1 crash, 2 time-out; on autopilot in 1 match; 2 late answers"
    assert f"A: {wrong}\n" in FORMATS["table"](standings)
    assert f"- A: {wrong}\n" in FORMATS["md"](standings)
    assert "B: between matches 2 crash" not in FORMATS["table"](standings)
    assert "B: between matches 1 crash; 2 late answers\n" in FORMATS["table"](standings)


def test_time_outs_while_the_referee_was_late_are_marked() -> None:
    info = made_up.info("AB")
    store = MemoryStore(info, made_up.pairings(info))
    store.submit(made_up.match(faults=[(0, "time-out"), (2, "time-out"), (1, "crash")])).result()
    calm = compute_standings(store.read())
    assert "A: 2 time-out\n" in FORMATS["table"](calm)
    store.submit(made_up.session(max_stall_s=0.314)).result()
    late = compute_standings(store.read())
    mark = "2 of the time-outs while the referee itself was late, by up to 0.31 s"
    assert f"A: 2 time-out; {mark}\n" in FORMATS["table"](late)
    assert f"- A: 2 time-out; {mark}\n" in FORMATS["md"](late)
    shown = {row["name"]: row for row in json.loads(FORMATS["json"](late))["standings"]}
    assert (shown["A"]["time_outs_in_lag"], shown["A"]["max_lag_s"]) == (2, 0.314)
    assert (shown["B"]["time_outs_in_lag"], shown["B"]["max_lag_s"]) == (0, 0.0)
