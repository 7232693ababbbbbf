"""What the referee and a keeper say to each other over their socket.

A keeper imports this before it starts its bot, so it imports nothing slow (see `keeper.py`).
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# A message is this header (kind, length of the body) and a body.
HEADER: Final = struct.Struct("!BI")
STARTED: Final = 1
FAILED: Final = 2
EXITED: Final = 3
OUTPUT: Final = 4
GONE: Final = 5
STOP: Final = 6
REPORT: Final = 7

PID_BODY: Final = struct.Struct("!I")
# exit code or -1, signal or 0, processor time in seconds, peak memory of one process in
# bytes, killed while the machine was out of memory
EXITED_BODY: Final = struct.Struct("!iidQ?")
# stream, bytes dropped between head and tail, length of the head; then head and tail
OUTPUT_BODY: Final = struct.Struct("!BQI")
COUNT_BODY: Final = struct.Struct("!I")
GRACE_BODY: Final = struct.Struct("!d")
