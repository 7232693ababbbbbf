"""Starts a fork bomb beside itself, and plays on when it has gone off."""

import os
import subprocess
import sys
import time
from pathlib import Path

from kit import Attacker

from tarneeb_sdk import SeatView, run

FULL = Path("/tmp/full")


def bomb() -> None:
    while True:
        try:
            os.fork()
        except OSError as error:
            print("fork refused:", error.strerror, flush=True)
            FULL.touch()
            time.sleep(1)


class ForkBomb(Attacker):
    def attack(self, view: SeatView) -> None:
        subprocess.Popen([sys.executable, __file__, "bomb"])
        while not FULL.exists():
            time.sleep(0.05)


if __name__ == "__main__":
    if sys.argv[1:] == ["bomb"]:
        bomb()
    else:
        run(ForkBomb)
