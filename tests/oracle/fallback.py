"""The move that the referee makes for a seat whose time ran out [R-7.2]."""

from tests.oracle.cards import SUITS, rank_of, suit_of
from tests.oracle.deal import AUCTION, TRUMP, Deal, Move, SyrianDeal, TarneebDeal


def time_out_move(deal: Deal) -> Move:
    if deal.phase == AUCTION and isinstance(deal, TarneebDeal):
        return time_out_call(deal)
    if deal.phase == AUCTION and isinstance(deal, SyrianDeal):
        return time_out_declaration(deal)
    assert deal.hands is not None
    assert deal.turn is not None
    if deal.phase == TRUMP:
        return time_out_trump(deal.hands[deal.turn])
    return time_out_card(deal.legal_cards(), deal.trump)


def time_out_call(deal: TarneebDeal) -> Move:
    """Pass; but the last seat with no bid made bids 7."""
    last_seat_with_no_bid = len(deal.passed) == 3 and deal.bid is None
    return 7 if last_seat_with_no_bid else "P"


def time_out_declaration(deal: SyrianDeal) -> Move:
    """Declare 2; but the last seat brings the total to 11, and declares at least 2."""
    if len(deal.declared) < 3:
        return 2
    missing = 11 - sum(deal.declared.values())
    return max(missing, 2)


def time_out_trump(hand: list[str]) -> str:
    """Name the suit held most of; ties by the higher sum of ranks, then C before D, H, S."""
    best = ""
    best_length, best_sum = -1, -1
    for suit in SUITS:
        ranks = [rank_of(card) for card in hand if suit_of(card) == suit]
        longer = len(ranks) > best_length
        as_long_and_higher = len(ranks) == best_length and sum(ranks) > best_sum
        if longer or as_long_and_higher:
            best, best_length, best_sum = suit, len(ranks), sum(ranks)
    return best


def time_out_card(legal: list[str], trump: str | None) -> str:
    """Play another suit before a trump, then the lower rank, then C before D, H, S."""
    others = [card for card in legal if suit_of(card) != trump]
    candidates = others or legal
    lowest = min(rank_of(card) for card in candidates)
    lowest_cards = [card for card in candidates if rank_of(card) == lowest]
    return min(lowest_cards, key=lambda card: SUITS.index(suit_of(card)))
