"""How a test tells people how it goes on."""

import io
import re
import threading

import pytest

from tarneeb_tournaments import reporting
from tarneeb_tournaments.sprt import SprtSettings, sprt_state
from tarneeb_tournaments.sprt_reporting import LineSprtProgress, sprt_progress_on, state_line

WIDE = SprtSettings(elo0=0, elo1=150)


def test_lines_are_few_but_the_last_state_is_always_told() -> None:
    now = [0.0]
    out = io.StringIO()
    progress = LineSprtProgress(out, clock=lambda: now[0])
    some = sprt_state(WIDE, [2, 1])
    progress.tested(some, boards=2, due=100)
    now[0] = 11
    progress.tested(some, boards=3, due=100)
    progress.tested(some, boards=4, due=100)
    progress.tested(sprt_state(WIDE, [2] * 99), boards=99, due=100)
    lines = out.getvalue().splitlines()
    assert [line.split(":")[0] for line in lines] == ["3 boards", "99 boards"]
    assert lines[0].endswith(state_line(some))


def test_where_no_terminal_is_plain_lines_are_written() -> None:
    out = io.StringIO()
    with sprt_progress_on(out) as progress:
        progress.note("a note")
        progress.advance(stored=1, due=200)
        progress.tested(sprt_state(WIDE, [2] * 99), boards=99, due=100)
    assert out.getvalue() == f"a note\n99 boards: {state_line(sprt_state(WIDE, [2] * 99))}\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return Terminal()


def last_line(terminal: Terminal, outcomes: list[int]) -> str:
    """Give what stands on the terminal at the end of a test with these boards."""
    with sprt_progress_on(terminal) as progress:
        progress.advance(stored=7, due=9)
        progress.tested(sprt_state(WIDE, outcomes), boards=len(outcomes), due=2_000)
    return re.split(r"[\r\n]+", terminal.getvalue().strip())[-2]


@pytest.mark.parametrize(
    ("outcomes", "full"), [([], 10), ([0] * 4, 2), ([0] * 30, 0), ([2] * 4, 14), ([2] * 30, 20)]
)
def test_a_terminal_gets_a_gauge_between_the_two_ends(
    outcomes: list[int], full: int, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without colours, what is not full is not drawn.
    monkeypatch.setenv("NO_COLOR", "1")
    line = last_line(terminal, outcomes)
    assert f"{len(outcomes)} of at most 2,000 boards " in line
    assert state_line(sprt_state(WIDE, outcomes)) in line
    assert line.count("━") == full


def test_a_full_gauge_does_not_look_empty(terminal: Terminal) -> None:
    (full,) = re.findall(r"boards (\S+━)", last_line(terminal, [2] * 30))
    (empty,) = re.findall(r"boards (\S+━)", last_line(Terminal(), [0] * 30))
    assert full != empty


def test_notes_stand_above_the_gauge_as_they_are(terminal: Terminal) -> None:
    with sprt_progress_on(terminal) as progress:
        progress.note("[red]not a colour[/red] " + "x" * 200)
    assert "[red]not a colour[/red] " + "x" * 200 in terminal.getvalue()


def test_nobody_waits_for_a_reader_that_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "CLOSE_WITHIN_S", 0.05)
    taken = threading.Event()
    lines = []

    class Frozen(io.StringIO):
        def write(self, text: str) -> int:
            taken.wait()
            lines.append(text)
            return len(text)

    with sprt_progress_on(Frozen()) as progress:
        for boards in range(1, 101):
            progress.tested(sprt_state(WIDE, []), boards=boards, due=100)
    assert lines == []
    taken.set()
    for thread in threading.enumerate():
        if thread.name == "progress":
            thread.join()
    assert lines[-1].startswith("100 boards: ")


def test_progress_that_cannot_be_written_is_lost() -> None:
    class Unwritable(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(32, "Broken pipe")

    with sprt_progress_on(Unwritable()) as progress:
        progress.note("a note")
        progress.tested(sprt_state(WIDE, [2] * 99), boards=99, due=99)
