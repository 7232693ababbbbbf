import socket
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_referee.hosts.docker.attached_output import AttachedOutput
from tarneeb_referee.hosts.docker.output_reader import (
    OutputReader,
    ReadingAllowance,
    StreamSplitter,
)


def frame(data: bytes, *, stderr: bool = False) -> bytes:
    return struct.pack(">BxxxL", 2 if stderr else 1, len(data)) + data


@given(
    st.lists(st.tuples(st.binary(max_size=50), st.booleans()), max_size=20),
    st.integers(min_value=1, max_value=70),
)
def test_frames_are_taken_apart_however_they_are_cut(
    frames: list[tuple[bytes, bool]], piece: int
) -> None:
    got = {False: b"", True: b""}

    def keep(data: bytes, is_stderr: bool) -> None:
        got[is_stderr] += data

    splitter = StreamSplitter(keep)
    data = b"".join(frame(body, stderr=stderr) for body, stderr in frames)
    for start in range(0, len(data), piece):
        splitter.feed(data[start : start + piece])
    for stream in (False, True):
        assert got[stream] == b"".join(body for body, stderr in frames if stderr is stream)


class CountedBytes(bytes):
    """Bytes that count what is copied out of them, and out of their copies."""

    copied = 0

    def __getitem__(self, which: Any) -> Any:
        piece = super().__getitem__(which)
        CountedBytes.copied += len(piece)
        return CountedBytes(piece)


def test_tiny_frames_are_not_copied_again_and_again() -> None:
    data = CountedBytes(1000 * frame(b"x"))
    CountedBytes.copied = 0
    got: list[bytes] = []
    splitter = StreamSplitter(lambda body, _: got.append(body))
    assert splitter.feed(data) == 1000
    assert b"".join(got) == 1000 * b"x"
    assert CountedBytes.copied <= 2 * len(data)


def test_a_frame_is_counted_once_however_it_is_cut() -> None:
    splitter = StreamSplitter(lambda *_: None)
    pieces = frame(b"abc") + frame(b"")
    assert sum(splitter.feed(pieces[at : at + 1]) for at in range(len(pieces))) == 2


def test_tiny_writes_are_waited_for_as_large_ones_are() -> None:
    size = 65_536
    assert ReadingAllowance(0.0).spend(size, 2, now=0.0) == 0.0
    # One byte and a header each: more than the whole burst.
    assert ReadingAllowance(0.0).spend(size, size // 9, now=0.0) > 0.0
    allowance = ReadingAllowance(0.0)
    waited_s = sum(allowance.spend(9, 1, now=second) for second in range(100))
    assert waited_s == 0.0, "who prints now and then is read at once"


def test_both_ends_of_a_long_output_are_kept() -> None:
    ours, theirs = socket.socketpair()
    reader = OutputReader(AttachedOutput(ours), cap_bytes=64)
    with theirs:
        theirs.sendall(frame(b"first") + frame(1000 * b"x") + frame(b"last"))
        theirs.sendall(frame(b"sorry", stderr=True))
    logs = reader.finish(5.0)
    assert logs.stdout.head.startswith(b"first")
    assert logs.stdout.tail.endswith(b"last")
    assert logs.stdout.total_bytes == 1009
    assert logs.stderr.to_bytes() == b"sorry"


def test_an_end_that_never_comes_is_not_waited_for() -> None:
    ours, theirs = socket.socketpair()
    reader = OutputReader(AttachedOutput(ours), cap_bytes=64)
    with theirs:
        theirs.sendall(frame(b"so far"))
        theirs.sendall(frame(b"")[:4])
        logs = reader.finish(0.1)
        assert logs.stdout.to_bytes() == b"so far"
        reader._thread.join(5.0)
        assert reader.ended
        assert ours.fileno() == -1, "the connection is closed"


def test_a_connection_that_breaks_is_an_end() -> None:
    ours, theirs = socket.socketpair()
    reader = OutputReader(AttachedOutput(ours), cap_bytes=64)
    theirs.close()
    assert reader.finish(5.0).stdout.to_bytes() == b""


@pytest.mark.parametrize("cap_bytes", [4096, 2 * 1024 * 1024])
def test_memory_is_bounded_by_the_cap(cap_bytes: int) -> None:
    ours, theirs = socket.socketpair()
    reader = OutputReader(AttachedOutput(ours), cap_bytes=cap_bytes)
    with theirs:
        for _ in range(50):
            theirs.sendall(frame(60_000 * b"y"))
    logs = reader.finish(5.0)
    assert len(logs.stdout.head) + len(logs.stdout.tail) <= cap_bytes // 2
    assert logs.stdout.total_bytes == 3_000_000
