"""Does the time that a seat takes tell its partner something?

Partners share nothing but the table, yet a bot could think long to say "I hold the ace". So times
are compared with what the partner plays next. Honest bots show some relation too, since both look
at the same position. Two things are done against that: moves are compared only with moves at the
same stage of a deal, and the relation to the *opponents'* next moves is reported beside, who see
the same times and positions and have no reason to listen. A tempo well above that of the opponents
asks for a look; by itself it is no proof.

The relation is Spearman's rank correlation within stages. Times are heavy-tailed and stages differ,
so only their order within a stage counts. Of several properties of a move the one most related is
reported, and its p-value allows for the choice.

Sources: C. Spearman (1904) for the ranks; J. Hajek, Z. Sidak and P. K. Sen, "Theory of Rank Tests"
(1999), for their variance under chance, which adds up over strata.
"""

import enum
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import special

Floats = np.ndarray[Any, np.dtype[np.float64]]


class MoveKind(enum.Enum):
    """What was decided."""

    CALL = "call"
    TRUMP = "trump"
    CARD = "card"


class TimedMove(NamedTuple):
    """A move of a deal.

    Attributes:
        seat: 0 to 3.
        stage: which of the deal's moves of this kind may be compared: for a card how many were
            played before it, for a call how many moves were made before it.
        value: of a call its level, 0 for a pass; of a trump its suit; of a card 13 * suit + rank.
        time_us: how long the seat took; None if it was not asked, or ran out of time.
        trump: the trump suit; None before it is named.
    """

    seat: int
    kind: MoveKind
    stage: int
    value: int
    time_us: int | None
    trump: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """How times go with the moves that follow.

    Attributes:
        correlation: of the property most related, -1 to 1.
        moved: the name of that property.
        p_value: how often chance alone would show one at least as strong, 0 to 1.
        count: of times compared.
    """

    correlation: float
    moved: str
    p_value: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tempo:
    """The relation to the partner's next move, and to the next opponent's for comparison.

    None where there is too little to compare.
    """

    partner: Relation | None
    opponent: Relation | None


# What a move may be about. A pass and a high bid, a low card and a trump: each is a number.
_PROPERTIES: Final[Mapping[MoveKind, tuple[str, ...]]] = {
    MoveKind.CALL: ("level",),
    MoveKind.TRUMP: ("clubs", "diamonds", "hearts", "spades"),
    MoveKind.CARD: ("rank", "trump", "clubs", "diamonds", "hearts", "spades"),
}
_NAMES: Final = ("level", "rank", "trump", "clubs", "diamonds", "hearts", "spades")

# Fewer say nothing.
_MIN_COUNT: Final = 30


def tempo_of(deals: Iterable[Sequence[TimedMove]], seats: Iterable[int]) -> Tempo:
    """Compare times of some seats with their partners' and opponents' next moves.

    Args:
        deals: each its moves in order, of all seats.
        seats: whose times: of one entrant, both of its seats.
    """
    wanted = frozenset(seats)
    to_partner = _Relations()
    to_opponent = _Relations()
    for moves in deals:
        for place, move in enumerate(moves):
            if move.seat not in wanted or move.time_us is None:
                continue
            for relations, seat in (
                (to_partner, (move.seat + 2) % 4),
                (to_opponent, (move.seat + 1) % 4),
            ):
                answer = next((each for each in moves[place + 1 :] if each.seat == seat), None)
                if answer is not None:
                    relations.add(move, answer)
    return Tempo(partner=to_partner.strongest(), opponent=to_opponent.strongest())


class _Relations:
    """Times and the moves after them, by stratum."""

    def __init__(self) -> None:
        self._times: dict[tuple[object, ...], list[int]] = defaultdict(list)
        self._answers: dict[tuple[object, ...], list[TimedMove]] = defaultdict(list)
        self._count = 0

    def add(self, move: TimedMove, answer: TimedMove) -> None:
        assert move.time_us is not None
        stratum = (move.kind, move.stage, answer.kind, answer.stage)
        self._times[stratum].append(move.time_us)
        self._answers[stratum].append(answer)
        self._count += 1

    def strongest(self) -> Relation | None:
        """Find the property most related to times."""
        if self._count < _MIN_COUNT:
            return None
        products = dict.fromkeys(_NAMES, 0.0)
        chance = dict.fromkeys(_NAMES, 0.0)
        scale = dict.fromkeys(_NAMES, 0.0)
        for stratum, times in self._times.items():
            if len(times) < 2:
                continue
            ranks = _centred_ranks(np.array(times, dtype=np.float64))
            spread = float(ranks @ ranks)
            for name, values in _properties(self._answers[stratum]).items():
                other = _centred_ranks(values)
                other_spread = float(other @ other)
                products[name] += float(ranks @ other) / len(times)
                chance[name] += spread * other_spread / (len(times) - 1) / len(times) ** 2
                scale[name] += math.sqrt(spread * other_spread) / len(times)
        tried = [name for name in _NAMES if chance[name] > 0]
        if not tried:
            return None
        surprise = {name: products[name] / math.sqrt(chance[name]) for name in tried}
        moved = max(tried, key=lambda name: abs(surprise[name]))
        alone = 2 * float(special.ndtr(-abs(surprise[moved])))
        return Relation(
            correlation=products[moved] / scale[moved],
            moved=moved,
            p_value=min(1.0, alone * len(tried)),
            count=self._count,
        )


def _properties(answers: Sequence[TimedMove]) -> Mapping[str, Floats]:
    kind = answers[0].kind
    rows = [_property_values(answer) for answer in answers]
    columns = np.array(rows, dtype=np.float64).T
    return dict(zip(_PROPERTIES[kind], columns, strict=True))


def _property_values(move: TimedMove) -> tuple[float, ...]:
    if move.kind is MoveKind.CALL:
        return (move.value,)
    if move.kind is MoveKind.TRUMP:
        return tuple(float(move.value == suit) for suit in range(4))
    suit, rank = divmod(move.value, 13)
    return (rank, float(suit == move.trump), *(float(suit == each) for each in range(4)))


def _centred_ranks(values: Floats) -> Floats:
    """Rank, equal values sharing the mean of their ranks, and subtract the mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    centred: Floats = (ends - (counts - 1) / 2)[inverse] - (len(values) + 1) / 2
    return centred
