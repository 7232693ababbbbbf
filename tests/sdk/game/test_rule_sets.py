"""Presets and their options."""

import dataclasses
import re

import pytest

from tarneeb_sdk.game import PRESETS, Game, RulesError, RuleSet, rule_set


def test_there_are_four_presets() -> None:
    assert list(PRESETS) == ["tarneeb", "tarneeb-31", "tarneeb-outright", "syrian41"]
    assert all(rule_set(name) == rules for name, rules in PRESETS.items())


@pytest.mark.parametrize(
    ("preset", "target", "allowed"),
    [
        ("tarneeb", 41, (31, 41, 61)),
        ("tarneeb-31", 31, (31, 41, 61)),
        ("tarneeb-outright", 41, (31, 41)),
        ("syrian41", 41, (41,)),
    ],
)
def test_r_5_8_targets_of_the_presets(preset: str, target: int, allowed: tuple[int, ...]) -> None:
    assert rule_set(preset).target == target
    assert rule_set(preset).allowed_targets == allowed
    assert [rule_set(preset, target=choice).target for choice in allowed] == list(allowed)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"preset": "tarneb"}, "no preset 'tarneb'; did you mean tarneeb? there are tarneeb, "),
        ({"preset": "bridge"}, "no preset 'bridge'; there are tarneeb, tarneeb-31, "),
        ({"preset": "tarneeb", "target": 51}, "the target of tarneeb is 31 or 41 or 61, not 51"),
        ({"preset": "tarneeb", "target": 41.0}, "not 41.0"),
        ({"preset": "tarneeb", "target": True}, "not True"),
        ({"preset": "tarneeb-outright", "target": 61}, "is 31 or 41, not 61"),
        ({"preset": "syrian41", "target": 31}, "the target of syrian41 is 41, not 31"),
        ({"preset": "syrian41", "defenders_always_score": True}, "it has no defenders"),
        ({"preset": "tarneeb", "defenders_always_score": 1}, "true or false, not 1"),
        ({"preset": "tarneeb", "deals": 0}, "from 1 to 200, not 0"),
        ({"preset": "tarneeb", "deals": 201}, "from 1 to 200, not 201"),
        ({"preset": "tarneeb", "deals": True}, "from 1 to 200, not True"),
        ({"preset": "tarneeb", "deals": 9, "max_deals": 8}, "deals is a whole number from 1 to 8"),
        ({"preset": "tarneeb", "max_deals": 201}, "max_deals is a whole number from 1 to 200"),
        ({"preset": "tarneeb", "max_cancelled": 0}, "from 1 to 1000, not 0"),
    ],
)
def test_an_option_that_is_not_allowed_names_what_is(
    options: dict[str, object], reason: str
) -> None:
    with pytest.raises(RulesError, match=re.escape(reason)):
        rule_set(**options)  # type: ignore[arg-type]


def test_any_target_of_the_game_serves_for_judging() -> None:
    assert rule_set("tarneeb-outright", target=61, any_target=True).target == 61
    with pytest.raises(RulesError, match="is 31 or 41 or 61, not 51"):
        rule_set("tarneeb-outright", target=51, any_target=True)
    with pytest.raises(RulesError, match="is 41, not 61"):
        rule_set("syrian41", target=61, any_target=True)


def test_r_8_3_a_number_of_deals_replaces_the_target() -> None:
    assert rule_set("syrian41", deals=16).deals == 16


def test_the_settings_of_r_8_have_their_defaults() -> None:
    """R-8.1 and R-8.2."""
    assert {(rules.max_cancelled, rules.max_deals) for rules in PRESETS.values()} == {(20, 200)}


def test_the_settings_of_r_8_can_be_chosen() -> None:
    rules = rule_set("tarneeb", deals=8, max_cancelled=1, max_deals=8)
    assert (rules.deals, rules.max_cancelled, rules.max_deals) == (8, 1, 8)


def test_a_preset_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["tarneeb"]  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["tarneeb"].target = 5  # type: ignore[misc]


def test_a_rule_set_can_be_pasted_back() -> None:
    rules = rule_set("tarneeb", target=61, deals=4)
    assert eval(repr(rules), {"RuleSet": RuleSet, "Game": Game}) == rules


@pytest.mark.parametrize(("preset", "scores"), [("tarneeb", 2), ("syrian41", 4)])
def test_scores_are_by_team_or_by_seat(preset: str, scores: int) -> None:
    assert rule_set(preset).num_scores == scores
