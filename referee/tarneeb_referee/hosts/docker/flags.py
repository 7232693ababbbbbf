"""Decides every flag of a bot's container. Pure: what a bot may do can be read, and tested, here.

The values go to docker-py's `create_container` and `create_host_config` as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tarneeb_referee.hosts.docker.limits import ContainerLimits

__all__ = [
    "BOT_ADDRESS",
    "HOSTNAME",
    "SEAT_MOUNT",
    "SOCKET_NAME",
    "ContainerPlan",
    "bot_environment",
    "create_arguments",
    "host_config",
    "masked_paths",
]

SEAT_MOUNT: Final = "/referee"
"""Where a bot finds the folder of its seat."""

SOCKET_NAME: Final = "referee.sock"
BOT_ADDRESS: Final = f"unix:{SEAT_MOUNT}/{SOCKET_NAME}"
HOSTNAME: Final = "bot"

CPU_PERIOD_US: Final = 20_000
"""A bot with several threads that has used up its share stands still for the rest of a period.
The kernel's own 100 ms would be longer than the margin of a decision."""

# The engine's own list, which ours replaces, as Docker 20.10 to 28 have it.
_MASKED_BY_DEFAULT: Final = (
    "/proc/asound",
    "/proc/acpi",
    "/proc/interrupts",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys/devices/virtual/powercap",
    "/sys/firmware",
)
# What counts for the machine as a whole could pass a slow message from one container to another.
# Not /proc/stat, meminfo and cpuinfo: libraries size their pools by them.
_MASKED_COUNTERS: Final = (
    "/proc/buddyinfo",
    "/proc/diskstats",
    "/proc/key-users",
    "/proc/loadavg",
    "/proc/locks",
    "/proc/pagetypeinfo",
    "/proc/pressure",
    "/proc/schedstat",
    "/proc/softirqs",
    "/proc/sys/fs/dentry-state",
    "/proc/sys/fs/file-nr",
    "/proc/sys/fs/inode-nr",
    "/proc/sys/fs/inode-state",
    "/proc/sys/kernel/pty/nr",
    "/proc/sys/kernel/random/entropy_avail",
    "/proc/vmstat",
    "/proc/zoneinfo",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerPlan:
    """All that decides a container's flags.

    Attributes:
        image_id: `sha256:…`; never a name, which may come to mean another image.
        name: the container's, unique on the engine.
        labels: by which it is found again.
        seat_path: the seat's folder on this machine.
        token: what the bot proves its seat with.
        user_id: the user inside (`users.py`); one of its own for each running bot, as the kernel
            counts some resources by user, across all containers.
        env: further variables, by name and value, which may not replace ours.
        runtime: such as `runsc`; the engine's own if empty.
        cpuset: the cores it runs on, as `"2"`; any if empty.
        is_podman: the engine is Podman, which knows fewer options and adds mounts of its own.
    """

    image_id: str
    name: str
    labels: Mapping[str, str]
    seat_path: Path
    token: str = field(repr=False)
    user_id: int
    limits: ContainerLimits = field(default_factory=ContainerLimits)
    env: tuple[tuple[str, str], ...] = ()
    runtime: str = ""
    cpuset: str = ""
    is_podman: bool = False


def create_arguments(plan: ContainerPlan) -> dict[str, Any]:
    """Give the arguments of `create_container`, all but the `host_config`.

    Entry point, command, working folder and the variables of its own are the image's. All else
    that an image may ask for (a user, ports, a health check) is set aside here; volumes, which
    cannot be, are refused before (`images.py`).
    """
    return {
        "image": plan.image_id,
        "name": plan.name,
        "labels": dict(plan.labels),
        "user": f"{plan.user_id}:{plan.user_id}",
        "hostname": HOSTNAME,
        "environment": bot_environment(plan),
        "healthcheck": {"test": ["NONE"]},
        "network_disabled": True,
        "stdin_open": False,
        "tty": False,
        # Or a proxy's address, with its password, goes from our user's settings to the bot.
        "use_config_proxy": False,
    }


def host_config(plan: ContainerPlan) -> dict[str, Any]:
    """Give the arguments of `create_host_config`: what the container may do and use."""
    limits = plan.limits
    arguments: dict[str, Any] = {
        # What it cannot reach.
        "network_mode": "none",
        # With no network there is no name to look up; else the machine's own servers are named.
        "dns": ["127.0.0.1"],
        "dns_search": ["."],
        "ipc_mode": "private",
        "cgroupns": "private",
        "cap_drop": ["ALL"],
        # No seccomp option: that leaves the engine's default profile on.
        "security_opt": ["no-new-privileges", *_masks(plan)],
        "privileged": False,
        # Where it can write: two small places in memory, which end with it.
        "read_only": True,
        "tmpfs": _tmpfs(plan),
        "mounts": [
            {
                "Type": "bind",
                "Source": str(plan.seat_path),
                "Target": SEAT_MOUNT,
                "ReadOnly": True,
                "BindOptions": {"Propagation": "rprivate"},
            }
        ],
        # How much it can use.
        "mem_limit": limits.memory_bytes,
        # Memory and swap together: the same number leaves no swap.
        "memswap_limit": limits.memory_bytes,
        "cpu_period": CPU_PERIOD_US,
        "cpu_quota": round(limits.cpus * CPU_PERIOD_US),
        "pids_limit": limits.processes,
        "ulimits": _ulimits(plan),
        # When the machine runs out of memory a bot goes, not the referee.
        "oom_score_adj": 500,
        # The referee reads the output as it comes; the engine keeps none on disk.
        "log_config": {"Type": "none", "Config": {}},
        "auto_remove": False,
        "restart_policy": {"Name": "no"},
    }
    if plan.runtime:
        arguments["runtime"] = plan.runtime
    if plan.cpuset:
        arguments["cpuset_cpus"] = plan.cpuset
    return arguments


def masked_paths() -> list[str]:
    """List what reads as empty in a container; docker-py has no argument for it."""
    return sorted({*_MASKED_BY_DEFAULT, *_MASKED_COUNTERS})


def bot_environment(plan: ContainerPlan) -> dict[str, str]:
    """Give what we add to the image's own variables; nothing of the referee's is inherited."""
    return {
        **dict(plan.env),
        "LANG": "C.UTF-8",
        "HOME": "/tmp",  # noqa: S108 - the container's own
        "TMPDIR": "/tmp",  # noqa: S108
        # What a bot printed before it was killed is what its author needs most.
        "PYTHONUNBUFFERED": "1",
        # Else a set of strings is walked in another order in every process.
        "PYTHONHASHSEED": "0",
        "TARNEEB_ADDRESS": BOT_ADDRESS,
        "TARNEEB_TOKEN": plan.token,
    }


def _tmpfs(plan: ContainerPlan) -> dict[str, str]:
    limits = plan.limits
    options = f"rw,noexec,nosuid,nodev,mode=1777,size={limits.tmp_bytes}"
    if plan.is_podman:
        # It takes no `nr_inodes`, and makes these two writable in a read-only container.
        closed = dict.fromkeys(("/run", "/var/tmp"), "ro,noexec,nosuid,nodev,size=4096")  # noqa: S108
    else:
        # Without, empty files would take kernel memory up to half of the machine's, or the bot's.
        options += f",nr_inodes={limits.tmp_files}"
        closed = {}
    return {"/tmp": options, "/dev/shm": options, **closed}  # noqa: S108


def _masks(plan: ContainerPlan) -> list[str]:
    # Podman looks for them here, and Docker knows no such option.
    return [f"mask={':'.join(masked_paths())}"] if plan.is_podman else []


def _ulimits(plan: ContainerPlan) -> list[dict[str, Any]]:
    limits = {"nofile": plan.limits.open_files, "core": 0}
    if plan.is_podman:
        # Or it sets one of its own, which the kernel may refuse. The bot's user is nobody else's.
        limits["nproc"] = plan.limits.processes
    return [{"Name": name, "Soft": most, "Hard": most} for name, most in limits.items()]
