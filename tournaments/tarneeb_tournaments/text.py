"""Small helpers for the lines that people read."""

from collections.abc import Iterable

MAX_REPR = 60


def printable(text: object) -> str:
    r"""Write a path, key or message so that it can't move a cursor or forge a line.

    Whatever is not printable comes out as an escape, such as `\x1b`.

    >>> printable("a" + chr(27) + "[2J")
    'a\\x1b[2J'
    """
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1] for character in str(text)
    )


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
