import pytest

from tarneeb_sdk.game.near_miss import near_miss


@pytest.mark.parametrize(
    ("word", "meant"),
    [("strickes", "strikes"), ("STRIKES", "strikes"), ("retry", "retries"), ("zebra", None)],
)
def test_the_nearest_known_word_is_found(word: str, meant: str | None) -> None:
    assert near_miss(word, ["strikes", "retries", "restarts"]) == meant


def test_of_a_long_word_only_the_beginning_is_looked_at() -> None:
    # Without a cut this would take hours.
    assert near_miss("strikes" * 1_000_000, ["s" * 30_000, "strikes"]) is None
