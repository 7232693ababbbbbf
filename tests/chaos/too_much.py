"""Sends a message of as many bytes as its argument says, once, and then plays on or not."""

import sys

import grpc

from tests.chaos.wild import Wild, in_play

size = int(sys.argv[1])
sent = False
while True:
    wild = Wild().hello()
    try:
        for turn in wild.turns():
            if in_play(turn, trick=2) and not sent:
                sent = True
                # Field 99, of this length.
                wild.send(b"\x9a\x06" + b"\xff\xff\xff\x7f" + bytes(size))
            else:
                wild.answer(turn)
        break
    except grpc.RpcError as error:
        print(error.code(), error.details(), flush=True)
