import io
import threading

import pytest

from tarneeb_tournaments import reporting
from tarneeb_tournaments.reporting import LineProgress, Pace, format_duration, progress_on


class FakeClock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def test_there_is_no_pace_before_the_first_match(clock: FakeClock) -> None:
    pace = Pace(clock)
    assert pace.per_s is None
    assert pace.left_s(stored=0, due=10) is None
    pace.update(stored=50)
    assert pace.per_s is None


def test_what_earlier_runs_stored_is_not_our_pace(clock: FakeClock) -> None:
    pace = Pace(clock)
    pace.update(stored=50)
    clock.now += 10
    pace.update(stored=60)
    assert pace.per_s == pytest.approx(1.0)
    assert pace.left_s(stored=60, due=100) == pytest.approx(40.0)


def test_the_pace_is_that_of_the_last_minute(clock: FakeClock) -> None:
    pace = Pace(clock)
    pace.update(stored=0)
    for second in range(1, 601):
        clock.now += 1
        pace.update(stored=10 * min(second, 300) + max(0, second - 300))
    assert pace.per_s == pytest.approx(1.0, abs=0.2)


def test_lines_are_few_and_end_with_the_last_match(clock: FakeClock) -> None:
    out = io.StringIO()
    progress = LineProgress(out, clock=clock)
    progress.advance(stored=0, due=1_000)
    for stored in range(1, 1_001):
        clock.now += 0.03
        progress.advance(stored=stored, due=1_000)
    lines = out.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0] == "334 of 1,000 matches, 33.3 matches/s, 20 s left"
    assert lines[-1] == "1,000 of 1,000 matches, 33.3 matches/s"


def test_slow_matches_are_counted_by_the_minute(clock: FakeClock) -> None:
    out = io.StringIO()
    progress = LineProgress(out, clock=clock)
    progress.advance(stored=0, due=3)
    clock.now += 30
    progress.advance(stored=1, due=3)
    assert out.getvalue() == "1 of 3 matches, 2.0 matches/min, 1 min 0 s left\n"


def test_notes_cannot_move_the_cursor() -> None:
    out = io.StringIO()
    with progress_on(out) as progress:
        progress.note("warning: \x1b[2J\nFinished match 9: A won")
    assert out.getvalue() == "warning: \\x1b[2J\\nFinished match 9: A won\n"


class Unwritable(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_that_cannot_be_written_is_lost(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Unwritable()
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    with progress_on(out) as progress:
        progress.note("a note")
        progress.advance(stored=1, due=1)


def test_nobody_waits_for_a_reader_that_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "CLOSE_WITHIN_S", 0.05)
    taken = threading.Event()
    lines = []

    class Frozen(io.StringIO):
        def write(self, text: str) -> int:
            taken.wait()
            lines.append(text)
            return len(text)

    with progress_on(Frozen()) as progress:
        for number in range(1, 3_001):
            progress.note(f"note {number}")
            progress.advance(stored=number, due=3_000)
    assert lines == []
    taken.set()
    for thread in threading.enumerate():
        if thread.name == "progress":
            thread.join()
    # What it missed in between is not kept for ever either.
    assert len(lines) <= reporting.MAX_NOTES_BEHIND + 1_000
    assert lines[-1].startswith("3,000 of 3,000")
    assert lines[-2] == "note 3000\n"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (60, "1 min 0 s"), (3_661, "1 h 1 min")],
)
def test_durations_are_written_as_people_do(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_and_whole_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    out = Terminal()
    with progress_on(out) as progress:
        progress.note("[red]not a colour[/red] " + "x" * 100)
        progress.advance(stored=3, due=9)
    text = out.getvalue()
    assert "[red]not a colour[/red] " + "x" * 100 in text
    assert "3/9" in text


def test_a_bar_says_nothing_of_matches_before_it_knows_how_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    out = Terminal()
    with progress_on(out) as progress:
        progress.note("the bots are checked")
    assert "getting ready" in out.getvalue()
    assert "0/" not in out.getvalue()
