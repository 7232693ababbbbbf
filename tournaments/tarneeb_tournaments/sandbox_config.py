"""[sandbox] in a tournament's file: where its bots run, and what each may use there."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

from pydantic import Field

from tarneeb_referee.hosts.docker.limits import LIMIT_RANGES, MIB, ContainerLimits
from tarneeb_referee.hosts.docker.settings import BuildSettings, DockerSettings
from tarneeb_tournaments.config_models import Section
from tarneeb_tournaments.config_problems import Problem

Kind = Literal["process", "docker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """Where bots run.

    Attributes:
        kind: as processes of this machine, or each in a container.
        docker: how, in containers.
    """

    kind: Kind = "process"
    docker: DockerSettings = field(default_factory=DockerSettings)

    def effective(self) -> dict[str, str | int | float]:
        """List what can change a result; how images are built shows in the bots' digests."""
        if self.kind == "process":
            return {"kind": self.kind}
        limits = asdict(self.docker.limits)
        del limits["image_warning_bytes"]
        return {"kind": self.kind, "runtime": self.docker.runtime, **limits}


def _mebibytes(name: str) -> tuple[float, float]:
    allowed = LIMIT_RANGES[name]
    return max(1, allowed.lowest // MIB), allowed.highest // MIB


_MEMORY = _mebibytes("memory_bytes")
_LOG = _mebibytes("log_bytes")
_TMP = _mebibytes("tmp_bytes")
_IMAGE = _mebibytes("image_warning_bytes")
_CPUS = LIMIT_RANGES["cpus"]
_PROCESSES = LIMIT_RANGES["processes"]
_FILES = LIMIT_RANGES["open_files"]


class SandboxSection(Section):
    """[sandbox]: where bots run. All but `kind` is for containers."""

    kind: Kind = Field("process", description='"process" or "docker"')
    memory: int = Field(
        256,
        ge=_MEMORY[0],
        le=_MEMORY[1],
        description=f"a whole number from {_MEMORY[0]:,} to {_MEMORY[1]:,}, in MiB",
    )
    cpus: float = Field(
        1.0,
        ge=_CPUS.lowest,
        le=_CPUS.highest,
        description=f"a number from {_CPUS.lowest} to {_CPUS.highest}",
    )
    processes: int = Field(
        64,
        ge=_PROCESSES.lowest,
        le=_PROCESSES.highest,
        description=f"a whole number from {_PROCESSES.lowest} to {_PROCESSES.highest:,}",
    )
    open_files: int = Field(
        256,
        ge=_FILES.lowest,
        le=_FILES.highest,
        description=f"a whole number from {_FILES.lowest} to {_FILES.highest:,}",
    )
    log: int = Field(
        2,
        ge=_LOG[0],
        le=_LOG[1],
        description=f"a whole number from {_LOG[0]} to {_LOG[1]:,}, in MiB",
    )
    tmp: int = Field(
        16,
        ge=_TMP[0],
        le=_TMP[1],
        description=f"a whole number from {_TMP[0]} to {_TMP[1]:,}, in MiB, less than memory",
    )
    image_warning: int = Field(
        1024,
        ge=_IMAGE[0],
        le=_IMAGE[1],
        description=f"a whole number from {_IMAGE[0]} to {_IMAGE[1]:,}, in MiB",
    )
    runtime: str = Field("", description='the name of a runtime, such as "runsc"')
    base_image: str = Field("", description="the name of an image, for bots' Dockerfiles")
    build_network: Literal["", "none", "host"] = Field(
        "", description='"none" or "host"; leave it out for the engine\'s own'
    )


def sandbox_problems(section: SandboxSection, raw: object) -> Iterator[Problem]:
    """Find what does not fit together in a [sandbox] table."""
    keys = list(raw) if isinstance(raw, Mapping) else []
    if section.kind == "process":
        for key in keys:
            if key != "kind":
                yield Problem(
                    f"sandbox.{key}",
                    'has no meaning for processes; write kind = "docker", or leave it out',
                )
    elif section.tmp >= section.memory:
        yield Problem(
            "sandbox.tmp",
            f"{section.tmp} is not less than sandbox.memory, {section.memory}, of which it is a"
            " part",
        )


def make_sandbox(section: SandboxSection, *, at_once: int = 4) -> Sandbox:
    """Make the values that a [sandbox] table asks for, once it has no problem.

    Args:
        section: the table.
        at_once: how many bots will run at once.
    """
    limits = ContainerLimits(
        memory_bytes=section.memory * MIB,
        cpus=section.cpus,
        processes=section.processes,
        open_files=section.open_files,
        log_bytes=section.log * MIB,
        tmp_bytes=section.tmp * MIB,
        image_warning_bytes=section.image_warning * MIB,
    )
    build = BuildSettings.from_environment(
        base_image=section.base_image, network=section.build_network
    )
    return Sandbox(
        kind=section.kind,
        docker=DockerSettings(limits=limits, runtime=section.runtime, at_once=at_once, build=build),
    )
