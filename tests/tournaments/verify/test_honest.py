"""Nothing is wrong in what an honest referee has stored."""

from pathlib import Path

import pytest

from tarneeb_tournaments.schedule import ScheduleSettings
from tarneeb_tournaments.suspension import suspended_entrants
from tests.tournaments.kit import table_play
from tests.tournaments.kit.forgery import found_in, verdict_on
from tests.tournaments.kit.table_play import Misdeed, config, play, with_

SWISS: ScheduleSettings = {"schedule": "swiss", "rounds": 3, "rematches": False}
SCHEDULES: dict[str, tuple[str, ScheduleSettings]] = {
    "single": ("ABCDE", {"schedule": "round-robin", "times": 1}),
    "double": ("ABC", {"schedule": "round-robin", "times": 2}),
    "swiss": ("ABCDEFG", SWISS),
    "gauntlet": ("ABCD", {"schedule": "gauntlet", "challengers": "e2", "times": 1}),
    "individual": ("ABCDEF", {"schedule": "individual", "rounds": 4}),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_every_schedule_passes(tmp_path: Path, name: str) -> None:
    names, schedule = SCHEDULES[name]
    results = play(tmp_path / "r.sqlite", config(names, schedule=schedule), pairings=3)
    verdict = verdict_on(tmp_path / "r.sqlite")
    assert verdict.wrong is None
    assert verdict.not_checked == ()
    assert verdict.tally.linked == verdict.tally.matches == len(results.matches) > 0


@pytest.mark.parametrize("preset", ["tarneeb", "tarneeb-31", "tarneeb-outright", "syrian41"])
def test_every_preset_passes(tmp_path: Path, preset: str) -> None:
    play(tmp_path / "r.sqlite", config("AB", preset=preset, boards=1, deals=None))
    assert found_in(tmp_path / "r.sqlite") == ""


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
@pytest.mark.parametrize(
    "misdeed",
    [
        table_play.time_out,
        table_play.wrong_card,
        table_play.nonsense,
        table_play.crash,
        table_play.flood,
    ],
)
def test_faults_autopilots_and_suspensions_pass(
    tmp_path: Path, preset: str, misdeed: Misdeed
) -> None:
    misdeeds = {"e1": (misdeed, 15), "e2": (misdeed, 1)}
    tournament = config("ABC", preset=preset, boards=4, deals=4)
    results = play(tmp_path / "r.sqlite", tournament, make_play=with_(misdeeds=misdeeds))
    assert any(match.autopilots for match in results.matches)
    assert suspended_entrants(results)
    assert found_in(tmp_path / "r.sqlite") == ""


@pytest.mark.parametrize("schedule", [{"schedule": "round-robin"}, SWISS])
def test_forfeits_pass(tmp_path: Path, schedule: ScheduleSettings) -> None:
    tournament = config("ABCDEF", schedule=schedule)
    results = play(
        tmp_path / "r.sqlite", tournament, pairings=2, make_play=with_(absent=("e2", "e5"))
    )
    assert {match.ending for match in results.matches} == {"forfeit", "deals"}
    assert found_in(tmp_path / "r.sqlite") == ""


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_cancelled_deals_pass(tmp_path: Path, preset: str) -> None:
    timid = with_(timid=("e1", "e2"))
    play(tmp_path / "r.sqlite", config("AB", preset=preset, boards=1), make_play=timid)
    verdict = verdict_on(tmp_path / "r.sqlite")
    assert verdict.wrong is None
    # Two matches of two deals that count, each after twenty that were cancelled [R-8.1].
    assert verdict.tally.deals == 2 * 2 * 21


@pytest.mark.parametrize("schedule", [{"schedule": "round-robin"}, SWISS])
@pytest.mark.parametrize("stop_after", [0, 1, 2, 5, 13, 22])
def test_an_unfinished_file_passes_and_says_what_was_not_checked(
    tmp_path: Path, schedule: ScheduleSettings, stop_after: int
) -> None:
    path = tmp_path / "r.sqlite"
    tournament = config("ABCD", schedule=schedule)
    results = play(path, tournament, pairings=2, make_play=with_(stop_after=stop_after))
    assert not results.is_finished
    verdict = verdict_on(path)
    assert verdict.wrong is None
    assert len(verdict.not_checked) == 2
    play(path, tournament, pairings=1)
    verdict = verdict_on(path)
    assert (verdict.wrong, verdict.not_checked) == (None, ())


def test_how_it_was_run_changes_no_link(tmp_path: Path) -> None:
    tournament = config("ABCDE", schedule=SWISS)
    chains = set()
    for name, pairings, stop_after in (("a", 1, None), ("b", 3, None), ("c", 2, 7)):
        path = tmp_path / name
        if stop_after is not None:
            play(path, tournament, pairings=3, make_play=with_(stop_after=stop_after))
        play(path, tournament, pairings=pairings)
        chains.add(verdict_on(path).tally.link)
    assert len(chains) == 1
