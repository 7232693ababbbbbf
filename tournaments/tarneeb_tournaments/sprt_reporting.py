"""How a sequential test is told: live while it runs, as text and as JSON at its end."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Final, Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as RichBar
from rich.text import Text

from tarneeb_tournaments.formats import misdeeds
from tarneeb_tournaments.reporting import LINE_EVERY_S, Behind, unfailing
from tarneeb_tournaments.results import Results
from tarneeb_tournaments.runner import Progress
from tarneeb_tournaments.sprt import Decision, SprtState
from tarneeb_tournaments.sprt_match import settings_of_test, state_of
from tarneeb_tournaments.standings import StandingsRow, compute_standings
from tarneeb_tournaments.text import counted, printable

SPRT_VERSION: Final = 1
"""The form of the JSON."""


class SprtProgress(Progress, Protocol):
    """Hears how a test goes on."""

    def tested(self, state: SprtState, /, *, boards: int, due: int) -> None:
        """Hear how far the test is.

        Args:
            state: as of the boards so far.
            boards: how many are finished in schedule order.
            due: how many there are at most.
        """
        ...


def state_line(state: SprtState) -> str:
    """Write a state in one line.

    >>> from tarneeb_tournaments.sprt import SprtSettings, sprt_state
    >>> state_line(sprt_state(SprtSettings(), [2, 0, 1, 2]))[:33]
    'LLR +0.07 (-2.94 to +2.94), Elo +'
    """
    return (
        f"LLR {state.llr:+.2f} ({state.lower:+.2f} to {state.upper:+.2f}), "
        f"Elo {state.elo:+.0f} ({state.elo_low:+.0f} to {state.elo_high:+.0f})"
    )


class LineSprtProgress:
    """Writes plain lines, not too many."""

    def __init__(self, out: TextIO, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._written_at = clock()

    def advance(self, *, stored: int, due: int) -> None:
        """Pass over matches: boards are what counts."""

    def note(self, text: str) -> None:
        self._out.write(f"{printable(text)}\n")
        self._out.flush()

    def tested(self, state: SprtState, /, *, boards: int, due: int) -> None:
        ended = state.decision is not Decision.GO_ON or boards == due
        if not ended and self._clock() - self._written_at < LINE_EVERY_S:
            return
        self._written_at = self._clock()
        self.note(f"{counted(boards, 'board')}: {state_line(state)}")


class BarSprtProgress:
    """Draws on a terminal how near the test is to either end."""

    def __init__(self, bar: RichBar) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=1.0, state="")

    def advance(self, *, stored: int, due: int) -> None:
        """Pass over matches: boards are what counts."""

    def note(self, text: str) -> None:
        self._bar.console.print(Text(printable(text)), soft_wrap=True)

    def tested(self, state: SprtState, /, *, boards: int, due: int) -> None:
        share = (state.llr - state.lower) / (state.upper - state.lower)
        self._bar.update(
            self._task,
            completed=min(max(share, 0.0), 1.0),
            description=f"{boards:,} of at most {counted(due, 'board')}",
            state=state_line(state),
        )


@contextmanager
def sprt_progress_on(out: TextIO) -> Iterator[SprtProgress]:
    """Show progress on a stream while a test lasts: a gauge if it is a terminal, else lines.

    As with `progress_on`, a reader that is gone, or takes nothing more, delays nobody.
    """
    with _BehindSprt(partial(_shown_on, unfailing(out))) as behind:
        yield behind


class _BehindSprt(Behind[SprtProgress]):
    def advance(self, *, stored: int, due: int) -> None:
        """Pass over matches: boards are what counts."""

    def tested(self, state: SprtState, /, *, boards: int, due: int) -> None:
        self.tell(lambda shown: shown.tested(state, boards=boards, due=due))


@contextmanager
def _shown_on(out: TextIO) -> Iterator[SprtProgress]:
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    if not console.is_terminal or console.is_dumb_terminal:
        yield LineSprtProgress(out)
        return
    columns = (
        TextColumn("{task.description}"),
        # Full looks like any other part: some terminals show the usual colour of the end as empty.
        BarColumn(bar_width=20, finished_style="bar.complete"),
        TextColumn("{task.fields[state]}"),
        TimeElapsedColumn(),
    )
    with RichBar(*columns, console=console, redirect_stdout=False, redirect_stderr=False) as bar:
        yield BarSprtProgress(bar)


def sprt_text(results: Results) -> str:
    """Write the result of a test for people."""
    state, settings = state_of(results), settings_of_test(results.info.settings)
    new, base = (each.name for each in results.info.entrants)
    lost, drawn, won = state.counts
    known = {
        Decision.STRONGER: f"{new} is stronger than {base}: {settings.elo1:g} Elo are more likely "
        f"than {settings.elo0:g}",
        Decision.NOT_STRONGER: f"{new} is not stronger than {base}: {settings.elo0:g} Elo are more "
        f"likely than {settings.elo1:g}",
        Decision.GO_ON: f"it is not known whether {new} is stronger than {base}",
    }[state.decision]
    return (
        f"{printable(known)}\n"
        f"wrong in {settings.alpha:.2%} of tests at {settings.elo0:g} Elo, and in "
        f"{settings.beta:.2%} at {settings.elo1:g}\n"
        f"{counted(sum(state.counts), 'board')}: {won:,} won, {drawn:,} drawn, {lost:,} lost\n"
        f"{state_line(state)}\n"
        f"{_wrongs_text(results)}"
    )


def _wrongs_text(results: Results) -> str:
    return "".join(
        printable(f"{row.entrant.name}: {told}") + "\n"
        for row in compute_standings(results).rows
        if (told := misdeeds(row))
    )


def sprt_json(results: Results) -> dict[str, object]:
    """Write the result of a test for programs; docs/reference/command-line.md describes it."""
    state, settings = state_of(results), settings_of_test(results.info.settings)
    lost, drawn, won = state.counts
    rows = {row.entrant.id: row for row in compute_standings(results).rows}
    new, base = (_bot_values(rows[each.id]) for each in results.info.entrants)
    return {
        "version": SPRT_VERSION,
        "new": new,
        "base": base,
        "decision": state.decision.value,
        **asdict(settings),
        "boards": sum(state.counts),
        "max_boards": results.info.boards,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "llr": state.llr,
        "lower": state.lower,
        "upper": state.upper,
        "elo": state.elo,
        "elo_low": state.elo_low,
        "elo_high": state.elo_high,
        "public_seed": results.info.public_seed,
        "secret_sha256": results.info.secret_sha256,
    }


def _bot_values(row: StandingsRow) -> dict[str, object]:
    return {
        "name": row.entrant.name,
        "bot": row.entrant.bot_name,
        "version": row.entrant.bot_version,
        "digest": row.entrant.digest,
        "faults": dict(row.faults),
        "incidents": dict(row.incidents),
        "autopilots": row.counts.autopilots,
    }
