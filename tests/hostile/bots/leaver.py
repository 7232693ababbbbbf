"""Exits at a chosen moment: start, hello, call, trump, play, scored, over."""

import os
import sys

from tarneeb_sdk import Bot, DealResult, MatchOver, Move, SeatView, run

MOMENT = sys.argv[1]
CODE = int(sys.argv[2]) if len(sys.argv) > 2 else 3


def leave(moment: str) -> None:
    if moment == MOMENT:
        print("leaving at", moment, file=sys.stderr, flush=True)
        os._exit(CODE)


class Leaver(Bot):
    def on_match_start(self) -> None:
        leave("hello")

    def decide(self, view: SeatView) -> Move:
        leave({"auction": "call", "trump": "trump", "play": "play"}[view.phase.value])
        return view.legal[-1]

    def on_deal_scored(self, result: DealResult) -> None:
        leave("scored")

    def on_match_over(self, over: MatchOver) -> None:
        leave("over")


if __name__ == "__main__":
    leave("start")
    run(Leaver)
