"""Every rule of docs/rules.md has a test that names it, and every cited number exists."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RULES = ROOT / "docs" / "rules.md"
NUMBER = re.compile(r"\bR-\d+\.\d+\b")
# A test's name spells a number as `r_4_2`: names have neither dashes nor dots.
IN_NAME = re.compile(r"(?<![a-z])r_(\d+)_(\d+)(?!\d)")
CITING = ("protos", "sdk", "referee", "tournaments", "sample_bots", "tests", "docs")


def rules_named_by_tests(source: str) -> set[str]:
    """Find the rules that test functions name: in the name, the text or a decorator."""
    named: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            named |= {f"R-{chapter}.{rule}" for chapter, rule in IN_NAME.findall(node.name)}
            for part in (node, *node.decorator_list):
                named |= set(NUMBER.findall(ast.get_source_segment(source, part) or ""))
    return named


def files_that_cite() -> Iterator[Path]:
    for folder in CITING:
        for suffix in ("py", "proto", "md"):
            yield from (ROOT / folder).rglob(f"*.{suffix}")


def numbers(rules: set[str]) -> list[str]:
    """Sort rules as numbers, so that R-5.10 would follow R-5.9."""
    return sorted(rules, key=lambda rule: tuple(map(int, rule[2:].split("."))))


@pytest.fixture(scope="module")
def rules() -> set[str]:
    return set(NUMBER.findall(RULES.read_text(encoding="utf-8")))


def test_every_rule_is_named_by_a_test(rules: set[str]) -> None:
    this_file = Path(__file__).resolve()
    sources = [path for path in (ROOT / "tests").rglob("test_*.py") if path != this_file]
    named = {
        rule for path in sources for rule in rules_named_by_tests(path.read_text(encoding="utf-8"))
    }
    assert numbers(rules - named) == [], "these rules are named by no test"


def test_every_cited_rule_exists(rules: set[str]) -> None:
    this_file = Path(__file__).resolve()
    unknown = {
        f"{path.relative_to(ROOT)}: {rule}"
        for path in files_that_cite()
        if path != this_file
        for rule in set(NUMBER.findall(path.read_text(encoding="utf-8"))) - rules
    }
    assert sorted(unknown) == []


def test_rules_are_found_in_names_docstrings_and_decorators() -> None:
    source = '''
@mark.parametrize("rule", ["R-5.1"])
def test_r_4_2_must_follow_suit_r_4_30():
    """Also R-4.3."""

def helper():
    """R-9.9 counts for nothing here."""
'''
    assert numbers(rules_named_by_tests(source)) == ["R-4.2", "R-4.3", "R-4.30", "R-5.1"]
