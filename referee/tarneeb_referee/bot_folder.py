"""Reads a bot's folder: what `bot.toml` says, whether its command can run, and its digest.

Every problem is a `ConfigError` of one line: the file, the key, what is wrong and what to do.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tarneeb_referee.folder_digest import folder_digest, shown_path
from tarneeb_referee.moved_paths import text_in_copy
from tarneeb_referee.samples import sample_dir, sample_names
from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game.near_miss import near_miss

__all__ = ["BOT_FILE", "SAMPLE_PREFIX", "BotSpec", "bot_search_path", "load_bot", "local_command"]

BOT_FILE: Final = "bot.toml"
SAMPLE_PREFIX: Final = "sample:"

_KEYS: Final = ("name", "version", "command")
_EXAMPLE_COMMAND: Final = '["python", "bot.py"]'
_MAX_BOT_FILE_BYTES: Final = 65_536
_MAX_TEXT_CHARS: Final = 40
_PYTHON: Final = frozenset({"python", "python3"})
# A first argument that ends so is a script for the program before it, and has to be there.
_SCRIPT_SUFFIXES: Final = frozenset({".py", ".sh", ".js", ".mjs", ".rb", ".pl", ".lua"})


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot as its author keeps it.

    Attributes:
        name: what the author calls it; shown, never used to find anything.
        version: the author's own count.
        command: what starts it, as written in `bot.toml`, run from within the folder.
        folder: where it lies, absolute.
        digest: SHA-256 of the folder's contents, in hex (`folder_digest`).
    """

    name: str
    version: str
    command: tuple[str, ...]
    folder: Path
    digest: str


def load_bot(where: str | Path, *, relative_to: Path | None = None) -> BotSpec:
    """Read and check a bot before anything is started.

    Reads every file of the folder once, for the digest.

    Args:
        where: a folder with a `bot.toml`, or `sample:<name>`.
        relative_to: the folder that a relative path starts from; the current one if absent.

    Raises:
        ConfigError: there is no such bot, its `bot.toml` is wrong, or its command cannot run.
    """
    folder = _find_folder(where, relative_to or Path())
    bot_file = folder / BOT_FILE
    name, version, command = _parse_bot_file(bot_file)
    _check_command(bot_file, command)
    return BotSpec(name, version, command, folder, folder_digest(folder))


def local_command(bot: BotSpec) -> tuple[str, ...]:
    """Give the command to run on this machine, in a copy of the bot's folder.

    A word that begins with `../` is made absolute, as a copy lies elsewhere, and an absolute path
    to something in the folder is made to mean the copy's. A first word `python` or `python3`
    becomes the interpreter that runs the referee, where the SDK is installed. To use another one,
    name it by a path or by its version (`python3.12`).
    """
    first, *rest = (_in_copy(word, bot.folder) for word in bot.command)
    if first in _PYTHON and sys.executable:
        first = sys.executable
    return (first, *rest)


def _in_copy(word: str, folder: Path) -> str:
    if not word.startswith(("../", "/")):
        return word
    text = text_in_copy(word, Path(), folder)
    # A program without a slash would be looked for on the PATH.
    return text if "/" in text else f"./{text}"


def bot_search_path() -> str:
    """Give the `PATH` of a bot: ours, after the folder of the interpreter that runs the referee.

    So `python` means the same inside a start script as in `command`.
    """
    inherited = os.environ.get("PATH", os.defpath)
    own = str(Path(sys.executable).parent) if sys.executable else ""
    return os.pathsep.join(filter(None, (own, inherited)))


def _find_folder(where: str | Path, relative_to: Path) -> Path:
    if isinstance(where, str) and where.startswith(SAMPLE_PREFIX):
        return _find_sample(where.removeprefix(SAMPLE_PREFIX))
    if not os.fspath(where) or "\0" in os.fspath(where):
        raise ConfigError(f"bot {os.fspath(where)!r}: is no path; name a folder with a {BOT_FILE}")
    folder = relative_to / where
    try:
        mode = folder.stat().st_mode
    except OSError as error:
        problem = _plain(error)
        raise ConfigError(
            f"{shown_path(folder)}: {problem}; name a folder with a {BOT_FILE}, or sample:<name>"
        ) from error
    if not stat.S_ISDIR(mode):
        raise ConfigError(f"{shown_path(folder)}: is not a folder; name the one {BOT_FILE} is in")
    return folder.resolve()


def _find_sample(name: str) -> Path:
    try:
        return sample_dir(name).resolve()
    except LookupError as error:
        raise ConfigError(
            f"{SAMPLE_PREFIX}{name}: {error.args[0]}{_suggestion(name, sample_names())}"
        ) from error


def _parse_bot_file(path: Path) -> tuple[str, str, tuple[str, ...]]:
    place = shown_path(path)
    try:
        table = tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{place}: is not TOML: {_one_line(str(error))}") from error
    for key in table:
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            raise ConfigError(
                f"{place}: {_one_line(key)}: is not a key of a bot"
                f"{_suggestion(key, _KEYS)}; there are: {known}"
            )
    return _text(place, table, "name"), _text(place, table, "version"), _command(place, table)


def _read_text(path: Path) -> str:
    place = shown_path(path)
    try:
        # Looked at first: opening a named pipe would wait for a writer.
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{place}: is not a plain file; write one with {', '.join(_KEYS)}")
        if status.st_size > _MAX_BOT_FILE_BYTES:
            raise ConfigError(
                f"{place}: has {status.st_size} bytes; {_MAX_BOT_FILE_BYTES} are allowed"
            )
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise ConfigError(f"{place}: is missing; write it with {', '.join(_KEYS)}") from error
    except OSError as error:
        raise ConfigError(f"{place}: {_plain(error)}; make it readable") from error
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError(f"{place}: starts with a byte order mark; save it as UTF-8 without BOM")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{place}: line {line} is not UTF-8; save it as UTF-8") from error


def _text(place: str, table: Mapping[str, object], key: str) -> str:
    value = _required(place, table, key)
    if not isinstance(value, str):
        raise ConfigError(
            f"{place}: {key}: is {_one_line(repr(value))}; write a text in quotes,"
            f' such as {key} = "{"My bot" if key == "name" else "1.0"}"'
        )
    text = unicodedata.normalize("NFC", value)
    if not 1 <= len(text) <= _MAX_TEXT_CHARS or not text.isprintable() or text != text.strip():
        raise ConfigError(
            f"{place}: {key}: is {_one_line(repr(value))}; write 1 to {_MAX_TEXT_CHARS} printable"
            " characters without spaces around them"
        )
    return text


def _command(place: str, table: Mapping[str, object]) -> tuple[str, ...]:
    value = _required(place, table, "command")
    if not isinstance(value, list):
        raise ConfigError(
            f"{place}: command: is {_one_line(repr(value))}; write a list of texts, one a word,"
            f" such as {_EXAMPLE_COMMAND}"
        )
    words: list[str] = []
    for index, word in enumerate(value):
        if not isinstance(word, str) or "\0" in word:
            raise ConfigError(
                f"{place}: command: word {index + 1} is {_one_line(repr(word))}; write each word"
                " as a text in quotes"
            )
        words.append(word)
    if not words or not words[0]:
        raise ConfigError(
            f"{place}: command: is empty; write what starts the bot, such as {_EXAMPLE_COMMAND}"
        )
    return tuple(words)


def _required(place: str, table: Mapping[str, object], key: str) -> object:
    if key not in table:
        example = _EXAMPLE_COMMAND if key == "command" else '"…"'
        raise ConfigError(f"{place}: {key}: is missing; add a line {key} = {example}")
    return table[key]


def _check_command(bot_file: Path, command: tuple[str, ...]) -> None:
    folder, place, program = bot_file.parent, shown_path(bot_file), command[0]
    shown = _one_line(repr(program))
    if "/" in program:
        _check_program_file(place, folder / program, shown)
        return
    ours = program in _PYTHON and sys.executable
    if not ours and shutil.which(program, path=bot_search_path()) is None:
        here = (folder / program).is_file()
        fix = f'write "./{program}"' if here else "install it, or write the path to it"
        raise ConfigError(f"{place}: command: {shown} is not on the PATH; {_one_line(fix)}")
    script = command[1] if len(command) > 1 else "-"
    if script.startswith("-") or Path(script).suffix not in _SCRIPT_SUFFIXES:
        return
    if not (folder / script).is_file():
        raise ConfigError(
            f"{place}: command: {_one_line(repr(script))} is not in the folder; add the file or"
            " correct its name"
        )


def _check_program_file(place: str, program: Path, shown: str) -> None:
    try:
        mode = program.stat().st_mode
    except OSError as error:
        raise ConfigError(
            f"{place}: command: {shown}: {_plain(error)}; a path starts from the bot's folder"
        ) from error
    if not stat.S_ISREG(mode):
        raise ConfigError(f"{place}: command: {shown} is not a file; name the program itself")
    if not os.access(program, os.X_OK):
        raise ConfigError(f"{place}: command: {shown} is not executable; run chmod +x on it")


def _suggestion(word: str, known: tuple[str, ...]) -> str:
    near = near_miss(word, known)
    return f"; did you mean {near!r}?" if near else ""


def _plain(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _one_line(text: str, *, max_chars: int = 120) -> str:
    line = " ".join(text.split())
    line = line if line.isprintable() else repr(line)
    return line if len(line) <= max_chars else f"{line[: max_chars - 1]}…"
