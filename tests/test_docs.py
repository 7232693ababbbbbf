"""The pages hold together: links lead somewhere, and the lists are complete."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "sdk").glob("*.md")])
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("folder", ["tutorial", "how-to", "reference", "explanation"])
def test_every_page_of_a_folder_is_listed_in_its_readme(folder: str) -> None:
    listing = (ROOT / "docs" / folder / "README.md").read_text(encoding="utf-8")
    pages = sorted(page.name for page in (ROOT / "docs" / folder).glob("*.md"))
    assert [name for name in pages if name != "README.md" and f"]({name})" not in listing] == []


def test_every_decision_is_listed_and_says_when_to_revisit_it() -> None:
    folder = ROOT / "docs" / "adr"
    listing = (folder / "README.md").read_text(encoding="utf-8")
    decisions = sorted(folder.glob("[0-9]*.md"))
    assert [path.name for path in decisions if f"]({path.name})" not in listing] == []
    for path in decisions:
        headings = re.findall(r"^## (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert headings == ["Context", "Decision", "Consequences", "Revisit when"], path.name


def test_decisions_are_numbered_without_gap_or_repetition() -> None:
    numbers = [int(path.name[:4]) for path in (ROOT / "docs" / "adr").glob("[0-9]*.md")]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
