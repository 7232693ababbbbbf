"""The referee's own tables with bots that are functions: real records, in no time."""

import asyncio
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import BotFault, Fault, FaultKind, MoveWasRefused, absence
from tarneeb_referee.hosts.memory import memory_bot
from tarneeb_referee.outcome import HalfReport, MatchOutcome, MatchTimings, SeatReport
from tarneeb_referee.plan import HalfPlan
from tarneeb_referee.record import Ending, MatchRecord
from tarneeb_referee.settings import MatchSettings
from tarneeb_referee.table import Table
from tarneeb_referee.table_commands import Place
from tarneeb_sdk.game import PASS, Card, Move, SeatView, rule_set
from tarneeb_sdk.messages import Turn
from tarneeb_tournaments.config import Entrant, TournamentConfig
from tarneeb_tournaments.results import Results
from tarneeb_tournaments.rounds import first_pairings
from tarneeb_tournaments.runner import OnMatch, run_tournament
from tarneeb_tournaments.schedule import ScheduleSettings
from tarneeb_tournaments.seeds import new_tournament
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results
from tests.tournaments.kit.fake_play import HeardProgress, setup
from tests.tournaments.kit.made_up import SECRET


class StoppedError(Exception):
    """The run was to stop here."""


def draw(*name: object) -> int:
    return int.from_bytes(hashlib.sha256(repr(name).encode()).digest()[:6], "big")


Misdeed = Callable[[Table, int], None]
"""What a bot does instead of an answer, with the number of its turns before."""


def time_out(table: Table, _: int) -> None:
    table.timed_out()


def wrong_card(table: Table, number: int) -> None:
    """Send a card that is not legal, once or until the referee moves."""
    turn = table.turn
    assert turn is not None
    illegal = next(card for card in map(Card, range(52)) if card not in turn.view.legal)
    table.refused_move(illegal)
    while number % 2 and table.turn is turn:
        table.refused_move(illegal)


def nonsense(table: Table, number: int) -> None:
    """Send what is no move, once or until the referee moves."""
    turn = table.turn
    table.refused(MoveWasRefused("no move at all", malformed=True))
    while number % 2 and table.turn is turn:
        table.refused(MoveWasRefused("no move at all", malformed=True))


def crash(table: Table, _: int) -> None:
    assert table.waits_for is not None
    table.struck(table.waits_for, BotFault(FaultKind.CRASH, "exited with status 3"))


def flood(table: Table, _: int) -> None:
    seat = table.waits_for
    assert seat is not None
    verdict = BotFault(FaultKind.FLOODING, "more than 1000 answers")
    table.struck(seat, verdict)
    table.given_up(seat, absence(verdict))


@dataclass
class TablePlay:
    """Plays halves at real tables, in the form of `play_half`.

    Attributes:
        settings: how it is refereed.
        deals: where cards come from.
        absent: entrants that never become ready.
        misdeeds: by entrant, what it does, and at which share of its turns, in percent.
        timid: entrants that pass, or bid as low as they can.
        stop_after: so many matches, then `StoppedError`.
    """

    settings: MatchSettings
    deals: DealSource
    absent: Collection[str] = ()
    misdeeds: Mapping[str, tuple[Misdeed, int]] = field(default_factory=dict)
    timid: Collection[str] = ()
    stop_after: int | None = None
    ended: int = 0

    async def __call__(self, plan: HalfPlan, *, on_match: OnMatch) -> HalfReport:
        for board in plan.boards:
            if self.ended == self.stop_after:
                self.ended += 1
                raise StoppedError
            if self.stop_after is not None and self.ended > self.stop_after:
                await asyncio.Event().wait()
            self.ended += 1
            await on_match(self._outcome(plan, board))
            await asyncio.sleep(0)
        return HalfReport(seats=tuple(SeatReport(entrant_id=each) for each in plan.entrants))

    def _outcome(self, plan: HalfPlan, board: int) -> MatchOutcome:
        missing = [seat for seat, each in enumerate(plan.entrants) if each in self.absent]
        if missing:
            return self._forfeit(plan, board, missing)
        at = {"round_": plan.round_, "pairing": plan.pairing, "board": board}

        def hands(deal_number: int, redeal_number: int) -> object:
            return self.deals.deal(**at, deal_number=deal_number, redeal_number=redeal_number)

        table = Table(
            Place(plan.round_, plan.pairing, plan.half, board, plan.entrants),
            table_id=self.deals.table_id(half=plan.half, **at),
            settings=self.settings,
            first_dealer=self.deals.first_dealer(**at),
            deal_hands=hands,  # type: ignore[arg-type]
        )
        table.start()
        turns = 0
        while table.waits_for is not None:
            assert table.turn is not None
            self._turn(table, plan.entrants[table.waits_for], table.turn, turns)
            turns += 1
        return MatchOutcome(table.record(), table.timings())

    def _turn(self, table: Table, entrant: str, turn: Turn, number: int) -> None:
        dice = draw(entrant, turn.turn_id, number)
        misdeed, share = self.misdeeds.get(entrant, (time_out, 0))
        if dice % 100 < share:
            misdeed(table, number)
        else:
            table.answered(self._move(entrant, turn.view, dice), 1000 * (100 + dice % 900))

    def _move(self, entrant: str, view: SeatView, dice: int) -> Move:
        if PASS in view.legal and (entrant in self.timid or dice % 7 < 4):
            return PASS
        if entrant in self.timid:
            return view.legal[0]
        return view.legal[dice // 1000 % len(view.legal)]

    def _forfeit(self, plan: HalfPlan, board: int, missing: Sequence[int]) -> MatchOutcome:
        teams = {seat % 2 for seat in missing}
        record = MatchRecord(
            rules=self.settings.rules,
            round_=plan.round_,
            pairing=plan.pairing,
            board=board,
            half=plan.half,
            entrants=plan.entrants,
            deals=(),
            scores=(0,) * self.settings.rules.num_scores,
            winner=None if len(teams) == 2 else 1 - teams.pop(),
            ending=Ending.FORFEIT,
            faults=tuple(
                Fault(FaultKind.NEVER_READY, seat, 0, 0, "did not become ready") for seat in missing
            ),
            autopilot_from=(0, 0, 0, 0),
        )
        return MatchOutcome(record, MatchTimings())


def config(
    names: str = "ABCD",
    *,
    boards: int = 2,
    preset: str = "tarneeb",
    deals: int | None = 2,
    schedule: ScheduleSettings | None = None,
) -> TournamentConfig:
    """Make a tournament of bots that are nowhere."""
    return TournamentConfig(
        name="Cup",
        schedule={"schedule": "round-robin"} if schedule is None else schedule,
        boards=boards,
        settings=MatchSettings(rules=rule_set(preset, deals=deals)),
        entrants=tuple(
            Entrant(id=f"e{number}", name=name, bot=memory_bot(name))
            for number, name in enumerate(names, start=1)
        ),
    )


def play(
    path: Path,
    tournament: TournamentConfig,
    *,
    pairings: int = 1,
    make_play: Callable[[MatchSettings, DealSource], TablePlay] = TablePlay,
) -> Results:
    """Run a tournament to its end, or until it is stopped, or go on with it."""
    info = new_tournament(tournament, secret=SECRET)
    if path.exists():
        store = SqliteStore(path)
    else:
        made, is_final = first_pairings(info)
        store = SqliteStore.create(path, info, made, is_final=is_final)
    player = make_play(tournament.settings, DealSource(info.secret, info.public_seed))
    with closing(store), suppress(StoppedError):
        asyncio.run(
            run_tournament(
                store,
                setup=setup(info, pairings=pairings),
                play=player,
                progress=HeardProgress(),
            )
        )
    return read_results(path)


def with_(**options: object) -> Callable[[MatchSettings, DealSource], TablePlay]:
    """Give a maker of plays with options."""
    return partial(TablePlay, **options)  # type: ignore[arg-type]
