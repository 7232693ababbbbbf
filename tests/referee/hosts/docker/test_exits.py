import pytest

from tarneeb_referee.faults import BotFault, FaultKind, OurFault, OurFaultKind, ProcessExited, blame
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.docker.exits import EndEvidence, exit_info
from tarneeb_referee.hosts.docker.usage import Usage

UNKNOWN = "the engine does not say who sent the signal SIGTERM"
BY_DOCKER = "somebody sent the container signal 9 through the engine"


def ended_short(*, peak_memory_bytes: int, code: int = 137, is_short: bool = True) -> EndEvidence:
    return EndEvidence(
        code=code,
        at_memory_limit=True,
        machine_out_of_memory=is_short,
        usage=Usage(peak_memory_bytes=peak_memory_bytes),
        memory_limit_bytes=100,
    )


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (EndEvidence(code=0), ExitInfo(code=0)),
        (EndEvidence(code=3), ExitInfo(code=3)),
        (EndEvidence(code=139), ExitInfo(signal_name="SIGSEGV")),
        (EndEvidence(code=255), ExitInfo(code=255)),
        # A bot that exits with 137 gains nothing by it.
        (EndEvidence(code=137), ExitInfo(signal_name="SIGKILL")),
        (
            EndEvidence(code=137, at_memory_limit=True),
            ExitInfo(signal_name="SIGKILL", over_memory=True),
        ),
        # A child of it was killed, and the bot gave up.
        (EndEvidence(code=1, at_memory_limit=True), ExitInfo(code=1, over_memory=True)),
        (EndEvidence(code=137, stopped=True), ExitInfo(signal_name="SIGKILL", stopped=True)),
        (
            EndEvidence(code=137, stopped=True, at_memory_limit=True),
            ExitInfo(signal_name="SIGKILL", stopped=True),
        ),
        (
            EndEvidence(code=137, signalled="signal 9"),
            ExitInfo(signal_name="SIGKILL", host_failure=BY_DOCKER),
        ),
        # Where no signal is, there is no doubt.
        (EndEvidence(code=1, signalled=None), ExitInfo(code=1)),
        (EndEvidence(code=255, signalled=None), ExitInfo(code=255)),
        (
            EndEvidence(code=143, signalled=None),
            ExitInfo(signal_name="SIGTERM", host_failure=UNKNOWN),
        ),
        (
            EndEvidence(code=137, signalled=None, at_memory_limit=True),
            ExitInfo(signal_name="SIGKILL", over_memory=True),
        ),
        (
            EndEvidence(code=137, machine_out_of_memory=True),
            ExitInfo(signal_name="SIGKILL", host_out_of_memory=True),
        ),
        # It was at its own limit: the state of the machine does not excuse it.
        (
            EndEvidence(code=137, machine_out_of_memory=True, at_memory_limit=True),
            ExitInfo(signal_name="SIGKILL", over_memory=True),
        ),
        (
            ended_short(peak_memory_bytes=90),
            ExitInfo(signal_name="SIGKILL", over_memory=True, peak_memory_bytes=90),
        ),
        # Far below its limit: there the kernel's count of kills does not tell which of both it was.
        (
            ended_short(peak_memory_bytes=40),
            ExitInfo(signal_name="SIGKILL", host_out_of_memory=True, peak_memory_bytes=40),
        ),
        (
            ended_short(peak_memory_bytes=40, code=1),
            ExitInfo(code=1, host_out_of_memory=True, peak_memory_bytes=40),
        ),
        (
            ended_short(peak_memory_bytes=40, is_short=False),
            ExitInfo(signal_name="SIGKILL", over_memory=True, peak_memory_bytes=40),
        ),
        (EndEvidence(code=1, machine_out_of_memory=True), ExitInfo(code=1)),
        (
            EndEvidence(code=0, usage=Usage(cpu_s=1.5, peak_memory_bytes=7)),
            ExitInfo(code=0, cpu_s=1.5, peak_memory_bytes=7),
        ),
    ],
)
def test_how_a_container_ended(evidence: EndEvidence, expected: ExitInfo) -> None:
    assert exit_info(evidence) == expected


@pytest.mark.parametrize(
    ("evidence", "kind"),
    [
        (EndEvidence(code=0), FaultKind.CRASH),
        (EndEvidence(code=137), FaultKind.CRASH),
        (EndEvidence(code=137, at_memory_limit=True), FaultKind.OVER_MEMORY),
        (EndEvidence(code=143, signalled="signal 15"), OurFaultKind.ENGINE_UNREACHABLE),
        (EndEvidence(code=143, signalled=None), OurFaultKind.ENGINE_UNREACHABLE),
        (EndEvidence(code=1, signalled=None), FaultKind.CRASH),
        (EndEvidence(code=137, machine_out_of_memory=True), OurFaultKind.HOST_SHORT),
        (ended_short(peak_memory_bytes=40), OurFaultKind.HOST_SHORT),
    ],
)
def test_who_is_to_blame(evidence: EndEvidence, kind: FaultKind | OurFaultKind) -> None:
    verdict = blame(ProcessExited(exit_info(evidence), ready=True))
    assert isinstance(verdict, BotFault | OurFault)
    assert verdict.kind is kind
