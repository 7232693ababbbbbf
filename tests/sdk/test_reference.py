"""The SDK's reference names what there is."""

import re
from pathlib import Path

import pytest

from tarneeb_sdk import Bot, SeatView, testing

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "sdk.md"
TEXT = PAGE.read_text(encoding="utf-8")


def public_names(cls: type) -> list[str]:
    return [name for name in dir(cls) if not name.startswith("_")]


@pytest.mark.parametrize("name", public_names(Bot))
def test_every_method_of_a_bot_is_described(name: str) -> None:
    assert re.search(rf"`{name}\(", TEXT)


@pytest.mark.parametrize("name", public_names(SeatView))
def test_every_attribute_of_a_view_is_described(name: str) -> None:
    assert re.search(rf"`{name}[`(]", TEXT)


@pytest.mark.parametrize("name", ["ask", "play_match", "view_of", "BotMoveError", "MatchResult"])
def test_the_test_kit_is_described(name: str) -> None:
    assert name in testing.__all__
    assert f"`{name}" in TEXT
