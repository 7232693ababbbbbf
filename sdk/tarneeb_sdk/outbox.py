"""Answers on their way to the referee: gathered into messages, but never for long."""

from __future__ import annotations

import threading
import time
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING

from tarneeb_sdk.wire import answers_to_wire, request_to_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tarneeb_sdk.messages import Answer, Hello

MAX_WAIT_S = 0.004
"""No answer waits for longer, bar what the system takes to wake a thread: 5 ms are promised."""

MIN_WAIT_S = 0.002
"""An answer that has waited for less may still get company."""


class Outbox:
    """What one stream sends. A new stream gets a new one, so no old answer gets into it.

    The deciding thread adds answers and flushes when it has no turn left; `Flusher` flushes in
    between, from a thread of its own.

    Args:
        clock: gives the time in seconds; the zero does not matter.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # Since when the first of the answers waits.
        self._since_s = 0.0
        self._answers: deque[Answer] = deque()
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        self._lock = threading.Lock()

    def say_hello(self, hello: Hello) -> None:
        """Send the first message of the stream."""
        self._messages.put(request_to_wire(hello))

    def add(self, answer: Answer) -> None:
        """Let an answer wait for the next flush."""
        if not self._answers:
            self._since_s = self._clock()
        self._answers.append(answer)

    def flush(self) -> None:
        """Send all waiting answers as one message; without any, do nothing."""
        # The lock keeps two flushes from sending their messages in the wrong order.
        with self._lock:
            waiting = self._answers
            if waiting:
                self._messages.put(
                    answers_to_wire([waiting.popleft() for _ in range(len(waiting))])
                )

    def tick(self) -> float:
        """Flush if an answer has waited for long.

        Returns:
            When to tick again, in seconds from now, so that none waits for too long.
        """
        if not self._answers:
            return MAX_WAIT_S
        waited_s = self._clock() - self._since_s
        if waited_s < MIN_WAIT_S:
            return MAX_WAIT_S - waited_s
        self.flush()
        return MAX_WAIT_S

    def close(self) -> None:
        """End the stream of messages."""
        self._messages.put(None)

    def messages(self) -> Iterator[bytes]:
        """Yield each message as it is flushed, until the outbox is closed."""
        while (message := self._messages.get()) is not None:
            yield message


class Flusher:
    """Ticks an outbox from a thread of its own, while a bot is thinking.

    An answer that is ready must not wait for the bot to decide the next turn: the referee's clock
    runs for it. The thread parks when nothing has been asked for a while.
    """

    _PARK_AFTER = 12

    def __init__(self) -> None:
        self._outbox: Outbox | None = None
        self._thinking = False
        self._parked = False
        self._closed = False
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="flusher", daemon=True)
        self._thread.start()

    def begin(self, outbox: Outbox) -> None:
        """Tick this outbox from now on."""
        self._outbox = outbox
        self._thinking = True
        if self._parked:
            self._wake.set()

    def end(self) -> None:
        """Let the thread park; the outbox has been flushed."""
        self._thinking = False

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        idle_ticks = 0
        while not self._closed:
            again_s = MAX_WAIT_S
            if self._thinking:
                idle_ticks = 0
                outbox = self._outbox
                if outbox is not None:
                    again_s = outbox.tick()
            else:
                idle_ticks += 1
            if idle_ticks < self._PARK_AFTER:
                time.sleep(again_s)
                continue
            self._parked = True
            # `begin` sets `_thinking` before it looks at `_parked`: one of the two sees the other.
            if not self._thinking and not self._closed:
                self._wake.wait()
            self._wake.clear()
            self._parked = False
            idle_ticks = 0
