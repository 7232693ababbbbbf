"""The command `adjudicate` as a user meets it: files, streams, exit codes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from tarneeb_referee.cli.adjudicate import MAX_LINE_BYTES
from tarneeb_referee.cli.main import main
from tests.programs import Program

GOOD = b'{"rules": "tarneeb", "dealer": 3, "calls": [7]}'
REJECTED = b'{"rules": "tarneeb", "dealer": 3, "calls": [6]}'
MALFORMED = b'{"rules": "tarneb", "dealer": 3}'
COMMAND = [sys.executable, "-m", "tarneeb_referee", "adjudicate"]


def run(content: bytes, *, file: str = "-") -> tuple[int, list[dict[str, Any]], str]:
    """Give the exit code, the verdicts and the text on the standard error stream."""
    done = subprocess.run([*COMMAND, file], input=content, capture_output=True, check=False)
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, verdicts, done.stderr.decode()


def statuses(verdicts: list[dict[str, Any]]) -> list[str]:
    return [verdict["status"] for verdict in verdicts]


def test_a_rejected_record_is_judged_like_any_other() -> None:
    code, verdicts, errors = run(GOOD + b"\n" + REJECTED + b"\n")
    assert (code, statuses(verdicts), errors) == (0, ["accepted", "rejected"], "")


def test_a_malformed_line_is_told_in_its_place_and_by_the_exit_code() -> None:
    code, verdicts, errors = run(b"\n".join([GOOD, MALFORMED, REJECTED]))
    assert (code, statuses(verdicts)) == (1, ["accepted", "malformed", "rejected"])
    assert verdicts[1]["reason"].startswith("line 2: ")
    assert set(verdicts[1]) == {"status", "reason"}
    assert errors == ""


def test_a_file_is_read_like_the_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "بطاقات ♠.jsonl"
    file.write_bytes(GOOD)
    assert run(b"", file=str(file)) == run(GOOD)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", []),
        (b"\n", []),
        (b"\n \r\n\t\n", []),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf" + GOOD, ["accepted"]),
        (GOOD + b"\r\n" + GOOD + b"\r\n", ["accepted", "accepted"]),
        (GOOD + b"\n\n\n" + GOOD, ["accepted", "accepted"]),
        (b"  " + GOOD + b"\t\n", ["accepted"]),
    ],
)
def test_blank_lines_a_byte_order_mark_and_windows_line_ends_are_no_mistake(
    content: bytes, expected: list[str]
) -> None:
    code, verdicts, _ = run(content)
    assert (code, statuses(verdicts)) == (0, expected)


@pytest.mark.parametrize(
    "line", [b"\x0b", b"\xc2\xa0", b"\x00", b"\xff", b"[]", GOOD + GOOD, GOOD + b"\r" + GOOD]
)
def test_any_other_line_is_counted_and_malformed(line: bytes) -> None:
    code, verdicts, _ = run(b"\n" + line + b"\n" + GOOD + b"\n\xef\xbb\xbf" + GOOD)
    assert (code, statuses(verdicts)) == (1, ["malformed", "accepted", "malformed"])
    assert [verdict.get("reason", "")[:7] for verdict in verdicts] == ["line 2:", "", "line 4:"]


def test_a_line_that_is_too_long_is_skipped_alone() -> None:
    padding = b" " * (MAX_LINE_BYTES - len(GOOD))
    longest = GOOD + padding
    code, verdicts, _ = run(b"\n".join([longest, longest + b" ", GOOD, b"x" * MAX_LINE_BYTES * 2]))
    assert (code, statuses(verdicts)) == (1, ["accepted", "malformed", "accepted", "malformed"])
    assert verdicts[1]["reason"] == f"line 2: longer than {MAX_LINE_BYTES} bytes"


@pytest.fixture
def reader() -> Iterator[Program]:
    with Program(
        [*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


def pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def test_each_verdict_is_written_before_the_next_line_is_read(
    reader: Program,
) -> None:
    for _ in range(3):
        pipe(reader.stdin).write(GOOD + b"\n")
        pipe(reader.stdin).flush()
        assert json.loads(pipe(reader.stdout).readline())["status"] == "accepted"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="this system has no /proc")
def test_memory_does_not_grow_with_the_input(reader: Program) -> None:
    block = b"x" * (1 << 20)
    for _ in range(64):
        pipe(reader.stdin).write(block)
    pipe(reader.stdin).write(b"\n")
    pipe(reader.stdin).flush()
    assert json.loads(pipe(reader.stdout).readline())["status"] == "malformed"
    status = Path(f"/proc/{reader.pid}/status").read_text(encoding="ascii")
    peak_kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    assert int(peak_kib) < 60 << 10


def test_an_interrupt_ends_it_quietly(reader: Program) -> None:
    pipe(reader.stdin).write(GOOD + b"\n")
    pipe(reader.stdin).flush()
    pipe(reader.stdout).readline()
    reader.send_signal(signal.SIGINT)
    assert reader.wait() == 130
    assert pipe(reader.stderr).read().strip() == b""


def test_a_reader_that_has_seen_enough_is_no_mistake(tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes((GOOD + b"\n") * 20_000)
    with Program([*COMMAND, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        pipe(process.stdout).readline()
        pipe(process.stdout).close()
        assert pipe(process.stderr).read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_a_fault_of_ours_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "-"], input=GOOD, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 3
    assert done.stderr == b"error: the verdicts can't be written: No space left on device\n"


@pytest.mark.parametrize(("stream", "name"), [(0, "input"), (1, "output")])
def test_a_closed_stream_is_told_in_one_line(stream: int, name: str, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    file.write_bytes(GOOD)
    script = (
        f"import os; os.close({stream}); "
        f"os.execv({sys.executable!r}, {[*COMMAND, '-' if stream == 0 else str(file)]!r})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == f"error: the standard {name} is closed\n".encode()


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (
            "no-such-file",
            "no-such-file can't be read: No such file or directory; name a file of hand records, or -",
        ),
        ("", " can't be read: "),
        (".", ". can't be read: Is a directory; name a file of hand records"),
        ("a\0b", "can't be read: embedded null byte"),
        ("x" * 5000, "can't be read: File name too long"),
        (os.fsdecode(b"\xff"), "can't be read: No such file or directory"),
    ],
    ids=["missing", "empty", "directory", "null", "long", "bytes"],
)
def test_a_file_that_cannot_be_read_takes_one_line(
    file: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["adjudicate", file]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert why in output.err
    assert output.err.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read any file")
def test_a_file_that_may_not_be_read_takes_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "secret.jsonl"
    file.touch(mode=0)
    assert main(["adjudicate", str(file)]) == 2
    assert (
        capsys.readouterr().err
        == f"error: {file} can't be read: Permission denied; make it readable\n"
    )


def test_an_empty_path_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["adjudicate", ""]) == 2
    assert capsys.readouterr().err.startswith("error: '' can't be read: ")
