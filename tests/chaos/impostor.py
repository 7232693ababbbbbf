"""Claims the name that its argument says, and plays legally."""

import sys

from tests.chaos.wild import Wild

wild = Wild().hello(name=sys.argv[1])
for turn in wild.turns():
    wild.answer(turn)
