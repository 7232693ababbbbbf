"""The presets, each a value with all that sets it apart from the others [R-5, R-6, R-8]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.near_miss import near_miss

__all__ = ["PRESETS", "Game", "RuleSet", "rule_set"]


class Game(Enum):
    """The two games: teams that bid for the contract, or four seats that each declare."""

    TARNEEB = "tarneeb"
    SYRIAN41 = "syrian41"

    def __repr__(self) -> str:
        return f"Game.{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one match. Make it with `rule_set`, which checks the options.

    Attributes:
        preset: the name of the preset it comes from.
        game: which of the two games is played.
        target: the score that wins [R-5.8, R-6.7]; it does not count when `deals` is set.
        allowed_targets: the targets that the preset lets a tournament choose from.
        kaboot_points: for all 13 tricks on a bid of 12 or less [R-5.2].
        slam_points: for all 13 tricks on a bid of 13 [R-5.4].
        slam_penalty: what a failed bid of 13 costs, as a positive number [R-5.5].
        slam_defence: what each of the defenders' tricks is worth then [R-5.5].
        slam_wins_match: whether a made bid of 13 ends the match [R-5.4].
        defenders_always_score: R-5.6.
        deals: so many scored deals make the match, instead of a target [R-8.3].
        max_cancelled: after so many cancelled deals in a row the next one is played [R-8.1].
        max_deals: a match has no more scored deals than this [R-8.2].
    """

    preset: str
    game: Game
    target: int
    allowed_targets: tuple[int, ...]
    kaboot_points: int = 0
    slam_points: int = 0
    slam_penalty: int = 0
    slam_defence: int = 0
    slam_wins_match: bool = False
    defenders_always_score: bool = False
    deals: int | None = None
    max_cancelled: int = 20
    max_deals: int = 200

    @property
    def num_scores(self) -> int:
        """How many scores are kept: 2, by team, or 4, by seat in Syrian 41."""
        return 4 if self.game is Game.SYRIAN41 else 2


def _presets() -> Mapping[str, RuleSet]:
    tarneeb = RuleSet(
        preset="tarneeb",
        game=Game.TARNEEB,
        target=41,
        allowed_targets=(31, 41, 61),
        kaboot_points=16,
        slam_points=26,
        slam_penalty=16,
        slam_defence=2,
    )
    to_31 = replace(tarneeb, preset="tarneeb-31", target=31, slam_defence=1)
    outright = replace(
        tarneeb,
        preset="tarneeb-outright",
        allowed_targets=(31, 41),
        kaboot_points=13,
        slam_points=13,
        slam_penalty=13,
        slam_defence=1,
        slam_wins_match=True,
    )
    syrian = RuleSet(preset="syrian41", game=Game.SYRIAN41, target=41, allowed_targets=(41,))
    return MappingProxyType({rules.preset: rules for rules in (tarneeb, to_31, outright, syrian)})


PRESETS: Mapping[str, RuleSet] = _presets()
"""Every preset by its name, with the options at their defaults."""


def rule_set(
    preset: str,
    *,
    target: int | None = None,
    defenders_always_score: bool = False,
    deals: int | None = None,
    max_cancelled: int | None = None,
    max_deals: int | None = None,
    any_target: bool = False,
) -> RuleSet:
    """Choose a preset and set its options.

    Args:
        preset: a key of `PRESETS`.
        target: one of the preset's `allowed_targets`; by default the preset's own.
        defenders_always_score: R-5.6, in the Tarneeb presets alone.
        deals: so many scored deals instead of a target, 1 to `max_deals` [R-8.3]; `None` plays to
            the target.
        max_cancelled: 1 to 1000 [R-8.1]; by default 20.
        max_deals: 1 to 200 [R-8.2]; by default 200.
        any_target: allow any preset's target with any other of the same game: to judge what was
            played elsewhere, not to set up a match.

    Raises:
        RulesError: an unknown preset, or a value that the preset does not allow.

    >>> rule_set("tarneeb", target=61).target
    61
    """
    base = PRESETS.get(preset)
    if base is None:
        raise RulesError(f"no preset {preset!r}; {_known_presets(preset)}")
    chosen = replace(
        base,
        target=base.target if target is None else target,
        defenders_always_score=defenders_always_score,
        deals=deals,
        max_cancelled=base.max_cancelled if max_cancelled is None else max_cancelled,
        max_deals=base.max_deals if max_deals is None else max_deals,
    )
    _check_options(chosen, targets=_targets_of(base.game) if any_target else base.allowed_targets)
    return chosen


def _check_options(rules: RuleSet, *, targets: tuple[int, ...]) -> None:
    target, defenders = rules.target, rules.defenders_always_score
    if type(target) is not int or target not in targets:
        choice = " or ".join(map(str, targets))
        raise RulesError(f"the target of {rules.preset} is {choice}, not {target!r}")
    if type(defenders) is not bool:
        raise RulesError(f"defenders_always_score is true or false, not {defenders!r}")
    if defenders and rules.game is not Game.TARNEEB:
        reason = f"has no meaning in {rules.preset}: it has no defenders"
        raise RulesError(f"defenders_always_score {reason}")
    _check_count("max_cancelled", rules.max_cancelled, most=1000)
    _check_count("max_deals", rules.max_deals, most=200)
    if rules.deals is not None:
        _check_count("deals", rules.deals, most=rules.max_deals)


def _check_count(name: str, value: object, *, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise RulesError(f"{name} is a whole number from 1 to {most}, not {value!r}")


def _targets_of(game: Game) -> tuple[int, ...]:
    of_game = [rules.allowed_targets for rules in PRESETS.values() if rules.game is game]
    return tuple(sorted(set().union(*of_game)))


def _known_presets(given: str) -> str:
    near = near_miss(given, PRESETS)
    hint = f"did you mean {near}? " if near else ""
    return f"{hint}there are {', '.join(PRESETS)}"
