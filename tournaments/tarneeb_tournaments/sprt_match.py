"""A sequential test as a match of two bots that ends when enough is known."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Final, Protocol

from tarneeb_tournaments.config import TournamentConfig
from tarneeb_tournaments.pairs import PairResult, pair_result
from tarneeb_tournaments.results import (
    MatchRow,
    Results,
    Settings,
    TournamentInfo,
)
from tarneeb_tournaments.runner import HalfPlayer, PlayHalf, Progress, RunSetup
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.seeds import new_tournament, public_seed
from tarneeb_tournaments.sprt import Decision, SprtSettings, SprtState, sprt_state
from tarneeb_tournaments.stats.pair_inputs import sprt_outcomes
from tarneeb_tournaments.store.base import Store

NEW: Final = "e1"
"""The id of the bot that is tested; its base is e2."""

SECTION: Final = "sprt"

FIRST_CHUNK: Final = 16
MAX_CHUNK: Final = 256
"""Boards of one session. The first ones are few, since much may be known early; later ones are
many, since bots start anew in each session."""

LOOK_EVERY_S: Final = 0.5
"""The state is worked out this often at most; when somebody looks changes no result."""


class OnState(Protocol):
    """Hears how far a test is."""

    def __call__(self, state: SprtState, /, *, boards: int, due: int) -> None: ...


def new_test(config: TournamentConfig, settings: SprtSettings) -> TournamentInfo:
    """Fix what a test's deals depend on; what is tested is a part of it."""
    info = new_tournament(config)
    all_settings = {**info.settings, SECTION: asdict(settings)}
    return replace(
        info, settings=all_settings, public_seed=public_seed(all_settings, info.entrants)
    )


def is_test(settings: Settings) -> bool:
    """Tell whether results are those of a sequential test."""
    return SECTION in settings


def settings_of_test(settings: Settings) -> SprtSettings:
    """Read what is tested from the settings of a test.

    Raises:
        ValueError: they are not those of a test.
    """
    try:
        found = SprtSettings(**{key: float(value or 0) for key, value in settings[SECTION].items()})
    except (KeyError, TypeError) as error:
        raise ValueError(f"no settings of a test: {error}") from error
    reason = found.verify()
    if reason is not None:
        raise ValueError(reason)
    return found


def boards_in_order(results: Results) -> list[PairResult]:
    """List the boards of a test up to the first one that is not finished."""
    boards = _Boards()
    for match in results.matches:
        boards.add(match)
    return boards.finished


def state_of(results: Results) -> SprtState:
    """Work out how far a test is, from its boards in schedule order."""
    outcomes = sprt_outcomes(boards_in_order(results), new=NEW)
    return sprt_state(settings_of_test(results.info.settings), outcomes)


class _Boards:
    """Joins halves into boards; `finished` grows in schedule order, whatever ends first."""

    def __init__(self) -> None:
        self.finished: list[PairResult] = []
        self._rows: dict[tuple[int, int], MatchRow] = {}

    def add(self, match: MatchRow) -> None:
        self._rows[match.board, match.half] = match
        while True:
            board = len(self.finished) + 1
            halves = [self._rows.get((board, half)) for half in (1, 2)]
            if halves[0] is None or halves[1] is None:
                return
            self.finished.append(pair_result(halves[0], halves[1]))

    def lacks(self, board: int, half: int) -> bool:
        return (board, half) not in self._rows


class SprtConduct:
    """Plays boards in chunks until the test has ended; in the form of `run_tournament`."""

    def __init__(self, settings: SprtSettings, *, on_state: OnState) -> None:
        self._settings = settings
        self._on_state = on_state

    def __call__(
        self, store: Store, *, setup: RunSetup, play: PlayHalf, progress: Progress
    ) -> Coroutine[Any, Any, None]:
        test = _Test(self._settings, store.read(), on_state=self._on_state)
        halves = HalfPlayer(store, setup=setup, play=play, progress=progress, on_kept=test.kept)
        return test.run(halves)


class _Test:
    def __init__(self, settings: SprtSettings, results: Results, *, on_state: OnState) -> None:
        (row,) = results.pairings
        self._settings = settings
        self._on_state = on_state
        self._pairing: Pairing = row.pairing
        self._due = results.info.boards
        self._boards = _Boards()
        for match in results.matches:
            self._boards.add(match)
        self._known = asyncio.Event()
        self._looked_at = 0.0

    async def run(self, halves: HalfPlayer) -> None:
        """Play until it is known, or the last board is played."""
        chunk = FIRST_CHUNK
        self._look()
        while not self._known.is_set() and self._played < self._due:
            last = min(self._due, self._played + chunk)
            await self._until_known(self._play_chunk(halves, range(self._played + 1, last + 1)))
            self._look()
            chunk = min(MAX_CHUNK, 2 * chunk)

    @property
    def _played(self) -> int:
        return len(self._boards.finished)

    def _look(self) -> None:
        """See how far the test is; when it has ended nothing is new."""
        if self._known.is_set():
            return
        outcomes = sprt_outcomes(self._boards.finished, new=NEW)
        state = sprt_state(self._settings, outcomes)
        self._on_state(state, boards=self._played, due=self._due)
        if state.decision is not Decision.GO_ON:
            self._known.set()
        self._looked_at = time.monotonic()

    async def _until_known(self, work: Coroutine[Any, Any, None]) -> None:
        """Play, and stop the bots as soon as the test has ended."""
        task = asyncio.create_task(work)
        known = asyncio.create_task(self._known.wait())
        try:
            await asyncio.wait({task, known}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            known.cancel()
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        if not task.cancelled():
            task.result()

    async def _play_chunk(self, halves: HalfPlayer, boards: range) -> None:
        for half in (1, 2):
            await halves.play(self._pairing, half, partial(self._lacking, boards, half))

    def _lacking(self, boards: range, half: int) -> tuple[int, ...]:
        return tuple(each for each in boards if self._boards.lacks(each, half))

    def kept(self, row: MatchRow) -> None:
        """Count a match that is kept for good, and now and then see how far the test is."""
        before = self._played
        self._boards.add(row)
        if self._played > before and time.monotonic() - self._looked_at >= LOOK_EVERY_S:
            self._look()
