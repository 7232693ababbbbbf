"""What the deals of a tournament hang on."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_referee.hosts.memory import memory_bot
from tarneeb_referee.settings import Limits, MatchSettings, TimeBudgets
from tarneeb_sdk.game import rule_set
from tarneeb_tournaments.config import Entrant, TournamentConfig
from tarneeb_tournaments.seeds import canonical_json, differences, new_tournament
from tests.tournaments.kit.made_up import SECRET

BOT = memory_bot("x")
CONFIG = TournamentConfig(
    name="Cup",
    schedule={"schedule": "round-robin", "times": 1},
    boards=4,
    settings=MatchSettings(rules=rule_set("tarneeb")),
    entrants=(Entrant(id="e1", name="A", bot=BOT), Entrant(id="e2", name="B", bot=BOT)),
)


def with_settings(**changes: object) -> TournamentConfig:
    return replace(CONFIG, settings=replace(CONFIG.settings, **changes))  # type: ignore[arg-type]


def with_second(**changes: object) -> TournamentConfig:
    second = replace(CONFIG.entrants[1], **changes)  # type: ignore[arg-type]
    return replace(CONFIG, entrants=(CONFIG.entrants[0], second))


CHANGES = {
    "name": (replace(CONFIG, name="Cup 2"), 'tournament.name was "Cup" and is "Cup 2"'),
    "boards": (replace(CONFIG, boards=5), "tournament.boards was 4 and is 5"),
    "preset": (
        with_settings(rules=rule_set("tarneeb-outright")),
        'tournament.preset was "tarneeb" and is "tarneeb-outright"',
    ),
    "schedule": (
        replace(CONFIG, schedule={"schedule": "round-robin", "times": 2}),
        "tournament.times was 1 and is 2",
    ),
    "target": (
        with_settings(rules=rule_set("tarneeb", target=61)),
        "match.target was 41 and is 61",
    ),
    "deals": (
        with_settings(rules=rule_set("tarneeb", deals=8)),
        "match.deals was not set and is 8",
    ),
    "time": (
        with_settings(time=TimeBudgets(decision_s=0.5)),
        "time.decision was 1.0 and is 0.5",
    ),
    "limits": (with_settings(limits=Limits(strikes=4)), "limits.strikes was 3 and is 4"),
    "entrant's name": (with_second(name="C"), "entrant 2 was 'B' and is 'C'"),
    "bot": (
        with_second(bot=replace(BOT, digest="f" * 64)),
        "the files of 'B' have changed (digest 000000000000… before, ffffffffffff… now)",
    ),
    "fewer entrants": (
        replace(CONFIG, entrants=CONFIG.entrants[:1]),
        "there were 2 entrants and are 1",
    ),
}


@pytest.mark.parametrize(("config", "line"), CHANGES.values(), ids=CHANGES)
def test_whatever_can_change_a_result_changes_the_public_seed(
    config: TournamentConfig, line: str
) -> None:
    begun = new_tournament(CONFIG, secret=SECRET)
    assert new_tournament(config, secret=SECRET).public_seed != begun.public_seed
    assert line in differences(begun, config)


@pytest.mark.parametrize(
    "config",
    [
        CONFIG,
        replace(CONFIG, tables=64),
        replace(CONFIG, pairings=4),
        with_second(bot=replace(BOT, folder=Path("/moved"), name="renamed")),
    ],
)
def test_what_cannot_change_a_result_does_not(config: TournamentConfig) -> None:
    begun = new_tournament(CONFIG, secret=SECRET)
    assert new_tournament(config, secret=SECRET).public_seed == begun.public_seed
    assert differences(begun, config) == ()


def test_the_public_seed_does_not_hang_on_the_secret() -> None:
    assert new_tournament(CONFIG).public_seed == new_tournament(CONFIG).public_seed


def test_each_tournament_has_a_secret_of_its_own() -> None:
    one, other = new_tournament(CONFIG), new_tournament(CONFIG)
    assert one.secret != other.secret
    assert len(one.secret) == 32
    assert one.secret_sha256 == hashlib.sha256(one.secret).hexdigest()
    assert one.secret.hex() not in repr(one)


def test_the_public_seed_is_what_the_docs_say() -> None:
    info = new_tournament(CONFIG, secret=SECRET)
    named = [[each.id, each.name, each.digest] for each in info.entrants]
    text = canonical_json([info.settings, named])
    assert info.public_seed == hashlib.sha256(text.encode()).hexdigest()
    assert " " not in text
    assert text.isascii()


def test_equal_settings_give_equal_texts() -> None:
    assert canonical_json({"b": 1.0, "a": "é"}) == '{"a":"\\u00e9","b":1.0}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))
