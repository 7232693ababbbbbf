"""[remote] in a tournament's file."""

from pathlib import Path

import pytest

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.config import TournamentConfig, load_config

FILE = """\
[tournament]
name = "From home"
boards = 1
{tables}
[[entrant]]
name = "Home"
kind = "remote"
{home}

[[entrant]]
name = "Here"
bot = "sample:random"
"""
TOKEN = 'token_file = "home.token"'
REMOTE = '[remote]\nlisten = "0.0.0.0:7433"\ncertificate = "c.pem"\nkey = "k.pem"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "home.token").write_text(32 * "ab" + "\n")
    return tmp_path


def load(folder: Path, tables: str = "", *, home: str = TOKEN) -> TournamentConfig:
    path = folder / "t.toml"
    path.write_text(FILE.format(tables=tables, home=home))
    return load_config(path)


def test_a_remote_entrant_has_a_token_and_plays_one_pairing_at_a_time(folder: Path) -> None:
    config = load(folder, REMOTE)
    assert config.remote is not None
    assert config.remote.settings.tokens == {"e1": 32 * "ab"}
    assert config.remote.settings.certificate == folder / "c.pem"
    assert config.entrants[0].bot.digest == "remote", "the token is no part of the public seed"
    assert config.pairings == 1


def test_by_default_only_this_machine_may_dial(folder: Path) -> None:
    config = load(folder)
    assert config.remote is not None
    assert config.remote.settings.listen == "127.0.0.1:7433"
    assert config.remote.settings.certificate is None


def test_without_remote_entrants_nobody_listens(folder: Path) -> None:
    (folder / "t.toml").write_text(
        '[tournament]\nname = "x"\nboards = 1\n[[entrant]]\nname = "A"\nbot = "sample:random"\n'
        '[[entrant]]\nname = "B"\nbot = "sample:random"\n' + REMOTE
    )
    assert load_config(folder / "t.toml").remote is None


@pytest.mark.parametrize(
    ("tables", "home", "words"),
    [
        ('[remote]\nlisten = "0.0.0.0:1"\n', TOKEN, "remote.listen: 0.0.0.0:1 can be reached from"),
        ('[remote]\nlisten = "here"\n', TOKEN, "remote.listen: 'here' is out of range; use an"),
        ('[remote]\ncertificate = "c"\n', TOKEN, "remote: certificate and key belong together"),
        ("[run]\npairings = 2\n", TOKEN, "run.pairings: 2 is too many with remote bots"),
        ("", "", "entrant 1: a remote bot has a token_file, and neither bot nor image"),
        ("", TOKEN + '\nbot = "x"', "entrant 1: a remote bot has a token_file, and neither"),
        ("", 'token_file = "none"', "entrant 1: token_file: "),
        ("", 'token_file = "short"', "holds no token of 32 or more letters and digits"),
    ],
)
def test_a_mistake_gets_a_line(folder: Path, tables: str, home: str, words: str) -> None:
    (folder / "short").write_text("1234")
    with pytest.raises(ConfigError) as caught:
        load(folder, tables, home=home)
    assert any(words in line for line in str(caught.value).splitlines()), caught.value
