"""The ways into a deal: from its hands, and from the middle."""

from __future__ import annotations

from collections.abc import Sequence

from tarneeb_sdk.game.card_set import ALL_CARDS_MASK, CardSet
from tarneeb_sdk.game.cards import Card
from tarneeb_sdk.game.deal import Deal
from tarneeb_sdk.game.errors import RulesError
from tarneeb_sdk.game.moves import Call, NameTrump
from tarneeb_sdk.game.phases import Phase
from tarneeb_sdk.game.rules import Game, RuleSet
from tarneeb_sdk.game.seats import Seat
from tarneeb_sdk.game.syrian41_deal import Syrian41Deal
from tarneeb_sdk.game.tarneeb_deal import TarneebDeal

__all__ = ["resume_deal", "start_deal"]


def start_deal(
    rules: RuleSet,
    *,
    dealer: Seat,
    hands: Sequence[Sequence[Card] | CardSet] | None,
    revealed: Card | None = None,
) -> TarneebDeal | Syrian41Deal:
    """Begin a deal at its auction.

    Args:
        rules: what is played.
        dealer: who dealt.
        hands: by seat, 13 cards each, in the order of receipt; or as sets, whose order is lost;
            or `None` when only the auction is to be played.
        revealed: Syrian 41: the shown card. By default the last card that the dealer received
            [R-6.1]; it must be given where the hands are sets. Unused in Tarneeb.

    Raises:
        RulesError: the hands are not the 52 cards, 13 a seat, or the revealed card is missing
            or not the dealer's.
    """
    if type(dealer) is not int or not 0 <= dealer <= 3:
        raise RulesError(f"the dealer is a seat, 0 to 3, not {dealer!r}")
    dealt = None if hands is None else tuple(map(tuple, hands))
    if dealt is not None and len(dealt) != 4:
        raise RulesError(f"a deal has four hands, not {len(dealt)}")
    if rules.game is Game.TARNEEB:
        if revealed is not None:
            raise RulesError("no card is revealed in Tarneeb [R-6.1 is of Syrian 41]")
        return TarneebDeal(rules, dealer=dealer, hands=dealt)
    if hands is not None and dealt is not None:
        if revealed is None:
            if isinstance(hands[dealer], CardSet):
                raise RulesError("a set has no order of receipt: give the revealed card [R-6.1]")
            if len(dealt[dealer]) != 13:
                raise RulesError(f"seat {dealer} has {len(dealt[dealer])} cards, not 13 [R-2.1]")
            revealed = dealt[dealer][12]
        elif revealed not in dealt[dealer]:
            raise RulesError(f"the dealer, seat {dealer}, does not hold {revealed} [R-6.1]")
    return Syrian41Deal(rules, dealer=dealer, hands=dealt, revealed=revealed)


def resume_deal(
    rules: RuleSet,
    *,
    dealer: Seat,
    hands: Sequence[CardSet],
    revealed: Card | None,
    calls: Sequence[Call],
    trump: NameTrump | None,
    plays: Sequence[Card],
    leader: Seat | None,
    tricks: Sequence[int],
) -> TarneebDeal | Syrian41Deal:
    """Take up a deal in the middle; cheaper than to play it again from its start.

    The calls and the naming of trump are checked by the rules. Of the plays only their number and
    the cards are: a seat may hold a suit here that it has not followed.

    Args:
        rules: what is played.
        dealer: who dealt.
        hands: by seat, the cards still held.
        revealed: Syrian 41: the shown card.
        calls: the calls made.
        trump: Tarneeb: the naming of trump, if it has been made; unused in Syrian 41.
        plays: every card played, in order.
        leader: who led the unfinished trick, or leads the next one; `None` outside play.
        tricks: taken so far, by seat.

    Raises:
        RulesError: the parts contradict each other, or the deal is over.
    """
    deal = start_deal(rules, dealer=dealer, hands=None, revealed=revealed)
    _make_calls(deal, calls, trump)
    in_play = deal.phase is Phase.PLAY
    if in_play != (leader is not None) or len(plays) > (51 if in_play else 0):
        raise RulesError("only a deal that is not over can be taken up")
    masks = [hand.mask for hand in hands]
    _check_cards(masks, plays, tricks, leader=leader)
    _check_revealed(masks, plays, revealed, dealer=dealer)
    deal.take_up(masks, plays=plays, tricks=tricks, leader=leader)
    return deal


def _make_calls(deal: Deal, calls: Sequence[Call], trump: NameTrump | None) -> None:
    for call in calls:
        deal.apply(call)
    if trump is not None and deal.rules.game is Game.TARNEEB:
        deal.apply(trump)


def _check_cards(
    masks: Sequence[int], plays: Sequence[Card], tricks: Sequence[int], *, leader: Seat | None
) -> None:
    """Check that the hands and the plays are the deck, and that the counts agree."""
    rounds, begun = divmod(len(plays), 4)
    for seat, mask in enumerate(masks):
        has_played = leader is not None and (seat - leader) & 3 < begun
        count = 13 - rounds - has_played
        if mask.bit_count() != count:
            raise RulesError(f"seat {seat} holds {count} cards now, not {mask.bit_count()}")
    if len(masks) != 4 or sum(masks) + sum([1 << card for card in plays]) != ALL_CARDS_MASK:
        raise RulesError("the hands and the cards played are not the deck, each card once")
    if len(tricks) != 4 or sum(tricks) != rounds:
        raise RulesError(f"{rounds} tricks have been taken, not {tuple(tricks)!r}")


def _check_revealed(
    masks: Sequence[int], plays: Sequence[Card], revealed: Card | None, *, dealer: Seat
) -> None:
    if revealed is not None and revealed not in plays and not masks[dealer] >> revealed & 1:
        raise RulesError(f"the dealer, seat {dealer}, must hold {revealed} [R-6.1]")
