"""Announces the protocol versions of its arguments."""

import sys

from tests.chaos.wild import Wild

wild = Wild().hello(versions=tuple(map(int, sys.argv[1:])))
for response in wild.responses():
    print(response, flush=True)
