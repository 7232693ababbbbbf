"""How matches are refereed: the rules, the time and the limits, as values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tarneeb_sdk.game import RuleSet

MAX_TABLES = 1024
"""More tables than this at once bring no speed, and a crash would cost too much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeBudgets:
    """How long bots may take.

    Attributes:
        start_s: from the start of a bot's process to its `Hello`.
        decision_s: for one decision.
        bank_s: what all decisions of one match together may take beyond `decision_s` each.
        margin_s: on top of both, for transport and for the system's own delays; never charged.
        tempo_quantum_s: others see a decision only after a multiple of this, so that the time it
            took tells them less; 0 for at once. It is charged to nobody.
    """

    start_s: float = 10.0
    decision_s: float = 1.0
    bank_s: float = 15.0
    margin_s: float = 0.05
    tempo_quantum_s: float = 0.0

    def __post_init__(self) -> None:
        for name in ("start_s", "decision_s"):
            _check(name, getattr(self, name), more_than_zero=True)
        for name in ("bank_s", "margin_s", "tempo_quantum_s"):
            _check(name, getattr(self, name), more_than_zero=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How often a bot may fail, and how much it may send.

    What is counted in a session grows with its boards. Otherwise a bot that fails in some matches
    would be given up at a board that depends on how many are played at once, or on where a run
    was interrupted.

    Attributes:
        strikes: lost turns, crashes and disconnects in one match before the seat goes on
            autopilot for the rest of that match.
        retries: refused moves on one turn before the referee moves instead.
        restarts: how often a bot is started again, for each board of the session.
        strays: answers to turns that do not wait, for each board of the session, before the bot
            counts as flooding.
        message_bytes: the longest message that a bot may send.
        streams: how often a bot may dial in, for each board of the session.
    """

    strikes: int = 3
    retries: int = 3
    restarts: int = 8
    strays: int = 1000
    message_bytes: int = 65_536
    streams: int = 100

    def __post_init__(self) -> None:
        for name in ("strikes", "retries", "message_bytes", "streams"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be 1 or more")
        for name in ("restarts", "strays"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}; it must be 0 or more")

    def of_session(self, boards: int) -> Limits:
        """Give the limits of a session of so many boards."""
        times = max(1, boards)
        return replace(
            self,
            restarts=self.restarts * times,
            strays=self.strays * times,
            streams=self.streams * times,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """All that decides how a match is refereed, apart from its deals and its bots."""

    rules: RuleSet
    time: TimeBudgets = field(default_factory=TimeBudgets)
    limits: Limits = field(default_factory=Limits)


def _check(name: str, seconds: float, *, more_than_zero: bool) -> None:
    if not math.isfinite(seconds) or seconds < 0 or (more_than_zero and seconds == 0):
        needed = "more than 0" if more_than_zero else "0 or more"
        raise ValueError(f"{name} is {seconds}; it must be a number of seconds, {needed}")
