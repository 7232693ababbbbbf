"""Dials in with tokens that are not its own, many times; then plays with its own."""

import grpc

from tests.chaos.wild import Wild

for token in ["", "0" * 64, "x" * 1000] * 5:
    try:
        for _ in Wild(token=token).hello().turns():
            raise SystemExit("let in with a wrong token")
    except grpc.RpcError as error:
        print(error.code(), flush=True)
wild = Wild().hello(name="somebody else")
for turn in wild.turns():
    wild.answer(turn)
