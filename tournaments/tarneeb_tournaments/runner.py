"""Plays what a tournament still has to play; the order in which matches end decides nothing."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from tarneeb_referee.faults import OurFault, OurFaultKind
from tarneeb_referee.outcome import HalfReport, MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_sdk.errors import HarnessError
from tarneeb_tournaments.agenda import Agenda
from tarneeb_tournaments.keeping import Keeping
from tarneeb_tournaments.outcomes import session_row, stored_match
from tarneeb_tournaments.results import Entry, MatchKey, MatchRow, PairingRow, StoredMatch
from tarneeb_tournaments.rounds import next_step, rounds_expected, settled_result, settled_results
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.store.base import Store
from tarneeb_tournaments.text import counted

MAX_TRIES: Final = 3
"""Sessions in a row that leave a board without a result, by a fault of ours, before we give up."""

RETRY_PAUSE_S: Final = 1.0

TOLD_STALL_S: Final = 1.0
"""The referee's own delays are told of at the end if they come to this."""

OnMatch = Callable[[MatchOutcome], Coroutine[Any, Any, None]]


class PlayHalf(Protocol):
    """Plays one half of a pairing; `tarneeb_referee.run.play_half` with all but these bound."""

    def __call__(self, plan: HalfPlan, *, on_match: OnMatch) -> Coroutine[Any, Any, HalfReport]: ...


class Progress(Protocol):
    """Hears how a run goes on; it never decides anything."""

    def advance(self, *, stored: int, due: int) -> None:
        """Hear how many matches have a result, of how many: at the start, and with each one."""
        ...

    def note(self, text: str) -> None:
        """Hear one line that a person may want to read."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSetup:
    """What a run needs beside the store.

    Attributes:
        bots: by entrant.
        tables: how many matches of a half of this pairing are played at once.
        pairings: how many pairings are played at once.
        retry_pause_s: before a half is tried again.
    """

    bots: Mapping[str, BotHandle]
    tables: Callable[[Pairing], int]
    pairings: int = 1
    retry_pause_s: float = RETRY_PAUSE_S


class Conduct(Protocol):
    """Plays what a store still lacks, in the form of `run_tournament`."""

    def __call__(
        self, store: Store, *, setup: RunSetup, play: PlayHalf, progress: Progress
    ) -> Coroutine[Any, Any, None]: ...


class HalfPlayer:
    """Plays halves of pairings until each of their boards has a result, and keeps what comes of it.

    Attributes:
        stalled_s: by how much the referee itself was late so far.
    """

    def __init__(
        self,
        store: Store,
        *,
        setup: RunSetup,
        play: PlayHalf,
        progress: Progress,
        on_kept: Callable[[MatchRow], None],
    ) -> None:
        """Take what all halves have in common; `on_kept` hears each match that is kept for good."""
        self.stalled_s = 0.0
        self._store = store
        self._setup = setup
        self._play = play
        self._progress = progress
        self._on_kept = on_kept

    async def play(
        self, pairing: Pairing, half: int, boards_left: Callable[[], tuple[int, ...]]
    ) -> None:
        """Play in as many sessions as it takes.

        Args:
            pairing: who plays.
            half: 1 or 2.
            boards_left: gives the boards that have no result yet.

        Raises:
            HarnessError: boards have none after `MAX_TRIES` sessions, or can't be kept.
        """
        why = "no result was handed over"
        for tried in range(MAX_TRIES):
            boards = boards_left()
            if not boards:
                return
            if tried:
                self._progress.note(
                    f"{_describe(pairing, half)}: {why}; our fault, so "
                    f"{len(boards)} of its matches are played again"
                )
                await asyncio.sleep(self._setup.retry_pause_s)
            report = await self._play_session(self._plan(pairing, half, boards))
            if report.voids:
                why = told_fault(report.voids[0].fault)
        if boards_left():
            raise HarnessError(
                f"{_describe(pairing, half)}: no result after {MAX_TRIES} tries, by a fault of "
                f"ours: {why}"
            )

    async def _play_session(self, plan: HalfPlan) -> HalfReport:
        """Play a half once, and return when all that came of it is stored."""
        keeping = Keeping(self._store, on_kept=self._kept)

        async def on_match(outcome: MatchOutcome) -> None:
            await keeping.put(stored_match(outcome))

        report = await keeping.unless_it_fails(self._play(plan, on_match=on_match))
        await keeping.put(session_row(plan, report))
        await keeping.drain()
        self.stalled_s += report.lag.total_s
        return report

    def _kept(self, entry: Entry) -> None:
        if isinstance(entry, StoredMatch):
            self._on_kept(entry.row)

    def _plan(self, pairing: Pairing, half: int, boards: tuple[int, ...]) -> HalfPlan:
        first, second, third, fourth = (
            self._setup.bots[entrant] for entrant in pairing.seats(half)
        )
        return HalfPlan(
            round_=pairing.round,
            pairing=pairing.number,
            half=half,
            boards=boards,
            seats=(first, second, third, fourth),
            tables=min(self._setup.tables(pairing), len(boards)),
        )


async def run_tournament(
    store: Store, *, setup: RunSetup, play: PlayHalf, progress: Progress
) -> None:
    """Play every match that has no result yet, until all have one.

    Cancelling it stops all bots; no result of an unfinished match is kept.

    Raises:
        HarnessError: we failed: the store, or the same half in `MAX_TRIES` sessions. What has
            been stored until then stays, and a later run goes on from there.
    """
    await _Run(store, setup=setup, play=play, progress=progress).run()


class _Run:
    def __init__(
        self, store: Store, *, setup: RunSetup, play: PlayHalf, progress: Progress
    ) -> None:
        results = store.read()
        self._store = store
        self._at_once = setup.pairings
        self._halves = HalfPlayer(
            store, setup=setup, play=play, progress=progress, on_kept=self._kept
        )
        self._progress = progress
        self._info = results.info
        self._boards = results.info.boards
        self._agenda = Agenda(results)
        self._is_paired_out = results.is_paired_out
        # What later rounds follow from; nothing, if there are none.
        self._results = [] if self._is_paired_out else list(settled_results(results))
        self._pairing_rows = {row.pairing.place: row for row in results.pairings}
        # Of pairings that are not settled: what is kept does not grow with matches played.
        self._rows = {row.key: row for row in results.matches}
        self._stored = len(results.matches)
        self._played = {row.pairing.place for row in results.pairings if row.is_played}
        self._expected = self._pairings_to_come()
        self._names = {each.id: each.name for each in results.info.entrants}

    async def run(self) -> None:
        self._advance()
        await self._keep_suspensions()
        await self._play_pairings()
        while not self._is_paired_out:
            await self._pair_next()
            await self._play_pairings()
        if self._halves.stalled_s >= TOLD_STALL_S:
            self._progress.note(
                f"the referee itself was late by {self._halves.stalled_s:.1f} s in all; no bot was "
                "charged for it"
            )

    async def _pair_next(self) -> None:
        """Make and keep the pairings that follow from the results so far."""
        # In a thread: a thousand entrants take a while.
        step = await asyncio.to_thread(
            next_step, self._info, tuple(self._results), suspended=self._agenda.suspended
        )
        await asyncio.wrap_future(self._store.submit(step))
        self._is_paired_out = step.is_final
        if self._is_paired_out and not step.pairings and self._expected:
            # It ends before it was expected to.
            self._expected = 0
            self._advance()
        rows = {each.place: PairingRow(each) for each in step.pairings}
        self._pairing_rows.update(rows)
        self._results += [settled_result(self._info, row, ()) for row in _byes(rows.values())]
        self._played |= {place for place, row in rows.items() if row.is_played}
        self._agenda.add(step.pairings)
        self._expected = self._pairings_to_come()
        if step.pairings:
            met = sum(row.is_played for row in rows.values())
            self._progress.note(f"round {step.round}: {counted(met, 'pairing')}")
            self._advance()

    async def _play_pairings(self) -> None:
        """Play all pairings that were made."""
        running: dict[asyncio.Task[None], Pairing] = {}
        try:
            while not self._agenda.is_finished:
                while len(running) < self._at_once and (pairing := self._agenda.take()):
                    running[asyncio.create_task(self._play_pairing(pairing))] = pairing
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                # In schedule order, so that of two failures at once the same one is told.
                for task in sorted(done, key=lambda each: running[each].place):
                    pairing = running.pop(task)
                    task.result()
                    self._settle(pairing)
                await self._keep_suspensions()
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _settle(self, pairing: Pairing) -> None:
        matches = self._take_rows(pairing)
        self._agenda.settle(pairing, matches)
        if not self._is_paired_out:
            row = self._pairing_rows[pairing.place]
            self._results.append(settled_result(self._info, row, matches))

    async def _play_pairing(self, pairing: Pairing) -> None:
        for half in (1, 2):
            await self._halves.play(pairing, half, partial(self._boards_left, pairing, half))

    def _kept(self, row: MatchRow) -> None:
        """Count a match, now that it is kept for good."""
        self._rows[row.key] = row
        self._stored += 1
        self._advance()

    async def _keep_suspensions(self) -> None:
        for suspension in self._agenda.take_suspensions():
            await asyncio.wrap_future(self._store.submit(suspension))
            name = self._names[suspension.entrant]
            left_out = len(suspension.pairings)
            self._progress.note(
                f"{name} is suspended: its remaining pairings are not played ({left_out})"
                if left_out
                else f"{name} is suspended, after its last pairing: it is not rated"
            )
            self._played -= set(suspension.pairings)
            self._advance()

    def _boards_left(self, pairing: Pairing, half: int) -> tuple[int, ...]:
        return tuple(
            board
            for board in range(1, self._boards + 1)
            if MatchKey(pairing.round, pairing.number, board, half) not in self._rows
        )

    def _advance(self) -> None:
        pairings = len(self._played) + self._expected
        self._progress.advance(stored=self._stored, due=2 * self._boards * pairings)

    def _pairings_to_come(self) -> int:
        """Estimate how many pairings are still to be made, from the last round that was."""
        if self._is_paired_out:
            return 0
        last = max(round_ for round_, _ in self._pairing_rows)
        made = sum(
            round_ == last and row.is_played for (round_, _), row in self._pairing_rows.items()
        )
        return made * max(0, rounds_expected(self._info) - last)

    def _take_rows(self, pairing: Pairing) -> list[MatchRow]:
        return [
            self._rows.pop(MatchKey(pairing.round, pairing.number, board, half))
            for board in range(1, self._boards + 1)
            for half in (1, 2)
        ]


def _byes(rows: Iterable[PairingRow]) -> list[PairingRow]:
    return [row for row in rows if row.pairing.is_bye]


def told_fault(fault: OurFault) -> str:
    """Say what we did wrong, without what may tell of a board that is to be played again.

    The text of an error can name cards: an illegal move names the legal ones. All of it is kept
    with the session, in a file that nobody but its owner can read.
    """
    detail = fault.detail
    if fault.kind is OurFaultKind.REFEREE_ERROR:
        detail = f"{detail.partition(':')[0]}, as told in the results file (session.voids)"
    return f"{fault.kind.value}: {detail}"


def _describe(pairing: Pairing, half: int) -> str:
    return f"round {pairing.round}, pairing {pairing.number}, half {half}"
