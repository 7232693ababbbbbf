"""The tempo of each entrant: from records, and for people and programs."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tarneeb_referee.outcome import MatchTimings
from tarneeb_referee.record import MatchRecord
from tarneeb_tournaments.standings import Standings
from tarneeb_tournaments.stats.record_inputs import timed_deals
from tarneeb_tournaments.stats.tempo import Relation, Tempo, TimedMove, tempo_of


def tempo_by_entrant(matches: Iterable[tuple[MatchRecord, MatchTimings]]) -> Mapping[str, Tempo]:
    """Compare every entrant's times with its partners' next moves.

    Args:
        matches: in schedule order; those without a deal are passed over.
    """
    deals: dict[str, list[tuple[TimedMove, ...]]] = defaultdict(list)
    is_pair_event = True
    for record, timings in matches:
        if not record.deals:
            continue
        first, second, *partners = record.entrants
        is_pair_event = is_pair_event and [first, second] == partners
        found = tuple(timed_deals(record, timings))
        for seat in range(2 if is_pair_event else 4):
            # As if it sat in seat 0, with its partner in seat 2.
            deals[record.entrants[seat]] += [_turned(moves, seat) for moves in found]
    seats = (0, 2) if is_pair_event else (0,)
    return {entrant: tempo_of(deals[entrant], seats) for entrant in sorted(deals)}


def tempo_values(standings: Standings, entrant: str) -> dict[str, object]:
    """Give an entrant's tempo as plain values; nothing if tempo was not asked for."""
    if standings.tempo is None:
        return {}
    tempo = standings.tempo.get(entrant, Tempo(partner=None, opponent=None))
    return {"tempo": {"partner": _values(tempo.partner), "opponent": _values(tempo.opponent)}}


def tempo_lines(standings: Standings) -> Iterator[str]:
    """Write a line for each entrant, if tempo was asked for."""
    if standings.tempo is None:
        return
    for row in standings.rows:
        tempo = standings.tempo.get(row.entrant.id)
        if tempo is None or tempo.partner is None:
            yield f"{row.entrant.name}: tempo: too little to compare"
            continue
        beside = "" if tempo.opponent is None else f"; to opponents {_text(tempo.opponent)}"
        yield (
            f"{row.entrant.name}: tempo to partners {_text(tempo.partner)}{beside}; "
            f"{tempo.partner.count:,} times"
        )


def _text(relation: Relation) -> str:
    return f"{relation.correlation:+.3f} ({relation.moved}, p {relation.p_value:.2g})"


def _values(relation: Relation | None) -> dict[str, object] | None:
    if relation is None:
        return None
    return {
        "correlation": round(relation.correlation, 6),
        "moved": relation.moved,
        "p_value": round(relation.p_value, 6),
        "count": relation.count,
    }


def _turned(moves: Iterable[TimedMove], seat: int) -> tuple[TimedMove, ...]:
    return tuple(move._replace(seat=(move.seat - seat) % 4) for move in moves)
