"""Each match is linked to the one before it in schedule order, in whatever order they end."""

import itertools
import random
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tarneeb_tournaments.chain import first_link, next_link, record_hash
from tarneeb_tournaments.results import Entry, MatchRow, StoredMatch, Suspension
from tarneeb_tournaments.store.sqlite import SqliteStore
from tests.tournaments.kit import made_up

BOARDS = 2


def all_matches() -> list[StoredMatch]:
    """Give every match of three entrants who meet once, in schedule order."""
    return [
        made_up.match((pairing.round, pairing.number, board, half), pairing.teams(half))
        for pairing in made_up.pairings(made_up.info("ABC"))
        if not pairing.is_bye
        for board in range(1, BOARDS + 1)
        for half in (1, 2)
    ]


def store(path: Path, entries: Iterable[Entry]) -> None:
    info = made_up.info("ABC", boards=BOARDS)
    with closing(SqliteStore.create(path, info, made_up.pairings(info))) as results:
        for entry in entries:
            results.submit(entry).result()


def links(path: Path) -> list[str | None]:
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT link FROM match ORDER BY round, pairing, board, half")
        return [link for (link,) in found]


def expected(matches: Sequence[StoredMatch]) -> list[str]:
    info = made_up.info("ABC", boards=BOARDS)
    link = first_link(info.public_seed, info.secret_sha256, info.entrants)
    found = []
    for match in matches:
        link = next_link(link, match.row, record_hash(match.record))
        found.append(link)
    return found


def test_the_order_of_completion_changes_no_link(tmp_path: Path) -> None:
    matches = all_matches()
    for seed in range(5):
        shuffled = random.Random(seed).sample(matches, len(matches))
        path = tmp_path / f"{seed}.sqlite"
        store(path, shuffled)
        assert links(path) == expected(matches)


def test_a_match_is_linked_once_all_before_it_are_there(tmp_path: Path) -> None:
    first, second, third, *_ = all_matches()
    store(tmp_path / "gap.sqlite", [first, third])
    assert links(tmp_path / "gap.sqlite") == [*expected([first]), None]
    store(tmp_path / "whole.sqlite", [third, second, first])
    assert links(tmp_path / "whole.sqlite") == expected([first, second, third])


def test_a_pairing_that_is_not_played_holds_up_no_link(tmp_path: Path) -> None:
    matches = all_matches()
    places = list(dict.fromkeys((match.row.round, match.row.pairing) for match in matches))
    later = [match for match in matches if (match.row.round, match.row.pairing) != places[1]]
    suspension = Suspension("e1", (places[1],))
    orders: dict[str, list[Entry]] = {
        "before": [suspension, *later],
        "after": [*later, suspension],
    }
    for name, entries in orders.items():
        store(tmp_path / f"{name}.sqlite", entries)
        assert links(tmp_path / f"{name}.sqlite") == expected(later)


@pytest.mark.parametrize("changed", range(len(MatchRow._fields)))
def test_every_column_is_in_the_link(changed: int) -> None:
    row = made_up.match().row
    other = MatchRow._make("other" if place == changed else each for place, each in enumerate(row))
    assert next_link("", row, "") != next_link("", other, "")


def test_links_of_different_tournaments_differ() -> None:
    info = made_up.info("AB")
    other = made_up.info("AC")
    starts = [
        first_link(info.public_seed, info.secret_sha256, info.entrants),
        first_link(info.public_seed, info.secret_sha256, other.entrants),
        first_link("cd" * 32, info.secret_sha256, info.entrants),
        first_link(info.public_seed, "00" * 32, info.entrants),
    ]
    assert all(one != other for one, other in itertools.combinations(starts, 2))
