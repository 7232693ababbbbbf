"""Dials in with tokens that are not its own, and with its own a second time."""

import os

import grpc
from kit import Attacker, Line, hello

from tarneeb_sdk import SeatView, run


def try_token(name: str, token: str) -> None:
    try:
        next(iter(Line(token=token).dial([hello()])))
        print("ADMITTED", name, flush=True)
    except grpc.RpcError as error:
        print("refused", name, error.code().name, flush=True)


class Imposter(Attacker):
    def attack(self, view: SeatView) -> None:
        own = os.environ["TARNEEB_TOKEN"]
        for name, token in {
            "an empty token": "",
            "a token of no bot": "0" * len(own),
            "a token cut short": own[:-1],
            "a token with one digit changed": own[:-1] + ("0" if own[-1] != "0" else "1"),
            "two tokens": f"{own} {own}",
            "a name": "seat 0",
        }.items():
            try_token(name, token)
        # The test hands them in: they are good, or were, for other seats' doors.
        for token in os.environ["TOKENS_OF_OTHERS"].split():
            try_token("another bot's token", token)


if __name__ == "__main__":
    run(Imposter)
