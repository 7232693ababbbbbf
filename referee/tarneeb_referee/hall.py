"""The tables of a session: which boards are played, and what the tables' commands do to the seats.

An exception at a table makes its match void, as a fault of ours, and touches no other.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from tarneeb_referee.commands import BoardVoid, MatchFinished
from tarneeb_referee.faults import Fault, RefereeRaised, absence, blame
from tarneeb_referee.outcome import MatchOutcome, MatchTimings, VoidMatch
from tarneeb_referee.record import Ending, MatchRecord
from tarneeb_referee.sealed import Sealed
from tarneeb_referee.seat import Presence
from tarneeb_referee.table import Table
from tarneeb_referee.table_commands import Ask, Finish, Place, Tell, TellAll, Withdraw

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarneeb_referee.deals import DealSource, Hands
    from tarneeb_referee.faults import BotFault, OurFault
    from tarneeb_referee.plan import HalfPlan
    from tarneeb_referee.seat import SeatState
    from tarneeb_referee.settings import MatchSettings
    from tarneeb_referee.table_commands import Command
    from tarneeb_sdk.game import Team

STARTS_AN_EVENT = 8
"""Boards begun in a row. A board that nobody is left to play is over as soon as it is begun; other
sessions must get their turn in between."""


class Hall:
    """All tables of one session.

    Attributes:
        hold: begin no board for now.
        events: finished and void boards since they were last fetched.
    """

    def __init__(
        self,
        plan: HalfPlan,
        *,
        settings: MatchSettings,
        deals: DealSource,
        seats: tuple[SeatState, ...],
    ) -> None:
        self.hold = False
        self.events: list[MatchFinished | BoardVoid] = []
        self._plan = plan
        self._settings = settings
        self._deals = deals
        self._seats = seats
        self._to_begin = list(reversed(plan.boards))
        self._live: dict[int, Table] = {}
        self._sealed = Sealed(settings.time.tempo_quantum_s)

    @property
    def done(self) -> bool:
        """Whether no board is being played or still to be begun."""
        return not self._live and not self._to_begin and not self._sealed

    @property
    def release_due_ns(self) -> int | None:
        """When `release` has something to do; None if nothing is kept back."""
        return self._sealed.due_ns

    @property
    def live(self) -> tuple[Table, ...]:
        """The tables where a match is being played."""
        return tuple(self._live.values())

    def find(self, table_id: int) -> Table | None:
        """Find a table where a match is being played."""
        return self._live.get(table_id)

    # Boards.

    def fill(self, now_ns: int) -> None:
        """Begin boards while tables are free."""
        for _ in range(STARTS_AN_EVENT):
            if self.hold or not self._to_begin or self._taken >= self._plan.tables:
                return
            self._begin(self._to_begin.pop(), now_ns)

    @property
    def _taken(self) -> int:
        # A new board would tell others when the last one ended.
        return len(self._live) + sum(not self.find(each) for each in self._sealed.tables)

    def _begin(self, board: int, now_ns: int) -> None:
        plan = self._plan
        at = {"round_": plan.round_, "pairing": plan.pairing, "board": board}
        table = Table(
            Place(plan.round_, plan.pairing, plan.half, board, plan.entrants),
            table_id=self._deals.table_id(half=plan.half, **at),
            settings=self._settings,
            first_dealer=self._deals.first_dealer(**at),
            deal_hands=partial(self._hands, board),
        )
        assert table.table_id not in self._live, "two boards drew one table id"
        self._live[table.table_id] = table
        for state in self._seats:
            if state.presence is Presence.GONE:
                if state.gone is None:
                    table.leave_empty(state.seat)
                else:
                    table.given_up(state.seat, absence(state.gone))
        self.run(table, table.start, now_ns)

    def _hands(self, board: int, deal_number: int, redeal_number: int) -> Hands:
        return self._deals.deal(
            round_=self._plan.round_,
            pairing=self._plan.pairing,
            board=board,
            deal_number=deal_number,
            redeal_number=redeal_number,
        )

    def forfeit_all(self, failed: dict[int, BotFault]) -> None:
        """Book every board against the teams whose bots were never ready.

        Args:
            failed: by seat, what went wrong; at least one.
        """
        plan = self._plan
        teams = {seat % 2 for seat in failed}
        winner: Team | None = None if len(teams) == 2 else 1 - teams.pop()
        faults = tuple(
            Fault(verdict.kind, seat, 0, 0, verdict.detail)
            for seat, verdict in sorted(failed.items())
        )
        while self._to_begin:
            record = MatchRecord(
                rules=self._settings.rules,
                round_=plan.round_,
                pairing=plan.pairing,
                board=self._to_begin.pop(),
                half=plan.half,
                entrants=plan.entrants,
                deals=(),
                scores=(0,) * self._settings.rules.num_scores,
                winner=winner,
                ending=Ending.FORFEIT,
                faults=faults,
                autopilot_from=(0, 0, 0, 0),
            )
            self.events.append(MatchFinished(MatchOutcome(record, MatchTimings())))

    def void_all(self, fault: OurFault, now_ns: int) -> None:
        """Give up every board that has no outcome yet."""
        for table in self.live:
            self._void(table, fault, now_ns)
        while self._to_begin:
            self.events.append(BoardVoid(VoidMatch(self._to_begin.pop(), fault)))

    # Tables.

    def run(
        self,
        table: Table,
        event: Callable[[], list[Command]],
        now_ns: int,
        *,
        elapsed_ns: int | None = None,
    ) -> None:
        """Let an event happen at a table and obey what follows from it.

        Args:
            table: where it happens.
            event: what happens.
            now_ns: when.
            elapsed_ns: if it is an answer, how long that took.
        """
        try:
            commands = event()
            if commands and isinstance(commands[-1], Finish):
                # Nobody sees this one, and the record of a match that is over must not change.
                self._obey(table, commands.pop(), now_ns)
            if not self._sealed.keep(table, commands, elapsed_ns=elapsed_ns, now_ns=now_ns):
                self._obey_all(table, commands, now_ns)
        except Exception as error:  # noqa: BLE001  # the fence: this match is void, no other
            fault = blame(RefereeRaised(f"{type(error).__name__}: {error}"))
            self._void(table, fault, now_ns, error)

    def release(self, now_ns: int) -> None:
        """Let others see what was kept back until now."""
        for sealed in self._sealed.take_due(now_ns):
            self._obey_all(sealed.table, sealed.commands, now_ns)

    def _obey_all(self, table: Table, commands: list[Command], now_ns: int) -> None:
        for command in commands:
            self._obey(table, command, now_ns)

    def _obey(self, table: Table, command: Command, now_ns: int) -> None:
        match command:
            case Ask(seat, turn, allowance_ns):
                self._seats[seat].ask(turn, allowance_ns, table, now_ns)
            case TellAll(notice):
                for state in self._seats:
                    state.tell(notice, now_ns)
            case Tell(seat, notice):
                self._seats[seat].tell(notice, now_ns, urgent=True)
            case Withdraw(seat, turn_id):
                self._seats[seat].withdraw(turn_id, now_ns)
            case Finish():
                outcome = MatchOutcome(table.record(), table.timings())
                del self._live[table.table_id]
                self.events.append(MatchFinished(outcome))
            case _:
                assert_never(command)

    def _void(
        self, table: Table, fault: OurFault, now_ns: int, error: Exception | None = None
    ) -> None:
        self._live.pop(table.table_id, None)
        self._sealed.drop(table)
        for state in self._seats:
            for waiting in state.turns():
                if waiting.payload is table:
                    state.withdraw(waiting.turn_id, now_ns)
        self.events.append(BoardVoid(VoidMatch(table.place.board, fault), error))
