"""Opens more than 10,000 connections, in many processes that hold all they can, and plays on."""

import os
import socket
import subprocess
import sys
import time

PROCESSES = 30
ATTEMPTS = 350


def hoard(address: str) -> None:
    lines = []
    for _ in range(ATTEMPTS):
        try:
            line = socket.socket(socket.AF_UNIX)
        except OSError:
            # No more files: let go of those that were turned away first.
            del lines[: len(lines) // 2]
            line = socket.socket(socket.AF_UNIX)
        line.setblocking(False)
        try:
            line.connect(address)
        except BlockingIOError:
            time.sleep(0.001)  # the queue at the door is full
        except OSError:
            pass
        lines.append(line)
    os.write(1, b"attempts %d\n" % ATTEMPTS)
    time.sleep(3600)


def play() -> None:
    # Those that only hoard have no use for its many threads.
    from kit import Attacker

    from tarneeb_sdk import SeatView, run

    class Connections(Attacker):
        def attack(self, view: SeatView) -> None:
            address = os.environ["TARNEEB_ADDRESS"].removeprefix("unix:")
            for _ in range(PROCESSES):
                subprocess.Popen((sys.executable, __file__, address))

    run(Connections)


if __name__ == "__main__":
    if sys.argv[1:]:
        hoard(sys.argv[1])
    else:
        play()
