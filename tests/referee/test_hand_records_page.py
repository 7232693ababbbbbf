"""The examples of docs/reference/hand-records.md are true."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "hand-records.md"
EXAMPLE = re.compile(r"```json\n(.*?)```\n\ngives\n\n```json\n(.*?)```", re.DOTALL)


def examples() -> list[tuple[Any, Any]]:
    found = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))
    return [(json.loads(record), json.loads(verdict)) for record, verdict in found]


@pytest.mark.parametrize(("record", "verdict"), examples(), ids=range(len(examples())))
def test_an_example_gives_the_verdict_beside_it(
    record: Any, verdict: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    assert main(["adjudicate", str(file)]) == (verdict["status"] == "malformed")
    assert json.loads(capsys.readouterr().out) == verdict


def test_the_page_has_examples() -> None:
    assert len(examples()) >= 4
