"""Opens connections to the referee until it can open no more, in many processes, and plays on."""

import os
import socket
import time

from kit import Attacker

from tarneeb_sdk import SeatView, run

PROCESSES = 30


def hoard(address: str) -> None:
    lines = []
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.settimeout(1)
            line.connect(address)
            lines.append(line)
        except OSError as error:
            print("connections:", len(lines), error, flush=True)
            time.sleep(3600)


class Connections(Attacker):
    def attack(self, view: SeatView) -> None:
        address = os.environ["TARNEEB_ADDRESS"].removeprefix("unix:")
        for _ in range(PROCESSES):
            if os.fork() == 0:
                try:
                    hoard(address)
                finally:
                    os._exit(0)


if __name__ == "__main__":
    run(Connections)
