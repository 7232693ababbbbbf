"""Goes through a results file in schedule order and stops at the first thing that is wrong."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from tarneeb_referee.deals import DealSource
from tarneeb_tournaments.chain import first_link, next_link
from tarneeb_tournaments.results import MatchKey, MatchRow, PairingRow, Results
from tarneeb_tournaments.sprt_match import is_test
from tarneeb_tournaments.verify.commitment import (
    check_public_seed,
    check_secret,
    is_over,
    limits_of,
    rules_of,
)
from tarneeb_tournaments.verify.course import Course
from tarneeb_tournaments.verify.dealing import Dealing
from tarneeb_tournaments.verify.finding import DisprovedError, Where
from tarneeb_tournaments.verify.form import check_entrants, check_references, check_settings
from tarneeb_tournaments.verify.matches import MatchChecker
from tarneeb_tournaments.verify.presence import Presence
from tarneeb_tournaments.verify.reading import (
    FoundMatch,
    read_ended_sessions,
    read_matches,
    read_tournament,
    where_of,
)
from tarneeb_tournaments.verify.totals import Totals

OnProgress = Callable[[int, int], None]
"""Hears how many matches are checked, of how many."""


@dataclass(slots=True)
class Tally:
    """What has been checked.

    Attributes:
        link: the last match's in the chain; it stands for all before it.
        linked: how many matches are in the chain.
        is_finished: everything is played, so the secret is no longer one.
    """

    matches: int = 0
    deals: int = 0
    moves: int = 0
    linked: int = 0
    link: str = ""
    is_finished: bool = False


def sweep(connection: sqlite3.Connection, tally: Tally, on_progress: OnProgress) -> Results:
    """Check a whole file.

    Args:
        connection: inside a transaction, so that a running tournament stands still.
        tally: what has been checked is counted here.
        on_progress: hears how it goes on.

    Returns:
        The results, all of them proved as far as they can be now.

    Raises:
        DisprovedError: the first thing that is wrong.
        sqlite3.Error: the file can't be read.
    """
    results, published = read_tournament(connection)
    info = results.info
    check_settings(info.settings)
    check_entrants(info)
    tally.is_finished = is_over(results)
    check_public_seed(info)
    source = None
    if tally.is_finished:
        check_secret(info, published)
        source = DealSource(info.secret, info.public_seed)
    tally.link = first_link(info.public_seed, published, info.entrants)
    checker = MatchChecker(rules_of(info.settings), limits_of(info.settings), Dealing(source))
    presence = Presence(
        boards=info.boards,
        is_finished=results.is_finished,
        in_chunks=is_test(info.settings),
        sessions=read_ended_sessions(connection),
    )
    _Sweep(
        connection,
        results,
        tally=tally,
        checker=checker,
        presence=presence,
        on_progress=on_progress,
    ).run()
    return results


class _Sweep:
    def __init__(
        self,
        connection: sqlite3.Connection,
        results: Results,
        *,
        tally: Tally,
        checker: MatchChecker,
        presence: Presence,
        on_progress: OnProgress,
    ) -> None:
        self._connection = connection
        self._results = results
        self._tally = tally
        self._checker = checker
        self._presence = presence
        self._on_progress = on_progress
        self._course = Course(results)
        self._totals = Totals()
        self._keys: dict[tuple[int, int], set[MatchKey]] = defaultdict(set)
        for match in results.matches:
            self._keys[match.round, match.pairing].add(match.key)
        self._matches = read_matches(connection)
        self._ahead: FoundMatch | None = None

    def run(self) -> None:
        results = self._results
        self._on_progress(0, len(results.matches))
        stored = {row.pairing.place: row for row in results.pairings}
        self._advance()
        for step in results.steps:
            if not self._presence.is_settled:
                raise DisprovedError(
                    Where(round=step.round), "paired before the rounds before it were over"
                )
            self._course.check_step(step)
            for pairing in sorted(step.pairings, key=lambda each: each.place):
                self._check_pairing(stored.pop(pairing.place))
        if stored:
            round_, number = min(stored)
            raise DisprovedError(Where(round=round_, pairing=number), "nobody made this pairing")
        if self._ahead is not None:
            raise DisprovedError(where_of(self._ahead.row.key), "a match of no pairing")
        self._check_rest()

    def _check_pairing(self, row: PairingRow) -> None:
        place = row.pairing.place
        found = self._keys[place]
        self._course.check_marks(row, is_complete=bool(found) or self._tally.is_finished)
        is_whole = self._presence.check(row, found)
        rows: list[MatchRow] = []
        while self._ahead is not None and self._ahead.row[:2] == place:
            self._check_match(self._ahead, row)
            rows.append(self._ahead.row)
            self._advance()
        if is_whole:
            self._course.settle(row, rows)

    def _check_match(self, match: FoundMatch, row: PairingRow) -> None:
        due, record = self._checker.check(match, row.pairing)
        self._check_link(match)
        self._totals.add(due)
        tally = self._tally
        tally.matches += 1
        tally.deals += len(record.deals)
        tally.moves += sum(
            len(deal.calls) + len(deal.plays) + bool(deal.plays and len(deal.points) == 2)
            for deal in record.deals
        )
        self._on_progress(tally.matches, len(self._results.matches))

    def _check_link(self, match: FoundMatch) -> None:
        key, gap = match.row.key, self._presence.gap
        if gap is not None and gap < key:
            if match.link is not None:
                raise DisprovedError(
                    where_of(gap), f"the match is missing, and {where_of(key)} is linked"
                )
            return
        due = next_link(self._tally.link, match.row, match.record_sha256)
        if match.link != due:
            raise DisprovedError(where_of(key), "the chain of records is broken")
        self._tally.link = due
        self._tally.linked += 1

    def _check_rest(self) -> None:
        results = self._results
        if self._presence.is_settled and results.steps:
            self._course.check_end(results.steps[-1])
        check_references(self._connection)
        self._totals.check(results)

    def _advance(self) -> None:
        self._ahead = next(self._matches, None)
