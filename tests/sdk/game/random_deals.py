"""Random deals and play for the tests of the rules core.

Every random test takes its seed from here, and prints it: a failure is repeated by its seed.
"""

from collections.abc import Iterator
from random import Random

from tarneeb_sdk.game import (
    ALL_CARDS,
    PRESETS,
    Card,
    Deal,
    Match,
    Move,
    RuleSet,
    deal_out,
    fallback_move,
    start_deal,
)

SEED = 41
ALL_PRESETS = tuple(PRESETS)


def seeded(offset: int = 0) -> Random:
    """Make the dice of one test, and print their seed."""
    print(f"seed {SEED + offset}")
    return Random(SEED + offset)


def random_hands(dice: Random, *, dealer: int) -> tuple[tuple[Card, ...], ...]:
    return deal_out(dice.sample(ALL_CARDS, 52), dealer=dealer)


def random_deal(rules: RuleSet, dice: Random) -> Deal:
    dealer = dice.randrange(4)
    return start_deal(rules, dealer=dealer, hands=random_hands(dice, dealer=dealer))


def random_move(deal: Deal, dice: Random) -> Move:
    """Choose a legal move; now and then the fallback's, so that low bids are seen too."""
    return fallback_move(deal) if dice.random() < 0.3 else dice.choice(deal.legal_moves())


def play_on(deal: Deal, dice: Random, *, moves: int | None = None) -> Deal:
    """Play so many random moves, or to the end."""
    while deal.turn is not None and moves != 0:
        deal.apply(random_move(deal, dice))
        moves = None if moves is None else moves - 1
    return deal


def scored_deal(rules: RuleSet, dice: Random) -> Deal:
    """Play random deals until one is scored."""
    while True:
        deal = play_on(random_deal(rules, dice), dice)
        if deal.phase.value == "scored":
            return deal


def match_in_mid_deal(rules: RuleSet, dice: Random) -> Match:
    """Deal, and play any number of moves that leaves somebody to move."""
    while True:
        match = Match(rules, first_dealer=dice.randrange(4))
        match.start_deal(random_hands(dice, dealer=match.dealer))
        for _ in range(dice.randrange(58)):
            if match.turn is None:
                break
            assert match.deal is not None
            match.apply(random_move(match.deal, dice))
        if match.turn is not None:
            return match


def states_of(deal: Deal, dice: Random) -> Iterator[Deal]:
    """Yield a deal before each of its moves and at its end."""
    yield deal
    while deal.turn is not None:
        deal.apply(random_move(deal, dice))
        yield deal
