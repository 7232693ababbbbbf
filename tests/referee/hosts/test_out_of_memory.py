"""Who is to blame when the machine's memory is used up (a bot's own hunger costs it alone)."""

import asyncio
import resource
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from tarneeb_referee.hosts import keeper, keeper_link
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.keeper import Keeper
from tarneeb_referee.hosts.keeper_link import KeeperLink
from tarneeb_referee.hosts.keeper_messages import EXITED, EXITED_BODY, HEADER
from tarneeb_referee.hosts.out_of_memory import machine_memory_bytes, used_up_memory
from tests.referee.hosts.kit import Stage, linux_only, perform

GIB = 1024**3


@pytest.mark.parametrize(
    ("peak_bytes", "machine_bytes", "guilty"),
    [
        (8 * GIB, 8 * GIB, True),
        (2 * GIB, 8 * GIB, True),
        (2 * GIB - 1, 8 * GIB, False),
        (0, 8 * GIB, False),
        (8 * GIB, None, False),  # in doubt ours
    ],
)
def test_a_large_share_of_the_memory_makes_a_bot_guilty(
    peak_bytes: int, machine_bytes: int | None, guilty: bool
) -> None:
    assert used_up_memory(peak_bytes, machine_bytes=machine_bytes) is guilty


@pytest.mark.parametrize(
    ("membership", "files", "expected"),
    [
        ("", {}, 8 * GIB),
        ("0::/\n", {}, 8 * GIB),
        ("0::/\n", {"memory.max": "max\n"}, 8 * GIB),
        ("0::/\n", {"memory.max": f"{GIB}\n"}, GIB),
        ("0::/a/b\n", {"a/b/memory.max": "max\n", "a/memory.max": f"{GIB}\n"}, GIB),
        ("0::/a/b\n", {"a/b/memory.max": f"{9 * GIB}\n"}, 8 * GIB),
        # A container that is told the host's path, and has only its own group mounted.
        ("0::/host/slice\n", {"memory.max": f"{GIB}\n"}, GIB),
        ("0::/../other\n", {"memory.max": f"{GIB}\n"}, GIB),
        ("5:cpu,memory:/a\n", {"memory/a/memory.limit_in_bytes": f"{GIB}\n"}, GIB),
        ("5:memory:/\n", {"memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8 * GIB),
        ("5:cpu:/a\n", {"memory/a/memory.limit_in_bytes": f"{GIB}\n"}, 8 * GIB),
    ],
)
def test_the_memory_is_the_machines_or_the_smallest_limit_of_its_groups(
    tmp_path: Path, membership: str, files: dict[str, str], expected: int
) -> None:
    proc, cgroups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(f"MemTotal: {8 * GIB // 1024} kB\nMemFree: 1 kB\n")
    (proc / "self/cgroup").write_text(membership)
    for name, text in files.items():
        (cgroups / name).parent.mkdir(parents=True, exist_ok=True)
        (cgroups / name).write_text(text)
    assert machine_memory_bytes(proc=proc, cgroups=cgroups) == expected


def test_where_nothing_tells_the_memory_is_unknown(tmp_path: Path) -> None:
    assert machine_memory_bytes(proc=tmp_path, cgroups=tmp_path) is None


@linux_only
def test_this_machine_has_memory() -> None:
    found = machine_memory_bytes()
    assert found is not None
    assert found > 64 * 1024**2


def told_of_an_end(*, peak_bytes: int, out_of_memory: bool) -> ExitInfo:
    async def link() -> ExitInfo:
        with socket.socket() as unused:
            link = KeeperLink(unused, output_cap_bytes=1)
            body = EXITED_BODY.pack(-1, 9, 0.0, peak_bytes, out_of_memory)
            link.data_received(HEADER.pack(EXITED, len(body)) + body)
            return link.exited.result()

    return asyncio.run(link())


@pytest.mark.parametrize(
    ("peak_bytes", "out_of_memory", "over_memory"),
    [(2 * GIB, True, True), (GIB, True, False), (8 * GIB, False, False)],
)
def test_only_a_hungry_bot_that_ran_the_machine_out_of_memory_is_over_memory(
    monkeypatch: pytest.MonkeyPatch, peak_bytes: int, out_of_memory: bool, over_memory: bool
) -> None:
    monkeypatch.setattr(keeper_link, "machine_memory_bytes", lambda: 8 * GIB)
    how = told_of_an_end(peak_bytes=peak_bytes, out_of_memory=out_of_memory)
    assert (how.over_memory, how.host_out_of_memory) == (over_memory, out_of_memory)


@pytest.mark.parametrize(
    ("status", "count_rose", "expected"),
    [
        (9, True, True),
        (137 << 8, True, True),  # a shell tells the end of the command below it
        (9, False, False),
        (11, True, False),
        (1 << 8, True, False),
    ],
)
def test_a_kill_while_the_kernels_count_rises_is_one_for_memory(
    monkeypatch: pytest.MonkeyPatch, status: int, count_rose: bool, expected: bool
) -> None:
    counts = iter((b"oom_kill 1", b"oom_kill 2" if count_rose else b"oom_kill 1"))
    monkeypatch.setattr(keeper, "_oom_kills", lambda: next(counts))
    monkeypatch.setattr(keeper, "_child_wakeup", lambda: 0)
    monkeypatch.setattr(keeper, "prctl", lambda *_: True)
    bodies: list[bytes] = []
    monkeypatch.setattr(Keeper, "_send", lambda _, __, body: bodies.append(body))
    keeper_of_one = Keeper(["true"], 2)
    keeper_of_one._note_exit(status, resource.getrusage(resource.RUSAGE_SELF))
    assert EXITED_BODY.unpack(bodies[0])[4] is expected


def test_the_peak_is_that_of_the_hungriest_helper() -> None:
    hog = "python -c 'x = bytearray(150_000_000)'"

    async def scene(stage: Stage) -> None:
        actor = await stage.start("", ("sh", "run"), run=f"{hog}\ntrue\n")
        how = await actor.process.exited
        assert how.peak_memory_bytes is not None
        assert how.peak_memory_bytes > 150_000_000

    perform(scene)


@linux_only
def test_the_peak_counts_a_helper_that_was_left_to_the_keeper() -> None:
    # A process that has closed its files has not ended yet. Only that its number is gone shows
    # that the keeper has waited for it.
    script = """
import time
told, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        hog = bytearray(150_000_000)
        os.write(tell, str(os.getpid()).encode())
    os._exit(0)
os.wait()
helper = int(os.read(told, 20))
try:
    while True:
        os.kill(helper, 0)
        time.sleep(0.01)
except ProcessLookupError:
    pass
"""

    async def scene(stage: Stage) -> None:
        actor = await stage.start(script)
        how = await actor.process.exited
        assert how.peak_memory_bytes is not None
        assert how.peak_memory_bytes > 150_000_000

    perform(scene)


@pytest.mark.parametrize("order", [("bot", "helper"), ("helper", "bot")])
def test_the_peak_counts_helpers_that_are_found_ended_together_with_the_bot(
    monkeypatch: pytest.MonkeyPatch, order: tuple[str, str]
) -> None:
    small, large = SimpleNamespace(ru_maxrss=10), SimpleNamespace(ru_maxrss=1000)
    for usage in (small, large):
        usage.ru_utime = usage.ru_stime = 0.0
    waited_for: list[str] = []
    ended = iter(order)

    def wait4(_pid: int, _options: int) -> tuple[int, int, SimpleNamespace]:
        name = next(ended, None)
        if name is None:
            raise ChildProcessError
        waited_for.append(name)
        return (7, 0, small) if name == "bot" else (8, 0, large)

    monkeypatch.setattr(keeper, "_child_wakeup", lambda: 0)
    monkeypatch.setattr(keeper, "prctl", lambda *_: True)
    keeper_of_both = Keeper(["true"], 2)
    keeper_of_both._pid = 7
    bodies: list[bytes] = []
    monkeypatch.setattr(Keeper, "_send", lambda _, __, body: bodies.append(body))
    monkeypatch.setattr("os.wait4", wait4)
    monkeypatch.setattr(resource, "getrusage", lambda _: large if "helper" in waited_for else small)
    monkeypatch.setattr("sys.platform", "linux")
    keeper_of_both._reap()
    assert EXITED_BODY.unpack(bodies[0])[3] == 1000 * 1024
