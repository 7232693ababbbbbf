"""Greets the referee and reads nothing of what it says."""

import time

from kit import Line, hello


def requests():  # type: ignore[no-untyped-def]
    yield hello()
    time.sleep(3600)


if __name__ == "__main__":
    line = Line()
    stream = line.dial(requests())
    time.sleep(3600)
