"""What engines make of a container, as Docker 20.10.24 and Podman 4.3.1 told of one."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.hosts.docker.flags import ContainerPlan, masked_paths
from tarneeb_referee.hosts.docker.kept import lifted_limits
from tarneeb_referee.hosts.docker.limits import ContainerLimits

PLAN = ContainerPlan(
    image_id="sha256:" + 64 * "a",
    name="tarneeb-run-1",
    labels={},
    seat_path=Path("/tmp/run/s3"),
    token="secret",
    user_id=23456,
    cpuset="0",
)
SEAT = {"Type": "bind", "Source": "/tmp/run/s3", "Destination": "/referee", "Mode": "", "RW": False}
ENV = [
    "PATH=/usr/bin",
    "LANG=C.UTF-8",
    "HOME=/tmp",
    "TMPDIR=/tmp",
    "PYTHONUNBUFFERED=1",
    "PYTHONHASHSEED=0",
    "TARNEEB_ADDRESS=unix:/referee/referee.sock",
    "TARNEEB_TOKEN=secret",
]
TMPFS = "rw,noexec,nosuid,nodev,mode=1777,size=16777216"
CLOSED = "ro,noexec,nosuid,nodev,size=4096"
ALIKE = {
    "Memory": 268435456,
    "MemorySwap": 268435456,
    "CpuPeriod": 20000,
    "CpuQuota": 20000,
    "CpusetCpus": "0",
    "PidsLimit": 64,
    "NetworkMode": "none",
    "ReadonlyRootfs": True,
    "Privileged": False,
    "UsernsMode": "",
    "SecurityOpt": ["no-new-privileges"],
    "LogConfig": {"Type": "none", "Config": {}},
    "OomKillDisable": False,
    "PublishAllPorts": False,
}
DOCKER: Mapping[str, Any] = {
    **ALIKE,
    "Binds": None,
    "CapAdd": None,
    "CapDrop": ["ALL"],
    "CgroupnsMode": "private",
    "Devices": None,
    "GroupAdd": None,
    "IpcMode": "private",
    "MaskedPaths": masked_paths(),
    "PidMode": "",
    "PortBindings": None,
    "ReadonlyPaths": ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    "Runtime": "runc",
    "Tmpfs": {"/tmp": f"{TMPFS},nr_inodes=4096", "/dev/shm": f"{TMPFS},nr_inodes=4096"},
    "Ulimits": [
        {"Name": "nofile", "Soft": 256, "Hard": 256},
        {"Name": "core", "Soft": 0, "Hard": 0},
    ],
    "UTSMode": "",
}
PODMAN: Mapping[str, Any] = {
    **ALIKE,
    "Binds": ["/tmp/run/s3:/referee:ro,rprivate,bind"],
    "CapAdd": [],
    "CapDrop": ["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"],
    "CgroupnsMode": "",
    "Devices": [],
    "GroupAdd": [],
    "IpcMode": "shareable",
    "PidMode": "private",
    "PortBindings": {},
    "ReadonlyPaths": None,
    "Runtime": "oci",
    "Tmpfs": {
        "/dev/shm": f"{TMPFS},rprivate,tmpcopyup",
        "/run": f"{CLOSED},rprivate,tmpcopyup",
        "/tmp": f"{TMPFS},rprivate,tmpcopyup",
        "/var/tmp": f"{CLOSED},rprivate,tmpcopyup",
    },
    "Ulimits": [
        {"Name": "RLIMIT_NOFILE", "Soft": 256, "Hard": 256},
        {"Name": "RLIMIT_CORE", "Soft": 0, "Hard": 0},
        {"Name": "RLIMIT_NPROC", "Soft": 64, "Hard": 64},
    ],
    "UTSMode": "private",
}


def lifted(
    host_config: Mapping[str, Any],
    *,
    env: list[str] = ENV,
    user: str = "23456:23456",
    mounts: object = (SEAT,),
    plan: ContainerPlan = PLAN,
    can_limit_swap: bool = True,
) -> list[str]:
    description = {
        "HostConfig": host_config,
        "Config": {"Env": env, "User": user},
        "Mounts": mounts,
    }
    plan = replace(plan, is_podman=host_config.get("Runtime") == "oci")
    return lifted_limits(description, plan=plan, can_limit_swap=can_limit_swap)


@pytest.mark.parametrize("told", [DOCKER, PODMAN], ids=["docker", "podman"])
@pytest.mark.parametrize("runtime", ["", "runc"])
def test_what_sound_engines_tell_is_taken_as_kept(told: Mapping[str, Any], runtime: str) -> None:
    assert lifted(told, plan=replace(PLAN, runtime=runtime)) == []


@pytest.mark.parametrize(
    "spelling",
    [
        {"CapDrop": ["all"]},
        {"CapDrop": ["CAP_ALL"]},
        {"SecurityOpt": ["no-new-privileges:true", "label=type:container_t"]},
        {"SecurityOpt": ["no-new-privileges=true"]},
        {"Ulimits": [*DOCKER["Ulimits"], {"Name": "stack", "Soft": 8, "Hard": 8}]},
        {"ReadonlyPaths": ["/proc/sys"], "MaskedPaths": [*masked_paths(), "/proc/new"]},
        {"UsernsMode": "private", "Devices": []},
        {"Runtime": "nvidia", "Init": True},
        {"LogConfig": {"Type": "none", "Config": {"max-size": "10m"}}},
        {"OomKillDisable": None},
    ],
)
def test_another_spelling_is_no_lifted_limit(spelling: Mapping[str, Any]) -> None:
    assert lifted({**DOCKER, **spelling}) == []


LOOSER = [
    *(
        (name, value)
        for name in ("Memory", "MemorySwap", "CpuPeriod", "CpuQuota", "PidsLimit", "NetworkMode")
        for value in (None, -1, "bridge")
    ),
    ("ReadonlyRootfs", False),
    ("ReadonlyRootfs", None),
    ("Privileged", True),
    ("CpusetCpus", ""),
    ("CapAdd", ["NET_RAW"]),
    ("CapDrop", None),
    ("CapDrop", []),
    ("SecurityOpt", None),
    ("SecurityOpt", ["no-new-privileges:false"]),
    ("SecurityOpt", ["no-new-privileges", "seccomp=unconfined"]),
    ("SecurityOpt", ["no-new-privileges", "seccomp:unconfined"]),
    ("SecurityOpt", ["no-new-privileges", "systempaths=unconfined"]),
    ("SecurityOpt", ["no-new-privileges", "unmask=ALL"]),
    ("IpcMode", "host"),
    ("IpcMode", "container:x"),
    ("IpcMode", None),
    ("PidMode", "host"),
    ("UTSMode", "host"),
    ("UsernsMode", "host"),
    ("CgroupnsMode", "host"),
    ("Tmpfs", None),
    ("Tmpfs", {"/tmp": "rw", "/dev/shm": "rw"}),
    ("Tmpfs", {**DOCKER["Tmpfs"], "/more": TMPFS}),
    ("Ulimits", None),
    ("Ulimits", [{"Name": "nofile", "Soft": 256, "Hard": 1048576}]),
    ("Binds", ["/:/host:rw"]),
    ("Binds", ["/tmp/run/s3:/referee:rw"]),
    ("Devices", [{"PathOnHost": "/dev/kvm"}]),
    ("DeviceRequests", [{"Count": -1}]),
    ("GroupAdd", ["999"]),
    ("OomKillDisable", True),
    ("PortBindings", {"80/tcp": [{"HostPort": "80"}]}),
    ("VolumesFrom", ["x"]),
    ("LogConfig", {"Type": "json-file", "Config": {}}),
    ("LogConfig", None),
]


@pytest.mark.parametrize(("name", "value"), LOOSER)
@pytest.mark.parametrize("told", [DOCKER, PODMAN], ids=["docker", "podman"])
def test_a_setting_that_lets_a_bot_do_more_is_noticed(
    told: Mapping[str, Any], name: str, value: object
) -> None:
    assert lifted({**told, name: value}) == [name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CapDrop", ["CHOWN", "SETUID"]),  # of which the others are kept
        ("MaskedPaths", []),
        ("MaskedPaths", masked_paths()[1:]),
        ("ReadonlyPaths", []),
    ],
)
def test_docker_is_taken_by_its_word(name: str, value: object) -> None:
    assert lifted({**DOCKER, name: value}) == [name]


def test_another_runtime_than_the_one_asked_for_is_noticed() -> None:
    assert lifted(DOCKER, plan=replace(PLAN, runtime="runsc")) == ["Runtime"]


def test_files_without_number_in_memory_are_noticed() -> None:
    places = dict.fromkeys(DOCKER["Tmpfs"], TMPFS)
    assert lifted({**DOCKER, "Tmpfs": places}) == ["Tmpfs"]


@pytest.mark.parametrize(
    "mounts",
    [
        None,
        [],
        [{**SEAT, "RW": True}],
        [{key: value for key, value in SEAT.items() if key != "RW"}],
        [SEAT, {"Type": "volume", "Name": "0123", "Destination": "/data", "RW": True}],
        [SEAT, {"Type": "bind", "Source": "/", "Destination": "/host", "RW": False}],
        [SEAT, {"Type": "tmpfs", "Destination": "/more", "RW": True}],
    ],
)
def test_only_the_seat_is_mounted_and_only_to_be_read(mounts: object) -> None:
    assert lifted(DOCKER, mounts=mounts) == ["Mounts"]


def test_our_own_places_in_memory_may_be_told_of_as_mounts() -> None:
    mounts = [SEAT, {"Type": "tmpfs", "Destination": "/tmp", "RW": True}]
    assert lifted(DOCKER, mounts=mounts) == []


@pytest.mark.parametrize("user", ["", "0", "23456", "23456:0"])
def test_another_user_is_noticed(user: str) -> None:
    assert lifted(DOCKER, user=user) == ["User"]


def test_a_variable_that_is_not_set_as_it_should_is_noticed() -> None:
    assert lifted(DOCKER, env=[entry.replace("HOME=/tmp", "HOME=/root") for entry in ENV]) == [
        "Env"
    ]
    assert lifted(DOCKER, env=[]) == ["Env"]


def test_the_limits_of_the_plan_are_what_counts() -> None:
    plan = replace(PLAN, limits=ContainerLimits(processes=65, cpus=0.5))
    assert set(lifted(DOCKER, plan=plan)) == {"PidsLimit", "CpuQuota"}


def test_swap_counts_only_where_the_engine_can_limit_it() -> None:
    told = {**DOCKER, "MemorySwap": -1}
    assert lifted(told) == ["MemorySwap"]
    assert lifted(told, can_limit_swap=False) == []


def test_an_engine_that_tells_nothing_has_kept_nothing() -> None:
    names = lifted_limits({}, plan=PLAN, can_limit_swap=True)
    assert {"Memory", "NetworkMode", "CapDrop", "SecurityOpt", "Mounts", "User"} <= set(names)
