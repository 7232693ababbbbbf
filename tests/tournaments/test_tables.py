import resource
from pathlib import Path

import pytest

from tarneeb_sdk.errors import HarnessError
from tarneeb_tournaments import resources
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.tables import (
    choose_pairings,
    choose_tables,
    overload_warning,
)

PAIRING = Pairing(1, 1, "e1", "e2")
FAST, SLOW = 0.0005, 0.05


@pytest.mark.parametrize(("cores", "pairings"), [(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)])
def test_each_bot_of_a_pairing_gets_a_core(cores: int, pairings: int) -> None:
    assert choose_pairings(None, cores=cores) == pairings


def test_a_number_in_the_file_is_taken_as_it_is() -> None:
    assert choose_pairings(7, cores=1) == 7
    assert choose_tables(5, PAIRING, decision_s={}, cores=1, pairings=1) == 5


@pytest.mark.parametrize(
    ("first", "second", "cores", "pairings", "tables"),
    [
        (FAST, FAST, 1, 1, 64),
        (FAST, FAST, 16, 4, 64),
        (FAST, SLOW, 1, 1, 1),
        (FAST, SLOW, 2, 1, 2),
        (SLOW, SLOW, 2, 2, 1),
        (SLOW, SLOW, 2, 8, 1),
        (SLOW, SLOW, 4, 1, 64),
        (SLOW, SLOW, 8, 2, 64),
        (FAST, None, 2, 1, 2),
    ],
)
def test_slow_bots_get_no_more_tables_than_cores(
    first: float | None, second: float | None, cores: int, pairings: int, tables: int
) -> None:
    decision_s = {"e1": first, "e2": second}
    assert (
        choose_tables(None, PAIRING, decision_s=decision_s, cores=cores, pairings=pairings)
        == tables
    )


@pytest.mark.parametrize(
    ("tables", "pairings", "decision", "cores", "warned"),
    [
        (None, None, SLOW, 2, False),
        (64, None, SLOW, 2, True),
        (64, None, SLOW, 4, False),
        (1, 4, SLOW, 2, True),
        (64, 4, FAST, 2, False),
    ],
)
def test_more_slow_bots_than_cores_are_warned_of(
    tables: int | None, pairings: int | None, decision: float, cores: int, warned: bool
) -> None:
    warning = overload_warning(
        tables, pairings, decision_s={"e1": decision, "e2": FAST}, cores=cores
    )
    assert (warning is not None) is warned


def limit(monkeypatch: pytest.MonkeyPatch, soft: int, hard: int) -> list[tuple[int, int]]:
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: set_to.append(limits))
    return set_to


def test_a_low_limit_on_open_files_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to = limit(monkeypatch, 100, 4096)
    resources.check_open_files(pairings=4)
    assert set_to == [(320, 4096)]


def test_a_fixed_limit_on_open_files_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, 64, 64)
    with pytest.raises(HarnessError, match=r"limit on open files is 64 and 128 are needed"):
        resources.check_open_files(pairings=1)


def test_a_high_limit_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit(monkeypatch, 4096, 4096) == []
    resources.check_open_files(pairings=1)


def free(monkeypatch: pytest.MonkeyPatch, mebibytes: int) -> None:
    usage = type("Usage", (), {"free": mebibytes << 20})
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage)


def test_a_disk_without_room_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    free(monkeypatch, 1)
    with pytest.raises(HarnessError, match="has only 1,024 KiB left; free at least 4 MiB"):
        resources.check_disk(tmp_path / "x.sqlite", matches_left=1)


def test_a_disk_that_may_fill_up_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    free(monkeypatch, 100)
    results = tmp_path / "x.sqlite"
    assert resources.check_disk(results, matches_left=1_000) is None
    warning = resources.check_disk(results, matches_left=1_000_000)
    assert warning is not None
    assert "has 100 MiB left" in warning


def test_a_folder_that_is_not_there_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match="no such file or directory"):
        resources.check_disk(tmp_path / "no" / "x.sqlite", matches_left=1)
