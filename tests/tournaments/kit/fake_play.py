"""A referee that plays nothing: its results follow from who meets whom on which board."""

import asyncio
import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from tarneeb_referee.faults import Fault, FaultKind, OurFault, OurFaultKind
from tarneeb_referee.hosts.memory import memory_bot
from tarneeb_referee.outcome import (
    HalfReport,
    MatchOutcome,
    MatchTimings,
    SeatReport,
    SeatTimings,
    VoidMatch,
)
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.record import Ending, MatchRecord
from tarneeb_sdk.game import rule_set
from tarneeb_tournaments.results import Results, TournamentInfo
from tarneeb_tournaments.rounds import first_pairings
from tarneeb_tournaments.runner import OnMatch, RunSetup, run_tournament
from tarneeb_tournaments.schedule import ScheduleSettings
from tarneeb_tournaments.store.base import Store
from tarneeb_tournaments.store.memory import MemoryStore
from tests.tournaments.kit import made_up

RULES = rule_set("tarneeb")

Place = tuple[int, int, int]


def digest(*name: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(name).encode()).digest()[:4], "big")


@dataclass
class FakePlay:
    """Plays halves in the form of `play_half`.

    Attributes:
        never_ready: entrants that forfeit every half.
        autopilot: entrants with, of so many boards, the first ones on autopilot.
        voids: for each half, the boards that each next session of it leaves void.
        pace: how many turns of the event loop to wait before a match ends.
        plans: every plan, in the order in which it was begun.
    """

    never_ready: Collection[str] = ()
    autopilot: dict[str, int] = field(default_factory=dict)
    voids: dict[Place, list[Collection[int]]] = field(default_factory=dict)
    pace: Callable[[HalfPlan, int], int] = lambda _plan, _board: 0
    stop_after: int | None = None
    plans: list[HalfPlan] = field(default_factory=list)
    now: int = 0
    most_at_once: int = 0
    ended: int = 0

    async def __call__(self, plan: HalfPlan, *, on_match: OnMatch) -> HalfReport:
        self.plans.append(plan)
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        try:
            return await self._play(plan, on_match)
        finally:
            self.now -= 1

    async def _play(self, plan: HalfPlan, on_match: OnMatch) -> HalfReport:
        waiting = self.voids.get((plan.round_, plan.pairing, plan.half))
        void = waiting.pop(0) if waiting else ()
        for board in plan.boards:
            for _ in range(self.pace(plan, board)):
                await asyncio.sleep(0)
            if self.stop_after is not None and self.ended >= self.stop_after:
                await asyncio.Event().wait()
            if board not in void:
                self.ended += 1
                await on_match(self._outcome(plan, board))
        fault = OurFault(OurFaultKind.REFEREE_ERROR, "ZeroDivisionError: division by zero")
        return HalfReport(
            seats=tuple(SeatReport(entrant_id=each) for each in plan.entrants),
            voids=tuple(VoidMatch(board, fault) for board in plan.boards if board in void),
        )

    def _outcome(self, plan: HalfPlan, board: int) -> MatchOutcome:
        teams = plan.entrants[:2]
        absent = [team in self.never_ready for team in teams]
        lost = digest(teams, plan.round_, plan.pairing, board) % 2
        low = digest(teams, board) % 41
        winner: int | None = 1 - lost
        scores = (41, low) if winner == 0 else (low, 41)
        if any(absent):
            winner = None if all(absent) else absent.index(False)
            scores = (0, 0)
        piloted = [board <= self.autopilot.get(each, 0) for each in plan.entrants]
        record = MatchRecord(
            rules=RULES,
            round_=plan.round_,
            pairing=plan.pairing,
            board=board,
            half=plan.half,
            entrants=plan.entrants,
            deals=(),
            scores=scores,
            winner=winner,
            ending=Ending.FORFEIT if any(absent) else Ending.TARGET,
            faults=tuple(
                Fault(FaultKind.NEVER_READY, seat, 0, 0, "not ready")
                for seat in range(4)
                if absent[seat % 2]
            ),
            autopilot_from=(int(piloted[0]), int(piloted[1]), int(piloted[2]), int(piloted[3])),
        )
        seats = (SeatTimings(decisions_us=(100,)),) * 4
        return MatchOutcome(record, MatchTimings(seats=seats))


@dataclass
class HeardProgress:
    """Progress that remembers what it heard."""

    counts: list[tuple[int, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def advance(self, *, stored: int, due: int) -> None:
        self.counts.append((stored, due))

    def note(self, text: str) -> None:
        self.notes.append(text)


def new_store(
    names: str = "ABCD", *, boards: int = 4, schedule: ScheduleSettings | None = None
) -> MemoryStore:
    info = made_up.info(names, boards=boards)
    if schedule is None:
        return MemoryStore(info, made_up.pairings(info))
    settings = {**info.settings, "tournament": {**info.settings["tournament"], **schedule}}
    info = replace(info, settings=settings)
    pairings, is_final = first_pairings(info)
    return MemoryStore(info, pairings, is_final=is_final)


def setup(info: TournamentInfo, *, pairings: int = 1, tables: int = 1) -> RunSetup:
    return RunSetup(
        bots={each.id: BotHandle(each.id, memory_bot(each.name)) for each in info.entrants},
        tables=lambda _: tables,
        pairings=pairings,
        retry_pause_s=0,
    )


async def run_async(
    store: Store,
    play: FakePlay,
    *,
    pairings: int = 1,
    tables: int = 1,
    progress: HeardProgress | None = None,
) -> None:
    info = store.read().info
    await run_tournament(
        store,
        setup=setup(info, pairings=pairings, tables=tables),
        play=play,
        progress=progress or HeardProgress(),
    )


def run(
    store: Store,
    play: FakePlay,
    *,
    pairings: int = 1,
    tables: int = 1,
    progress: HeardProgress | None = None,
) -> Results:
    """Run a tournament to its end."""
    asyncio.run(run_async(store, play, pairings=pairings, tables=tables, progress=progress))
    return store.read()
