"""Sleeps for as long as its argument says before each of its first 12 answers."""

import sys
import time

from tests.chaos.wild import Wild

wild = Wild().hello()
for number, turn in enumerate(wild.turns()):
    if number < 12:
        time.sleep(float(sys.argv[1]))
    wild.answer(turn)
