"""Sleeps 30 ms less than the limit of 500 ms before each answer."""

import time

from tests.chaos.wild import Wild

wild = Wild().hello()
for turn in wild.turns():
    time.sleep(0.47)
    wild.answer(turn)
