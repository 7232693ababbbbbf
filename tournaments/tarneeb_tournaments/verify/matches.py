"""One match: its record, and everything that is stored beside it because it follows from it."""

from dataclasses import dataclass
from typing import Final

from tarneeb_referee.outcome import MatchOutcome, MatchTimings
from tarneeb_referee.record import Ending, MatchRecord, RefereeMoveReason
from tarneeb_referee.record_bytes import (
    record_from_bytes,
    record_to_bytes,
    timings_from_bytes,
    timings_to_bytes,
)
from tarneeb_referee.settings import Limits
from tarneeb_sdk.errors import MalformedError
from tarneeb_sdk.game import SEATS, RuleSet
from tarneeb_tournaments.chain import record_hash
from tarneeb_tournaments.outcomes import stored_match
from tarneeb_tournaments.results import MatchKey, MatchRow, StoredMatch
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.blame import check_faults, check_forfeit
from tarneeb_tournaments.verify.dealing import Dealing
from tarneeb_tournaments.verify.finding import DisprovedError, Where
from tarneeb_tournaments.verify.reading import FoundMatch, where_of
from tarneeb_tournaments.verify.replay import Replayed, replay_match

# In a record: at most what a played and a cancelled deal take, and faults with all else.
_PLAYED_BYTES: Final = 1_024
_CANCELLED_BYTES: Final = 128
_OTHER_BYTES: Final = 1 << 22


@dataclass(frozen=True, slots=True)
class MatchChecker:
    """Checks matches of one tournament, in schedule order."""

    rules: RuleSet
    limits: Limits
    dealing: Dealing

    @property
    def max_bytes(self) -> int:
        """Longer than any record, or its times: to read a forged one takes fifty times as much."""
        rules = self.rules
        deal_bytes = _PLAYED_BYTES + rules.max_cancelled * _CANCELLED_BYTES
        return rules.max_deals * deal_bytes + _OTHER_BYTES

    def check(self, found: FoundMatch, pairing: Pairing) -> tuple[StoredMatch, MatchRecord]:
        """Check one match.

        Returns:
            What follows from its record and times, and the record.

        Raises:
            DisprovedError: something is wrong.
        """
        where = where_of(found.row.key)
        if max(len(found.record), len(found.timings)) > self.max_bytes:
            raise DisprovedError(
                where, f"the record or its times have over {self.max_bytes:,} bytes"
            )
        if found.record_sha256 != record_hash(found.record):
            raise DisprovedError(where, "the record does not have the hash that its row carries")
        record = self._record(found, where)
        self._check_place(record, found.row, pairing, where)
        timings = _timings(found, where)
        if record.ending is Ending.FORFEIT:
            check_forfeit(record, where)
            _check_no_times(timings, where)
        else:
            replayed = replay_match(record, where)
            self.dealing.check(record, where)
            check_faults(record, replayed, self.limits, where)
            _check_times(timings, replayed, where)
        due = stored_match(MatchOutcome(record, timings))
        _check_stored(found, due, where)
        return due, record

    def _record(self, found: FoundMatch, where: Where) -> MatchRecord:
        try:
            record = record_from_bytes(found.record)
            canonical = record_to_bytes(record)
        except (MalformedError, ValueError) as error:
            raise DisprovedError(where, f"the record can't be read: {printable(error)}") from error
        if canonical != found.record:
            raise DisprovedError(where, "the record holds what does not belong in it")
        return record

    def _check_place(
        self, record: MatchRecord, row: MatchRow, pairing: Pairing, where: Where
    ) -> None:
        place = (record.round_, record.pairing, record.board, record.half)
        if place != row.key:
            raise DisprovedError(where, f"the record is that of {where_of(MatchKey(*place))}")
        seats = pairing.seats(record.half)
        if record.entrants != seats:
            raise DisprovedError(
                where, f"played by {_list(record.entrants)}; it must be {_list(seats)}"
            )
        if record.rules != self.rules:
            raise DisprovedError(where, "played by other rules than the tournament's")


def _timings(found: FoundMatch, where: Where) -> MatchTimings:
    try:
        timings = timings_from_bytes(found.timings)
    except (MalformedError, ValueError) as error:
        raise DisprovedError(where, f"the times can't be read: {printable(error)}") from error
    if timings_to_bytes(timings) != found.timings:
        raise DisprovedError(where, "the times hold what does not belong in them")
    return timings


def _check_no_times(timings: MatchTimings, where: Where) -> None:
    if any(seat.decisions_us or seat.timed_out for seat in timings.seats):
        raise DisprovedError(where, "a forfeit with times of decisions")


def _check_times(timings: MatchTimings, replayed: Replayed, where: Where) -> None:
    if len(timings.seats) != len(SEATS):
        raise DisprovedError(where, f"times of {len(timings.seats)} seats")
    for seat, (times, decisions) in enumerate(zip(timings.seats, replayed.decisions, strict=True)):
        if len(times.decisions_us) != decisions:
            raise DisprovedError(
                where,
                f"{len(times.decisions_us)} times for {decisions} decisions of seat {seat}",
            )
        lapsed = sum(
            reason is RefereeMoveReason.TIME and replayed.turns[deal - 1][move - 1] == seat
            for (deal, move), reason in replayed.reasons.items()
        )
        if times.timed_out != lapsed:
            raise DisprovedError(
                where, f"{times.timed_out} time-outs of seat {seat} are counted, not {lapsed}"
            )


def _check_stored(found: FoundMatch, due: StoredMatch, where: Where) -> None:
    for name, stored, follows in zip(MatchRow._fields, found.row, due.row, strict=True):
        if stored != follows or isinstance(stored, float):
            raise DisprovedError(
                where, f"{name} is {printable(repr(stored))}; by the record it is {follows!r}"
            )
    if found.faults != due.faults:
        raise DisprovedError(where, "the faults are not those of the record")
    if found.times != due.times:
        raise DisprovedError(where, "the sums of times are not those of the times")


def _list(entrants: tuple[str, ...]) -> str:
    return printable(", ".join(entrants))
