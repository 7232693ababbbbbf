"""Answers each turn with bytes that are no message, of one kind after the other."""

import os
from queue import SimpleQueue

from kit import Line, hello

KINDS = (
    b"",
    b"\xff" * 100,
    b"\x12",
    b"\x12\x05abcde",
    bytes(1000),
    b"\x9a\x06\x01x",
    os.urandom(64),
)

if __name__ == "__main__":
    line = Line()
    requests: SimpleQueue[bytes] = SimpleQueue()
    requests.put(hello())
    turns = line.turns(line.dial(iter(requests.get, None)))
    for count, _ in enumerate(turns):
        for kind in KINDS:
            requests.put(kind)
