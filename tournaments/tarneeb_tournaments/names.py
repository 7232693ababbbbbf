"""Names of entrants: which are allowed, and when two are the same.

A name is shown and nothing else. Files, folders, seeds and rows go by an entrant's id, so a name
may hold `../` or `<script>` and do no harm; each output format escapes what it must.
"""

import string
import unicodedata
from collections.abc import Iterable

MAX_LENGTH = 40

# Two marks are common in Arabic (shadda with a vowel); long stacks of them paint over other lines.
MAX_MARKS_IN_A_ROW = 3

# Joiners are format characters, but Persian and Urdu can't be spelled without them.
JOINERS = frozenset("\u200c\u200d")

# Shown as nothing although their categories (letter, symbol, mark) count as printable.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")

_NOT_PRINTABLE = {
    "Cc": "a control character",
    "Cf": "a format character",
    "Cn": "an unassigned character",
    "Co": "a private-use character",
    "Cs": "half a surrogate pair",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
    "Zs": "a space other than U+0020",
}

# Markdown gives these no meaning inside a word; every other ASCII sign is escaped.
_PLAIN_IN_MARKDOWN = frozenset("-,'\"?/")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'")


def normalized_name(text: str) -> str:
    """Bring a name to the form in which it is kept (NFC)."""
    return unicodedata.normalize("NFC", text)


def verify_name(text: str) -> str | None:
    """Say why a name is refused, or None if it is allowed.

    Allowed are 1 to 40 printable characters after NFC, in any script, with single spaces inside.
    The joiners U+200C and U+200D are allowed between two Arabic letters only.

    Args:
        text: the name, normalized or not.

    >>> verify_name("ترنيب ٤١") is None
    True
    >>> verify_name("a" + chr(10) + "b")
    'it holds a control character (U+000A)'
    """
    name = normalized_name(text)
    if not name:
        return "it is empty"
    if len(name) > MAX_LENGTH:
        return f"it has {len(name)} characters; at most {MAX_LENGTH} are allowed"
    for index, character in enumerate(name):
        reason = _verify_character(name, index)
        if reason is not None:
            return f"it holds {reason} (U+{ord(character):04X})"
    if name != name.strip(" "):
        return "it starts or ends with a space"
    if "  " in name:
        return "it holds two spaces in a row"
    return _verify_marks(name)


def name_key(text: str) -> str:
    """Reduce a name to what makes it different from others.

    Case, compatibility forms and invisible joiners don't count: `Bot`, `bot` and full-width `Bot`
    have one key. Look-alikes of different scripts do differ.
    """
    # Twice: folding can leave the compatibility form, e.g. U+0345 (Unicode, D145 and D146).
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = unicodedata.normalize("NFKC", folded).casefold()
    return "".join(character for character in folded if not _is_ignorable(character))


def unused_name(wanted: str, taken: Iterable[str]) -> str:
    """Number a name so that it differs from those already taken.

    >>> unused_name("Random", ["random"])
    'Random (2)'
    """
    keys = {name_key(name) for name in taken}
    name, number = wanted, 2
    while name_key(name) in keys:
        suffix = f" ({number})"
        name, number = wanted[: MAX_LENGTH - len(suffix)].rstrip() + suffix, number + 1
    return name


def markdown_name(name: str) -> str:
    r"""Escape a name for a cell of a Markdown table.

    >>> markdown_name("a|b <i>")
    'a\\|b \\<i\\>'
    """
    return "".join(
        f"\\{character}"
        if character in string.punctuation and character not in _PLAIN_IN_MARKDOWN
        else character
        for character in name
    )


def csv_name(name: str) -> str:
    """Keep a spreadsheet from reading a name as a formula.

    What a spreadsheet might compute gets an apostrophe before it, as does a name that starts with
    one, so that taking off one leading apostrophe gives every name back.

    >>> csv_name("=1+1")
    "'=1+1"
    """
    return f"'{name}" if name.startswith(_FORMULA_STARTS) else name


def _verify_character(name: str, index: int) -> str | None:
    character = name[index]
    if character in JOINERS:
        before, after = name[:index], name[index + 1 :]
        if _starts_arabic(after) and _ends_arabic(before):
            return None
        return "a joiner that is not between two Arabic letters"
    if character in INVISIBLE:
        return "an invisible character"
    if character == " ":
        return None
    return _NOT_PRINTABLE.get(unicodedata.category(character))


def _verify_marks(name: str) -> str | None:
    run = 0
    for index, character in enumerate(name):
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        if run > index:
            return "it starts with a combining mark"
        if run > MAX_MARKS_IN_A_ROW:
            return f"it holds more than {MAX_MARKS_IN_A_ROW} combining marks in a row"
    return None


def _starts_arabic(text: str) -> bool:
    # AL: the letters of the Arabic, Syriac and Thaana scripts.
    return bool(text) and unicodedata.bidirectional(text[0]) == "AL"


def _ends_arabic(text: str) -> bool:
    # NSM: vowel marks, which follow their letter.
    letters = [each for each in text if unicodedata.bidirectional(each) != "NSM"]
    return bool(letters) and _starts_arabic(letters[-1])


def _is_ignorable(character: str) -> bool:
    is_variation_selector = (
        "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    )
    return character in JOINERS or is_variation_selector
