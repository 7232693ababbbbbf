from __future__ import annotations

import threading
import time

from tarneeb_sdk.game import Bid
from tarneeb_sdk.messages import Answer, Answers, Hello
from tarneeb_sdk.outbox import Flusher, Outbox
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


def test_an_answer_waits_for_one_tick_at_least_and_two_at_most() -> None:
    outbox = Outbox()
    outbox.tick()
    outbox.add(answer(1))
    outbox.tick()
    outbox.add(answer(2))
    outbox.tick()
    outbox.tick()
    outbox.add(answer(3))
    outbox.tick()
    # The last one has not waited for two ticks.
    assert sent(outbox) == [[1, 2]]


def test_a_flush_in_between_starts_the_wait_anew() -> None:
    outbox = Outbox()
    outbox.add(answer(1))
    outbox.tick()
    outbox.flush()
    outbox.add(answer(2))
    outbox.tick()
    assert sent(outbox) == [[1]]


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
