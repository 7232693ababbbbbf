from collections.abc import Iterable
from dataclasses import replace

import pytest

from tarneeb_tournaments.rating import Rating
from tarneeb_tournaments.results import Entry, StoredMatch, Suspension
from tarneeb_tournaments.standings import Standings, StandingsRow, compute_standings
from tarneeb_tournaments.store.memory import MemoryStore
from tests.tournaments.kit import made_up


def standings(entries: Iterable[Entry], names: str = "ABC") -> Standings:
    info = made_up.info(names)
    store = MemoryStore(info, made_up.pairings(info))
    for entry in entries:
        store.submit(entry).result()
    return compute_standings(store.read())


def board(
    round_: int, pairing: int, number: int, first: str, second: str, *, lead: int
) -> list[Entry]:
    """Make both halves of a board; `lead` is what the first entrant wins each by."""
    low = 41 - abs(lead)
    halves: list[Entry] = []
    for half, teams in enumerate([(first, second), (second, first)], start=1):
        first_wins = lead >= 0
        team0_wins = first_wins is (half == 1)
        winner = None if lead == 0 else (0 if team0_wins else 1)
        scores = (41, low) if team0_wins else (low, 41)
        halves.append(made_up.match((round_, pairing, number, half), teams, scores, winner=winner))
    return halves


def row(table: Standings, entrant: str) -> StandingsRow:
    (found,) = [each for each in table.rows if each.entrant.id == entrant]
    return found


def test_before_the_first_match_nothing_is_computed() -> None:
    table = standings([])
    assert [each.entrant.name for each in table.rows] == ["A", "B", "C"]
    for each in table.rows:
        assert each.rank is None
        assert each.rating is None
        assert each.points_per_deal is None
        assert each.made_share is None
        assert each.decision_s is None


def test_one_match_counts_and_is_not_yet_rated() -> None:
    table = standings([made_up.match((1, 1, 1, 1), ("e3", "e2"))])
    assert row(table, "e3").counts.matches == 1
    assert row(table, "e3").points_per_deal == pytest.approx(21 / 8)
    assert row(table, "e2").points_per_deal == pytest.approx(-21 / 8)
    assert row(table, "e3").rating is None
    assert row(table, "e3").counts.won == 0
    assert row(table, "e3").made_share == pytest.approx(4 / 5)
    assert row(table, "e3").decision_s == pytest.approx(200e-6)


def test_pairs_are_won_drawn_and_lost_and_decide_the_order() -> None:
    table = standings(
        [
            *board(1, 1, 1, "e3", "e2", lead=20),
            *board(1, 1, 2, "e3", "e2", lead=0),
            *board(2, 1, 1, "e1", "e3", lead=5),
        ]
    )
    assert [each.entrant.id for each in table.rows] == ["e1", "e3", "e2"]
    assert [each.rank for each in table.rows] == [1, 2, 3]
    counts = row(table, "e3").counts
    assert (counts.won, counts.drawn, counts.lost) == (1, 1, 1)
    assert counts.points == 2 * 20 - 2 * 5


def test_equal_lines_share_a_rank_in_the_order_of_the_file() -> None:
    table = standings(board(1, 1, 1, "e3", "e2", lead=0))
    assert [(each.entrant.id, each.rank) for each in table.rows] == [
        ("e2", 1),
        ("e3", 1),
        ("e1", None),
    ]


def piloted(entries: list[Entry], *pilots: str) -> list[Entry]:
    """Put entrants on autopilot in matches."""
    return [
        replace(
            each,
            row=each.row._replace(
                autopilots=(each.row.team0 in pilots) | (each.row.team1 in pilots) << 1
            ),
        )
        for each in entries
        if isinstance(each, StoredMatch)
    ]


def pairing(round_: int, first: str, second: str, *, lead: int) -> list[Entry]:
    """Make all four matches of a pairing."""
    return [
        match for number in (1, 2) for match in board(round_, 1, number, first, second, lead=lead)
    ]


def test_a_suspended_entrant_is_out_of_the_rating_and_keeps_its_results() -> None:
    won, others = pairing(1, "e3", "e2", lead=20), pairing(3, "e2", "e1", lead=20)
    table = standings([*piloted(won, "e3"), *others, Suspension("e3", ((2, 1),))])
    assert [each.entrant.id for each in table.rows] == ["e2", "e1", "e3"]
    suspended = table.rows[2]
    assert suspended.is_suspended
    assert suspended.rank is None
    assert suspended.rating is None
    assert suspended.counts.won == 2
    # Its pairs count for the others, and do not rate them.
    assert row(table, "e2").counts.lost == 2
    assert row(table, "e2").rating == row(standings(others), "e2").rating


def test_suspension_follows_from_the_matches_alone() -> None:
    """Nothing is left to be marked when it is the last pairing, or the only one."""
    table = standings(piloted(pairing(1, "e1", "e2", lead=-20), "e2"), "AB")
    assert [each.entrant.id for each in table.rows] == ["e1", "e2"]
    assert [each.is_suspended for each in table.rows] == [False, True]
    assert [each.rank for each in table.rows] == [None, None]
    assert [each.rating for each in table.rows] == [None, None]
    assert row(table, "e2").counts.won == 2


def test_a_pairing_that_is_not_complete_suspends_nobody() -> None:
    table = standings(piloted(pairing(1, "e1", "e2", lead=-20), "e2")[:3], "AB")
    assert not any(each.is_suspended for each in table.rows)


def test_an_entrant_that_was_never_ready_has_losses_and_dashes() -> None:
    halves = [
        made_up.match(
            (1, 1, 1, half),
            ("e3", "e2") if half == 1 else ("e2", "e3"),
            (0, 0),
            winner=2 - half,
            ending="forfeit",
            deals=0,
            decisions_us=(),
            faults=[(half - 1, "never ready")],
        )
        for half in (1, 2)
    ]
    table = standings(halves)
    gone = row(table, "e3")
    assert (gone.counts.won, gone.counts.lost, gone.counts.forfeits) == (0, 1, 2)
    assert gone.points_per_deal is None
    assert gone.decision_s is None
    assert gone.faults == {"never ready": 2}
    assert row(table, "e2").counts.won == 1
    assert isinstance(gone.rating, Rating)


def test_faults_and_incidents_are_named() -> None:
    table = standings(
        [
            made_up.match((1, 1, 1, 1), ("e3", "e2"), faults=[(1, "time-out"), (3, "time-out")]),
            made_up.session((1, 1, 1)),
        ]
    )
    assert row(table, "e2").faults == {"time-out": 2}
    assert row(table, "e2").incidents == {"crash": 1}
