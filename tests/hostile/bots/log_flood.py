"""Writes to stdout and stderr without end while it plays."""

import os

from kit import Attacker, in_background

from tarneeb_sdk import SeatView, run


def flood(descriptor: int, line: bytes) -> None:
    while True:
        os.write(descriptor, line)


class LogFlood(Attacker):
    def attack(self, view: SeatView) -> None:
        in_background(flood, 1, b"\n" * 65_536)
        in_background(flood, 2, b"\xff\xfe no end and no line break " * 4096)


if __name__ == "__main__":
    run(LogFlood)
