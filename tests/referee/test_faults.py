import pytest

from tarneeb_referee.faults import (
    BotFault,
    Evidence,
    FaultKind,
    Flooded,
    HostFailed,
    MessageWasRefused,
    MoveWasRefused,
    NotReady,
    OurFault,
    OurFaultKind,
    ProcessExited,
    RefereeRaised,
    StreamEnded,
    TurnTimedOut,
    Unresponsive,
    VersionsDiffer,
    absence,
    blame,
)
from tarneeb_referee.hosts.base import ExitInfo


def exited(*, ready: bool = True, **how: object) -> ProcessExited:
    return ProcessExited(ExitInfo(**how), ready=ready)  # type: ignore[arg-type]


BOTS: list[tuple[Evidence, FaultKind, str]] = [
    (TurnTimedOut(), FaultKind.TIME_OUT, "no answer in time"),
    (
        MoveWasRefused("seat 3 played 7H; it must follow spades (3S, QS) [R-4.2]", malformed=False),
        FaultKind.ILLEGAL,
        "seat 3 played 7H; it must follow spades (3S, QS) [R-4.2]",
    ),
    (MoveWasRefused("no choice is set", malformed=True), FaultKind.MALFORMED, "no choice is set"),
    (
        MessageWasRefused("message of 209715200 bytes exceeds 65536"),
        FaultKind.MALFORMED,
        "message of 209715200 bytes exceeds 65536",
    ),
    (
        StreamEnded(),
        FaultKind.DISCONNECT,
        "the stream ended, or a message was longer than the transport's 8 MiB",
    ),
    (
        NotReady(10.0),
        FaultKind.NEVER_READY,
        "did not become ready within 10.0 s (start limit)",
    ),
    (
        Unresponsive(3),
        FaultKind.TIME_OUT,
        "gave no sign of life for 3 turns in a row",
    ),
    (
        VersionsDiffer((1,), (999,)),
        FaultKind.INCOMPATIBLE,
        "the referee speaks version 1, the bot said 999",
    ),
    (
        VersionsDiffer((1,), ()),
        FaultKind.INCOMPATIBLE,
        "the referee speaks version 1, the bot said none",
    ),
    (Flooded("100 streams"), FaultKind.FLOODING, "more than 100 streams"),
    (exited(code=0), FaultKind.CRASH, "exited with 0"),
    (exited(code=3), FaultKind.CRASH, "exited with 3"),
    (exited(signal_name="SIGSEGV"), FaultKind.CRASH, "killed by SIGSEGV"),
    # A bot can kill itself, so a kill by nobody we know is no way out of a lost match.
    (exited(signal_name="SIGKILL"), FaultKind.CRASH, "killed by SIGKILL"),
    (exited(code=127, ready=False), FaultKind.NEVER_READY, "exited with 127 before ready"),
    (
        exited(signal_name="SIGKILL", over_memory=True),
        FaultKind.OVER_MEMORY,
        "killed at its memory limit",
    ),
    (
        exited(signal_name="SIGKILL", over_memory=True, ready=False),
        FaultKind.OVER_MEMORY,
        "killed at its memory limit before ready",
    ),
    (
        exited(signal_name="SIGKILL", over_memory=True, host_out_of_memory=True),
        FaultKind.OVER_MEMORY,
        "killed for the memory it held while the machine was out of memory",
    ),
]

OURS: list[tuple[Evidence, OurFaultKind]] = [
    (HostFailed("no process"), OurFaultKind.ENGINE_UNREACHABLE),
    (HostFailed("no space left", out_of_resources=True), OurFaultKind.HOST_SHORT),
    (RefereeRaised("ZeroDivisionError: division by zero"), OurFaultKind.REFEREE_ERROR),
    (exited(signal_name="SIGKILL", host_out_of_memory=True), OurFaultKind.HOST_SHORT),
    (exited(host_failure="the keeper could not be started"), OurFaultKind.ENGINE_UNREACHABLE),
    (exited(signal_name="SIGKILL", host_out_of_memory=True, ready=False), OurFaultKind.HOST_SHORT),
]


@pytest.mark.parametrize(("evidence", "kind", "detail"), BOTS, ids=str)
def test_the_bot_is_to_blame(evidence: Evidence, kind: FaultKind, detail: str) -> None:
    assert blame(evidence) == BotFault(kind, detail)


@pytest.mark.parametrize(("evidence", "kind"), OURS, ids=str)
def test_we_are_to_blame(evidence: Evidence, kind: OurFaultKind) -> None:
    verdict = blame(evidence)
    assert isinstance(verdict, OurFault)
    assert verdict.kind is kind


def test_a_strangers_list_of_versions_is_cut() -> None:
    detail = blame(VersionsDiffer((1,), tuple(range(2, 10_000)))).detail
    assert detail == "the referee speaks version 1, the bot said 2, 3, 4, 5, 6, 7, 8, 9, …"


def test_what_a_match_notes_of_a_bot_that_was_given_up_is_no_new_crash() -> None:
    noted = absence(BotFault(FaultKind.CRASH, "exited with 1"))
    assert noted == BotFault(FaultKind.ABSENT, "given up: crash: exited with 1")
