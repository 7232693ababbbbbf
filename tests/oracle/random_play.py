"""Deals and moves at random, in many styles, so that rare cases are not rare.

Cards dealt evenly and moves drawn evenly would hardly ever make a bid of 13, cancel twenty deals
in a row or take all the tricks.
"""

from dataclasses import dataclass
from random import Random

from tests.oracle.cards import DECK, SUITS, rank_of, suit_of
from tests.oracle.deal import AUCTION, PLAY, TRUMP, Deal, Move
from tests.oracle.fallback import time_out_move


@dataclass(frozen=True)
class Style:
    """How a deal is played.

    Attributes:
        pass_chance: how often a Tarneeb call is a pass.
        jump_chance: how often a bid is drawn from all legal ones, and is not among the lowest.
        strong_team: a team that bids alone, and plays its highest cards against the others' lowest;
            or None.
        time_out_chance: how often the referee makes the move.
    """

    pass_chance: float
    jump_chance: float
    strong_team: int | None
    time_out_chance: float


def random_style(dice: Random) -> Style:
    return Style(
        pass_chance=dice.choice([0.2, 0.5, 0.8, 0.95]),
        jump_chance=dice.choice([0.0, 0.1, 0.5, 1.0]),
        strong_team=dice.choice([None, None, 0, 1]),
        time_out_chance=dice.choice([0.0, 0.05, 0.3, 1.0]),
    )


def random_hands(dice: Random) -> list[list[str]]:
    """Deal four hands in order of receipt: evenly, by strength, or by suit."""
    deck = list(DECK)
    dice.shuffle(deck)
    kind = dice.choice(["even", "even", "even", "strong", "suits"])
    if kind == "strong":
        # Partners are likely to hold the high cards, or sure to.
        disorder = dice.choice([0.0, 1.0, 3.0])
        deck.sort(key=lambda card: rank_of(card) + dice.gauss(0, disorder), reverse=True)
        high, low = deck[:26], deck[26:]
        dice.shuffle(high)
        dice.shuffle(low)
        hands = [high[:13], low[:13], high[13:], low[13:]]
        return hands if dice.random() < 0.5 else hands[1:] + hands[:1]
    if kind == "suits":
        # Long suits and voids, up to thirteen cards of one suit.
        disorder = dice.choice([0.0, 0.2, 0.5])
        deck.sort(key=lambda card: SUITS.index(suit_of(card)) + dice.gauss(0, disorder))
        hands = [deck[at : at + 13] for at in (0, 13, 26, 39)]
        dice.shuffle(hands)
        for hand in hands:
            dice.shuffle(hand)
        return hands
    return [deck[seat::4] for seat in range(4)]


def random_move(deal: Deal, legal: list[Move], style: Style, dice: Random) -> Move:
    """Choose a legal move."""
    assert deal.turn is not None
    strong = None if style.strong_team is None else deal.turn % 2 == style.strong_team
    if deal.phase == AUCTION:
        if strong is False and legal[0] == "P":
            return "P"
        return random_call(legal, style, dice)
    if deal.phase == TRUMP and strong:
        return time_out_move(deal)
    if deal.phase == PLAY and strong is not None:
        best_first = sorted(map(str, legal), key=rank_of, reverse=True)
        return best_first[0] if strong else best_first[-1]
    return dice.choice(legal)


def random_call(legal: list[Move], style: Style, dice: Random) -> Move:
    if legal[0] == "P":
        if len(legal) == 1 or dice.random() < style.pass_chance:
            return "P"
        legal = legal[1:]
    if dice.random() < style.jump_chance:
        return dice.choice([dice.choice(legal), legal[-1]])
    return dice.choice(legal[:3])
