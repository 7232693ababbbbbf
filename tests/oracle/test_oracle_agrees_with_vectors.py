"""The oracle is right by itself: it gives every judged record's verdict."""

import json
from pathlib import Path

import pytest

from tests.oracle.judge import judge

VECTORS = Path(__file__).resolve().parents[1] / "vectors"


@pytest.mark.parametrize("name", ["named", "random"])
def test_the_oracle_agrees_with_every_judged_record(name: str) -> None:
    lines = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = {}
    for case in map(json.loads, lines):
        verdict = judge(case["record"])
        differences = {
            key: (expected, verdict.get(key))
            for key, expected in case["expect"].items()
            if verdict.get(key) != expected
        }
        if differences:
            wrong[case["id"]] = differences
    assert wrong == {}
    assert lines


def test_the_oracle_shares_no_code_with_the_rules_core() -> None:
    for source in Path(__file__).parent.glob("*.py"):
        if source != Path(__file__):
            assert "import tarneeb" not in source.read_text(encoding="utf-8")
            assert "from tarneeb" not in source.read_text(encoding="utf-8")
