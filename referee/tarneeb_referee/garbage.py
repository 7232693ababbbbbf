"""Python's garbage collector, kept out of the referee's way."""

from __future__ import annotations

import functools
import gc


@functools.cache
def calm_collector() -> None:
    """Make garbage collections rare and short, for the whole process.

    The collector looks through everything that is alive again and again, which is a fifth of what a
    decision costs and holds up the clocks meanwhile. What is loaded by now stays for good, so it is
    left out from here on; the rest is looked through less often. Call it when all modules are
    loaded and before the first session; it acts once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
