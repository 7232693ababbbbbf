"""The verdicts of the judged records, and of random ones beside the oracle's."""

import json
import os
import secrets
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tarneeb_referee.adjudicate import judge_line
from tarneeb_referee.verdict import format_verdict
from tests.oracle.judge import judge
from tests.oracle.random_records import random_record

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
NIGHTLY = os.environ.get("TEST_PROFILE") == "nightly"
FIRST_SEED = int(os.environ.get("ORACLE_SEED", secrets.randbits(32) if NIGHTLY else 2026))


def verdict_on(record: object) -> dict[str, Any]:
    verdict = json.loads(format_verdict(judge_line(json.dumps(record).encode())))
    assert isinstance(verdict, dict)
    return verdict


def judged_records() -> list[Any]:
    return [
        pytest.param(case, id=case["id"])
        for name in ("named.jsonl", "random.jsonl")
        for case in map(json.loads, (VECTORS / name).read_text(encoding="utf-8").splitlines())
    ]


@pytest.mark.parametrize("case", judged_records())
def test_every_key_of_a_judged_record_agrees(case: dict[str, Any]) -> None:
    verdict = verdict_on(case["record"])
    assert {key: verdict.get(key) for key in case["expect"]} == case["expect"]
    assert ("reason" in verdict) == (case["expect"]["status"] == "rejected")


def compare_random_records(number: int, *, seed: int) -> set[tuple[str, str]]:
    dice = Random(seed)
    seen = set()
    for place in range(number):
        record = random_record(dice)
        verdict = verdict_on(record)
        reason = verdict.pop("reason", None)
        assert verdict == judge(record), f"ORACLE_SEED={seed}, record {place}: {record!r} {reason}"
        assert (reason is not None) == (verdict["status"] == "rejected")
        seen.add((verdict["status"], verdict["phase"]))
    return seen


def test_referee_and_oracle_judge_random_records_alike() -> None:
    seen = compare_random_records(4_000, seed=FIRST_SEED)
    every_phase = {"auction", "trump", "play", "scored", "cancelled"}
    assert seen == {(status, phase) for status in ("accepted", "rejected") for phase in every_phase}


@pytest.mark.nightly
@pytest.mark.parametrize("chunk", range(1, 21))
def test_referee_and_oracle_judge_many_more_records_alike(chunk: int) -> None:
    compare_random_records(20_000, seed=FIRST_SEED + chunk)
