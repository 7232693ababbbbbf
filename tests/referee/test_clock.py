import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_referee.clock import Budget, LagMeter, SeatQueue, Waiting
from tarneeb_referee.settings import TimeBudgets

MS = 1_000_000
S = 1000 * MS
BUDGET = Budget.of(TimeBudgets(decision_s=1.0, bank_s=15.0, margin_s=0.05))


def queue_of(*turn_ids: int, now_ms: int = 0, allowance_ms: int = 1050) -> SeatQueue[str]:
    queue: SeatQueue[str] = SeatQueue()
    for turn_id in turn_ids:
        queue.push(Waiting(turn_id, allowance_ms * MS, f"turn {turn_id}"), now_ms * MS)
    return queue


# The bank.


def test_a_decision_within_its_budget_costs_no_bank() -> None:
    assert BUDGET.charge(15 * S, 999 * MS) == 15 * S


def test_the_margin_is_never_charged() -> None:
    assert BUDGET.charge(15 * S, 1050 * MS) == 15 * S
    assert BUDGET.charge(15 * S, 1051 * MS) == 15 * S - MS


def test_the_bank_is_never_negative() -> None:
    assert BUDGET.charge(2 * S, 10 * S) == 0
    assert BUDGET.charge(0, 10 * S) == 0


@given(bank=st.integers(0, 20 * S), elapsed=st.integers(0, 40 * S))
def test_a_turn_answered_within_its_allowance_is_paid_in_full(bank: int, elapsed: int) -> None:
    left = BUDGET.charge(bank, elapsed)
    assert 0 <= left <= bank
    if elapsed <= BUDGET.allowance_ns(bank):
        assert bank - left == max(0, elapsed - BUDGET.decision_ns - BUDGET.margin_ns)


# The head of the queue.


def test_only_the_head_is_on_the_clock() -> None:
    queue = queue_of(1, 2, 3)
    assert queue.head is not None
    assert queue.head.turn_id == 1
    assert queue.spent_ns(1, 700 * MS) == 700 * MS
    assert queue.spent_ns(2, 700 * MS) == 0


def test_the_next_turn_comes_on_the_clock_when_the_head_is_answered() -> None:
    queue = queue_of(1, 2)
    assert queue.answered([1], 900 * MS) == 900 * MS
    assert queue.expired(1900 * MS) is None
    assert queue.answered([2], 1900 * MS) == 1000 * MS


def test_a_turn_that_comes_into_an_empty_queue_is_on_the_clock_at_once() -> None:
    queue = queue_of(1)
    queue.answered([1], 500 * MS)
    queue.push(Waiting(2, 1050 * MS, "later"), 9000 * MS)
    assert queue.answered([2], 9001 * MS) == MS


def test_a_turn_that_waits_behind_the_head_pays_nothing_for_it() -> None:
    queue = queue_of(1)
    queue.push(Waiting(2, 1050 * MS, "second"), 10 * MS)
    queue.answered([1], 1000 * MS)
    assert queue.answered([2], 1001 * MS) == MS


def test_time_runs_out_after_the_allowance_and_not_before() -> None:
    queue = queue_of(1, 2)
    assert queue.expired(1050 * MS) is None
    expired = queue.expired(1050 * MS + 1)
    assert expired is not None
    assert expired.turn_id == 1


def test_a_lapsed_head_leaves_a_full_allowance_to_the_next() -> None:
    queue = queue_of(1, 2)
    queue.remove(1, 1060 * MS)
    assert queue.expired(2110 * MS) is None
    assert queue.expired(2111 * MS) is not None


def test_a_turn_withdrawn_behind_the_head_leaves_the_head_on_its_clock() -> None:
    queue = queue_of(1, 2)
    queue.remove(2, 500 * MS)
    assert queue.answered([1], 600 * MS) == 600 * MS


# One message, several answers.


def test_the_time_of_a_message_is_split_evenly_over_its_moves() -> None:
    queue = queue_of(1, 2, 3, 4)
    assert queue.answered([1, 2, 3], 300 * MS) == 100 * MS
    assert queue.answered([4], 400 * MS) == 100 * MS


def test_an_answer_out_of_order_is_taken_and_the_head_stays_on_the_clock() -> None:
    queue = queue_of(1, 2, 3)
    assert queue.answered([3], 400 * MS) == 400 * MS
    assert queue.spent_ns(1, 1000 * MS) == 1000 * MS
    # The second out of order took the time since the first one.
    assert queue.answered([2], 500 * MS) == 100 * MS
    assert queue.answered([1], 1050 * MS) == 1050 * MS


def test_parking_the_head_does_not_stop_its_clock() -> None:
    queue = queue_of(1, 2)
    queue.answered([2], 1049 * MS)
    assert queue.expired(1051 * MS) is not None


@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=10),
    gaps=st.lists(st.integers(0, 1050), min_size=10, max_size=10),
)
def test_a_bot_that_answers_in_order_is_charged_all_of_its_time_once(
    sizes: list[int], gaps: list[int]
) -> None:
    queue = queue_of(*range(sum(sizes)))
    now = charged = at = 0
    for size, gap in zip(sizes, gaps, strict=False):
        now += gap * MS
        assert queue.expired(now) is None
        share = queue.answered(range(at, at + size), now)
        assert share <= gap * MS
        charged += share * size
        at += size
    assert 0 <= now - charged < sum(sizes)


# The referee's own lag.


def test_time_that_the_referee_was_stuck_comes_off_the_clock() -> None:
    queue = queue_of(1)
    queue.forgive(300 * MS, 1300 * MS)
    assert queue.expired(1350 * MS) is None
    assert queue.answered([1], 1350 * MS) == 1050 * MS


def test_forgiving_never_puts_a_turn_ahead_of_now() -> None:
    queue = queue_of(1, now_ms=90)
    queue.forgive(500 * MS, 100 * MS)
    assert queue.answered([1], 100 * MS) == 0


def test_a_referee_in_time_has_no_lag() -> None:
    meter = LagMeter(0)
    for _ in range(4):
        assert meter.beat(meter.due_ns + MS) == 0
    assert meter.stalls == 0


def test_a_late_wake_up_is_a_lag() -> None:
    meter = LagMeter(0)
    assert meter.beat(225 * MS) == 225 * MS
    assert meter.due_ns == 250 * MS
    assert (meter.stalls, meter.total_ns, meter.max_ns) == (1, 200 * MS, 200 * MS)


def test_a_lag_is_noticed_by_whatever_comes_first_and_counted_once() -> None:
    meter = LagMeter(0)
    assert meter.notice(20 * MS) == 0
    assert meter.notice(225 * MS) == 205 * MS
    assert meter.notice(226 * MS) == 0
    assert meter.beat(226 * MS) == 0
    assert meter.stalls == 1


@pytest.mark.parametrize(("late_ms", "lag_ms"), [(0, 0), (5, 0), (6, 6), (1000, 1000)])
def test_a_few_milliseconds_are_no_lag(late_ms: int, lag_ms: int) -> None:
    meter = LagMeter(0)
    meter.beat((25 + late_ms) * MS)
    assert meter.max_ns == lag_ms * MS


@pytest.mark.parametrize(
    "budgets",
    [
        {"decision_s": 0.0},
        {"decision_s": -1.0},
        {"start_s": float("nan")},
        {"bank_s": float("inf")},
        {"margin_s": -0.01},
    ],
)
def test_budgets_that_make_no_sense_are_refused(budgets: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(budgets))):
        TimeBudgets(**budgets)
