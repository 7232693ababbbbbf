"""Answers every turn with bytes that say nothing: those of its argument, in hex."""

import sys

from tests.chaos.wild import Wild

wild = Wild().hello()
for _ in wild.turns():
    wild.send(bytes.fromhex(sys.argv[1]))
