"""What people and programs are shown beside the plain standings."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_tournaments.behaviour_format import BEHAVIOUR
from tarneeb_tournaments.columns import DASH
from tarneeb_tournaments.crosstable_format import format_crosstable
from tarneeb_tournaments.formats import FORMATS, format_table, standings_json
from tarneeb_tournaments.results import Results
from tarneeb_tournaments.standings import Standings, compute_standings
from tarneeb_tournaments.store.memory import MemoryStore
from tarneeb_tournaments.store.sqlite import read_played
from tarneeb_tournaments.tempo_format import tempo_by_entrant
from tests.tournaments.kit import made_up
from tests.tournaments.kit.table_play import config, play


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("views")


@pytest.fixture(scope="module")
def swiss(folder: Path) -> Results:
    tournament = config("ABCDE", boards=6, schedule={"schedule": "swiss", "rounds": 3})
    return play(folder / "swiss.sqlite", tournament)


@pytest.fixture(scope="module")
def individual(folder: Path) -> Results:
    tournament = config("ABCD", boards=4, preset="syrian41", schedule={"schedule": "individual"})
    return play(folder / "individual.sqlite", tournament)


def headings(standings: Standings) -> list[str]:
    return FORMATS["md"](standings).splitlines()[2].strip("| ").split(" | ")


def test_swiss_standings_go_by_points_and_show_tie_breaks(swiss: Results) -> None:
    standings = compute_standings(swiss)
    assert headings(standings)[:7] == [
        "#",
        "entrant",
        "points",
        "median",
        "Buchholz",
        "h2h",
        "boards",
    ]
    points = [row.swiss.points for row in standings.rows if row.swiss is not None]
    assert points == sorted(points, reverse=True)
    assert len(points) == 5
    assert [row.rank for row in standings.rows] == sorted(row.rank or 0 for row in standings.rows)


def test_elo_takes_the_place_of_trueskill(folder: Path, individual: Results) -> None:
    standings = compute_standings(individual, rating="elo")
    assert headings(standings)[2:5] == ["Elo", "Elo 95%", "ranks"]
    elo = [row.elo for row in standings.rows]
    assert all(each is not None for each in elo)
    values = [each.elo for each in elo if each is not None]
    assert values == sorted(values, reverse=True)
    for row in standings_json(standings)["standings"]:  # type: ignore[attr-defined]
        assert row["elo_low"] <= row["elo"] <= row["elo_high"]
        assert 1 <= row["best_rank"] <= row["worst_rank"] <= 4


def test_each_cell_of_the_crosstable_has_its_interval(swiss: Results) -> None:
    data = json.loads(FORMATS["json"](compute_standings(swiss, rating="elo")))
    met = {frozenset(pairing["entrants"]) for pairing in data["pairings"] if not pairing["bye"]}
    cells = {frozenset((cell["entrant"], cell["opponent"])): cell for cell in data["crosstable"]}
    assert set(cells) == met
    for cell in cells.values():
        assert cell["won"] + cell["drawn"] + cell["lost"] == 6
        assert cell["points_per_board_low"] <= cell["points_per_board"]
        assert cell["points_per_board"] <= cell["points_per_board_high"]
        assert 0 <= cell["p_value"] <= 1
        assert isinstance(cell["significant"], bool)
    assert len(data["chances_above"]) == 10
    assert all(0 <= each["chance"] <= 1 for each in data["chances_above"])


def test_the_crosstable_is_written_for_people(swiss: Results, individual: Results) -> None:
    plain = format_crosstable(compute_standings(swiss))
    assert "Chance of being stronger" not in plain
    assert all(f"  {name}  " in plain for name in "ABCDE")
    assert "Chance of being stronger" in format_crosstable(compute_standings(swiss, rating="elo"))
    assert "has no crosstable" in format_crosstable(compute_standings(individual))


def test_behaviour_adds_up(swiss: Results, individual: Results) -> None:
    for results in (swiss, individual):
        for row in compute_standings(results).rows:
            assert row.behaviour.contracts == row.counts.bids
            assert sum(each.made for each in row.behaviour.levels.values()) == row.counts.made
            assert row.slow_s is not None
            assert row.decision_s is not None
            assert 0 < row.decision_s <= row.slow_s * 1.03


def behaviour_lines(standings: Standings, *, width: int | None = None) -> list[list[str]]:
    """Read the second table: its headings, and a line for each entrant."""
    lines = format_table(standings, width=width).splitlines()
    begin = lines.index(BEHAVIOUR) + 1
    return [line.split() for line in lines[begin : begin + len(standings.rows) + 1]]


def test_how_everybody_bid_and_scored_is_shown(swiss: Results) -> None:
    standings = compute_standings(swiss)
    headings, *lines = behaviour_lines(standings)
    assert headings[:7] == ["#", "entrant", "over", "under", "declarer", "defender", "kaboots"]
    for line, row in zip(lines, standings.rows, strict=True):
        cells, behaviour = dict(zip(headings, line, strict=True)), row.behaviour
        assert cells["entrant"] == row.entrant.name
        assert float(cells["over"]) == pytest.approx(behaviour.overbid, abs=0.005)
        assert float(cells["under"]) == pytest.approx(behaviour.underbid, abs=0.005)
        assert float(cells["declarer"]) == pytest.approx(behaviour.points_as_declarer, abs=0.005)
        assert float(cells["defender"]) == pytest.approx(behaviour.points_as_defender, abs=0.005)
        assert cells["kaboots"] == f"{behaviour.kaboots}-{behaviour.kaboots_against}"
        levels = {level: f"{each.made}/{each.bid}" for level, each in behaviour.levels.items()}
        assert {int(key): cells[key] for key in headings[7:] if cells[key] != DASH} == levels
    assert BEHAVIOUR in FORMATS["md"](standings)


def test_what_nobody_can_have_done_in_syrian_41_is_not_shown(individual: Results) -> None:
    headings, *_ = behaviour_lines(compute_standings(individual))
    assert headings[:5] == ["#", "entrant", "over", "under", "declarer"]
    assert headings[5] == "2"


def test_levels_need_a_wide_terminal(swiss: Results) -> None:
    standings = compute_standings(swiss)
    headings, *_ = behaviour_lines(standings, width=52)
    assert headings[-1] == "kaboots"
    assert "level 7" in format_table(standings, width=52)


def test_before_the_first_contract_there_is_one_table() -> None:
    info = made_up.info("AB")
    standings = compute_standings(MemoryStore(info, made_up.pairings(info)).read())
    assert BEHAVIOUR not in FORMATS["table"](standings) + FORMATS["md"](standings)


def test_tempo_is_reported_for_each_entrant(folder: Path, individual: Results) -> None:
    tempo = tempo_by_entrant(read_played(folder / "individual.sqlite"))
    assert set(tempo) == {"e1", "e2", "e3", "e4"}
    standings = replace(compute_standings(individual), tempo=tempo)
    rows = standings_json(standings)["standings"]
    for row in rows:  # type: ignore[attr-defined]
        assert -1 <= row["tempo"]["partner"]["correlation"] <= 1
        assert row["tempo"]["opponent"]["count"] > 30
    assert "tempo to partners" in FORMATS["table"](standings)


def test_tempo_of_a_pair_event_counts_both_seats(folder: Path, swiss: Results) -> None:
    tempo = tempo_by_entrant(read_played(folder / "swiss.sqlite"))
    counted = sum(each.partner.count for each in tempo.values() if each.partner is not None)
    asked = sum(each.decisions for each in swiss.times.values())
    # The last moves of a deal are followed by none of the partner's.
    assert 0.7 * asked < counted < asked
