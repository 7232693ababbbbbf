"""Answers each turn after its time, and then goes on to the next."""

import time

from tarneeb_sdk import Bot, Move, SeatView, run


class Sleeper(Bot):
    def decide(self, view: SeatView) -> Move:
        time.sleep(self.time.decision_s + self.time.bank_s + 0.5)
        return view.legal[0]


if __name__ == "__main__":
    run(Sleeper)
