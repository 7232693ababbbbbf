"""Dials in with a hundred thousand entries of metadata; then, if it must, without."""

import grpc

from tests.chaos.wild import Wild

try:
    for _ in Wild(metadata=tuple((f"x-{n}", "y") for n in range(100_000))).hello().turns():
        pass
except grpc.RpcError as error:
    print(error.code(), flush=True)
wild = Wild().hello()
for turn in wild.turns():
    wild.answer(turn)
