"""What the pairing of a Swiss round must know of each entrant, from the results so far."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tarneeb_tournaments.schedule.base import PairingResult, last_round


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant who is to be paired.

    Attributes:
        entrant: the id.
        half_points: twice the score, so that it is a whole number.
        board_points: the sum over all boards.
        meetings: how often each other entrant was met.
        byes: how many so far.
        side_balance: how many times more often first than second.
        floats: for the last round, and the one before it: 1 if the opponent's score was higher,
            -1 if it was lower or there was a bye, else 0.
    """

    entrant: str
    half_points: int
    board_points: float
    meetings: Mapping[str, int]
    byes: int
    side_balance: int
    floats: tuple[int, int]


@dataclass(slots=True)
class _Tally:
    """An entry while the results are being counted."""

    half_points: int = 0
    board_points: float = 0.0
    byes: int = 0
    side_balance: int = 0


def ranked_entries(
    entrants: Sequence[str], results: Sequence[PairingResult], *, absent: AbstractSet[str]
) -> tuple[Entry, ...]:
    """Rank those who are present: by score, then board points, then the order of the draw."""
    tallies = {entrant: _Tally() for entrant in entrants}
    meetings: dict[str, Counter[str]] = {entrant: Counter() for entrant in entrants}
    floats: dict[str, dict[int, int]] = {entrant: {} for entrant in entrants}
    for result in sorted(results, key=lambda one: (one.pairing.round, one.pairing.number)):
        _note_floats(result, tallies, floats)
        # Scores of a round are added when the whole round has been looked at: nobody is in two
        # pairings of one round, so the order within a round does not matter.
        _count(result, tallies, meetings)
    last = last_round(results)
    entries = [
        Entry(
            entrant=entrant,
            half_points=tally.half_points,
            board_points=tally.board_points,
            meetings=meetings[entrant],
            byes=tally.byes,
            side_balance=tally.side_balance,
            floats=(floats[entrant].get(last, 0), floats[entrant].get(last - 1, 0)),
        )
        for entrant, tally in tallies.items()
        if entrant not in absent
    ]
    # Sorting is stable: equal entries stay in the order of the draw.
    entries.sort(key=lambda entry: (-entry.half_points, -entry.board_points))
    return tuple(entries)


def _note_floats(
    result: PairingResult,
    tallies: Mapping[str, _Tally],
    floats: Mapping[str, dict[int, int]],
) -> None:
    pairing = result.pairing
    if pairing.second is None:
        floats[pairing.first][pairing.round] = -1
        return
    gap = tallies[pairing.second].half_points - tallies[pairing.first].half_points
    sign = (gap > 0) - (gap < 0)
    floats[pairing.first][pairing.round] = sign
    floats[pairing.second][pairing.round] = -sign


def _count(
    result: PairingResult,
    tallies: Mapping[str, _Tally],
    meetings: Mapping[str, Counter[str]],
) -> None:
    pairing = result.pairing
    first = tallies[pairing.first]
    first.half_points += round(2 * result.points[0])
    if pairing.second is None:
        first.byes += 1
        return
    second = tallies[pairing.second]
    second.half_points += round(2 * result.points[1])
    # Who was to meet and did not (one had left) has not met, but has been paired.
    meetings[pairing.first][pairing.second] += 1
    meetings[pairing.second][pairing.first] += 1
    first.side_balance += 1
    second.side_balance -= 1
    if result.boards is not None:
        first.board_points += result.boards[0]
        second.board_points += result.boards[1]
