"""Answers its third turn too late, with a card that may be legal for the next one."""

import time

from tests.chaos.wild import Wild

wild = Wild().hello()
for number, turn in enumerate(wild.turns()):
    if number == 2:
        time.sleep(0.8)
    wild.answer(turn)
