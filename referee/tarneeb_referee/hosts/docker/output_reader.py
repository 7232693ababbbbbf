"""Reads what a container prints, as fast as it pleases us, and keeps the head and the tail."""

from __future__ import annotations

import contextlib
import struct
import threading
import time
from collections.abc import Callable
from typing import Final

from tarneeb_referee.hosts.docker.attached_output import AttachedOutput
from tarneeb_referee.hosts.output import BotLogs, Output
from tarneeb_referee.hosts.output_buffer import OutputBuffer

__all__ = ["OutputReader", "ReadingAllowance", "StreamSplitter"]

_READ_BYTES: Final = 65_536
# So much may come at once, and so much a second after that: more than any honest log, and too
# little to keep the engine or the referee from their work. The container's own pipe then is full,
# and whoever prints so much waits. A read and a frame cost something however little they bring.
_BURST_BYTES: Final = 4 * 1024 * 1024
_BYTES_PER_S: Final = 8 * 1024 * 1024
_READ_COST_BYTES: Final = 2048
_FRAME_COST_BYTES: Final = 1024

# Stream (1 stdout, 2 stderr), three zeros, length of what follows.
_FRAME_HEADER: Final = struct.Struct(">BxxxL")
_STDERR: Final = 2


class StreamSplitter:
    """Takes apart what an engine sends: the frames of both outputs in one stream.

    A frame may be of any length, so its body is handed on as it comes and never gathered.

    Args:
        on_output: told of each piece, and whether it comes from stderr.
    """

    __slots__ = ("_body_left", "_header", "_is_stderr", "_on_output")

    def __init__(self, on_output: Callable[[bytes, bool], None]) -> None:
        self._on_output = on_output
        self._header = b""
        self._body_left = 0
        self._is_stderr = False

    def feed(self, data: bytes) -> int:
        """Take the next bytes, cut anywhere, and give how many frames began in them.

        Each byte is copied once or twice, however many frames there are.
        """
        frames = start = 0
        while start < len(data):
            if self._body_left:
                body = data[start : start + self._body_left]
                self._body_left -= len(body)
                self._on_output(body, self._is_stderr)
                start += len(body)
                continue
            piece = data[start : start + _FRAME_HEADER.size - len(self._header)]
            self._header += piece
            start += len(piece)
            if len(self._header) == _FRAME_HEADER.size:
                stream, self._body_left = _FRAME_HEADER.unpack(self._header)
                self._is_stderr = stream == _STDERR
                self._header = b""
                frames += 1
        return frames


class ReadingAllowance:
    """Says how long to wait between reads, so that no output costs the referee much.

    Args:
        now: seconds, by any clock that never goes back.
    """

    __slots__ = ("_left_bytes", "_then")

    def __init__(self, now: float) -> None:
        self._left_bytes = float(_BURST_BYTES)
        self._then = now

    def spend(self, size: int, frames: int, *, now: float) -> float:
        """Take one read off the allowance, and give how many seconds to wait after it.

        Args:
            size: bytes read.
            frames: as `StreamSplitter.feed` counts them.
            now: when it was read, by the same clock.
        """
        grown = self._left_bytes + (now - self._then) * _BYTES_PER_S
        self._left_bytes = min(_BURST_BYTES, grown)
        self._left_bytes -= size + _READ_COST_BYTES + frames * _FRAME_COST_BYTES
        self._then = now
        return max(0.0, -self._left_bytes / _BYTES_PER_S)


class OutputReader:
    """Reads one container's output in a thread of its own until it ends.

    Args:
        connection: as `Engine.attach` gives it.
        cap_bytes: how much to keep, both streams together.
    """

    def __init__(self, connection: AttachedOutput, *, cap_bytes: int) -> None:
        self._connection = connection
        self._buffers = (OutputBuffer(cap_bytes // 2), OutputBuffer(cap_bytes // 2))
        self._splitter = StreamSplitter(self._keep)
        self._lock = threading.Lock()
        self._hurry = threading.Event()
        self._thread = threading.Thread(target=self._read, name="container-output", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether all has been read."""
        return not self._thread.is_alive()

    def logs(self) -> BotLogs:
        """Give what has come so far."""
        with self._lock:
            stdout, stderr = (Output(*buffer.parts()) for buffer in self._buffers)
        return BotLogs(stdout, stderr)

    def finish(self, timeout_s: float) -> BotLogs:
        """Read what is left, after the container's end, for so long at most; then close.

        Blocks; call it in a thread.
        """
        self._hurry.set()
        self._thread.join(timeout_s)
        self.close()
        return self.logs()

    def close(self) -> None:
        """Stop reading; the thread itself closes the connection, which nobody else may do.

        A number of a descriptor that it still reads from could pass to another.
        """
        self._hurry.set()
        with contextlib.suppress(OSError):
            self._connection.shutdown()

    def _read(self) -> None:
        # An error: the engine is gone. Then the exit tells.
        with contextlib.closing(self._connection), contextlib.suppress(OSError):
            allowance = ReadingAllowance(time.monotonic())
            while data := self._connection.recv(_READ_BYTES):
                with self._lock:
                    frames = self._splitter.feed(data)
                wait_s = allowance.spend(len(data), frames, now=time.monotonic())
                if wait_s > 0:
                    self._hurry.wait(wait_s)

    def _keep(self, data: bytes, is_stderr: bool) -> None:  # noqa: FBT001 - a callback's form
        self._buffers[is_stderr].add(data)
