"""Stopping a run by a signal: once, at once, and within seconds."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from tarneeb_tournaments.results import Results

STOP_WITHIN_S: Final = 4.0
"""After an interrupt: what has not stopped by then is left to the bots' keepers."""

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class InterruptedRunError(KeyboardInterrupt):
    """Somebody stopped the run; whatever had a result by then is stored."""


def interruptible(work: Coroutine[Any, Any, Results], *, on_stop: Callable[[], None]) -> Results:
    """Run to the end, or to the first signal that asks to stop.

    Args:
        work: cancelled by the signal.
        on_stop: called at once then.

    Raises:
        InterruptedRunError: by that signal. Further ones change nothing.
    """

    async def main() -> Results | None:
        task = asyncio.create_task(work)
        with _signals_cancel(task, on_stop=on_stop):
            try:
                return await task
            except asyncio.CancelledError:
                return None

    results = asyncio.run(main())
    if results is None:
        raise InterruptedRunError
    return results


@contextmanager
def _signals_cancel(task: "asyncio.Task[Any]", *, on_stop: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    # Ends the process if something does not let itself be cancelled. What is stored is safe: a
    # transaction is on the disk or is not. The bots' keepers see that we are gone, and stop them.
    emergency = threading.Timer(STOP_WITHIN_S, os._exit, args=(130,))
    emergency.daemon = True
    stopping = False

    def stop() -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            emergency.start()
            task.cancel()
            on_stop()

    for each in _SIGNALS:
        loop.add_signal_handler(each, stop)
    try:
        yield
    finally:
        emergency.cancel()
        for each in _SIGNALS:
            loop.remove_signal_handler(each)
            if stopping:
                # We are ending already; another Ctrl-C would only spoil the exit code.
                signal.signal(each, signal.SIG_IGN)
