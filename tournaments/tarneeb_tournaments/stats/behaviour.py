"""How entrants bid and score: counts that add up over deals, and the figures that follow."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Contract(NamedTuple):
    """What a seat promised and what became of it.

    Attributes:
        seat: the declarer; in Syrian 41 each seat declares.
        bid: 7 to 13, or 2 to 13 in Syrian 41.
        tricks: of the declaring team; of the seat itself in Syrian 41.
    """

    seat: int
    bid: int
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSummary:
    """A scored deal, with what its figures need.

    Attributes:
        entrants: ids by seat; in a pair event partners are the same.
        contracts: one, or four in Syrian 41.
        points: what the deal scored, by team, or by seat in Syrian 41.
    """

    entrants: tuple[str, str, str, str]
    contracts: tuple[Contract, ...]
    points: tuple[int, ...]

    @property
    def is_syrian(self) -> bool:
        return len(self.points) == 4


@dataclass(slots=True)
class LevelCount:
    """Contracts of one level: how many were bid, and how many of these were made."""

    bid: int = 0
    made: int = 0


@dataclass(slots=True)
class Behaviour:
    """What adds up for one entrant. Figures that can't be computed yet are None.

    Attributes:
        levels: contracts by the level of the bid.
        tricks_short: tricks that failed contracts lacked, in sum.
        tricks_over: tricks above the bid that contracts brought, in sum.
        declarer_deals: deals in which its side declared; in Syrian 41 every deal of each seat.
        declarer_points: own less the opponents' in these; in Syrian 41 the seat's own.
        defender_deals: deals in which the other side declared.
        defender_points: own less the opponents' in these.
        kaboots: contracts with all thirteen tricks [R-5.2, R-5.4]; so `kaboots_against` it.
    """

    levels: dict[int, LevelCount] = field(default_factory=dict)
    tricks_short: int = 0
    tricks_over: int = 0
    declarer_deals: int = 0
    declarer_points: int = 0
    defender_deals: int = 0
    defender_points: int = 0
    kaboots: int = 0
    kaboots_against: int = 0

    @property
    def contracts(self) -> int:
        return sum(level.bid for level in self.levels.values())

    @property
    def made_share(self) -> float | None:
        """Of its contracts, how many it made: 0 to 1."""
        return _ratio(sum(level.made for level in self.levels.values()), self.contracts)

    @property
    def overbid(self) -> float | None:
        """Tricks that a contract lacks, on average over all contracts; made ones lack none."""
        return _ratio(self.tricks_short, self.contracts)

    @property
    def underbid(self) -> float | None:
        """Tricks above the bid, on average over all contracts; failed ones have none."""
        return _ratio(self.tricks_over, self.contracts)

    @property
    def points_as_declarer(self) -> float | None:
        """Own less the opponents' points a deal; in Syrian 41 own points."""
        return _ratio(self.declarer_points, self.declarer_deals)

    @property
    def points_as_defender(self) -> float | None:
        """Own less the opponents' points a deal; None in Syrian 41, where all declare."""
        return _ratio(self.defender_points, self.defender_deals)

    def add(self, other: "Behaviour") -> None:
        """Add the counts of other deals, so that matches can be counted once and kept."""
        for level, count in other.levels.items():
            mine = self.levels.setdefault(level, LevelCount())
            mine.bid += count.bid
            mine.made += count.made
        self.tricks_short += other.tricks_short
        self.tricks_over += other.tricks_over
        self.declarer_deals += other.declarer_deals
        self.declarer_points += other.declarer_points
        self.defender_deals += other.defender_deals
        self.defender_points += other.defender_points
        self.kaboots += other.kaboots
        self.kaboots_against += other.kaboots_against


def behaviour_of(deals: Iterable[DealSummary]) -> Mapping[str, Behaviour]:
    """Count the scored deals of every entrant; cancelled deals have no place here."""
    counted: dict[str, Behaviour] = {}
    for deal in deals:
        of_seat = [counted.setdefault(entrant, Behaviour()) for entrant in deal.entrants]
        for contract in deal.contracts:
            _count_contract(of_seat[contract.seat], contract)
        if deal.is_syrian:
            for behaviour, points in zip(of_seat, deal.points, strict=True):
                behaviour.declarer_deals += 1
                behaviour.declarer_points += points
        else:
            _count_sides(deal, counted)
    return counted


def _count_contract(behaviour: Behaviour, contract: Contract) -> None:
    level = behaviour.levels.setdefault(contract.bid, LevelCount())
    level.bid += 1
    level.made += contract.tricks >= contract.bid
    behaviour.tricks_short += max(0, contract.bid - contract.tricks)
    behaviour.tricks_over += max(0, contract.tricks - contract.bid)


def _count_sides(deal: DealSummary, counted: Mapping[str, Behaviour]) -> None:
    (contract,) = deal.contracts
    declaring = contract.seat % 2
    for team in (0, 1):
        lead = deal.points[team] - deal.points[1 - team]
        # In a pair event both seats are one entrant, whose deal counts once.
        for entrant in {deal.entrants[team], deal.entrants[team + 2]}:
            behaviour = counted[entrant]
            kaboot = contract.tricks == 13
            if team == declaring:
                behaviour.declarer_deals += 1
                behaviour.declarer_points += lead
                behaviour.kaboots += kaboot
            else:
                behaviour.defender_deals += 1
                behaviour.defender_points += lead
                behaviour.kaboots_against += kaboot


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
