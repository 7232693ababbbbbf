"""How a run tells people how it goes on: a bar on a terminal, a few lines elsewhere."""

import io
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Final, Generic, Self, TextIO, TypeVar, cast

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Progress as RichBar
from rich.text import Text

from tarneeb_tournaments.runner import Progress
from tarneeb_tournaments.text import counted, printable

LINE_EVERY_S: Final = 10.0
"""Where no terminal is, a line is written this often at most."""

RATE_OVER_S: Final = 60.0
"""The rate is that of the last minute, so the time left follows what is being played now."""


MAX_NOTES_BEHIND: Final = 1_000
"""Of the notes that a reader has not taken yet, the latest so many are kept."""

CLOSE_WITHIN_S: Final = 2.0
"""At the end, what a reader has not taken by then it misses."""


class Pace:
    """How fast matches end, and how long the rest will take."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def update(self, *, stored: int) -> None:
        """Count matches that are stored by now; the first call tells what earlier runs stored."""
        now = self._clock()
        self._seen.append((now, stored))
        while len(self._seen) > 2 and now - self._seen[1][0] > RATE_OVER_S:
            self._seen.popleft()

    @property
    def per_s(self) -> float | None:
        """Matches a second; None before there is a pace."""
        if not self._seen:
            return None
        (start, first), (end, last) = self._seen[0], self._seen[-1]
        return (last - first) / (end - start) if end > start and last > first else None

    def left_s(self, *, stored: int, due: int) -> float | None:
        """Estimate the time until the last match; None before there is a pace."""
        rate = self.per_s
        return None if rate is None else (due - stored) / rate


def format_duration(seconds: float) -> str:
    """Write a time as people do.

    >>> format_duration(5), format_duration(75), format_duration(3_700)
    ('5 s', '1 min 15 s', '1 h 1 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class LineProgress:
    """Writes plain lines, not too many."""

    def __init__(self, out: TextIO, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._pace = Pace(clock)
        self._written_at = clock()

    def advance(self, *, stored: int, due: int) -> None:
        self._pace.update(stored=stored)
        if stored != due and self._clock() - self._written_at < LINE_EVERY_S:
            return
        self._written_at = self._clock()
        self.note(f"{stored:,} of {counted(due, 'match')}{_pace_text(self._pace, stored, due)}")

    def note(self, text: str) -> None:
        self._out.write(f"{printable(text)}\n")
        self._out.flush()


class BarProgress:
    """Draws a bar on a terminal."""

    def __init__(self, bar: RichBar) -> None:
        self._bar = bar
        self._pace = Pace()
        # Until it is known how many matches there are, bots are being checked.
        self._task = bar.add_task("getting ready", total=None, pace="")

    def advance(self, *, stored: int, due: int) -> None:
        self._pace.update(stored=stored)
        pace = _pace_text(self._pace, stored, due).removeprefix(", ")
        self._bar.update(self._task, description="matches", completed=stored, total=due, pace=pace)

    def note(self, text: str) -> None:
        self._bar.console.print(Text(printable(text)), soft_wrap=True)


class _CountColumn(MofNCompleteColumn):
    def render(self, task: Task) -> Text:
        return Text() if task.total is None else super().render(task)


class _PaceColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(str(task.fields.get("pace", "")))


@contextmanager
def progress_on(out: TextIO) -> Iterator[Progress]:
    """Show progress on a stream while a run lasts: a bar if it is a terminal, else lines.

    A thread writes it. A reader that is gone, or that takes nothing more (as a terminal after
    Ctrl-S), neither stops nor delays who tells of progress; it misses some of it.
    """
    with Behind(partial(_shown_on, unfailing(out))) as behind:
        yield behind


@contextmanager
def _shown_on(out: TextIO) -> Iterator[Progress]:
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    if not console.is_terminal or console.is_dumb_terminal:
        yield LineProgress(out)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        _CountColumn(),
        TimeElapsedColumn(),
        _PaceColumn(),
    )
    with RichBar(*columns, console=console, redirect_stdout=False, redirect_stderr=False) as bar:
        yield BarProgress(bar)


class Unfailing(io.TextIOBase):
    """A stream like another one, on which writing never fails: what can't be written is lost.

    It writes to the file itself, without Python's buffer. Somebody who waits there for ever would
    otherwise hold the buffer's lock, which the interpreter wants when it ends.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._file = None
        with suppress(OSError, ValueError):
            out.flush()
            self._file = out.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(self._out, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        return self._out.isatty()

    def fileno(self) -> int:
        return self._out.fileno()

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            if self._file is None:
                self._out.write(text)
            else:
                left = text.encode(self.encoding, "backslashreplace")
                while left:
                    left = left[os.write(self._file, left) :]
        return len(text)

    def flush(self) -> None:
        if self._file is None:
            with suppress(OSError, ValueError):
                self._out.flush()


def unfailing(out: TextIO) -> TextIO:
    """Make a stream like another one, on which writing never fails."""
    return cast("TextIO", Unfailing(out))


Shown = TypeVar("Shown", bound=Progress)


class Behind(Generic[Shown]):
    """Tells another progress what it hears, in a thread of its own; of figures the latest."""

    def __init__(self, open_shown: Callable[[], AbstractContextManager[Shown]]) -> None:
        self._open_shown = open_shown
        self._heard = threading.Condition()
        self._notes: deque[str] = deque(maxlen=MAX_NOTES_BEHIND)
        self._latest: Callable[[Shown], None] | None = None
        self._closed = False
        # Not waited for at the end of the program.
        self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
        self._thread.start()

    def advance(self, *, stored: int, due: int) -> None:
        self.tell(lambda shown: shown.advance(stored=stored, due=due))

    def note(self, text: str) -> None:
        with self._heard:
            self._notes.append(text)
            self._heard.notify()

    def tell(self, latest: Callable[[Shown], None]) -> None:
        """Tell figures, unless others follow before they are shown."""
        with self._heard:
            self._latest = latest
            self._heard.notify()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Show what was heard, unless nobody takes it."""
        with self._heard:
            self._closed = True
            self._heard.notify()
        self._thread.join(CLOSE_WITHIN_S)

    def _run(self) -> None:
        with self._open_shown() as shown:
            while True:
                with self._heard:
                    self._heard.wait_for(lambda: self._notes or self._latest or self._closed)
                    notes, latest, closed = tuple(self._notes), self._latest, self._closed
                    self._notes.clear()
                    self._latest = None
                for note in notes:
                    shown.note(note)
                if latest is not None:
                    latest(shown)
                if closed:
                    return


def _pace_text(pace: Pace, stored: int, due: int) -> str:
    rate, left = pace.per_s, pace.left_s(stored=stored, due=due)
    if rate is None or left is None:
        return ""
    shown = f"{rate:.1f} matches/s" if rate >= 1 else f"{60 * rate:.1f} matches/min"
    return f", {shown}, {format_duration(left)} left" if stored < due else f", {shown}"
