import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.store.lock import RefereeLock

HOLDER = """
import sys, time
from pathlib import Path
from tarneeb_tournaments.store.lock import RefereeLock
RefereeLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "spring.sqlite"


def hold(results: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(results)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_second_referee_is_told_who_the_first_one_is(results: Path) -> None:
    with hold(results) as first:
        with pytest.raises(ConfigError, match=f"process {first.pid} on {platform.node()}"):
            RefereeLock(results).acquire()
        first.kill()


def test_a_killed_referee_locks_nobody_out(results: Path) -> None:
    with hold(results) as first:
        first.send_signal(signal.SIGKILL)
        first.wait(timeout=10)
        lock = RefereeLock(results)
        assert lock.path.exists()
        with lock:
            pass
    assert not lock.path.exists()


def test_the_same_process_is_no_exception(results: Path) -> None:
    with RefereeLock(results), pytest.raises(ConfigError, match=f"process {os.getpid()} on"):
        RefereeLock(results).acquire()


def test_two_names_of_a_file_have_one_lock(results: Path) -> None:
    results.touch()
    link = results.with_name("link.sqlite")
    link.symlink_to(results)
    with RefereeLock(results), pytest.raises(ConfigError, match="another referee"):
        RefereeLock(link).acquire()


def test_nothing_is_left_behind(results: Path) -> None:
    with RefereeLock(results) as lock:
        assert lock.path.exists()
    assert list(results.parent.iterdir()) == []
    lock.release()


def test_a_lock_whose_file_was_removed_is_not_taken_for_the_new_one(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file goes between the opening and the locking of it; the lock is tried again."""
    lock = RefereeLock(results)
    real = RefereeLock._is_current
    calls = []

    def removed_once(self: RefereeLock, fd: int) -> bool:
        calls.append(fd)
        if len(calls) == 1:
            self.path.unlink()
        return real(self, fd)

    monkeypatch.setattr(RefereeLock, "_is_current", removed_once)
    with lock:
        assert len(calls) == 2
        assert lock.path.exists()


def test_an_owner_that_has_not_yet_written_its_name_counts(results: Path) -> None:
    with RefereeLock(results) as lock:
        lock.path.write_text("")
        with pytest.raises(ConfigError, match="it has just begun"):
            RefereeLock(results).acquire()


def test_a_place_without_a_folder_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="can't be written: no such file or directory; give another"
    ):
        RefereeLock(tmp_path / "no" / "spring.sqlite").acquire()
