"""Check a bot before a tournament: start it, let it play one deal, stop it."""

from __future__ import annotations

import secrets
import statistics
from dataclasses import replace
from typing import TYPE_CHECKING

from tarneeb_referee.deals import SECRET_BYTES, DealSource
from tarneeb_referee.faults import FaultKind, OurFaultKind
from tarneeb_referee.outcome import ProbeResult
from tarneeb_referee.plan import HalfPlan
from tarneeb_referee.run import HalfRun
from tarneeb_sdk.errors import HarnessError

if TYPE_CHECKING:
    from tarneeb_referee.faults import BotFault, Fault
    from tarneeb_referee.hosts.base import Host
    from tarneeb_referee.outcome import MatchOutcome, SeatReport
    from tarneeb_referee.plan import BotHandle
    from tarneeb_referee.settings import MatchSettings

# What a bot may do now and then in a tournament, at a price. All else means that it can't play.
_WARNINGS = frozenset({FaultKind.TIME_OUT, FaultKind.ILLEGAL, FaultKind.MALFORMED})


class NotStartedError(HarnessError):
    """The host could not start a bot.

    Attributes:
        reason: the host's words.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"checking {name!r}: {reason}")
        self.reason = reason


async def probe(bot: BotHandle, *, host: Host, settings: MatchSettings) -> ProbeResult:
    """Play one throw-away deal with a bot in seat 0 and nobody in the other seats.

    It takes no longer than the start budget and one lost turn, beside what the bot decides in
    time.

    Args:
        bot: what to check.
        host: where it runs.
        settings: how matches will be refereed.

    Raises:
        NotStartedError: the host could not start it, and does not say that this was its doing.
        HarnessError: the check failed for another reason that is ours.
    """
    outcomes: list[MatchOutcome] = []

    async def keep(outcome: MatchOutcome) -> None:
        outcomes.append(outcome)

    plan = HalfPlan(round_=0, pairing=0, half=1, boards=(0,), seats=(bot,) * 4, tables=1)
    report = await HalfRun(
        plan,
        host=host,
        settings=_one_deal(settings),
        deals=DealSource(secrets.token_bytes(SECRET_BYTES), "check"),
        on_match=keep,
        empty_seats=(1, 2, 3),
    ).play()
    if report.voids:
        fault = report.voids[0].fault
        if fault.kind is OurFaultKind.ENGINE_UNREACHABLE and report.seats[0].exit is None:
            raise NotStartedError(bot.spec.name, fault.detail)
        raise HarnessError(f"checking {bot.spec.name!r}: {fault.detail}")
    return _result(outcomes[0], report.seats[0])


def _one_deal(settings: MatchSettings) -> MatchSettings:
    """One scored deal, and the first lost turn or crash ends the check."""
    return replace(
        settings,
        rules=replace(settings.rules, deals=1),
        limits=replace(settings.limits, strikes=1, restarts=0),
    )


def _result(outcome: MatchOutcome, seat: SeatReport) -> ProbeResult:
    decisions = outcome.timings.seats[0].decisions_us if outcome.timings.seats else ()
    misdeeds: list[Fault | BotFault] = [*outcome.record.faults, *seat.incidents]
    problem = next((each for each in misdeeds if each.kind not in _WARNINGS), None)
    warning = next((each for each in misdeeds if each.kind in _WARNINGS), None)
    return ProbeResult(
        ready_s=seat.start_s,
        decision_s=statistics.median(decisions) / 1e6 if decisions else None,
        problem=None if problem is None else _told(problem, seat),
        warning=None if warning is None else _told(warning, seat),
        logs=seat.logs[-1] if seat.logs else None,
    )


def _told(misdeed: Fault | BotFault, seat: SeatReport) -> str:
    last_line = seat.logs[-1].last_line() if seat.logs else ""
    told = f"{misdeed.kind.value}: {misdeed.detail}"
    return f"{told} (its last line was: {last_line})" if last_line else told
