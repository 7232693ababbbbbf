"""Closes its channel in mid-deal, and lives on without ever dialling again."""

import time

from tests.chaos.wild import Wild, in_play

wild = Wild().hello()
for turn in wild.turns():
    if in_play(turn, trick=1):
        break
    wild.answer(turn)
wild.channel.close()
time.sleep(3600)
