"""Reading a TOML file, with one clear line for each way in which that fails."""

import codecs
import re
import stat
import tomllib
from pathlib import Path

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.text import printable

# A file for a thousand entrants takes about 100 kB.
MAX_BYTES = 1 << 20

_LINE_IN_MESSAGE = re.compile(r"\(at line (\d+), column \d+\)")


def read_toml(path: Path) -> dict[str, object]:
    """Read a file as TOML.

    Raises:
        ConfigError: it can't be read, is no UTF-8, or is no TOML; the text names the line.
    """
    file = printable(path)
    return _parse(_decode(_read(path, file), file), file)


def _read(path: Path, file: str) -> bytes:
    try:
        # Looked at first: opening a named pipe would wait for a writer.
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "folder" if stat.S_ISDIR(mode) else "special file"
            raise ConfigError(f"{file}: is a {what}; give the tournament's TOML file")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except ConfigError:
        raise
    except FileNotFoundError:
        raise ConfigError(f"{file}: no such file; give the tournament's TOML file") from None
    except (OSError, ValueError) as error:
        # ValueError: a zero byte in the path.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{file}: can't be read: {reason}") from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{file}: is larger than {MAX_BYTES:,} bytes; is it the right file?")
    return data


def _decode(data: bytes, file: str) -> str:
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ConfigError(f"{file}: starts with a byte order mark; save it as UTF-8 without BOM")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{file}: line {line}: is not UTF-8; save the file as UTF-8") from error


def _parse(text: str, file: str) -> dict[str, object]:
    try:
        # With the line's end, an error in the last line names that line, not the document's end.
        return tomllib.loads(f"{text}\n")
    except RecursionError as error:
        raise ConfigError(f"{file}: is nested too deeply") from error
    except ValueError as error:
        # Not only TOMLDecodeError: a number of 5,000 digits is a plain ValueError.
        raise ConfigError(_toml_problem(text, file, str(error))) from error


def _toml_problem(text: str, file: str, message: str) -> str:
    found = _LINE_IN_MESSAGE.search(message)
    if found is None:
        return f"{file}: is not valid TOML: {printable(message)}"
    reason = message[: found.start()].strip()
    if reason.startswith(("Cannot overwrite", "Cannot declare", "Duplicate")):
        reason = "the same key or table stands here a second time"
    number = int(found[1])
    lines = text.split("\n")
    line = lines[number - 1].strip() if number <= len(lines) else "the end of the file"
    if line.strip("[] ") == "entrant":
        # Twice `[entrant]`, or once beside `[[entrant]]`.
        reason = "write [[entrant]], with two brackets, above each entrant"
    return f"{file}: line {number}: {printable(reason[:1].lower() + reason[1:])}: {printable(line[:60])}"
