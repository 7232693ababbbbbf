"""What a mistyped word was meant to be."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["near_miss"]

# Names are shorter, and the time to compare grows with the square of the length.
_LONGEST = 40


def near_miss(word: str, known: Iterable[str]) -> str | None:
    """Find the known word that a mistyped one most likely stands for.

    Args:
        word: from anybody; of a long one only the beginning is looked at.
        known: the words that would do, in lower case.

    >>> near_miss("Tarneb", ["syrian41", "tarneeb"])
    'tarneeb'
    """
    found = difflib.get_close_matches(word[:_LONGEST].lower(), list(known), n=1)
    return found[0] if found else None
