"""Hypothesis drives a session with answers, faults and time, and checks it after each step."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.record_bytes import record_from_bytes, record_to_bytes
from tarneeb_referee.seat import Presence
from tarneeb_sdk.game import MOVES, Bid, rule_set
from tarneeb_sdk.messages import Answer, Turn
from tests.referee.kit import MS, Rig, plain_choice, plan_of, settings_of
from tests.referee.replay import check_record

SEATS = st.integers(0, 3)


class SessionMachine(RuleBasedStateMachine):
    """Four bots that may do anything at any time."""

    rig: Rig

    @initialize(
        preset=st.sampled_from(["tarneeb", "tarneeb-outright", "syrian41"]),
        boards=st.integers(1, 4),
        tables=st.integers(1, 3),
        strikes=st.integers(1, 3),
        bank_s=st.sampled_from([0.0, 2.0]),
        at_once=st.integers(1, 4),
    )
    def begin(  # noqa: PLR0917  # hypothesis calls it
        self,
        preset: str,
        boards: int,
        tables: int,
        strikes: int,
        bank_s: float,
        at_once: int,
    ) -> None:
        self.boards = boards
        self.lapsed: list[tuple[int, int]] = []
        self.rig = Rig(
            settings_of(
                rule_set(preset, deals=1),
                decision_s=0.5,
                bank_s=bank_s,
                start_s=2.0,
                strikes=strikes,
                restarts=3,
                strays=30,
                streams=12,
            ),
            plan=plan_of(boards=boards, tables=tables),
            at_once=at_once,
        )
        self.rig.launch()

    # What bots do.

    @rule(seat=SEATS)
    def hello(self, seat: int) -> None:
        if self.presence(seat) in {Presence.STARTING, Presence.AWAY, Presence.READY}:
            self.rig.hello(seat)

    @rule()
    def all_say_hello(self) -> None:
        for seat in range(4):
            if self.presence(seat) in {Presence.STARTING, Presence.AWAY}:
                self.rig.hello(seat)

    @precondition(lambda self: self.rig.waiting())
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        seat, turn = self.draw_turn(data)
        self.rig.answer(seat, Answer(turn.turn_id, data.draw(st.sampled_from(turn.view.legal))))

    @precondition(lambda self: self.rig.waiting())
    @rule(moves=st.integers(5, 60))
    def play_on(self, moves: int) -> None:
        for _ in range(moves):
            for seat, turn in self.rig.waiting()[:1]:
                self.rig.answer(seat, Answer(turn.turn_id, plain_choice(turn.view)))

    @precondition(lambda self: self.rig.waiting())
    @rule(data=st.data())
    def answer_anything(self, data: st.DataObject) -> None:
        seat, turn = self.draw_turn(data)
        answers = data.draw(
            st.lists(
                st.builds(
                    Answer,
                    st.sampled_from([turn.turn_id, turn.turn_id + 1, 7]),
                    st.sampled_from(MOVES),
                ),
                max_size=4,
            )
        )
        self.rig.answer(seat, *answers)

    @rule(seat=SEATS, data=st.binary(max_size=12))
    def send_garbage(self, seat: int, data: bytes) -> None:
        if self.presence(seat) in {Presence.READY, Presence.STARTING}:
            self.rig.send(seat, data)

    @rule(seat=SEATS)
    def send_too_much(self, seat: int) -> None:
        if self.presence(seat) is Presence.READY:
            self.rig.send(seat, bytes(70_000))
            self.rig.seats[seat].turns.clear()

    @rule(seat=SEATS, index=st.integers(0, 10))
    def answer_late(self, seat: int, index: int) -> None:
        asked = self.rig.seats[seat].asked
        if asked and self.presence(seat) is Presence.READY:
            self.rig.answer(seat, Answer(asked[index % len(asked)].turn_id, Bid(7)))

    @rule(seat=SEATS)
    def lose_stream(self, seat: int) -> None:
        if self.presence(seat) is Presence.READY:
            self.rig.lose_stream(seat)

    @rule(seat=SEATS, code=st.integers(0, 3))
    def crash(self, seat: int, code: int) -> None:
        if self.presence(seat) is not Presence.DOWN:
            self.rig.exit(seat, ExitInfo(code=code))

    @rule()
    def start_again(self) -> None:
        for seat in range(4):
            if self.presence(seat) is Presence.DOWN and not self.rig.session.over:
                self.rig.launch(seat)

    # What time does.

    @rule(ms=st.sampled_from([1, 30, 300, 600, 1200, 2600]))
    def wait(self, ms: int) -> None:
        self.rig.pass_time(ms)

    @rule(ms=st.sampled_from([40, 400, 4000]))
    def lag(self, ms: int) -> None:
        self.rig.now_ns += ms * MS
        self.rig.session.tick(self.rig.now_ns)
        self.rig.pump()

    # What must hold.

    @invariant()
    def every_table_waits_for_exactly_one_seat(self) -> None:
        if not hasattr(self, "rig") or self.rig.session.over:
            return
        waiting = [
            (state.seat, each.turn_id, each.payload)
            for state in map(self.rig.session.seat_state, range(4))
            for each in state.turns()
        ]
        live = self.rig.session._hall.live
        assert len(waiting) == len(live)
        for seat, turn_id, table in waiting:
            assert table in live
            assert (table.waits_for, table.turn and table.turn.turn_id) == (seat, turn_id)
            assert not table._seats[seat].autopilot_from
            assert self.presence(seat) is not Presence.GONE
            assert table.turn is not None
            assert table.turn.view.seat == seat
            assert table.turn.view.legal
            assert table.turn.time_left_s > 0

    @invariant()
    def banks_are_never_negative(self) -> None:
        if hasattr(self, "rig"):
            for table in self.rig.session._hall.live:
                assert all(state.bank_ns >= 0 for state in table._seats)

    @invariant()
    def what_is_on_the_clock_was_sent(self) -> None:
        if not hasattr(self, "rig") or self.rig.session.over:
            return
        for seat in range(4):
            if self.presence(seat) is Presence.READY:
                owed = {each.turn_id for each in self.rig.session.seat_state(seat).queue.turns()}
                assert owed <= {turn.turn_id for turn in self.rig.seats[seat].asked}

    @invariant()
    def no_fault_of_a_bot_voids_a_match(self) -> None:
        if hasattr(self, "rig"):
            assert self.rig.voids == []

    def teardown(self) -> None:
        if not hasattr(self, "rig"):
            return
        for _ in range(2000):
            if self.rig.session.over:
                break
            self.start_again()
            self.all_say_hello()
            self.play_on(20)
            self.rig.pass_time(30)
        assert self.rig.session.over
        assert self.rig.over
        assert sorted(each.record.board for each in self.rig.outcomes) == list(
            range(1, self.boards + 1)
        )
        for outcome in self.rig.outcomes:
            check_record(outcome.record)
            assert record_from_bytes(record_to_bytes(outcome.record)) == outcome.record
            for seat, timings in enumerate(outcome.timings.seats):
                assert timings.bank_left_us >= 0
                if outcome.record.autopilot_from[seat] == 0:
                    strikes = [fault for fault in outcome.record.faults if fault.seat == seat]
                    assert timings.timed_out <= len(strikes)

    def presence(self, seat: int) -> Presence:
        return self.rig.session.seat_state(seat).presence

    def draw_turn(self, data: st.DataObject) -> tuple[int, Turn]:
        return data.draw(st.sampled_from(self.rig.waiting()))


TestSession = SessionMachine.TestCase
TestSession.settings = settings(stateful_step_count=40)
