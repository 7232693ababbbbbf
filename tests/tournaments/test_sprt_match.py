"""A test is played until it is known, and how it is played changes nothing."""

import asyncio
import json
from collections.abc import Collection
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tarneeb_referee.deals import DealSource
from tarneeb_sdk.errors import HarnessError
from tarneeb_tournaments.results import Results
from tarneeb_tournaments.rounds import first_pairings
from tarneeb_tournaments.sprt import Decision, SprtSettings, SprtState
from tarneeb_tournaments.sprt_match import (
    SprtConduct,
    boards_in_order,
    new_test,
    settings_of_test,
    state_of,
)
from tarneeb_tournaments.sprt_reporting import (
    sprt_json,
    sprt_text,
)
from tarneeb_tournaments.store.memory import MemoryStore
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results
from tests.tournaments.kit.fake_play import FakePlay, HeardProgress, setup
from tests.tournaments.kit.forgery import altered, found_in, verdict_on
from tests.tournaments.kit.made_up import SECRET
from tests.tournaments.kit.table_play import StoppedError, TablePlay, config, time_out

WIDE = SprtSettings(elo0=0, elo1=150)


@dataclass
class Heard:
    """What somebody who watches a test hears."""

    states: list[tuple[SprtState, int, int]] = field(default_factory=list)

    def __call__(self, state: SprtState, /, *, boards: int, due: int) -> None:
        self.states.append((state, boards, due))


def play(
    path: Path,
    *,
    settings: SprtSettings = WIDE,
    boards: int = 200,
    stop_after: int | None = None,
    heard: Heard | None = None,
) -> Results:
    """Test a bot that answers against one whose time often runs out."""
    tournament = config("AB", boards=boards, deals=1)
    info = replace(new_test(tournament, settings), secret=SECRET)
    if path.exists():
        store = SqliteStore(path)
    else:
        pairings, is_final = first_pairings(info)
        store = SqliteStore.create(path, info, pairings, is_final=is_final)
    player = TablePlay(
        tournament.settings,
        DealSource(info.secret, info.public_seed),
        misdeeds={"e2": (time_out, 30)},
        stop_after=stop_after,
    )
    conduct = SprtConduct(settings, on_state=heard or Heard())
    with closing(store), suppress(StoppedError):
        asyncio.run(conduct(store, setup=setup(info), play=player, progress=HeardProgress()))
    return read_results(path)


def test_it_plays_until_it_is_known(tmp_path: Path) -> None:
    heard = Heard()
    results = play(tmp_path / "r", heard=heard)
    state = state_of(results)
    assert state.decision is not Decision.GO_ON
    assert heard.states[0][1:] == (0, 200)
    assert heard.states[-1][0] == state
    assert sum(state.counts) <= len(boards_in_order(results)) < 200
    assert not results.is_finished


def test_the_end_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tarneeb_tournaments.sprt_match.LOOK_EVERY_S", 0)
    heard = Heard()
    play(tmp_path / "r", heard=heard)
    ends = [state for state, _, _ in heard.states if state.decision is not Decision.GO_ON]
    assert len(ends) == 1


def test_it_gives_up_after_the_last_board(tmp_path: Path) -> None:
    results = play(tmp_path / "r", settings=SprtSettings(elo0=0, elo1=1), boards=5)
    assert state_of(results).decision is Decision.GO_ON
    assert results.is_finished
    assert "it is not known whether A is stronger than B" in sprt_text(results)


def play_voids(voids: dict[tuple[int, int, int], list[Collection[int]]]) -> HeardProgress:
    """Test two bots over four boards, of which some are void at first."""
    info = replace(new_test(config("AB", boards=4), SprtSettings(elo0=0, elo1=1)), secret=SECRET)
    pairings, is_final = first_pairings(info)
    store = MemoryStore(info, pairings, is_final=is_final)
    progress = HeardProgress()
    conduct = SprtConduct(settings_of_test(info.settings), on_state=Heard())
    asyncio.run(conduct(store, setup=setup(info), play=FakePlay(voids=voids), progress=progress))
    assert store.read().is_finished
    return progress


def test_a_void_board_is_played_again_and_told_without_its_cards() -> None:
    (note,) = play_voids({(1, 1, 2): [(2, 3)]}).notes
    assert note.startswith("round 1, pairing 1, half 2: ")
    assert "our fault, so 2 of its matches are played again" in note
    # An error's text may name cards of a board that is played again.
    assert "division by zero" not in note


def test_after_three_tries_the_test_stops_and_says_why() -> None:
    with pytest.raises(HarnessError, match=r"half 1: no result after 3 tries.*ZeroDivisionError"):
        play_voids({(1, 1, 1): [(2,)] * 3})


@pytest.mark.parametrize("stops", [[0], [3], [20], [33], [1, 20, 40]])
def test_interruptions_change_no_result(tmp_path: Path, stops: list[int]) -> None:
    whole = play(tmp_path / "whole")
    for stop_after in stops:
        play(tmp_path / "parts", stop_after=stop_after)
    parts = play(tmp_path / "parts")
    assert state_of(parts) == state_of(whole)
    known = sum(state_of(whole).counts)
    assert boards_in_order(parts)[:known] == boards_in_order(whole)[:known]


def test_boards_after_a_gap_do_not_count(tmp_path: Path) -> None:
    results = play(tmp_path / "r")
    without = [match for match in results.matches if match[2:4] != (4, 2)]
    assert len(boards_in_order(replace(results, matches=tuple(without)))) == 3


@pytest.mark.parametrize("stop_after", [None, 3, 20, 35])
def test_its_file_can_be_verified(tmp_path: Path, stop_after: int | None) -> None:
    results = play(tmp_path / "r", stop_after=stop_after)
    verdict = verdict_on(tmp_path / "r")
    assert verdict.wrong is None
    assert (verdict.not_checked == ()) is (state_of(results).decision is not Decision.GO_ON)


def test_a_board_dropped_from_it_is_found(tmp_path: Path) -> None:
    play(tmp_path / "a")
    with altered(tmp_path / "a", tmp_path / "b") as database:
        for table in ("record", "fault", "timing", "timing_detail", "match"):
            database.execute(f"DELETE FROM {table} WHERE board = 2")
    assert found_in(tmp_path / "b").startswith(
        "round 1, pairing 1, board 2, half 1: the match is missing, and "
    )


def test_what_is_tested_is_part_of_the_public_seed() -> None:
    tournament = config("AB")
    one = new_test(tournament, SprtSettings(elo1=10))
    other = new_test(tournament, SprtSettings(elo1=20))
    assert one.public_seed != other.public_seed
    assert settings_of_test(one.settings) == SprtSettings(elo1=10)


def test_the_json_holds_the_whole_state(tmp_path: Path) -> None:
    results = play(tmp_path / "r")
    state, told = state_of(results), sprt_json(results)
    assert json.loads(json.dumps(told)) == told
    assert told["decision"] == state.decision.value
    assert (told["lost"], told["drawn"], told["won"]) == state.counts
    assert told["boards"] == sum(state.counts)
    assert (told["elo0"], told["elo1"], told["llr"]) == (0, 150, state.llr)


def test_what_a_bot_did_wrong_is_told(tmp_path: Path) -> None:
    results = play(tmp_path / "r")
    told = sprt_json(results)
    faults = told["base"]["faults"]  # type: ignore[index]
    assert faults["time-out"] > 0
    assert told["base"]["autopilots"] > 0  # type: ignore[index]
    assert told["new"]["faults"] == {}  # type: ignore[index]
    *_, line = sprt_text(results).splitlines()
    assert line.startswith(f"B: {faults['time-out']} time-out; on autopilot in ")


def test_settings_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="no settings of a test"):
        settings_of_test({"tournament": {}})
