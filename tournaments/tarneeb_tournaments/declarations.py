"""Who has a contract to make in a deal, and whether it was made."""

from tarneeb_referee.record import PlayedDeal
from tarneeb_sdk.game import Game, Pass, RuleSet, Seat, callers, team_of


def declaring_seats(deal: PlayedDeal, rules: RuleSet) -> tuple[Seat, ...]:
    """Find who has a contract to make: the declarer [R-3.4], or all four seats [R-6.3]."""
    seats = callers(deal.calls, dealer=deal.dealer)
    if rules.game is Game.SYRIAN41:
        return seats
    bidders = [
        seat for seat, call in zip(seats, deal.calls, strict=True) if call.__class__ is not Pass
    ]
    return (bidders[-1],)


def is_made(deal: PlayedDeal, seat: Seat) -> bool:
    """Tell whether a declaring seat made its contract: else it loses points [R-5.3, R-6.6]."""
    points = deal.points
    return (points[seat] if len(points) == 4 else points[team_of(seat)]) > 0
