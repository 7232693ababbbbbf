from pathlib import Path

from tarneeb_referee.hosts.docker.machine import MachineMemory
from tarneeb_referee.hosts.docker.usage import CgroupMeter, Usage


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_counters_of_split_groups(tmp_path: Path) -> None:
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    write(proc / "7" / "cgroup", "5:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc\n0::/\n")
    peak = write(groups / "memory/docker/abc/memory.max_usage_in_bytes", "5000\n")
    cpu = write(groups / "cpuacct/docker/abc/cpuacct.usage", "1500000000\n")
    meter = CgroupMeter(7, proc=proc, cgroups=groups)
    assert meter.sample() == Usage(cpu_s=1.5, peak_memory_bytes=5000)
    peak.unlink()
    cpu.unlink()
    assert meter.sample() == Usage(cpu_s=1.5, peak_memory_bytes=5000), "the last ones stay"


def test_counters_of_a_unified_group(tmp_path: Path) -> None:
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    write(proc / "7" / "cgroup", "0::/system.slice/docker-abc.scope\n")
    group = groups / "system.slice/docker-abc.scope"
    current = write(group / "memory.current", "4000\n")
    write(group / "cpu.stat", "usage_usec 2500000\nuser_usec 1\n")
    meter = CgroupMeter(7, proc=proc, cgroups=groups)
    assert meter.sample() == Usage(cpu_s=2.5, peak_memory_bytes=4000)
    current.write_text("3000\n")
    assert meter.sample() == Usage(cpu_s=2.5, peak_memory_bytes=4000), "the most counts"
    write(group / "memory.peak", "9000\n")
    assert meter.sample() == Usage(cpu_s=2.5, peak_memory_bytes=9000)


def test_a_container_elsewhere_is_not_measured(tmp_path: Path) -> None:
    # On another machine the number belongs to somebody else, or the group is the machine's own.
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    write(groups / "memory.current", "1\n")
    assert CgroupMeter(7, proc=proc, cgroups=groups).sample() == Usage()
    write(proc / "7" / "cgroup", "0::/\n")
    assert CgroupMeter(7, proc=proc, cgroups=groups).sample() == Usage()


def test_a_paused_group_is_told_from_others(tmp_path: Path) -> None:
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    write(proc / "7" / "cgroup", "5:freezer:/docker/abc\n0::/\n")
    split = CgroupMeter(7, proc=proc, cgroups=groups)
    assert not split.is_paused(), "not known"
    state = write(groups / "freezer/docker/abc/freezer.state", "THAWED\n")
    assert not split.is_paused()
    state.write_text("FROZEN\n")
    assert split.is_paused()
    write(proc / "8" / "cgroup", "0::/docker/abc\n")
    write(groups / "docker/abc/memory.current", "1\n")
    freeze = write(groups / "docker/abc/cgroup.freeze", "0\n")
    unified = CgroupMeter(8, proc=proc, cgroups=groups)
    assert not unified.is_paused()
    freeze.write_text("1\n")
    assert unified.is_paused()
    freeze.unlink()
    assert not unified.is_paused()


def test_a_machine_is_out_of_memory_when_it_was_short_and_the_kernel_killed(tmp_path: Path) -> None:
    now = [100.0]
    memory = MachineMemory(proc=tmp_path, now=lambda: now[0])

    def machine(*, available: int, kills: int) -> None:
        write(tmp_path / "meminfo", f"MemTotal: 1000 kB\nMemAvailable: {available} kB\n")
        write(tmp_path / "vmstat", f"nr_free_pages 1\noom_kill {kills}\n")

    machine(available=500, kills=4)
    before = memory.kills()
    assert not memory.ran_out(kills_before=before)
    machine(available=500, kills=5)
    assert not memory.ran_out(kills_before=before), "a container was at its own limit"
    machine(available=10, kills=4)
    assert not memory.ran_out(kills_before=before), "nobody was killed"
    machine(available=10, kills=5)
    memory.sample()
    now[0] += 3.0
    machine(available=600, kills=5)
    assert memory.ran_out(kills_before=before), "the kill has made room again"
    now[0] += 20.0
    assert not memory.ran_out(kills_before=before)


def test_a_machine_without_such_files_is_never_out_of_memory(tmp_path: Path) -> None:
    memory = MachineMemory(proc=tmp_path)
    assert memory.kills() == 0
    assert not memory.ran_out(kills_before=0)
