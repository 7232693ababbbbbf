import fcntl
import os
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

from tarneeb_referee.hosts import run_folder
from tarneeb_referee.hosts.base import HostError
from tarneeb_referee.hosts.marks import kill_marked, marked_processes
from tarneeb_referee.hosts.run_folder import (
    MAX_SOCKET_PATH_BYTES,
    Leftovers,
    RunFolder,
    remove_leftovers,
    remove_tree,
)
from tarneeb_sdk.errors import ConfigError
from tests.referee.hosts.kit import linux_only


def root_of(base: Path) -> Path:
    return base / f"tarneeb-{os.geteuid()}"


def test_every_folder_of_a_run_is_private_and_every_seat_has_its_own(short_folder: Path) -> None:
    run = RunFolder.create(base=short_folder)
    seats = [run.open_seat() for _ in range(3)]
    assert len({seat.path for seat in seats}) == 3
    for path in (root_of(short_folder), run.path, *(seat.path for seat in seats)):
        assert path.stat().st_mode & 0o777 == 0o700
    for seat in seats:
        assert seat.listen_address == seat.bot_address == f"unix:{seat.path}/referee.sock"
        assert not any(seat.path.iterdir())
    run.close()
    run.close()
    assert not run.path.exists()


def test_two_runs_have_two_names(short_folder: Path) -> None:
    runs = [RunFolder.create(base=short_folder) for _ in range(2)]
    assert runs[0].run_id != runs[1].run_id
    for run in runs:
        run.close()


def test_a_folder_too_long_for_a_socket_is_refused_with_the_fix(short_folder: Path) -> None:
    base = short_folder / ("x" * 80)
    with pytest.raises(ConfigError) as caught:
        RunFolder.create(base=base)
    assert "set TMPDIR to a folder with a shorter path" in str(caught.value)
    assert str(base) in str(caught.value)
    assert not base.exists()


def test_the_longest_folder_allowed_takes_a_socket(short_folder: Path) -> None:
    empty = len(os.fsencode(short_folder.resolve()))
    spare = MAX_SOCKET_PATH_BYTES - run_folder._longest_socket_path_bytes(
        root_of(short_folder.resolve())
    )
    base = short_folder / ("x" * (spare - 1))
    base.mkdir()
    assert empty + spare == len(os.fsencode(base.resolve()))
    RunFolder.create(base=base).close()
    with pytest.raises(ConfigError):
        RunFolder.create(base=short_folder / ("x" * spare))


def test_with_a_long_tmpdir_the_run_lies_in_tmp(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(short_folder / ("x" * 80)))
    run = RunFolder.create()
    assert run.path.is_relative_to(Path("/tmp").resolve())
    run.close()


def test_a_folder_that_somebody_else_put_there_is_refused(short_folder: Path) -> None:
    root_of(short_folder).symlink_to("/")
    with pytest.raises(ConfigError, match="is not a folder of this user; remove it, or set TMPDIR"):
        RunFolder.create(base=short_folder)


def test_a_folder_open_to_others_is_closed_to_them(short_folder: Path) -> None:
    root_of(short_folder).mkdir(mode=0o777)
    RunFolder.create(base=short_folder).close()
    assert root_of(short_folder).stat().st_mode & 0o777 == 0o700


def test_a_base_that_does_not_exist_is_told(short_folder: Path) -> None:
    with pytest.raises(HostError, match=r"no folder for the run's sockets: .*No such file"):
        RunFolder.create(base=short_folder / "none")


def test_a_seat_in_a_folder_that_vanished_is_told(short_folder: Path) -> None:
    run = RunFolder.create(base=short_folder)
    remove_tree(run.path)
    with pytest.raises(HostError, match="no folder for a seat's socket"):
        run.open_seat()
    run.close()


def test_a_dead_run_is_removed_and_a_living_one_is_not(short_folder: Path) -> None:
    living, dead = (RunFolder.create(base=short_folder) for _ in range(2))
    (dead.open_seat().path / "left").write_text("")
    assert dead._lock is not None
    os.close(dead._lock)  # as the kernel does when the referee is killed
    foreign = root_of(short_folder) / "not-a-run"
    foreign.mkdir()
    assert remove_leftovers(base=short_folder) == Leftovers((dead.run_id,), 0)
    assert not dead.path.exists()
    assert living.path.is_dir()
    assert foreign.is_dir()
    assert remove_leftovers(base=short_folder) == Leftovers()
    living.close()


@linux_only
def test_only_the_whole_mark_counts() -> None:
    run_id = os.urandom(8).hex()
    texts = (
        f"{run_id}/a1",
        f"{run_id}/a12",
        f"{run_id}",
        f"x{run_id}/a1",
        f"{run_id[:-1]}/a1",
    )
    started = [subprocess.Popen(("sleep", "600"), env={"TARNEEB_RUN": text}) for text in texts]
    other = subprocess.Popen(("sleep", "600"), env={"OTHER": f"TARNEEB_RUN={run_id}/a1"})
    try:
        pids = [process.pid for process in started]
        assert marked_processes(f"{run_id}/a1") == (pids[0],)
        assert set(marked_processes(run_id)) == set(pids[:2])
        assert kill_marked(f"{run_id}/a1") == 1
        assert started[0].wait(5) == -9
        assert [process.poll() for process in (*started[1:], other)] == [None] * 5
    finally:
        for process in (*started, other):
            process.kill()
            process.wait()


@pytest.mark.parametrize("wanted", ["", "/", "a", "0123456789abcde", "0123456789abcdef/", ".*"])
def test_what_is_no_mark_matches_nobody_by_accident(wanted: str) -> None:
    with pytest.raises(ValueError, match="is no mark"):
        kill_marked(wanted)


def test_a_folder_is_removed_whatever_its_rights(short_folder: Path) -> None:
    inner = short_folder / "top" / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("")
    keep = short_folder / "keep"
    keep.mkdir(mode=0o755)
    (short_folder / "top" / "link").symlink_to(keep)
    for path in (inner, inner.parent):
        path.chmod(0)
    remove_tree(short_folder / "top")
    assert not (short_folder / "top").exists()
    assert keep.stat().st_mode & 0o777 == 0o755


def test_a_lock_that_is_never_released_is_an_error_and_no_hang(
    short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_folder, "_LOCK_WAIT_S", 0.02)
    RunFolder.create(base=short_folder).close()
    with (root_of(short_folder) / ".lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(HostError, match="another process keeps it locked"):
            RunFolder.create(base=short_folder)


def test_referees_that_start_together_do_not_remove_each_other(short_folder: Path) -> None:
    runs: list[RunFolder] = []

    def start() -> None:
        remove_leftovers(base=short_folder)
        runs.append(RunFolder.create(base=short_folder))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 8
    assert all(run.path.is_dir() for run in runs)
    for run in runs:
        run.close()
