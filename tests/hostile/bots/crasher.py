"""Chatters, and then dies with a traceback, or by a signal."""

import ctypes
import sys

from kit import Attacker

from tarneeb_sdk import SeatView, run


class Crasher(Attacker):
    def attack(self, view: SeatView) -> None:
        for number in range(20_000):
            print("chatter", number, 40 * "x")
        if sys.argv[1:] == ["segfault"]:
            ctypes.string_at(0)
        raise RuntimeError("the deck is on fire")


if __name__ == "__main__":
    run(Crasher)
