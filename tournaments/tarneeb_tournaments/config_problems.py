"""Turning what is wrong with a file into lines that name the key and the fix."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from tarneeb_sdk.game.near_miss import near_miss
from tarneeb_tournaments.text import join_words, printable, short_repr

Model = TypeVar("Model", bound=BaseModel)

_WRONG_TYPE = {
    "int_type": "is not a whole number",
    "float_type": "is not a number",
    "string_type": "is not a text",
    "bool_type": "is neither true nor false",
    "finite_number": "is not a finite number",
    "literal_error": "is not allowed",
    "string_too_short": "is empty",
    "list_type": "is no list",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to be put right.

    Attributes:
        key: where, such as `match.target` or `entrant 2: bot`.
        text: what is wrong and what is allowed.
    """

    key: str
    text: str

    def __str__(self) -> str:
        return f"{self.key}: {self.text}"


def check_section(
    model: type[Model], raw: object, *, place: str, separator: str = "."
) -> tuple[Model | None, tuple[Problem, ...]]:
    """Check one table of the file.

    Args:
        model: what the table must be.
        raw: what stands in the file.
        place: the name of the table in messages.
        separator: what stands between that and a key.

    Returns:
        The table, or None and every problem in it.
    """
    if not isinstance(raw, Mapping):
        return None, (Problem(place, f"{short_repr(raw)} is no table; write [{place}]"),)
    try:
        return model.model_validate(raw), ()
    except ValidationError as error:
        problems: dict[str, Problem] = {}
        for detail in error.errors(include_url=False, include_context=False):
            key = str(detail["loc"][0])
            prefix = f"{place}{separator}"
            found = _problem(model, key, kind=detail["type"], value=raw.get(key), prefix=prefix)
            # A union reports each of its members; one line says all.
            problems.setdefault(key, found)
        return None, tuple(problems.values())


def unknown_key(key: str, known: Sequence[str], *, prefix: str = "") -> Problem:
    """Tell of a key that nothing reads, with the one that may have been meant."""
    hint = _hint(key, known, what="keys here")
    return Problem(f"{prefix}{printable(key[:60])}", f"unknown key; {hint}")


def unknown_word(key: str, word: str, known: Sequence[str], *, what: str) -> Problem:
    """Tell of a word that is none of those that a key takes."""
    return Problem(key, f"{short_repr(word)} is no {what}; {_hint(word, known, what='there')}")


def _hint(word: str, known: Sequence[str], *, what: str) -> str:
    near = near_miss(word, known)
    verb = "is" if len(known) == 1 else "are"
    return f"did you mean {near}?" if near else f"{what} {verb} {join_words(known, last='and')}"


def _problem(model: type[BaseModel], key: str, *, kind: str, value: object, prefix: str) -> Problem:
    if kind == "extra_forbidden":
        return unknown_key(key, list(model.model_fields), prefix=prefix)
    field = model.model_fields[key]
    place = f"{prefix}{key}"
    if kind == "missing":
        return Problem(place, f"is missing; give {field.description}")
    reason = _WRONG_TYPE.get(kind, "is out of range")
    if isinstance(value, int) and not isinstance(value, bool) and kind == "literal_error":
        reason = "is out of range"
    return Problem(
        place,
        f"{_shown(value)} {reason}; use {field.description}{_milliseconds(field.description, value)}",
    )


def _shown(value: object) -> str:
    """Write a value as a file has it."""
    return str(value).lower() if isinstance(value, bool) else short_repr(value)


def _milliseconds(allowed: str | None, value: object) -> str:
    """Explain seconds to somebody who wrote milliseconds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    if not (allowed or "").endswith("seconds") or not 100 <= value < math.inf:
        return ""
    return f" ({value} ms is {value / 1000:g})"
