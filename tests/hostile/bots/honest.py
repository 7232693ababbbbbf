"""Harms nobody: sits beside the hostile bots, to see that they do not harm it."""

from tarneeb_sdk import Bot, Move, SeatView, run


class Honest(Bot):
    def decide(self, view: SeatView) -> Move:
        return view.legal[0]


if __name__ == "__main__":
    run(Honest)
