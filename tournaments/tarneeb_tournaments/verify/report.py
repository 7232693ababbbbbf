"""The verdict on a results file."""

import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.results import Results
from tarneeb_tournaments.store.connection import connect_to_read
from tarneeb_tournaments.store.sqlite_errors import explain_read
from tarneeb_tournaments.text import counted
from tarneeb_tournaments.verify.finding import DisprovedError, Where
from tarneeb_tournaments.verify.form import check_form
from tarneeb_tournaments.verify.sweep import OnProgress, Tally, sweep

VERIFY_VERSION = 1
"""The form of the JSON."""

_NOT_YET = (
    "the secret against its published hash",
    "the cards and the first dealers against the secret",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What verification came to.

    Attributes:
        wrong: the first thing that is wrong; None if nothing is.
        tally: what was checked until then.
        results: None if something is wrong.
    """

    wrong: DisprovedError | None
    tally: Tally
    results: Results | None

    @property
    def not_checked(self) -> tuple[str, ...]:
        """What needs the secret, which is one until the last match is over."""
        return () if self.tally.is_finished else _NOT_YET


def verify_file(path: Path, *, on_progress: OnProgress) -> Verdict:
    """Check a file that `is_results_file`.

    Raises:
        StoreError: it can't be read.
    """
    tally = Tally()
    try:
        results = _sweep(path, tally, on_progress)
    except DisprovedError as wrong:
        return Verdict(wrong=wrong, tally=tally, results=None)
    return Verdict(wrong=None, tally=tally, results=results)


def _sweep(path: Path, tally: Tally, on_progress: OnProgress) -> Results:
    try:
        with closing(connect_to_read(path)) as connection:
            connection.execute("BEGIN")
            check_form(connection)
            return sweep(connection, tally, on_progress)
    except sqlite3.Error as error:
        told = explain_read(error, path)
        if isinstance(told, ConfigError):
            # Damage is no mistake of whoever asks whether the file is whole.
            raise DisprovedError(Where(), str(told)) from error
        raise told from error


def verdict_text(verdict: Verdict) -> str:
    """Write a verdict for people; what is wrong takes one line."""
    if verdict.wrong is not None:
        return f"wrong: {verdict.wrong}\n"
    tally, results = verdict.tally, verdict.results
    assert results is not None
    left = results.matches_due - tally.matches
    checked = f"{counted(tally.matches, 'match')}, {counted(tally.deals, 'deal')}"
    lines = [
        f"nothing is wrong: {checked} and {counted(tally.moves, 'move')} were checked",
        f"public seed: {results.info.public_seed}",
        f"SHA-256 of the secret: {results.info.secret_sha256}",
        f"chain: {tally.link} after {counted(tally.linked, 'match')}",
    ]
    if not tally.is_finished:
        known = f"{counted(left, 'match')} to play" if left else "no round is paired"
        lines.append(f"not finished ({known}), so these were not checked:")
        lines += [f"  {each}" for each in verdict.not_checked]
    return "\n".join(lines) + "\n"


def verdict_json(verdict: Verdict) -> dict[str, object]:
    """Write a verdict for programs; docs/reference/command-line.md describes it."""
    tally, wrong, results = verdict.tally, verdict.wrong, verdict.results
    return {
        "version": VERIFY_VERSION,
        "ok": wrong is None,
        "wrong": None
        if wrong is None
        else {
            "what": wrong.what,
            "where": {name: value for name, value in asdict(wrong.where).items() if value},
        },
        "finished": tally.is_finished,
        "matches": tally.matches,
        "deals": tally.deals,
        "moves": tally.moves,
        "linked": tally.linked,
        "chain": tally.link,
        "public_seed": None if results is None else results.info.public_seed,
        "secret_sha256": None if results is None else results.info.secret_sha256,
        "not_checked": list(verdict.not_checked),
    }
