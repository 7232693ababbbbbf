"""Just enough HTTP/2 to open a gRPC stream with a window of zero: nothing can be sent back on it."""

import socket
import struct

_DATA, _HEADERS, _SETTINGS, _PING = 0, 1, 4, 6
_ACK, _END_HEADERS = 1, 4
_INITIAL_WINDOW_SIZE = 4


def frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
    """One frame: length, kind, flags, stream, body."""
    return struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, stream) + body


def literal(name: str, value: str) -> bytes:
    """One header as HPACK has it that is neither compressed nor remembered."""
    parts = (name.encode(), value.encode())
    assert all(len(part) < 127 for part in parts)
    return b"\0" + b"".join(bytes((len(part),)) + part for part in parts)


def opening(*, token: str, message: bytes, window: int = 0) -> bytes:
    """All that a bot says until its first message has been sent, on stream 1.

    Args:
        token: what it proves itself with.
        message: the first one, serialized.
        window: bytes that the other side may send on any stream.
    """
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": "/tarneeb.v1.RefereeService/Play",
        ":authority": "localhost",
        "content-type": "application/grpc",
        "te": "trailers",
        "authorization": f"Bearer {token}",
    }
    settings = struct.pack(">HI", _INITIAL_WINDOW_SIZE, window)
    block = b"".join(literal(name, value) for name, value in headers.items())
    return b"".join(
        (
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            frame(_SETTINGS, 0, 0, settings),
            frame(_HEADERS, _END_HEADERS, 1, block),
            frame(_DATA, 0, 1, struct.pack(">BI", 0, len(message)) + message),
        )
    )


def answer_pings(line: socket.socket) -> None:
    """Say what keeps the line alive, until the other side closes it."""
    received = b""
    while data := line.recv(65_536):
        received += data
        while len(received) >= 9:
            size = int.from_bytes(received[:3], "big")
            kind, flags = received[3], received[4]
            if len(received) < 9 + size:
                break
            body, received = received[9 : 9 + size], received[9 + size :]
            if kind in (_SETTINGS, _PING) and not flags & _ACK:
                line.sendall(frame(kind, _ACK, 0, body if kind == _PING else b""))
