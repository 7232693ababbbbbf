"""What a tournament's file may hold, and the line that each mistake in it gets."""

import os
from pathlib import Path

import pytest

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.config import TournamentConfig, load_config

GOOD = """\
[tournament]
name = "Spring open"
preset = "tarneeb"
schedule = "round-robin"
boards = 32

[match]
target = 61

[time]
start = 10
decision = 1.5
bank = 15

[[entrant]]
name = "A"
bot = "bots/a"

[[entrant]]
name = "بوت"
bot = "bots/b"
"""

BOT = 'name = "Bot"\nversion = "1"\ncommand = ["python", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        bot = tmp_path / "bots" / name
        bot.mkdir(parents=True)
        (bot / "bot.toml").write_text(BOT)
        (bot / "bot.py").write_text(f"# {name}\n")
    return tmp_path


def load(folder: Path, text: str | bytes, name: str = "spring.toml") -> TournamentConfig:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_config(path)


def problems(folder: Path, text: str | bytes) -> list[str]:
    """Load a wrong file and give the lines of the error, without the folder's path."""
    before = sorted(folder.rglob("*"))
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    assert sorted(folder.rglob("*")) in (before, sorted([*before, folder / "spring.toml"]))
    lines = str(caught.value).split("\n")
    assert all(line.isprintable() for line in lines)
    return [line.replace(f"{folder}/", "") for line in lines]


def test_a_good_file_gives_all_its_values(folder: Path) -> None:
    config = load(folder, GOOD)
    assert (config.name, config.boards) == ("Spring open", 32)
    assert config.schedule == {"schedule": "round-robin", "times": 1}
    assert config.settings.rules.target == 61
    assert config.settings.time.decision_s == 1.5
    assert config.settings.time.start_s == 10.0
    assert [(each.id, each.name) for each in config.entrants] == [("e1", "A"), ("e2", "بوت")]
    assert config.entrants[0].bot.folder == (folder / "bots" / "a").resolve()
    assert config.entrants[0].bot.digest != config.entrants[1].bot.digest


def test_what_is_left_out_has_its_default(folder: Path) -> None:
    text = GOOD.replace("target = 61", "").replace("decision = 1.5", "")
    config = load(folder, text)
    assert config.settings.rules.target == 41
    assert config.settings.time.decision_s == 1.0
    assert config.settings.time.margin_s == 0.05
    assert config.settings.limits.strikes == 3
    assert config.tables is None
    assert config.pairings is None


def test_tables_and_pairings_are_auto_or_a_number(folder: Path) -> None:
    config = load(folder, f'{GOOD}\n[run]\ntables = 64\npairings = "auto"\n')
    assert (config.tables, config.pairings) == (64, None)


def test_deals_stand_instead_of_a_target(folder: Path) -> None:
    rules = load(folder, GOOD.replace("target = 61", "deals = 16")).settings.rules
    assert rules.deals == 16


def test_r_8_1_and_r_8_2_are_settings(folder: Path) -> None:
    rules = load(
        folder, GOOD.replace("target = 61", "max_cancelled = 5\nmax_deals = 50")
    ).settings.rules
    assert (rules.max_cancelled, rules.max_deals) == (5, 50)


def test_sample_bots_are_found_by_name(folder: Path) -> None:
    with pytest.raises(ConfigError, match="sample:nobody"):
        load(folder, GOOD.replace("bots/a", "sample:nobody"))


WRONG_VALUES = [
    # What is replaced, by what, and the line.
    (
        "target = 61",
        "target = 40",
        "match.target: 40 is not a target of tarneeb; use 31, 41 or 61",
    ),
    ("target = 61", "targt = 61", "match.targt: unknown key; did you mean target?"),
    (
        "target = 61",
        "target = 61\ndeals = 16",
        "match.deals: stands beside match.target; give one of the two",
    ),
    (
        "target = 61",
        "deals = 0",
        "match.deals: 0 is out of range; use a whole number from 1 to 200: the scored deals of a match",
    ),
    (
        "target = 61",
        "deals = 60\nmax_deals = 50",
        "match.deals: 60 is more than match.max_deals, 50",
    ),
    (
        "target = 61",
        "defenders_always_score = 1",
        "match.defenders_always_score: 1 is neither true nor false; use true or false",
    ),
    (
        'preset = "tarneeb"',
        'preset = "tarneb"',
        "tournament.preset: 'tarneb' is no preset; did you mean tarneeb?",
    ),
    (
        'preset = "tarneeb"',
        'preset = "bridge"',
        "tournament.preset: 'bridge' is no preset; there are tarneeb, tarneeb-31, tarneeb-outright and syrian41",
    ),
    (
        '"round-robin"',
        '"gaunlet"',
        "tournament.schedule: 'gaunlet' is no schedule; did you mean gauntlet?",
    ),
    (
        "boards = 32",
        "boards = 0",
        "tournament.boards: 0 is out of range; use a whole number from 1 to 100,000: the boards of a pairing",
    ),
    (
        "boards = 32",
        "boards = true",
        "tournament.boards: true is not a whole number; use a whole number from 1 to 100,000: the boards of a pairing",
    ),
    (
        "boards = 32",
        "boards = 32.0",
        "tournament.boards: 32.0 is not a whole number; use a whole number from 1 to 100,000: the boards of a pairing",
    ),
    (
        "boards = 32",
        "",
        "tournament.boards: is missing; give a whole number from 1 to 100,000: the boards of a pairing",
    ),
    (
        '"Spring open"',
        '"a\\u0007b"',
        "tournament.name: 'a\\x07b' is refused: it holds a control character (U+0007)",
    ),
    (
        "decision = 1.5",
        "decision = 500",
        "time.decision: 500 is out of range; use 0.01 to 60 seconds (500 ms is 0.5)",
    ),
    (
        "decision = 1.5",
        "decision = -1",
        "time.decision: -1 is out of range; use 0.01 to 60 seconds",
    ),
    ("decision = 1.5", "decision = 0", "time.decision: 0 is out of range; use 0.01 to 60 seconds"),
    (
        "decision = 1.5",
        "decision = nan",
        "time.decision: nan is not a finite number; use 0.01 to 60 seconds",
    ),
    (
        "decision = 1.5",
        "decision = inf",
        "time.decision: inf is not a finite number; use 0.01 to 60 seconds",
    ),
    (
        "decision = 1.5",
        'decision = "5s"',
        "time.decision: '5s' is not a number; use 0.01 to 60 seconds",
    ),
    (
        "decision = 1.5",
        "decision = true",
        "time.decision: true is not a number; use 0.01 to 60 seconds",
    ),
    (
        "decision = 1.5",
        "time_limt_ms = 500",
        "time.time_limt_ms: unknown key; keys here are start, decision, bank, margin and tempo_quantum",
    ),
    ("[time]", "[times]", "times: unknown key; did you mean time?"),
    (
        '[[entrant]]\nname = "A"',
        '[run]\ntables = 0\n[[entrant]]\nname = "A"',
        'run.tables: 0 is out of range; use "auto" or a whole number from 1 to 1,024',
    ),
    (
        '[[entrant]]\nname = "A"',
        '[run]\ntables = 1025\n[[entrant]]\nname = "A"',
        'run.tables: 1025 is out of range; use "auto" or a whole number from 1 to 1,024',
    ),
    (
        '[[entrant]]\nname = "A"',
        '[run]\npairings = "aut"\n[[entrant]]\nname = "A"',
        "run.pairings: 'aut' is not allowed; use \"auto\" or a whole number from 1 to 64",
    ),
    (
        '[[entrant]]\nname = "A"',
        '[run]\npairings = true\n[[entrant]]\nname = "A"',
        'run.pairings: true is not allowed; use "auto" or a whole number from 1 to 64',
    ),
    (
        'name = "A"',
        'nmae = "A"',
        "entrant 1: nmae: unknown key; did you mean name?",
    ),
    (
        'name = "A"',
        "name = 5",
        "entrant 1: name: 5 is not a text; use a name of 1 to 40 printable characters",
    ),
    ('name = "A"', 'name = ""', "entrant 1: name: '' is refused: it is empty"),
    (
        'name = "A"',
        'name = "[2J\\u001b"',
        "entrant 1: name: '[2J\\x1b' is refused: it holds a control character (U+001B)",
    ),
    (
        'name = "A"',
        'name = "بوت"',
        "entrant 2: name: 'بوت' is the name of entrant 1; names must differ",
    ),
    (
        'name = "بوت"',
        'name = "a"',
        "entrant 2: name: 'a' is the name of entrant 1, 'A'; names must differ",
    ),
    (
        'bot = "bots/a"',
        'bot = ""',
        "entrant 1: bot: '' is empty; use a folder with a bot.toml, or \"sample:<name>\"",
    ),
    (
        'bot = "bots/a"',
        'bot = "bots/c"',
        "entrant 1: bot: bots/c: no such file or directory; name a folder with a bot.toml, or sample:<name>",
    ),
]


@pytest.mark.parametrize(
    ("old", "new", "line"), WRONG_VALUES, ids=[new.replace("\n", " ") for _, new, _ in WRONG_VALUES]
)
def test_a_wrong_value_gets_a_line_with_file_key_and_fix(
    folder: Path, old: str, new: str, line: str
) -> None:
    assert old in GOOD
    assert f"spring.toml: {line}" in problems(folder, GOOD.replace(old, new, 1))


def test_all_problems_are_listed_at_once(folder: Path) -> None:
    text = (
        GOOD.replace("61", "40").replace("1.5", "500").replace('"bots/a"', '"bots/c"')
        + "\n[limits]\nstrikes = 0\n"
    )
    assert len(problems(folder, text)) == 4


@pytest.mark.parametrize("entrants", [0, 1])
def test_fewer_than_two_entrants_are_refused(folder: Path, entrants: int) -> None:
    text = "[[entrant]]".join(GOOD.split("[[entrant]]")[: entrants + 1])
    (line,) = problems(folder, text)
    assert line.startswith(f"spring.toml: entrant: the file has {entrants} [[entrant]] table")
    assert line.endswith("a tournament has 2 to 1,000")


def test_two_entrants_may_have_one_bot(folder: Path) -> None:
    config = load(folder, GOOD.replace("bots/b", "bots/a"))
    assert config.entrants[0].bot == config.entrants[1].bot


def test_a_name_is_kept_in_nfc_and_compared_in_it(folder: Path) -> None:
    text = GOOD.replace('"A"', '"e\u0301"')
    assert load(folder, text).entrants[0].name == "\u00e9"
    (line,) = problems(folder, text.replace('"بوت"', '"\u00e9"'))
    assert line == "spring.toml: entrant 2: name: 'é' is the name of entrant 1; names must differ"


def test_options_of_tarneeb_have_no_place_in_syrian_41(folder: Path) -> None:
    text = GOOD.replace('"tarneeb"', '"syrian41"').replace("target = 61", "target = 31")
    text = text.replace("target = 31", "target = 31\ndefenders_always_score = true")
    assert problems(folder, text) == [
        "spring.toml: match.target: 31 is not a target of syrian41; use 41",
        "spring.toml: match.defenders_always_score: has no meaning in syrian41; leave it out",
    ]


NO_TOML = {
    "key twice": (
        GOOD.replace("boards = 32", "boards = 32\nboards = 3"),
        "line 6: the same key or table stands here a second time: boards = 3",
    ),
    "table twice": (
        f"{GOOD}\n[time]\n",
        "line 23: the same key or table stands here a second time: [time]",
    ),
    "last line wrong": ("[tournament]\nname = ", "line 2: invalid value: name ="),
    "unit": (
        GOOD.replace("1.5", "5s"),
        "line 12: expected newline or end of document after a statement: decision = 5s",
    ),
    "byte order mark": (
        b"\xef\xbb\xbf" + GOOD.encode(),
        "starts with a byte order mark; save it as UTF-8 without BOM",
    ),
    "UTF-16": (
        GOOD.encode("utf-16"),
        "starts with a byte order mark; save it as UTF-8 without BOM",
    ),
    "Latin-1": (
        GOOD.replace("Spring", "Frühling").encode("latin-1", "replace"),
        "line 2: is not UTF-8; save the file as UTF-8",
    ),
    "lone surrogate": (
        GOOD.replace("Spring", "\\ud800"),
        'line 2: escaped character is not a Unicode scalar value: name = "\\ud800 open"',
    ),
    "nested": ("a = " + "[" * 100_000, "is nested too deeply"),
    "huge": ("#" * (1 << 20) + "\n", "is larger than 1,048,576 bytes; is it the right file?"),
    "zero byte": ("\0", "line 1: invalid statement: \\x00"),
}


@pytest.mark.parametrize(("text", "line"), NO_TOML.values(), ids=NO_TOML)
def test_what_is_no_toml_gets_one_line(folder: Path, text: str | bytes, line: str) -> None:
    assert problems(folder, text) == [f"spring.toml: {line}"]


def test_a_number_of_five_thousand_digits_gets_one_line(folder: Path) -> None:
    (line,) = problems(folder, GOOD.replace("32", "9" * 5_000))
    assert len(line) < 300


def test_an_empty_file_gets_lines(folder: Path) -> None:
    assert problems(folder, "") == [
        "spring.toml: tournament.name: is missing; give a name of 1 to 40 printable characters",
        "spring.toml: tournament.boards: is missing; give a whole number from 1 to 100,000: the boards of a pairing",
        "spring.toml: entrant: the file has 0 [[entrant]] tables; a tournament has 2 to 1,000",
    ]


@pytest.mark.parametrize("value", ["5", "[]", '"x"', "1979-05-27"])
def test_a_value_where_a_table_belongs_gets_a_line(folder: Path, value: str) -> None:
    text = GOOD.replace("[time]\nstart = 10\ndecision = 1.5\nbank = 15", "")
    lines = problems(folder, f"time = {value}\n{text}")
    assert len(lines) == 1
    assert "is no table; write [time]" in lines[0]


def test_one_entrant_table_instead_of_a_list_gets_a_line(folder: Path) -> None:
    text = GOOD.split("[[entrant]]", maxsplit=1)[0] + '[entrant]\nname = "A"\nbot = "bots/a"\n'
    assert problems(folder, text) == [
        "spring.toml: entrant: is no list of tables; write [[entrant]], with two brackets, above each entrant"
    ]


@pytest.mark.parametrize("second", ["[entrant]", "[[entrant]]"])
def test_two_entrants_with_one_bracket_get_the_fix(folder: Path, second: str) -> None:
    text = GOOD.split("[[entrant]]", maxsplit=1)[0]
    text += f'[entrant]\nname = "A"\nbot = "bots/a"\n{second}\nname = "B"\n'
    (line,) = problems(folder, text)
    assert f": write [[entrant]], with two brackets, above each entrant: {second}" in line


def test_a_text_where_a_list_belongs_gets_a_line(folder: Path) -> None:
    text = GOOD.replace('"round-robin"', '"gauntlet"\nchallengers = "A"')
    assert problems(folder, text)[0] == (
        "spring.toml: tournament.challengers: 'A' is no list; use a list of entrants' names"
    )


def test_a_missing_file_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"no\.toml: no such file; give the tournament\'s TOML file$"
    ):
        load_config(tmp_path / "no.toml")


def test_a_folder_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder; give the tournament's TOML file"


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    with pytest.raises(ConfigError, match="is a special file"):
        load_config(tmp_path / "pipe.toml")


def test_a_path_with_a_zero_byte_gets_one_line() -> None:
    with pytest.raises(ConfigError, match="can't be read"):
        load_config(Path("a\0b"))


def test_a_file_name_cannot_move_the_cursor(folder: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(folder, "", name="\x1b[2J.toml")
    assert "\x1b" not in str(caught.value)


def test_a_long_unknown_key_is_cut(folder: Path) -> None:
    (line,) = problems(folder, f"{'k' * 10_000} = 1\n{GOOD}")
    assert len(line) < 300
