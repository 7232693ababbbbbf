"""Does what the referee does for a seat that says nothing [R-7.2]: bids little, keeps its cards.

It passes whenever it may, declares what it must, and plays its weakest card.
"""

from tarneeb_sdk import Bot, Call, Card, Game, SeatView, Suit, run
from tarneeb_sdk.game import fallback_call, fallback_card, fallback_declaration, fallback_trump


class CautiousBot(Bot):
    """Makes the moves of R-7.2."""

    def call(self, view: SeatView) -> Call:
        if view.rules.game is Game.SYRIAN41:
            return fallback_declaration(view.calls)
        return fallback_call(view.calls)

    def name_trump(self, view: SeatView) -> Suit:
        return fallback_trump(view.hand)

    def play(self, view: SeatView) -> Card:
        return fallback_card(view.legal_cards, trump=view.trump)


if __name__ == "__main__":
    run(CautiousBot)
