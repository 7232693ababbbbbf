"""A session with four bots in memory and a clock that only the test moves."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from tarneeb_referee.commands import (
    BoardVoid,
    CloseStream,
    Command,
    MatchFinished,
    Over,
    Restart,
    Stop,
)
from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import Fault
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.memory import memory_bot
from tarneeb_referee.outcome import MatchOutcome, VoidMatch
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.seat import Presence, SeatState
from tarneeb_referee.session import Session
from tarneeb_referee.settings import Limits, MatchSettings, TimeBudgets
from tarneeb_sdk.game import PASS, Bid, Game, Move, Phase, RuleSet, SeatView, rule_set
from tarneeb_sdk.messages import (
    Answer,
    Answers,
    Batch,
    Hello,
    Notice,
    Refusal,
    Turn,
    TurnLapsed,
    Welcome,
)
from tarneeb_sdk.wire import request_to_wire, response_from_wire

SECRET = bytes(range(32))
MS = 1_000_000
TICK_NS = 25 * MS
EXITED_WITH_1 = ExitInfo(code=1)
Choice = Callable[[SeatView], Move]


def plan_of(*, boards: int = 1, tables: int = 1, half: int = 1) -> HalfPlan:
    """Plan so many boards for entrants a, b, c and d."""
    handles = tuple(BotHandle(name, memory_bot(name)) for name in "abcd")
    return HalfPlan(
        round_=1,
        pairing=1,
        half=half,
        boards=tuple(range(1, boards + 1)),
        seats=(handles[0], handles[1], handles[2], handles[3]),
        tables=tables,
    )


def settings_of(
    rules: RuleSet | None = None,
    *,
    decision_s: float = 1.0,
    bank_s: float = 0.0,
    margin_s: float = 0.05,
    start_s: float = 10.0,
    **limits: int,
) -> MatchSettings:
    """Settings for short matches with no bank."""
    return MatchSettings(
        rules=rules or rule_set("tarneeb", deals=1),
        time=TimeBudgets(start_s=start_s, decision_s=decision_s, bank_s=bank_s, margin_s=margin_s),
        limits=Limits(**limits),
    )


@dataclass
class SeatLog:
    """What one seat was sent, and what it has still to answer."""

    raw: list[bytes] = field(default_factory=list)
    welcome: Welcome | None = None
    refusal: Refusal | None = None
    notices: list[Notice] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    asked: list[Turn] = field(default_factory=list)
    on_stream: list[int] = field(default_factory=list)
    batches: list[Batch] = field(default_factory=list)


class Rig:
    """Drives a session by hand."""

    def __init__(
        self,
        settings: MatchSettings | None = None,
        *,
        plan: HalfPlan | None = None,
        deals: DealSource | None = None,
        empty_seats: tuple[int, ...] = (),
        at_once: int = 4,
    ) -> None:
        self.now_ns = 1_000_000_000
        self.settings = settings or settings_of()
        self.session = Session(
            plan or plan_of(),
            settings=self.settings,
            deals=deals or DealSource(SECRET, "seed"),
            now_ns=self.now_ns,
            empty_seats=empty_seats,
            at_once=at_once,
        )
        self.seats = [SeatLog() for _ in range(4)]
        self.outcomes: list[MatchOutcome] = []
        self.voids: list[VoidMatch] = []
        self.commands: list[Command] = []

    # Events.

    def launch(self, *seats: int) -> None:
        for seat in seats or range(4):
            self.session.launching(seat, self.now_ns)
            self.session.launched(seat, self.now_ns)
        self.pump()

    def hello(self, *seats: int, versions: tuple[int, ...] = (1,)) -> None:
        for seat in seats or range(4):
            if self.session.over:
                return
            assert self.session.opened(seat, self.now_ns)
            self.send(seat, request_to_wire(Hello(versions, "a bot")))

    def begin(self) -> "Rig":
        self.launch()
        self.hello()
        return self

    def send(self, seat: int, data: bytes) -> None:
        self.session.received(seat, data, self.now_ns)
        self.pump()

    def answer(self, seat: int, *answers: Answer) -> None:
        for answer in answers:
            turns = self.seats[seat].turns
            turns[:] = [turn for turn in turns if turn.turn_id != answer.turn_id]
        self.send(seat, request_to_wire(Answers(tuple(answers))))

    def lose_stream(self, seat: int) -> None:
        self.seats[seat].turns.clear()
        self.session.stream_lost(seat, self.now_ns)
        self.pump()

    def exit(self, seat: int, how: ExitInfo = EXITED_WITH_1) -> None:
        self.seats[seat].turns.clear()
        self.session.exited(seat, how, self.now_ns)
        self.pump()

    def pass_time(self, ms: float) -> None:
        """Let time pass, ticking as a healthy referee does."""
        until_ns = self.now_ns + round(ms * MS)
        while not self.session.over and self.session.tick_due_ns <= until_ns:
            self.now_ns = max(self.now_ns, self.session.tick_due_ns)
            self.session.tick(self.now_ns)
            self.pump()
        self.now_ns = max(self.now_ns, until_ns)

    # What comes out.

    def pump(self) -> None:
        """Fetch everything that the session wants to send or have done."""
        for command in self.session.take_commands():
            match command:
                case MatchFinished(outcome):
                    self.outcomes.append(outcome)
                case BoardVoid(void, _):
                    self.voids.append(void)
                case _:
                    self.commands.append(command)
        for seat, log in enumerate(self.seats):
            while (data := self.session.take_output(seat)) is not None:
                log.raw.append(data)
                self._read(log, data)
            self._check_order(seat)

    def _read(self, log: SeatLog, data: bytes) -> None:
        match response_from_wire(data, welcome=log.welcome):
            case Welcome() as welcome:
                log.welcome = welcome
                # A new stream: all that waits is sent again.
                log.turns.clear()
                log.on_stream.clear()
            case Refusal() as refusal:
                log.refusal = refusal
            case Batch(notices, turns) as batch:
                log.batches.append(batch)
                log.notices += notices
                gone = {each.turn_id for each in notices if isinstance(each, TurnLapsed)}
                log.turns = [turn for turn in log.turns if turn.turn_id not in gone]
                log.turns += turns
                log.asked += turns
                log.on_stream += [turn.turn_id for turn in turns]

    def _check_order(self, seat: int) -> None:
        """A stream carries each turn once, and in the order in which they come on the clock."""
        sent, state = self.seats[seat].on_stream, self.session.seat_state(seat)
        assert len(set(sent)) == len(sent), "a turn was sent twice on one stream"
        if state.presence is Presence.READY:
            waiting = [each.turn_id for each in state.queue.turns()]
            assert [turn_id for turn_id in sent if turn_id in state.queue] == waiting

    def hurry(self) -> None:
        """Send what waits for a bot to be done with what it was sent before."""
        self.session._send_all(self.now_ns)
        self.pump()

    def waiting(self) -> list[tuple[int, Turn]]:
        return [(seat, turn) for seat, log in enumerate(self.seats) for turn in log.turns]

    def fetch(self, kind: type[Command]) -> list[Command]:
        return [command for command in self.commands if isinstance(command, kind)]

    @property
    def restarts(self) -> list[int]:
        return [command.seat for command in self.commands if isinstance(command, Restart)]

    @property
    def closed(self) -> list[int]:
        return [command.seat for command in self.commands if isinstance(command, CloseStream)]

    @property
    def stopped(self) -> list[int]:
        return [command.seat for command in self.commands if isinstance(command, Stop)]

    @property
    def over(self) -> bool:
        return any(isinstance(command, Over) for command in self.commands)

    # Playing.

    def play(
        self, choose: Choice, *, think_ms: float = 1, until: Callable[[], bool] | None = None
    ) -> None:
        """Answer turns, the longest waiting first, until the session is over."""
        while not self.session.over and not (until and until()):
            for seat in range(4):
                if turns := list(self.seats[seat].turns):
                    self.pass_time(think_ms)
                    self.answer(seat, *(Answer(turn.turn_id, choose(turn.view)) for turn in turns))
                    break
            else:
                self.pass_time(25)


def faults(rig: Rig) -> list[Fault]:
    """List what is booked in the matches that are over."""
    return [fault for outcome in rig.outcomes for fault in outcome.record.faults]


def busy_rig(**limits: int) -> Rig:
    """Begin eight tables, and play until turns wait for every seat."""
    rig = Rig(settings_of(rule_set("tarneeb", deals=2), **limits), plan=plan_of(boards=8, tables=8))
    rig.begin()
    rig.play(random_choice(3), until=lambda: all(log.turns for log in rig.seats))
    return rig


def plain_choice(view: SeatView) -> Move:
    """Bid 7 and pass, or declare 3; then the first legal move: deals are played, not cancelled."""
    if view.phase is Phase.AUCTION:
        wanted = Bid(3) if view.rules.game is Game.SYRIAN41 else Bid(7)
        return wanted if wanted in view.legal else PASS
    return view.legal[0]


def random_choice(seed: int) -> Choice:
    """Choose at random, but the same for the same seed and public history of the deal."""

    def choose(view: SeatView) -> Move:
        history = (seed, view.seat, view.deal_number, view.dealer, view.calls, view.plays)
        return random.Random(repr(history)).choice(view.legal)

    return choose


def batch_of(state: SeatState) -> Batch:
    """Read what a seat would be sent next."""
    data = state.take_output()
    assert data is not None
    welcome = Rig().begin().seats[0].welcome
    batch = response_from_wire(data, welcome=welcome)
    assert isinstance(batch, Batch)
    return batch
