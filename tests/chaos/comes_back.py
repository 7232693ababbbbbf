"""Closes its channel in mid-deal, waits, and dials again."""

import sys
import time

from tests.chaos.wild import Wild, in_play

wild = Wild().hello()
for turn in wild.turns():
    if in_play(turn, trick=1):
        break
    wild.answer(turn)
wild.channel.close()
time.sleep(float(sys.argv[1]))
wild = Wild().hello()
for turn in wild.turns():
    wild.answer(turn)
