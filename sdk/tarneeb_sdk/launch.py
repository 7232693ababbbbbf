"""The last line of every bot: `run(MyBot)`."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

from tarneeb_sdk.bot import verify_makes_bots

if TYPE_CHECKING:
    from tarneeb_sdk.bot import Bot

EXIT_USAGE = 2
_EXIT_INTERRUPTED = 130

_log = logging.getLogger("tarneeb_sdk")

# A thread that waits for the interpreter gets it after this long. At Python's 5 ms an answer
# could not leave within 5 ms while the bot is thinking about the next one.
_SWITCH_INTERVAL_S = 0.0005


def run(bot_class: type[Bot], *, name: str | None = None, version: str = "") -> None:
    """Play as the referee says: the last line of every bot.

    The referee starts the process and says by `TARNEEB_ADDRESS` and `TARNEEB_TOKEN` where to dial.
    The function returns when the session is over. The bot's log goes to stderr, from the level
    in `TARNEEB_LOG` up (`debug`, `info`, `warning`, `error`; by default `info`). What the bot
    prints is kept with its log; it disturbs nothing.

    Args:
        bot_class: makes one bot for each table.
        name: for logs; by default the name of the class.
        version: for logs.

    Raises:
        SystemExit: 2 when what is given makes no bots, or the environment names no referee; 3
            when the referee refused the bot; 4 when it could not be reached.
        Exception: whatever the bot raises, so that its author sees it: the process ends with what
            the bot was deciding, and then the traceback, on stderr.
    """
    # Here, so that a bot's unit tests need not load gRPC.
    from tarneeb_sdk.client import Client, ClientSettings  # noqa: PLC0415

    start_logging(os.environ.get("TARNEEB_LOG", "info"))
    misuse = verify_makes_bots(bot_class)
    if misuse is not None:
        _log.error("run: %s", misuse)
        raise SystemExit(EXIT_USAGE)
    try:
        settings = ClientSettings(
            address=os.environ["TARNEEB_ADDRESS"],
            token=os.environ["TARNEEB_TOKEN"],
            name=bot_class.__name__ if name is None else name,
            version=version,
            certificate=os.environ.get("TARNEEB_CERTIFICATE", ""),
        )
    except KeyError as missing:
        _log.error(
            "%s is not set: the referee sets it when it starts a bot. To try a bot, use "
            "`tarneeb-referee match`, or tarneeb_sdk.testing.play_match in a test",
            missing.args[0],
        )
        raise SystemExit(EXIT_USAGE) from None
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stop)
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    # What is loaded by now stays; without it the collector is quick whenever it looks around.
    gc.freeze()
    try:
        code = Client(bot_class, settings).play()
    except KeyboardInterrupt:
        raise SystemExit(_EXIT_INTERRUPTED) from None
    except Exception as error:
        _tell_notes_first(error)
        raise
    if code:
        raise SystemExit(code)


def _tell_notes_first(error: Exception) -> None:
    """Print an exception's notes before its traceback, which else ends with them.

    Whoever shows one line of a bot's stderr shows the last: that of the exception, then.
    """
    notes: list[str] = getattr(error, "__notes__", [])
    for note in notes:
        sys.stderr.write(f"{note}\n")
    notes.clear()


def _stop(_signal_number: int, _frame: object) -> NoReturn:
    raise SystemExit(0)


class _BotFormatter(logging.Formatter):
    """Adds the table and seat to the lines that bots log."""

    def format(self, record: logging.LogRecord) -> str:
        table = getattr(record, "table", None)
        record.where = (
            "" if table is None else f"table {table} seat {getattr(record, 'seat', '?')}: "
        )
        return super().format(record)


_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def start_logging(level: str) -> None:
    """Send the SDK's and the bots' logs to stderr, unless the author's code has set up logging."""
    _log.setLevel(_LEVELS.get(level.lower(), logging.INFO))
    if not _log.hasHandlers():
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_BotFormatter("%(levelname)s %(where)s%(message)s"))
        _log.addHandler(handler)
    if level.lower() not in _LEVELS:
        _log.warning("TARNEEB_LOG is %r, not one of %s; taken as info", level, ", ".join(_LEVELS))
