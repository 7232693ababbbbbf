"""Sends each answer twice."""

from tests.chaos.wild import Wild

wild = Wild().hello()
for turn in wild.turns():
    wild.answer(turn)
    wild.answer(turn)
