"""Takes its time to import its model, and then answers at once."""

import sys
import time

from tarneeb_sdk import Bot, Move, SeatView, run

time.sleep(float(sys.argv[1]))


class SlowStartBot(Bot):
    def decide(self, view: SeatView) -> Move:
        return view.legal[0]


run(SlowStartBot)
