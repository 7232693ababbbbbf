"""From records of matches to what the figures of behaviour take in: each deal is played again."""

from collections.abc import Iterator

from tarneeb_referee.outcome import MatchTimings
from tarneeb_referee.record import MatchRecord, PlayedDeal
from tarneeb_sdk.game import (
    Bid,
    Card,
    Deal,
    Game,
    Move,
    NameTrump,
    Phase,
    RuleSet,
    start_deal,
    team_of,
)
from tarneeb_tournaments.declarations import declaring_seats
from tarneeb_tournaments.stats.behaviour import Contract, DealSummary
from tarneeb_tournaments.stats.tempo import MoveKind, TimedMove


def deal_summaries(record: MatchRecord) -> Iterator[DealSummary]:
    """Sum up the scored deals of a match."""
    first, second, third, fourth = record.entrants
    for deal in record.deals:
        if deal.cancelled:
            continue
        state = _begun(deal, record.rules)
        for move in moves_of(deal, record.rules):
            state.apply(move)
        tricks = state.tricks
        yield DealSummary(
            entrants=(first, second, third, fourth),
            contracts=tuple(
                Contract(seat, bid, _tricks_of(seat, tricks, record.rules))
                for seat, bid in _bids(deal, record.rules)
            ),
            points=deal.points,
        )


def timed_deals(record: MatchRecord, timings: MatchTimings) -> Iterator[tuple[TimedMove, ...]]:
    """Put each measured time to its move.

    A card that was the only legal one is played without asking, and moves that the referee made
    have no time.

    Raises:
        ValueError: there are more or fewer times than decisions, so they are not of this record.
    """
    times = [iter(seat.decisions_us) for seat in timings.seats]
    for deal in record.deals:
        state = _begun(deal, record.rules)
        by_referee = {each.move_index for each in deal.referee_moves}
        moves: list[TimedMove] = []
        for index, move in enumerate(moves_of(deal, record.rules)):
            seat = state.turn
            assert seat is not None
            time_us = None
            if index not in by_referee and len(state.legal_moves()) > 1:
                time_us = next(times[seat], None)
                if time_us is None:
                    raise ValueError(f"seat {seat} has fewer times than decisions")
            moves.append(_timed(move, seat, len(moves), state, time_us))
            state.apply(move)
        yield tuple(moves)
    if any(next(each, None) is not None for each in times):
        raise ValueError("there are more times than decisions")


def moves_of(deal: PlayedDeal, rules: RuleSet) -> tuple[Move, ...]:
    """List a deal's moves in order: calls, in Tarneeb the naming of trump, plays."""
    named: tuple[Move, ...] = ()
    if deal.trump is not None and rules.game is Game.TARNEEB:
        named = (NameTrump(deal.trump),)
    return (*deal.calls, *named, *deal.plays)


def _begun(deal: PlayedDeal, rules: RuleSet) -> Deal:
    return start_deal(rules, dealer=deal.dealer, hands=deal.hands)


def _bids(deal: PlayedDeal, rules: RuleSet) -> Iterator[tuple[int, int]]:
    seats = declaring_seats(deal, rules)
    bids = [call.level for call in deal.calls if isinstance(call, Bid)]
    # One declarer has the last bid; in Syrian 41 each of the four calls is a bid.
    yield from zip(seats, bids[-len(seats) :], strict=True)


def _tricks_of(seat: int, tricks: tuple[int, int, int, int], rules: RuleSet) -> int:
    if rules.game is Game.SYRIAN41:
        return tricks[seat]
    return sum(taken for each, taken in enumerate(tricks) if team_of(each) == team_of(seat))


def _timed(move: Move, seat: int, place: int, state: Deal, time_us: int | None) -> TimedMove:
    trump = None if state.trump is None else int(state.trump)
    if state.phase is Phase.PLAY and isinstance(move, Card):
        return TimedMove(seat, MoveKind.CARD, len(state.plays), int(move), time_us, trump)
    if isinstance(move, NameTrump):
        return TimedMove(seat, MoveKind.TRUMP, 0, int(move.suit), time_us, trump)
    level = move.level if isinstance(move, Bid) else 0
    return TimedMove(seat, MoveKind.CALL, place, level, time_us, trump)
