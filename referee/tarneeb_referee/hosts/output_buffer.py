"""Keeps what a bot prints within bounds.

A keeper imports this before it starts its bot, so it imports nothing slow (see `keeper.py`).
"""

from __future__ import annotations


class OutputBuffer:
    """Keeps the first and the last bytes of a stream of any length.

    Args:
        cap_bytes: how much to keep, one half for either end.
    """

    __slots__ = ("_dropped", "_half", "_head", "_next", "_tail")

    def __init__(self, cap_bytes: int) -> None:
        self._half = max(1, cap_bytes // 2)
        self._head = bytearray()
        self._tail = bytearray()  # grows to one half, and is a ring from then on
        self._next = 0  # where in the full ring the oldest byte is
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Append bytes; the cost does not depend on what came before."""
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if len(data) > self._half:
            self._dropped += len(data) - self._half
            data = data[-self._half :]
        room = self._half - len(self._tail)
        if room > 0:
            self._tail += data[:room]
            data = data[room:]
        self._dropped += len(data)
        while data:
            piece = data[: self._half - self._next]
            self._tail[self._next : self._next + len(piece)] = piece
            self._next = (self._next + len(piece)) % self._half
            data = data[len(piece) :]

    def parts(self) -> tuple[bytes, bytes, int]:
        """Give the head, the tail and the number of bytes dropped between them."""
        return (
            bytes(self._head),
            bytes(self._tail[self._next :] + self._tail[: self._next]),
            self._dropped,
        )
