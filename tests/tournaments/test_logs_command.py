import json
from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
from tarneeb_referee.outcome import MatchTimings
from tarneeb_referee.record_bytes import timings_to_bytes
from tarneeb_tournaments.results import ProcessLog, SeatSession, SessionRow
from tarneeb_tournaments.store.sqlite import SqliteStore
from tests.tournaments.kit import made_up


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "r.sqlite"
    info = made_up.info(("Alpha", "Beta"))
    store = SqliteStore.create(path, info, made_up.pairings(info))
    for half, text in ((1, b"hello\x1b[2J\nworld\n"), (2, b"second half\n")):
        seats = tuple(
            SeatSession(
                seat=seat,
                entrant="e1" if seat % 2 == half - 1 else "e2",
                start_s=0.25,
                exit="killed at its memory limit",
                cpu_s=1.5,
                peak_memory_bytes=64 << 20,
                incidents=(("crash", "exited with 3"),),
                logs=(ProcessLog(stdout=text, stderr=b""),) if seat < 2 else (),
            )
            for seat in range(4)
        )
        row = SessionRow(
            round=1, pairing=1, half=half, seats=seats, stalls=2, stalled_s=0.1, max_stall_s=0.07
        )
        store.submit(row).result(5)
    store.close()
    return path


def add_faults(file: Path, kinds: dict[tuple[int, int], list[str]], *, lag_us: int) -> None:
    """Store a match for each board and half, with these faults of e1's."""
    store = SqliteStore(file)
    for (board, half), faults in kinds.items():
        teams = ("e1", "e2") if half == 1 else ("e2", "e1")
        match = made_up.match((1, 1, board, half), teams, faults=[(half - 1, k) for k in faults])
        timings = timings_to_bytes(MatchTimings(max_lag_us=lag_us if board == 2 else 0))
        store.submit(replace(match, timings=timings)).result(5)
    store.close()


def run(file: Path, *arguments: str) -> int:
    return main(["logs", str(file), *arguments])


def test_what_a_bot_printed_and_how_it_ended(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(file, "--entrant", "alpha") == 0
    text = capsys.readouterr().out
    assert "== round 1, pairing 1, half 1" in text
    assert "the referee itself was late 2 times, 0.070 s at most" in text
    assert (
        "-- seat 0: ready after 0.25 s; killed at its memory limit; 1.50 s of processor time;"
        " 64 MiB at most; crash: exited with 3\n" in text
    )
    assert "hello\\x1b[2J\nworld\n" in text, "no control character reaches the terminal"
    assert "second half" in text


def test_the_sessions_of_one_match(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(file, "--entrant", "e1", "--match", "1.1.1.2") == 0
    text = capsys.readouterr().out
    assert "second half" in text
    assert "hello" not in text


def test_faults_of_matches_stand_beside_the_referees_own_delays(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_faults(
        file, {(1, 1): ["time-out"], (2, 1): ["time-out"], (1, 2): ["crash"]}, lag_us=310_000
    )
    assert run(file, "--entrant", "Alpha") == 0
    first, second = capsys.readouterr().out.split("== round 1, pairing 1, half 2")
    assert "\nmatch 1.1.1.1, deal 1, move 6: time-out: no answer in time\n" in first
    late = " (the referee itself was late by up to 0.31 s)\n"
    assert f"\nmatch 1.1.2.1, deal 1, move 6: time-out: no answer in time{late}" in first
    assert "match 1.1.1.2, deal 1, move 6: crash: no answer in time\n" in second
    assert run(file, "--entrant", "Alpha", "--match", "1.1.2.1") == 0
    only = capsys.readouterr().out
    assert "match 1.1.2.1" in only
    assert "match 1.1.1.1" not in only
    assert run(file, "--entrant", "Alpha", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    faults = [seat["faults"] for line in lines for seat in line["seats"]]
    assert [[fault["max_lag_s"] for fault in each] for each in faults] == [
        [0.0, 0.31],
        [],
        [0.0],
        [],
    ]
    places = [(fault["board"], fault["deal"], fault["move"]) for each in faults for fault in each]
    assert places == [(1, 1, 6), (2, 1, 6), (1, 1, 6)]
    assert run(file, "--entrant", "Beta") == 0
    assert "match 1.1" not in capsys.readouterr().out


def test_a_fault_before_the_first_deal_has_neither_deal_nor_move(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = made_up.match((1, 1, 1, 1), ("e1", "e2"), faults=[(0, "no-show")])
    early = replace(match.faults[0], deal=0, move_index=0)
    store = SqliteStore(file)
    store.submit(replace(match, faults=(early,), timings=timings_to_bytes(MatchTimings()))).result(
        5
    )
    store.close()
    assert run(file, "--entrant", "Alpha") == 0
    assert "\nmatch 1.1.1.1: no-show: no answer in time\n" in capsys.readouterr().out
    assert run(file, "--entrant", "Alpha", "--json") == 0
    (fault,) = json.loads(capsys.readouterr().out.splitlines()[0])["seats"][0]["faults"]
    assert (fault["board"], fault["deal"], fault["move"]) == (1, None, None)


def test_of_many_faults_the_first_ones_are_shown(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_faults(
        file, {(1, 1): ["illegal"] * 19 + ["crash", "time-out", "illegal", "illegal"]}, lag_us=0
    )
    assert run(file, "--entrant", "Alpha") == 0
    text = capsys.readouterr().out
    assert text.count("match 1.1.1.1, ") == 20
    assert "\nand more: 2 illegal, 1 time-out\n" in text


def test_faults_are_told_once_though_a_half_took_two_sessions(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_faults(file, {(1, 1): ["time-out"]}, lag_us=0)
    store = SqliteStore(file)
    store.submit(made_up.session((1, 1, 1))).result(5)
    store.close()
    assert run(file, "--entrant", "Alpha") == 0
    *_, last = text = capsys.readouterr().out.split("== round 1, pairing 1, half ")
    assert len(text) == 4
    assert "match 1.1.1.1" in last
    assert "match 1.1.1.1" not in "".join(text[:-1])


def test_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(file, "--entrant", "Beta", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["half"] for line in lines] == [1, 2]
    assert lines[0]["seats"][0]["processes"][0]["stdout"] == "hello\x1b[2J\nworld\n"
    assert lines[0]["seats"][0]["peak_memory_bytes"] == 64 << 20


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--entrant", "Alhpa"], "no entrant Alhpa; did you mean Alpha?"),
        (["--entrant", "e1", "--match", "7"], "write ROUND.PAIRING.BOARD.HALF, as 1.3.7.2"),
        (
            ["--entrant", "e1", "--match", "1.1.9.1"],
            "a pairing has boards 1 to 2, and halves 1 and",
        ),
        (
            ["--entrant", "e1", "--match", "1.1.0.1"],
            "a pairing has boards 1 to 2, and halves 1 and",
        ),
        (
            ["--entrant", "e1", "--match", "1.1.1.3"],
            "a pairing has boards 1 to 2, and halves 1 and",
        ),
    ],
)
def test_a_mistake_gets_a_line(
    file: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(file, *arguments) == 2
    assert words in capsys.readouterr().err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "none", "--entrant", "e1") == 2
    assert "no such file" in capsys.readouterr().err
