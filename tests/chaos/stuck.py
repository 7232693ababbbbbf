"""Stops answering at the first card of trick 5, in the way that its argument names."""

import asyncio
import os
import signal
import sys
import time

from tarneeb_sdk import Bot, Move, Phase, SeatView, run


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text to be had")


class StuckBot(Bot):
    def decide(self, view: SeatView) -> Move:
        if view.phase is Phase.PLAY and len(view.plays) >= 16 and view.deal_number == 1:
            get_stuck(sys.argv[1])
        return view.legal[0]


def get_stuck(how: str) -> None:
    match how:
        case "sleep":
            time.sleep(3600)
        case "spin":
            while True:
                pass
        case "sigstop":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "exit":
            os._exit(0)
        case "cancelled":
            raise asyncio.CancelledError
        case "unprintable":
            raise UnprintableError
        case _:
            raise ValueError(how)


run(StuckBot)
