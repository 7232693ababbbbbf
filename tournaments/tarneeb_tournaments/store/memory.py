"""Results that live as long as the program."""

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import assert_never

from tarneeb_referee.faults import FaultKind
from tarneeb_tournaments.results import (
    TOLD_LAG_S,
    EntrantTimes,
    Entry,
    FaultRow,
    LagBesideTimeOuts,
    MatchKey,
    PairingRow,
    PairingStep,
    Results,
    SessionRow,
    StoredMatch,
    Suspension,
    TournamentInfo,
    Withdrawal,
)
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.stats.behaviour import Behaviour
from tarneeb_tournaments.store.base import StoreError


class MemoryStore:
    """A store without a file, for quick matches and for tests."""

    def __init__(
        self, info: TournamentInfo, pairings: Iterable[Pairing], *, is_final: bool = True
    ) -> None:
        """Begin a tournament.

        Args:
            info: what is fixed.
            pairings: the first ones.
            is_final: no others come.
        """
        self._info = info
        self._pairings: dict[tuple[int, int], PairingRow] = {}
        self._steps: list[PairingStep] = []
        self._keep_step(PairingStep(round=1, pairings=tuple(pairings), is_final=is_final))
        self._matches: dict[MatchKey, StoredMatch] = {}
        self._sessions: list[SessionRow] = []
        self._lock = threading.Lock()

    @property
    def sessions(self) -> tuple[SessionRow, ...]:
        return tuple(self._sessions)

    @property
    def faults(self) -> tuple[FaultRow, ...]:
        """All of them, in schedule order."""
        with self._lock:
            return tuple(
                fault for key in sorted(self._matches) for fault in self._matches[key].faults
            )

    def record(self, key: MatchKey) -> bytes:
        """Give a match's record.

        Raises:
            KeyError: it has no result.
        """
        return self._matches[key].record

    def read(self) -> Results:
        with self._lock:
            matches = [self._matches[key] for key in sorted(self._matches)]
            faults = ((fault.entrant, fault.kind) for each in matches for fault in each.faults)
            incidents = (
                (seat.entrant, kind)
                for session in self._sessions
                for seat in session.seats
                for kind, _ in seat.incidents
            )
            return Results(
                info=self._info,
                pairings=tuple(row for _, row in sorted(self._pairings.items())),
                matches=tuple(each.row for each in matches),
                faults=count_kinds(faults),
                incidents=count_kinds(incidents),
                times=_times(matches),
                steps=tuple(self._steps),
                behaviour=_behaviour(matches),
                time_spread=_time_spread(matches),
                lags=_lags(matches, self._sessions),
            )

    def submit(self, entry: Entry) -> Future[None]:
        done: Future[None] = Future()
        try:
            with self._lock:
                self._keep(entry)
        except StoreError as error:
            done.set_exception(error)
        else:
            done.set_result(None)
        return done

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _keep(self, entry: Entry) -> None:
        match entry:
            case StoredMatch():
                if entry.row.key in self._matches:
                    raise StoreError(f"{entry.row.key} already has a result")
                self._matches[entry.row.key] = entry
            case SessionRow():
                self._sessions.append(entry)
            case Suspension(entrant=entrant, pairings=places):
                for place in places:
                    row = self._pairings[place]
                    marked = tuple(sorted({*row.suspended, entrant}))
                    self._pairings[place] = replace(row, suspended=marked)
            case Withdrawal():
                self._withdraw(entry)
            case PairingStep():
                self._keep_step(entry)
            case _:
                assert_never(entry)

    def _keep_step(self, step: PairingStep) -> None:
        self._steps.append(step)
        self._pairings.update((each.place, PairingRow(each)) for each in step.pairings)

    def _withdraw(self, entry: Withdrawal) -> None:
        entrants = tuple(
            replace(each, last_round=entry.last_round) if each.id == entry.entrant else each
            for each in self._info.entrants
        )
        self._info = replace(self._info, entrants=entrants)
        for place in entry.pairings:
            row = self._pairings[place]
            marked = tuple(sorted({*row.withdrawn, entry.entrant}))
            self._pairings[place] = replace(row, withdrawn=marked)


def count_kinds(faults: Iterable[tuple[str, str]]) -> Mapping[str, Mapping[str, int]]:
    """Count (entrant, kind) pairs: by entrant, then by kind."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for entrant, kind in faults:
        counted[entrant][kind] += 1
    return {entrant: dict(sorted(kinds.items())) for entrant, kinds in sorted(counted.items())}


def _times(matches: Iterable[StoredMatch]) -> Mapping[str, EntrantTimes]:
    sums: dict[str, EntrantTimes] = {}
    for match in matches:
        for seat in match.times:
            before = sums.get(seat.entrant, EntrantTimes())
            sums[seat.entrant] = EntrantTimes(
                decisions=before.decisions + seat.decisions,
                total_us=before.total_us + seat.total_us,
                max_us=max(before.max_us, seat.max_us),
                timed_out=before.timed_out + seat.timed_out,
                late=before.late + seat.late,
            )
    return sums


def _behaviour(matches: Iterable[StoredMatch]) -> Mapping[str, Behaviour]:
    sums: dict[str, Behaviour] = defaultdict(Behaviour)
    for match in matches:
        for entrant, behaviour in match.behaviour.items():
            sums[entrant].add(behaviour)
    return dict(sorted(sums.items()))


def _time_spread(matches: Iterable[StoredMatch]) -> Mapping[str, Mapping[int, int]]:
    sums: dict[str, Counter[int]] = defaultdict(Counter)
    for match in matches:
        for entrant, counts in match.time_spread.items():
            sums[entrant].update(counts)
    return dict(sorted(sums.items()))


def _lags(
    matches: Iterable[StoredMatch], sessions: Iterable[SessionRow]
) -> Mapping[str, LagBesideTimeOuts]:
    longest: dict[tuple[int, int, int], float] = defaultdict(float)
    for session in sessions:
        half = (session.round, session.pairing, session.half)
        longest[half] = max(longest[half], session.max_stall_s)
    found: dict[str, LagBesideTimeOuts] = {}
    for match in matches:
        lag_s = longest[match.row.round, match.row.pairing, match.row.half]
        if lag_s <= TOLD_LAG_S:
            continue
        for fault in match.faults:
            if fault.kind == FaultKind.TIME_OUT.value:
                before = found.get(fault.entrant, LagBesideTimeOuts())
                found[fault.entrant] = LagBesideTimeOuts(
                    before.time_outs + 1, max(before.max_s, lag_s)
                )
    return dict(sorted(found.items()))
