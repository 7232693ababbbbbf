"""Plays any legal move, all with the same chance: the least that a bot must beat."""

from tarneeb_sdk import Bot, Move, SeatView, run


class RandomBot(Bot):
    """Rolls its dice for calls, trump and cards alike."""

    def decide(self, view: SeatView) -> Move:
        return self.rng.choice(view.legal)


if __name__ == "__main__":
    run(RandomBot)
