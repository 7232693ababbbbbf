"""The referee's end of the socket to a keeper."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from typing import Final

from tarneeb_referee.hosts import keeper_messages
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.out_of_memory import machine_memory_bytes, used_up_memory
from tarneeb_referee.hosts.output import BotLogs, Output

__all__ = ["KeeperLink"]

# Above what a keeper may send: the text of an error, or one stream's kept output.
_SLACK_BYTES: Final = 65_536


class KeeperLink(asyncio.Protocol):
    """Turns a keeper's messages into futures, and ours into messages.

    Attributes:
        started: the number of the bot's process, once there is one; or the keeper's failure.
        exited: how the bot ended, once it has.
        closed: done when the keeper has said its last word or died; the socket is shut then.
        survivors: how many processes the keeper could not end; None if it did not get to tell.
    """

    def __init__(self, line: socket.socket, *, output_cap_bytes: int) -> None:
        """Prepare for a keeper.

        Args:
            line: our end of the socket; the transport that reads from it owns it.
            output_cap_bytes: how much of the bot's output the keeper keeps.
        """
        loop = asyncio.get_running_loop()
        self._line = line
        self.started: asyncio.Future[int] = loop.create_future()
        self.exited: asyncio.Future[ExitInfo] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        # A failed start that nobody waits for any more is no news.
        self.started.add_done_callback(asyncio.Future.exception)
        self.survivors: int | None = None
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._longest_body = output_cap_bytes + _SLACK_BYTES
        self._outputs = [Output(), Output()]
        self._report: asyncio.Future[None] | None = None
        self._stop_asked = False
        self._failure = ""

    @property
    def logs(self) -> BotLogs:
        """What the last report said."""
        return BotLogs(stdout=self._outputs[0], stderr=self._outputs[1])

    def ask_to_stop(self, grace_s: float) -> None:
        """Ask for the end of the bot; a later call may shorten the grace."""
        self._stop_asked = True
        self._send(keeper_messages.STOP, keeper_messages.GRACE_BODY.pack(grace_s))

    def ask_for_report(self) -> asyncio.Future[None]:
        """Ask for what the bot has printed; done when `logs` holds it, or when the link ends."""
        if self._report is None or self._report.done():
            self._report = asyncio.get_running_loop().create_future()
            self._send(keeper_messages.REPORT, b"")
            if self.closed.done():
                self._report.set_result(None)
        return self._report

    def close(self) -> None:
        """Shut the socket, which tells the keeper to end all at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        at = 0
        while len(self._received) - at >= keeper_messages.HEADER.size:
            kind, length = keeper_messages.HEADER.unpack_from(self._received, at)
            if length > self._longest_body:
                self.close()
                return
            end = at + keeper_messages.HEADER.size + length
            if len(self._received) < end:
                break
            self._take(kind, bytes(self._received[at + keeper_messages.HEADER.size : end]))
            at = end
        del self._received[:at]

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # it is over either way, and `survivors` tells whether in good order
        if not self.started.done():
            problem = self._failure or "its keeper ended before it had started the bot"
            self.started.set_exception(OSError(problem))
        if not self.exited.done():
            how = ExitInfo(lost=True, host_failure=self._failure, stopped=self._stop_asked)
            self.exited.set_result(how)
        if self._report is not None and not self._report.done():
            self._report.set_result(None)
        if not self.closed.done():
            self.closed.set_result(None)

    def _send(self, kind: int, body: bytes) -> None:
        # Not by the transport: when a write fails it drops what has come and is not read yet, and the
        # keeper may just have said its last word. A few bytes always fit, unless it hangs.
        with contextlib.suppress(OSError):
            self._line.send(keeper_messages.HEADER.pack(kind, len(body)) + body)

    def _take(self, kind: int, body: bytes) -> None:
        match kind:
            case keeper_messages.STARTED if not self.started.done():
                self.started.set_result(keeper_messages.PID_BODY.unpack(body)[0])
            case keeper_messages.FAILED:
                self._failure = body.decode("utf-8", "backslashreplace")
            case keeper_messages.EXITED if not self.exited.done():
                self.exited.set_result(self._exit_info(body))
            case keeper_messages.OUTPUT:
                self._take_output(body)
            case keeper_messages.GONE:
                self.survivors = keeper_messages.COUNT_BODY.unpack(body)[0]
            case _:
                pass  # said twice; the first word stands

    def _exit_info(self, body: bytes) -> ExitInfo:
        code, number, cpu_s, peak, out_of_memory = keeper_messages.EXITED_BODY.unpack(body)
        machine = machine_memory_bytes() if out_of_memory else None
        return ExitInfo(
            code=None if number else code,
            signal_name=_signal_name(number) if number else None,
            stopped=self._stop_asked,
            over_memory=out_of_memory and used_up_memory(peak, machine_bytes=machine),
            host_out_of_memory=out_of_memory,
            cpu_s=cpu_s,
            peak_memory_bytes=peak,
        )

    def _take_output(self, body: bytes) -> None:
        stream, dropped, head_bytes = keeper_messages.OUTPUT_BODY.unpack_from(body)
        kept = body[keeper_messages.OUTPUT_BODY.size :]
        self._outputs[stream] = Output(kept[:head_bytes], kept[head_bytes:], dropped)
        if stream == 1 and self._report is not None and not self._report.done():
            self._report.set_result(None)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"  # a real-time signal has no name of its own
