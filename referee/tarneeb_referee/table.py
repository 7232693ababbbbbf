"""One match at one table, as a reducer: events in, commands out.

A table knows cards, strikes and banks. It knows no socket, no process and no time but the spans
that it is told; so every time-out, crash and forfeit can be tested as data.

After each event it plays on by itself, over cards that are the only legal ones, over the moves of
seats on autopilot and over the ends of deals, until it waits for a seat or the match is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tarneeb_referee.clock import NS_PER_S, Budget
from tarneeb_referee.deals import turn_id
from tarneeb_referee.faults import Fault, MoveWasRefused, TurnTimedOut, blame
from tarneeb_referee.outcome import MatchTimings, SeatTimings
from tarneeb_referee.record import (
    Ending,
    MatchRecord,
    PlayedDeal,
    RefereeMove,
    RefereeMoveReason,
)
from tarneeb_referee.table_commands import Ask, Command, Finish, Place, Tell, TellAll, Withdraw
from tarneeb_sdk.game import SEATS, Match, Phase, fallback_move, seat_view
from tarneeb_sdk.messages import (
    DealCancelled,
    DealScored,
    LapseReason,
    MatchOver,
    MoveRefused,
    Turn,
    TurnLapsed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tarneeb_referee.deals import Hands
    from tarneeb_referee.faults import BotFault
    from tarneeb_referee.settings import MatchSettings
    from tarneeb_sdk.game import Deal, Move, Seat

    DealHands = Callable[[int, int], Hands]

MAX_FAULTS = 64
"""So many faults of one seat in one match are told one by one; after that only those that cost a
strike. A bot that errs at every turn must not make its match's record grow without bound."""


class SeatAtTable:
    """What a table keeps of one seat during a match."""

    __slots__ = (
        "asked",
        "autopilot_from",
        "bank_ns",
        "decisions_ns",
        "faults",
        "late",
        "refused",
        "strikes",
        "timed_out",
    )

    def __init__(self, bank_ns: int) -> None:
        self.bank_ns = bank_ns
        self.strikes = 0
        # From which deal of the record on; 0 for never.
        self.autopilot_from = 0
        # Turns asked so far, and refused moves on the present one.
        self.asked = 0
        self.refused = 0
        self.faults = 0
        self.timed_out = 0
        self.late = 0
        self.decisions_ns: list[int] = []


class Table:
    """One match from its first deal to its end.

    Each event gives the commands that follow from it, in the order in which they must be obeyed.

    Attributes:
        table_id: by which the bots know the table.
        place: which match it is.
        waits_for: the seat that has been asked; None before the start and after the end.
        turn: what it has been asked.
        max_lag_ns: the longest lag of the referee's own during this match; the session keeps it.
    """

    __slots__ = (
        "_budget",
        "_deal_hands",
        "_deals",
        "_faults",
        "_limits",
        "_match",
        "_moves_made",
        "_numbers",
        "_referee_moves",
        "_seats",
        "max_lag_ns",
        "place",
        "table_id",
        "turn",
        "waits_for",
    )

    def __init__(
        self,
        place: Place,
        *,
        table_id: int,
        settings: MatchSettings,
        first_dealer: Seat,
        deal_hands: DealHands,
    ) -> None:
        """Set a table up; nothing is dealt before `start`.

        Args:
            place: which match it is.
            table_id: by which the bots know the table.
            settings: how it is refereed.
            first_dealer: who deals first.
            deal_hands: gives the hands of (deal number, redeal number).
        """
        self.place = place
        self.table_id = table_id
        self.waits_for: Seat | None = None
        self.turn: Turn | None = None
        self.max_lag_ns = 0
        self._limits = settings.limits
        self._budget = Budget.of(settings.time)
        self._match = Match(settings.rules, first_dealer=first_dealer)
        self._deal_hands = deal_hands
        bank_ns = round(settings.time.bank_s * NS_PER_S)
        self._seats = tuple(SeatAtTable(bank_ns) for _ in SEATS)
        self._deals: list[PlayedDeal] = []
        self._faults: list[Fault] = []
        # Of the deal in progress.
        self._numbers = (1, 0)
        self._moves_made = 0
        self._referee_moves: list[RefereeMove] = []

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._match.over

    # Events.

    def start(self) -> list[Command]:
        """Deal the first deal and ask the first seat."""
        return self._run_on([])

    def answered(self, move: Move, elapsed_ns: int) -> list[Command]:
        """Take the move of the seat that was asked; it must be one of the turn's legal moves.

        Args:
            move: the seat's own.
            elapsed_ns: how long it took.

        Raises:
            IllegalMoveError: it is not legal, and the table is as it was.
        """
        assert self.waits_for is not None, "nobody was asked"
        state = self._seats[self.waits_for]
        commands: list[Command] = []
        self._apply(move, commands)
        state.decisions_ns.append(elapsed_ns)
        state.bank_ns = self._budget.charge(state.bank_ns, elapsed_ns)
        return self._run_on(commands)

    def refused_move(self, move: Move) -> list[Command]:
        """Refuse a move of the seat that was asked, which is none of its legal moves."""
        deal = self._match.deal
        refusal = None if deal is None else deal.verify(move)
        assert refusal is not None, "the move is legal"
        return self.refused(MoveWasRefused(refusal.reason, malformed=False))

    def refused(self, evidence: MoveWasRefused) -> list[Command]:
        """Refuse an answer of the seat that was asked; after too many, move for it [R-7.1]."""
        seat, turn = self._asked()
        state = self._seats[seat]
        state.refused += 1
        left = max(0, self._limits.retries - state.refused)
        lost = left == 0
        self._note_fault(seat, blame(evidence), strike=lost)
        refusal = MoveRefused(
            self.table_id, turn.turn_id, evidence.reason, turn.view.legal, retries_left=left
        )
        commands: list[Command] = [Tell(seat, refusal)]
        if not lost:
            return commands
        self._lapse(LapseReason.REFUSED_MOVES, RefereeMoveReason.REFUSED_MOVES, commands)
        return self._run_on(commands)

    def timed_out(self) -> list[Command]:
        """Move for the seat that was asked: its time, and so its bank, has run out [R-7.2]."""
        seat, _ = self._asked()
        self._seats[seat].timed_out += 1
        self._seats[seat].bank_ns = 0
        self._note_fault(seat, blame(TurnTimedOut()), strike=True)
        commands: list[Command] = []
        self._lapse(LapseReason.TIME, RefereeMoveReason.TIME, commands)
        return self._run_on(commands)

    def struck(self, seat: Seat, verdict: BotFault) -> list[Command]:
        """Book a fault that is no lost turn, such as a crash, as a strike against a seat."""
        self._note_fault(seat, verdict, strike=True)
        return self._leave_to_autopilot(seat)

    def given_up(self, seat: Seat, verdict: BotFault) -> list[Command]:
        """Put a seat on autopilot for good: its bot does not come back."""
        self._note_fault(seat, verdict, strike=False)
        self._begin_autopilot(seat)
        return self._leave_to_autopilot(seat)

    def leave_empty(self, seat: Seat) -> None:
        """Put a seat on autopilot that has no bot at all, before the start."""
        self._begin_autopilot(seat)

    def came_late(self, seat: Seat) -> None:
        """Count an answer that came after its turn had lapsed."""
        self._seats[seat].late += 1

    # What is left of it.

    def record(self) -> MatchRecord:
        """Give the record of a match that is over."""
        end = self._match.end
        assert end is not None, "the match goes on"
        first, second, third, fourth = (state.autopilot_from for state in self._seats)
        return MatchRecord(
            rules=self._match.rules,
            round_=self.place.round_,
            pairing=self.place.pairing,
            board=self.place.board,
            half=self.place.half,
            entrants=self.place.entrants,
            deals=tuple(self._deals),
            scores=self._match.scores,
            winner=end.winner,
            ending=Ending[end.termination.name],
            faults=tuple(self._faults),
            autopilot_from=(first, second, third, fourth),
        )

    def timings(self) -> MatchTimings:
        """Give what was measured."""
        return MatchTimings(
            seats=tuple(
                SeatTimings(
                    decisions_us=tuple([each // 1000 for each in state.decisions_ns]),
                    bank_left_us=state.bank_ns // 1000,
                    timed_out=state.timed_out,
                    late=state.late,
                )
                for state in self._seats
            ),
            max_lag_us=self.max_lag_ns // 1000,
        )

    # How it goes on.

    def _run_on(self, commands: list[Command]) -> list[Command]:
        match = self._match
        while True:
            deal: Deal | None = match.deal
            if deal is None or deal.turn is None:
                if match.over:
                    commands.append(Finish())
                    return commands
                deal = self._deal_next()
            move = match.forced_move()
            if move is None:
                seat = deal.turn
                assert seat is not None, "a new deal waits for a seat"
                if not self._seats[seat].autopilot_from:
                    commands.append(self._ask(seat))
                    return commands
                move = fallback_move(deal)
                self._note_referee_move(RefereeMoveReason.AUTOPILOT)
            elif deal.phase is Phase.AUCTION:
                self._note_referee_move(RefereeMoveReason.MUST_PLAY)
            self._apply(move, commands)

    def _deal_next(self) -> Deal:
        match = self._match
        self._numbers = (match.deal_number, match.redeal_number)
        self._moves_made = 0
        self._referee_moves = []
        return match.start_deal(self._deal_hands(*self._numbers))

    def _ask(self, seat: Seat) -> Ask:
        state = self._seats[seat]
        state.asked += 1
        state.refused = 0
        budget = self._budget
        turn = Turn(
            turn_id(self.table_id, state.asked),
            self.table_id,
            (budget.decision_ns + state.bank_ns) / NS_PER_S,
            seat_view(self._match, seat),
        )
        self.waits_for = seat
        self.turn = turn
        return Ask(seat, turn, budget.allowance_ns(state.bank_ns))

    def _asked(self) -> tuple[Seat, Turn]:
        assert self.waits_for is not None, "nobody was asked"
        assert self.turn is not None, "nobody was asked"
        return self.waits_for, self.turn

    def _apply(self, move: Move, commands: list[Command]) -> None:
        match = self._match
        match.apply(move)
        self._moves_made += 1
        self.waits_for = self.turn = None
        deal = match.deal
        if deal is not None and deal.turn is None:
            self._close_deal(deal, commands)

    def _close_deal(self, deal: Deal, commands: list[Command]) -> None:
        match = self._match
        result = match.last_result
        assert result is not None, "the match books a deal that ends"
        hands = deal.dealt
        assert hands is not None, "a table knows its hands"
        first, second, third, fourth = hands
        self._deals.append(
            PlayedDeal(
                deal_number=self._numbers[0],
                redeal_number=self._numbers[1],
                dealer=deal.dealer,
                hands=(first, second, third, fourth),
                calls=result.calls,
                trump=result.trump,
                plays=result.plays,
                points=result.points,
                scores=result.scores,
                cancelled=result.cancelled,
                referee_moves=tuple(self._referee_moves),
            )
        )
        kind = DealCancelled if result.cancelled else DealScored
        commands.append(TellAll(kind(self.table_id, result)))
        if match.over:
            commands.append(TellAll(MatchOver(self.table_id, match.scores, match.winner)))

    def _lapse(
        self, reason: LapseReason, noted: RefereeMoveReason, commands: list[Command]
    ) -> None:
        """Move for the seat that was asked."""
        seat, turn = self._asked()
        deal = self._match.deal
        assert deal is not None, "a seat is asked within a deal"
        move = fallback_move(deal)
        commands.append(Withdraw(seat, turn.turn_id))
        commands.append(Tell(seat, TurnLapsed(self.table_id, turn.turn_id, reason, move)))
        self._note_referee_move(noted)
        self._apply(move, commands)

    def _leave_to_autopilot(self, seat: Seat) -> list[Command]:
        if self.waits_for != seat or not self._seats[seat].autopilot_from:
            return []
        commands: list[Command] = []
        self._lapse(LapseReason.AUTOPILOT, RefereeMoveReason.AUTOPILOT, commands)
        return self._run_on(commands)

    def _begin_autopilot(self, seat: Seat) -> None:
        state = self._seats[seat]
        if not state.autopilot_from:
            state.autopilot_from = len(self._deals) + 1

    def _note_referee_move(self, reason: RefereeMoveReason) -> None:
        self._referee_moves.append(RefereeMove(self._moves_made, reason))

    def _note_fault(self, seat: Seat, verdict: BotFault, *, strike: bool) -> None:
        state = self._seats[seat]
        state.faults += 1
        if strike or state.faults <= MAX_FAULTS:
            where = (len(self._deals) + 1, self._moves_made)
            self._faults.append(Fault(verdict.kind, seat, *where, verdict.detail))
        if strike:
            state.strikes += 1
            if state.strikes >= self._limits.strikes:
                self._begin_autopilot(seat)
