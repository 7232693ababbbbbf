from __future__ import annotations

import threading
import time

import pytest

from tarneeb_sdk.game import Bid
from tarneeb_sdk.messages import Answer, Answers, Hello
from tarneeb_sdk.outbox import MAX_WAIT_S, MIN_WAIT_S, Flusher, Outbox
from tarneeb_sdk.wire import request_from_wire


def answer(number: int) -> Answer:
    return Answer(number, Bid(7))


def sent(outbox: Outbox) -> list[list[int]]:
    """List the turns of each message so far."""
    outbox.close()
    requests = [request_from_wire(message) for message in outbox.messages()]
    return [
        [each.turn_id for each in request.answers]
        for request in requests
        if isinstance(request, Answers)
    ]


def test_a_flush_sends_all_that_waits_in_one_message() -> None:
    outbox = Outbox()
    for number in (3, 1, 2):
        outbox.add(answer(number))
    outbox.flush()
    outbox.flush()
    outbox.add(answer(4))
    outbox.flush()
    assert sent(outbox) == [[3, 1, 2], [4]]


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_tick_sends_what_has_waited_and_tells_when_to_tick_again() -> None:
    clock = Clock()
    outbox = Outbox(clock=clock)
    assert outbox.tick() == MAX_WAIT_S
    outbox.add(answer(1))
    clock.now_s += 0.75 * MIN_WAIT_S
    outbox.add(answer(2))
    # Too early: it comes back when the first one has waited for as long as it may.
    again_s = outbox.tick()
    assert again_s == pytest.approx(MAX_WAIT_S - 0.75 * MIN_WAIT_S)
    clock.now_s += again_s
    assert outbox.tick() == MAX_WAIT_S
    outbox.add(answer(3))
    assert outbox.tick() == MAX_WAIT_S
    assert sent(outbox) == [[1, 2]]


def test_a_flush_in_between_starts_the_wait_anew() -> None:
    clock = Clock()
    outbox = Outbox(clock=clock)
    outbox.add(answer(1))
    clock.now_s += MIN_WAIT_S
    outbox.flush()
    outbox.add(answer(2))
    outbox.tick()
    assert sent(outbox) == [[1]]


def test_no_answer_waits_for_longer_than_promised_however_ticks_fall() -> None:
    for phase in range(40):
        clock = Clock()
        outbox = Outbox(clock=clock)
        added_s = clock.now_s + phase * MAX_WAIT_S / 40
        again_s = outbox.tick()
        clock.now_s, due_s = added_s, clock.now_s + again_s
        outbox.add(answer(1))
        while not outbox._messages.qsize():
            clock.now_s = due_s
            due_s += outbox.tick()
        assert MIN_WAIT_S <= clock.now_s - added_s + 1e-9 <= MAX_WAIT_S + 1e-6


def test_hello_comes_first() -> None:
    outbox = Outbox()
    outbox.say_hello(Hello((1,), "n", "v", "s"))
    outbox.close()
    assert [request_from_wire(message) for message in outbox.messages()] == [
        Hello((1,), "n", "v", "s")
    ]


def test_the_flusher_sends_while_another_thread_thinks() -> None:
    outbox, flusher = Outbox(), Flusher()
    messages = outbox.messages()
    try:
        for number in range(1, 4):
            flusher.begin(outbox)
            outbox.add(answer(number))
            # This thread would think here; the message comes without a flush of its own.
            request = request_from_wire(next(messages))
            assert request == Answers((answer(number),))
            flusher.end()
            # Long enough for the thread to park, the second time.
            time.sleep(0.08 if number == 2 else 0)
    finally:
        flusher.close()


def test_no_answer_is_lost_or_doubled_between_two_threads() -> None:
    outbox = Outbox()
    done = threading.Event()

    def keep_ticking() -> None:
        while not done.is_set():
            outbox.tick()

    ticker = threading.Thread(target=keep_ticking)
    ticker.start()
    for number in range(1, 5001):
        outbox.add(answer(number))
        if number % 50 == 0:
            outbox.flush()
    done.set()
    ticker.join()
    outbox.flush()
    assert [number for message in sent(outbox) for number in message] == list(range(1, 5001))
