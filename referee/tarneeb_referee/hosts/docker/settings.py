"""How bots are run in containers, as values; nothing here needs an engine, or docker-py."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Final

from tarneeb_referee.hosts.docker.limits import MIB, ContainerLimits

__all__ = ["BASE_IMAGE_VARIABLE", "BuildSettings", "DockerSettings"]

BASE_IMAGE_VARIABLE: Final = "TARNEEB_BASE_IMAGE"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSettings:
    """How images are built from bots' folders.

    Attributes:
        base_image: given to Dockerfiles as `BASE_IMAGE`; their own default if empty.
        network: the network while an image is built, as `none` or `host`; the engine's own if
            empty. A bot never has one when it plays.
        timeout_s: for one image.
        memory_bytes: what a build may use.
    """

    base_image: str = ""
    network: str = ""
    timeout_s: int = 600
    memory_bytes: int = 2048 * MIB

    @classmethod
    def from_environment(cls, *, base_image: str = "", network: str = "") -> BuildSettings:
        """Use the base image that the environment names where the configuration names none."""
        return cls(
            base_image=base_image or os.environ.get(BASE_IMAGE_VARIABLE, ""), network=network
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DockerSettings:
    """How bots are run in containers.

    Attributes:
        limits: what each may use.
        runtime: such as `runsc`; the engine's own if empty.
        at_once: how many bots will run at once; each gets a core of its own if there are enough.
        build: how images are built.
    """

    limits: ContainerLimits = field(default_factory=ContainerLimits)
    runtime: str = ""
    at_once: int = 4
    build: BuildSettings = field(default_factory=BuildSettings)
