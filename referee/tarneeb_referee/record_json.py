"""JSON from strangers: read strictly, and printed shortly."""

import json
import math
from collections.abc import Sequence

from tarneeb_sdk.game import MalformedError

__all__ = ["SHOWN_LENGTH", "parse_json_object", "shown"]

SHOWN_LENGTH = 40
"""How many characters of a stranger's text a reason repeats."""


def parse_json_object(text: str) -> dict[str, object]:
    """Read an object, in which no key stands twice at any depth.

    A whole number of more than 20 characters is read as a float. No key of ours takes either, and
    Python refuses to read a number of over 4,300 digits as an int.

    Raises:
        MalformedError: it is not JSON (`NaN` and `Infinity` are not), or no object.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise MalformedError(f"bad JSON: {error.msg.lower()} at column {error.pos + 1}") from error
    except RecursionError as error:
        raise MalformedError("bad JSON: nested too deeply") from error
    if not isinstance(value, dict):
        raise MalformedError(f"a record is an object, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """Print a JSON value as ASCII and cut to a length that fits a sentence."""
    match value:
        case str():
            short = value if len(value) <= SHOWN_LENGTH else value[: SHOWN_LENGTH - 3] + "..."
            return json.dumps(short)
        case float() if math.isinf(value):
            return "a huge number"
        case bool() | int() | float() | None:
            return json.dumps(value)
        case list():
            return "a list"
        case _:
            return "an object"


def _unique(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    keys: dict[str, object] = {}
    for key, value in pairs:
        if key in keys:
            raise MalformedError(f"the key {shown(key)} stands twice")
        keys[key] = value
    return keys


def _parse_int(text: str) -> int | float:
    return int(text) if len(text) <= 20 else float(text)


def _refuse_constant(text: str) -> object:
    raise MalformedError(f"bad JSON: {text} is no number of JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_parse_int, parse_constant=_refuse_constant
)
