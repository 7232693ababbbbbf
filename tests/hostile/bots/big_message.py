"""Answers with messages of up to 100 MB, as far as its own memory allows."""

import sys

from kit import Line, hello, honest_answer

from tarneeb_sdk.wire import answers_to_wire

SIZE = int(sys.argv[1])


def main() -> None:
    line = Line()
    turns = line.turns(line.dial(requests := Requests()))
    for count, turn in enumerate(turns):
        answer = answers_to_wire([honest_answer(turn)])
        # Field 99, unknown to the referee: the message is well formed, only very long.
        filler = b"\x9a\x06" + varint(SIZE) + bytes(SIZE) if count == 3 else b""
        requests.send(answer + filler)


def varint(number: int) -> bytes:
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


class Requests:
    def __init__(self) -> None:
        from queue import SimpleQueue

        self.queue: SimpleQueue[bytes] = SimpleQueue()
        self.queue.put(hello())

    def send(self, data: bytes) -> None:
        self.queue.put(data)

    def __iter__(self) -> "Requests":
        return self

    def __next__(self) -> bytes:
        return self.queue.get()


if __name__ == "__main__":
    main()
