"""Tells whether a container is what the engine was told to make. Pure.

An engine may leave out in silence what it does not know, and an image may bring what nobody asked
for. What was asked for is not written down again here: it is what `flags.py` says, put by docker-py
into the form in which the engine gives it back. Engines spell some of it in their own way (Podman
names capabilities one by one, and gives `shareable` for a namespace of its own); what only looks
different is taken as kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import docker.types

from tarneeb_referee.hosts.docker.flags import (
    SEAT_MOUNT,
    ContainerPlan,
    bot_environment,
    create_arguments,
    host_config,
    masked_paths,
)

__all__ = ["lifted_limits"]

_API_VERSION: Final = "1.41"
"""Docker 20.10's; docker-py asks for it to refuse what older engines do not know."""


def lifted_limits(
    description: Mapping[str, Any], *, plan: ContainerPlan, can_limit_swap: bool
) -> list[str]:
    """List the settings of a container that are not what they were asked to be.

    Args:
        description: the engine's, of the container.
        plan: what it was created by.
        can_limit_swap: what the engine says; without, it takes the swap limit back.

    Returns:
        Their names in the engine's API, each once.
    """
    told: Mapping[str, Any] = description.get("HostConfig") or {}
    config: Mapping[str, Any] = description.get("Config") or {}
    asked: dict[str, Any] = docker.types.HostConfig(version=_API_VERSION, **host_config(plan))
    kept = {
        name: _COMPARE.get(name, _is_same)(value, told.get(name)) for name, value in asked.items()
    }
    if not can_limit_swap:
        del kept["MemorySwap"]
    kept |= {name: not told.get(name) for name in _NEVER_ASKED_FOR}
    kept |= {name: _is_own_namespace("", told.get(name)) for name in _NAMESPACES}
    kept["CapDrop"] = _drops_all(told.get("CapDrop"), is_podman=plan.is_podman)
    kept["Binds"] = all(map(_is_seat, told.get("Binds") or ()))
    kept["Mounts"] = _mounts(description, asked["Tmpfs"]) == [(SEAT_MOUNT, "read-only")]
    if not plan.is_podman:  # which does not tell of these
        kept["MaskedPaths"] = {*masked_paths()} <= {*(told.get("MaskedPaths") or ())}
        kept["ReadonlyPaths"] = bool(told.get("ReadonlyPaths"))
    kept["User"] = config.get("User") == create_arguments(plan)["user"]
    ours = {f"{name}={value}" for name, value in bot_environment(plan).items()}
    kept["Env"] = ours <= {*(config.get("Env") or ())}
    return [name for name, is_kept in kept.items() if not is_kept]


# Whatever stands here would let a bot do more than `flags.py` has asked for.
_NEVER_ASKED_FOR: Final = (
    "Privileged",
    "CapAdd",
    "Devices",
    "DeviceCgroupRules",
    "DeviceRequests",
    "GroupAdd",
    "Links",
    "OomKillDisable",
    "PortBindings",
    "PublishAllPorts",
    "VolumesFrom",
)
_NAMESPACES: Final = ("PidMode", "UTSMode", "UsernsMode")


def _is_same(asked: object, told: object) -> bool:
    return told == asked


def _is_no_limit(_asked: object, _told: object) -> bool:
    """Let engines have their way where no bot gains by it."""
    return True


def _is_own_namespace(_asked: object, told: object) -> bool:
    """Tell whether a container shares a namespace with nobody; `""` is each engine's default."""
    return told in {None, "", "private", "shareable"}


def _is_private(asked: object, told: object) -> bool:
    # An absent value is one that the engine did not take, which for these two is not private.
    return bool(told) and _is_own_namespace(asked, told)


def _drops_all(told: Iterable[str] | None, *, is_podman: bool) -> bool:
    names = {name.upper().removeprefix("CAP_") for name in told or ()}
    # Podman names what it has taken away of what it would have given, whatever that is.
    return "ALL" in names or (is_podman and bool(names))


def _is_as_strict(_asked: object, told: Iterable[str] | None) -> bool:
    options = {option.replace(":", "=", 1).removesuffix("=true") for option in told or ()}
    is_loose = any(
        option in {"seccomp=unconfined", "systempaths=unconfined"} or option.startswith("unmask=")
        for option in options
    )
    return "no-new-privileges" in options and not is_loose


def _has_same_places(asked: Mapping[str, str], told: Mapping[str, str] | None) -> bool:
    # Podman adds options of its own to each place.
    told = told or {}
    return asked.keys() == told.keys() and all(
        {*asked[place].split(",")} <= {*told[place].split(",")} for place in asked
    )


def _has_ulimits(
    asked: Iterable[Mapping[str, Any]], told: Iterable[Mapping[str, Any]] | None
) -> bool:
    # Those that the engine adds for all containers are its owner's.
    return {*map(_ulimit, asked)} <= {*map(_ulimit, told or ())}


def _ulimit(limit: Mapping[str, Any]) -> tuple[str, object, object]:
    name = str(limit.get("Name")).lower().removeprefix("rlimit_")
    return name, limit.get("Soft"), limit.get("Hard")


def _is_seat(bind: str) -> bool:
    """Tell whether a mount in the form `source:target:options` is that of the seat's folder."""
    source, _, options = bind.partition(f":{SEAT_MOUNT}:")
    return bool(source) and "ro" in options.split(",")


def _mounts(description: Mapping[str, Any], tmpfs: Mapping[str, str]) -> list[tuple[str, str]]:
    """List what is really mounted, an image's volumes too, but for our own places in memory."""
    return [
        (str(mount.get("Destination")), "writable" if mount.get("RW", True) else "read-only")
        for mount in description.get("Mounts") or ()
        if not (mount.get("Type") == "tmpfs" and mount.get("Destination") in tmpfs)
    ]


_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "CgroupnsMode": _is_own_namespace,
    "IpcMode": _is_private,
    "LogConfig": lambda asked, told: (told or {}).get("Type") == asked["Type"],
    # Podman names every runtime so.
    "Runtime": lambda asked, told: told in {asked, "oci"},
    "SecurityOpt": _is_as_strict,
    "Tmpfs": _has_same_places,
    "Ulimits": _has_ulimits,
    "Dns": _is_no_limit,
    "DnsSearch": _is_no_limit,
    "OomScoreAdj": _is_no_limit,
    "RestartPolicy": _is_no_limit,
}
