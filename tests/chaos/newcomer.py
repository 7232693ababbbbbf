"""Crashes before it answers its 4th and 9th turn of its life; its file counts the starts."""

import itertools
import os
from pathlib import Path

from tarneeb_sdk import Bot, Move, SeatView, run

starts = Path(os.environ["HOME"]) / "starts"
number = int(starts.read_text()) if starts.exists() else 0
starts.write_text(str(number + 1))
turns = itertools.count(1)


class NewcomerBot(Bot):
    def decide(self, view: SeatView) -> Move:
        if next(turns) == 4 + number and number < 2:
            print(f"start {number} saw {view}", flush=True)
            os._exit(3)
        return view.legal[0]


run(NewcomerBot)
