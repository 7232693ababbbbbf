"""What is kept of a tournament, as values: rows that the store holds and standings are made from."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.stats.behaviour import Behaviour

Setting = str | int | float | bool | None
Settings = Mapping[str, Mapping[str, Setting]]

FORFEIT = "forfeit"


class MatchKey(NamedTuple):
    """Which match: unique in a tournament, and sorting in schedule order.

    Attributes:
        round: from 1.
        pairing: its number in the round, from 1.
        board: from 1.
        half: 1 or 2; teams are swapped in the second.
    """

    round: int
    pairing: int
    board: int
    half: int


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """An entrant as it was when the tournament began.

    Attributes:
        digest: SHA-256 of the bot's files, in hex.
        last_round: after which it has withdrawn; None if it has not.
    """

    id: str
    name: str
    bot_name: str
    bot_version: str
    digest: str
    last_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentInfo:
    """What is fixed before round 1.

    Attributes:
        settings: every setting that can change a result, by section and key.
        public_seed: hex; see `seeds.public_seed`.
        secret: 32 bytes, for nobody but the referee until the last match is over.
    """

    name: str
    settings: Settings
    entrants: tuple[EntrantRow, ...]
    public_seed: str
    secret: bytes = field(repr=False)

    @property
    def secret_sha256(self) -> str:
        """The commitment to the secret that is published before round 1, in hex."""
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def boards(self) -> int:
        boards = self.settings["tournament"]["boards"]
        assert isinstance(boards, int)
        return boards


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing, and whether it is left out.

    Attributes:
        suspended: ids of its entrants that were suspended before it began; it is not played.
        withdrawn: ids of its entrants that had withdrawn before it; it is not played either.
    """

    pairing: Pairing
    suspended: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()

    @property
    def is_played(self) -> bool:
        return not self.pairing.is_bye and not self.suspended and not self.withdrawn


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingStep:
    """Pairings that were made at one time: all of a schedule, or a round.

    Attributes:
        round: the first of their rounds; the one after the last, if there are none.
        pairings: none at the end of a schedule whose end is known only then.
        suspended: ids of who was suspended until then, and so not to be paired.
        withdrawn: ids of who had withdrawn.
        is_final: no pairings come after these.
    """

    round: int
    pairings: tuple[Pairing, ...] = field(repr=False)
    suspended: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    is_final: bool

    @property
    def absent(self) -> frozenset[str]:
        return frozenset((*self.suspended, *self.withdrawn))


class MatchRow(NamedTuple):
    """A finished match in short. All of it follows from the match's record.

    Flat, as it lies in the results file: standings read tens of thousands. What ends in 0 is of
    team 0, what ends in 1 of team 1.

    Attributes:
        team0: the entrant's id; so `team1`. In an individual event, of who sits in seats 0 and 1.
        score0: final; in Syrian 41 the sum of both seats.
        winner: 0, 1, or None for a draw or a forfeit by both.
        ending: why it ended, as `Ending` of the record spells it.
        deals: how many were scored.
        bids0: contracts bid; in Syrian 41 declarations.
        made0: how many of these were made.
        autopilots: seats on autopilot at the end: bit n for seat n.
        absent: seats that never became ready; 0 unless the match was forfeited.
        partner0: in an individual event, the id of who sits in seat 2; so `partner1` in seat 3.
    """

    round: int
    pairing: int
    board: int
    half: int
    team0: str
    team1: str
    score0: int
    score1: int
    winner: int | None
    ending: str
    deals: int
    bids0: int
    bids1: int
    made0: int
    made1: int
    autopilots: int = 0
    absent: int = 0
    partner0: str | None = None
    partner1: str | None = None

    @property
    def key(self) -> MatchKey:
        return MatchKey(*self[:4])

    @property
    def entrants(self) -> tuple[str, str]:
        return self.team0, self.team1

    @property
    def seats(self) -> tuple[str, str, str, str]:
        """The entrants by seat."""
        return (
            self.team0,
            self.team1,
            self.partner0 or self.team0,
            self.partner1 or self.team1,
        )

    @property
    def sides(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The entrants of team 0 and of team 1: one each, or two in an individual event."""
        if self.partner0 is None or self.partner1 is None:
            return (self.team0,), (self.team1,)
        return (self.team0, self.partner0), (self.team1, self.partner1)

    def is_on_autopilot(self, entrant: str) -> bool:
        """Tell whether a seat of this entrant was on autopilot at the end."""
        return self._is_marked(entrant, self.autopilots)

    def is_absent(self, entrant: str) -> bool:
        """Tell whether a seat of this entrant never became ready."""
        if self.partner0 is None:
            return self.forfeited[self.entrants.index(entrant)]
        return self._is_marked(entrant, self.absent)

    def _is_marked(self, entrant: str, mask: int) -> bool:
        return bool(mask) and any(
            mask >> seat & 1 and each == entrant for seat, each in enumerate(self.seats)
        )

    @property
    def forfeited(self) -> tuple[bool, bool]:
        """Which teams never became ready."""
        if self.ending != FORFEIT:
            return (False, False)
        return (self.winner != 0, self.winner != 1)


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One misdeed in a match.

    Attributes:
        number: its place among the match's faults, from 1.
    """

    key: MatchKey
    number: int
    entrant: str
    seat: int
    kind: str
    deal: int
    move_index: int
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTimes:
    """What was measured of one seat in one match, in microseconds."""

    seat: int
    entrant: str
    decisions: int = 0
    total_us: int = 0
    max_us: int = 0
    timed_out: int = 0
    late: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMatch:
    """A finished match with all that is stored of it in one transaction.

    Attributes:
        record: the `tarneeb.v1.MatchRecord`, serialized.
        timings: the `tarneeb.v1.MatchTimings`, serialized; measured, so not the same in two runs.
        times: the same in short, by seat.
        behaviour: how each of its entrants bid and scored; it follows from the record.
        time_spread: by entrant, how many decisions took so long, see `time_spread.step_of`.
    """

    row: MatchRow
    record: bytes = field(repr=False)
    timings: bytes = field(default=b"", repr=False)
    faults: tuple[FaultRow, ...] = ()
    times: tuple[SeatTimes, ...] = ()
    behaviour: Mapping[str, Behaviour] = field(default_factory=dict)
    time_spread: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProcessLog:
    """The head and the tail of what one process wrote."""

    stdout: bytes = field(default=b"", repr=False)
    stderr: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSession:
    """How a bot fared in a session, beside what its matches tell.

    Attributes:
        start_s: until it was ready; None if it never was.
        exit: how its last process ended, in words; None if nobody saw it.
        cpu_s: the processor time of its last process.
        peak_memory_bytes: the most memory that this process held at once.
        gone: the kind of fault and the detail for which it was given up; None if it was not.
        incidents: kind and detail of each misdeed that belongs to no match.
        logs: of its last processes, the latest last.
    """

    seat: int
    entrant: str
    start_s: float | None = None
    restarts: int = 0
    exit: str | None = None
    cpu_s: float | None = None
    peak_memory_bytes: int | None = None
    gone: tuple[str, str] | None = None
    incidents: tuple[tuple[str, str], ...] = ()
    late: int = 0
    strays: int = 0
    logs: tuple[ProcessLog, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One attempt to play one half of a pairing; measured, so not the same in two runs.

    Attributes:
        voids: for each board without a result its number and why.
        stalls: how often the referee itself was late, and for how long.
    """

    round: int
    pairing: int
    half: int
    seats: tuple[SeatSession, ...]
    voids: tuple[tuple[int, str], ...] = ()
    stalls: int = 0
    stalled_s: float = 0.0
    max_stall_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Suspension:
    """The pairings of an entrant that are not played any more.

    Attributes:
        pairings: (round, number) of each.
    """

    entrant: str
    pairings: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An entrant that leaves by its owner's wish, with its pairings that are not played.

    Attributes:
        last_round: the last one that it takes part in, from 1.
        pairings: (round, number) of each that was made for a later round.
    """

    entrant: str
    last_round: int
    pairings: tuple[tuple[int, int], ...]


Entry = StoredMatch | SessionRow | Suspension | Withdrawal | PairingStep
"""What a store takes in, each in one transaction."""


@dataclass(frozen=True, slots=True)
class EntrantTimes:
    """Times of one entrant, summed over all its seats and matches, in microseconds."""

    decisions: int = 0
    total_us: int = 0
    max_us: int = 0
    timed_out: int = 0
    late: int = 0


@dataclass(frozen=True, kw_only=True)
class Results:
    """All that a results file holds at one moment, but for records and logs.

    Attributes:
        pairings: in schedule order, byes included.
        matches: in schedule order.
        faults: by entrant and kind, how many in matches.
        incidents: by entrant and kind, how many between matches.
        times: by entrant.
        steps: in the order in which pairings were made.
        behaviour: by entrant.
        time_spread: by entrant, see `StoredMatch`.
    """

    info: TournamentInfo
    pairings: tuple[PairingRow, ...]
    matches: tuple[MatchRow, ...]
    faults: Mapping[str, Mapping[str, int]]
    incidents: Mapping[str, Mapping[str, int]]
    times: Mapping[str, EntrantTimes]
    steps: tuple[PairingStep, ...] = ()
    behaviour: Mapping[str, Behaviour] = field(default_factory=dict)
    time_spread: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @cached_property
    def matches_due(self) -> int:
        """How many matches the whole tournament has, as far as is known now."""
        return 2 * self.info.boards * sum(row.is_played for row in self.pairings)

    @property
    def is_paired_out(self) -> bool:
        """Whether all pairings are made, and no round is to come."""
        return not self.steps or self.steps[-1].is_final

    @property
    def is_finished(self) -> bool:
        """Whether everything is played, and no round is to come."""
        return self.is_paired_out and len(self.matches) == self.matches_due
