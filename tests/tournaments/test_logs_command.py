import json
from pathlib import Path

import pytest

from tarneeb_referee.cli.main import main
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
