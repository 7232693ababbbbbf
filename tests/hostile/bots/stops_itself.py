"""Stops the process that plays; the first one, which cannot be stopped from within, looks on."""

import os
import signal

from kit import Attacker

from tarneeb_sdk import SeatView, run


class StopsItself(Attacker):
    def attack(self, view: SeatView) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)


if __name__ == "__main__":
    child = os.fork()
    if child == 0:
        run(StopsItself)
    else:
        os.waitpid(child, 0)
