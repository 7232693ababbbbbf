"""Small helpers for the lines that people read."""

import re
from collections.abc import Iterable
from typing import Final

MAX_REPR = 60

# Control characters but tab and newline; embeddings, overrides and isolates (Unicode, annex 9).
_ACTING: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: object) -> str:
    r"""Write a path, key or message so that it can't move a cursor or forge a line.

    Whatever is not printable comes out as an escape, such as `\x1b`.

    >>> printable("a" + chr(27) + "[2J")
    'a\\x1b[2J'
    """
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in str(text)
    )


def tamed(text: str) -> str:
    r"""Escape what acts on a terminal in a text of several lines, and leave all else.

    That is control characters, and those that change the direction of what follows. Joiners, which
    some scripts need, stay.

    >>> tamed("ali" + chr(27) + "[2J" + chr(10))
    'ali\\x1b[2J\n'
    """
    return _ACTING.sub(lambda found: ascii(found[0])[1:-1], text)


def short_repr(value: object) -> str:
    """Write a value as Python would, shortened in the middle if it is long."""
    text = printable(repr(value))
    return text if len(text) <= MAX_REPR else f"{text[: MAX_REPR - 11]}…{text[-10:]}"


def join_words(words: Iterable[object], *, last: str = "or") -> str:
    """List words with commas and a last joining word.

    >>> join_words([31, 41, 61])
    '31, 41 or 61'
    """
    *head, tail = [str(word) for word in words]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def counted(count: int, word: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "match"), counted(2, "match"), counted(0, "board")
    ('1 match', '2 matches', '0 boards')
    """
    ending = "es" if word.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}{ending}"
