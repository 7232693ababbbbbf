"""Deals and moves at random, in many styles, so that rare cases are not rare.

Cards dealt evenly and moves drawn evenly would hardly ever make a bid of 13, cancel twenty deals
in a row or take all the tricks.
"""

from dataclasses import dataclass
from random import Random

from tests.oracle.cards import DECK, SUITS, rank_of, suit_of
from tests.oracle.deal import AUCTION, PLAY, Deal, Move


@dataclass(frozen=True)
class Style:
    """How a deal is played.

    Attributes:
        pass_chance: how often a Tarneeb call is a pass.
        jump_chance: how often a bid is drawn from all legal ones, and is not the lowest.
        strong_team: a team that plays its highest cards against an opponent's lowest, or None.
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
        # One team is likely to hold the high cards.
        deck.sort(key=lambda card: rank_of(card) + dice.gauss(0, 3), reverse=True)
        first, second = deck[:26], deck[26:]
        dice.shuffle(first)
        dice.shuffle(second)
        hands = [first[:13], second[:13], first[13:], second[13:]]
        turned = dice.randrange(4)
        return hands[turned:] + hands[:turned]
    if kind == "suits":
        # Long suits and voids.
        deck.sort(key=lambda card: SUITS.index(suit_of(card)) + dice.gauss(0, 0.4))
        hands = [deck[at : at + 13] for at in (0, 13, 26, 39)]
        dice.shuffle(hands)
        for hand in hands:
            dice.shuffle(hand)
        return hands
    return [deck[seat::4] for seat in range(4)]


def random_move(deal: Deal, legal: list[Move], style: Style, dice: Random) -> Move:
    """Choose a legal move."""
    if deal.phase == AUCTION:
        return random_call(legal, style, dice)
    if deal.phase == PLAY and style.strong_team is not None:
        assert deal.turn is not None
        best_first = sorted(map(str, legal), key=rank_of, reverse=True)
        return best_first[0] if deal.turn % 2 == style.strong_team else best_first[-1]
    return dice.choice(legal)


def random_call(legal: list[Move], style: Style, dice: Random) -> Move:
    if legal[0] == "P":
        if len(legal) == 1 or dice.random() < style.pass_chance:
            return "P"
        legal = legal[1:]
    if dice.random() < style.jump_chance:
        return dice.choice(legal)
    return dice.choice(legal[:3])
