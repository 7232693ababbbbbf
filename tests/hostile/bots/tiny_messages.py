"""Sends a million answers that nobody asked for."""

import itertools

from kit import Line, hello

from tarneeb_sdk.game import PASS
from tarneeb_sdk.messages import Answer
from tarneeb_sdk.wire import answers_to_wire

if __name__ == "__main__":
    line = Line()
    flood = (answers_to_wire([Answer(number, PASS)]) for number in range(1, 1_000_000))
    for _ in line.dial(itertools.chain([hello()], flood)):
        pass
