from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_referee.hosts.docker.flags import (
    ContainerPlan,
    bot_environment,
    create_arguments,
    host_config,
    masked_paths,
)
from tarneeb_referee.hosts.docker.limits import MIB, ContainerLimits

PLAN = ContainerPlan(
    image_id="sha256:" + 64 * "a",
    name="tarneeb-run-1",
    labels={"org.tarneeb.run": "run"},
    seat_path=Path("/tmp/tarneeb-0/run/s3"),
    token="secret",
    user_id=23456,
)


def test_a_container_is_created_with_these_arguments_and_no_others() -> None:
    assert create_arguments(PLAN) == {
        "image": "sha256:" + 64 * "a",
        "name": "tarneeb-run-1",
        "labels": {"org.tarneeb.run": "run"},
        "user": "23456:23456",
        "hostname": "bot",
        "environment": {
            "LANG": "C.UTF-8",
            "HOME": "/tmp",
            "TMPDIR": "/tmp",
            "PYTHONUNBUFFERED": "1",
            "PYTHONHASHSEED": "0",
            "TARNEEB_ADDRESS": "unix:/referee/referee.sock",
            "TARNEEB_TOKEN": "secret",
        },
        "healthcheck": {"test": ["NONE"]},
        "network_disabled": True,
        "stdin_open": False,
        "tty": False,
        "use_config_proxy": False,
    }


def test_a_container_may_do_this_and_no_more() -> None:
    tmpfs = "rw,noexec,nosuid,nodev,mode=1777,size=16777216,nr_inodes=4096"
    assert host_config(PLAN) == {
        "network_mode": "none",
        "dns": ["127.0.0.1"],
        "dns_search": ["."],
        "ipc_mode": "private",
        "cgroupns": "private",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "privileged": False,
        "read_only": True,
        "tmpfs": {"/tmp": tmpfs, "/dev/shm": tmpfs},
        "mounts": [
            {
                "Type": "bind",
                "Source": "/tmp/tarneeb-0/run/s3",
                "Target": "/referee",
                "ReadOnly": True,
                "BindOptions": {"Propagation": "rprivate"},
            }
        ],
        "mem_limit": 268435456,
        "memswap_limit": 268435456,
        "cpu_period": 20000,
        "cpu_quota": 20000,
        "pids_limit": 64,
        "ulimits": [
            {"Name": "nofile", "Soft": 256, "Hard": 256},
            {"Name": "core", "Soft": 0, "Hard": 0},
        ],
        "oom_score_adj": 500,
        "log_config": {"Type": "none", "Config": {}},
        "auto_remove": False,
        "restart_policy": {"Name": "no"},
    }


def test_limits_reach_the_engine() -> None:
    limits = ContainerLimits(
        memory_bytes=100 * MIB, cpus=0.5, processes=20, open_files=40, tmp_bytes=MIB, tmp_files=99
    )
    config = host_config(replace(PLAN, limits=limits))
    assert config["mem_limit"] == config["memswap_limit"] == 100 * MIB
    assert config["cpu_quota"] / config["cpu_period"] == 0.5
    assert config["pids_limit"] == 20
    assert config["ulimits"][0] == {"Name": "nofile", "Soft": 40, "Hard": 40}
    assert config["tmpfs"]["/tmp"].endswith("size=1048576,nr_inodes=99")


def test_the_least_share_of_a_processor_is_one_that_the_kernel_grants() -> None:
    config = host_config(replace(PLAN, limits=ContainerLimits(cpus=0.05)))
    assert config["cpu_quota"] >= 1000


def test_runtime_and_cores_are_asked_for_only_where_chosen() -> None:
    assert {"runtime", "cpuset_cpus"}.isdisjoint(host_config(PLAN))
    config = host_config(replace(PLAN, runtime="runsc", cpuset="3"))
    assert (config["runtime"], config["cpuset_cpus"]) == ("runsc", "3")


@pytest.mark.parametrize("name", ["TARNEEB_TOKEN", "TARNEEB_ADDRESS", "HOME", "TMPDIR"])
def test_further_variables_never_replace_ours(name: str) -> None:
    plan = replace(PLAN, env=((name, "theirs"), ("MORE", "1")))
    environment = bot_environment(plan)
    assert environment[name] != "theirs"
    assert environment["MORE"] == "1"


def test_nothing_of_the_referees_environment_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    before = bot_environment(PLAN)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hidden")
    monkeypatch.setenv("HTTP_PROXY", "http://user:password@proxy")
    assert bot_environment(PLAN) == before


def test_the_token_does_not_show_where_plans_are_logged() -> None:
    assert "secret" not in repr(PLAN)


def test_the_engines_own_masks_are_kept() -> None:
    # Docker 20.10: oci/defaults.go
    theirs = {
        "/proc/asound",
        "/proc/acpi",
        "/proc/kcore",
        "/proc/keys",
        "/proc/latency_stats",
        "/proc/timer_list",
        "/proc/timer_stats",
        "/proc/sched_debug",
        "/proc/scsi",
        "/sys/firmware",
    }
    assert theirs <= set(masked_paths())
    # Libraries size their pools by these.
    assert {"/proc/meminfo", "/proc/stat", "/proc/cpuinfo"}.isdisjoint(masked_paths())


def test_podman_gets_what_it_knows_and_no_place_of_its_own() -> None:
    config, plain = host_config(replace(PLAN, is_podman=True)), host_config(PLAN)
    tmpfs = "rw,noexec,nosuid,nodev,mode=1777,size=16777216"
    closed = "ro,noexec,nosuid,nodev,size=4096"
    assert config.pop("tmpfs") == {
        "/tmp": tmpfs,
        "/dev/shm": tmpfs,
        "/run": closed,
        "/var/tmp": closed,
    }
    assert {"Name": "nproc", "Soft": 64, "Hard": 64} in config.pop("ulimits")
    privileges, mask = config.pop("security_opt")
    assert privileges == "no-new-privileges"
    assert mask.startswith("mask=/proc/acpi:")
    assert "/proc/loadavg" in mask.split(":")
    others = {"tmpfs", "ulimits", "security_opt"}
    assert config == {key: plain[key] for key in plain if key not in others}
