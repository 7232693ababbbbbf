"""`tarneeb-referee adjudicate`: judge the hand records of a file."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, TextIO

import click

from tarneeb_referee.adjudicate import judge_line
from tarneeb_referee.verdict import MalformedLine, Verdict, format_verdict
from tarneeb_sdk.errors import ConfigError, HarnessError

__all__ = ["adjudicate"]

# A record of a whole deal takes half a kilobyte.
MAX_LINE_BYTES = 1 << 20

SOME_MALFORMED = 1
BROKEN_PIPE = 128 + 13  # what a shell reports of a program that SIGPIPE ended

UTF8_BOM = b"\xef\xbb\xbf"
JSON_BLANKS = b" \t\r\n"


EXAMPLES = """\b
Examples:
  tarneeb-referee adjudicate records.jsonl
  echo '{"rules": "tarneeb", "dealer": 3, "calls": [7]}' | tarneeb-referee adjudicate -
"""


@click.command(epilog=EXAMPLES)
@click.argument("file", metavar="FILE.jsonl")
@click.pass_context
def adjudicate(ctx: click.Context, file: str) -> None:
    """Judge hand records.

    FILE.jsonl holds one JSON object a line; - reads the standard input. Each record gets one line
    of JSON on the standard output, in the same order. Blank lines are skipped.
    docs/reference/hand-records.md describes both forms.

    A record that breaks a rule is judged like any other. The exit code is 1 if a line was no
    record at all, and 2 if the file can't be read.
    """
    some_malformed = False
    with _opened(file) as stream:
        for number, line in _numbered_lines(stream, file):
            verdict = _judge(number, line)
            some_malformed |= isinstance(verdict, MalformedLine)
            _write(ctx, format_verdict(verdict))
    if some_malformed:
        ctx.exit(SOME_MALFORMED)


def _judge(number: int, line: bytes | None) -> Verdict | MalformedLine:
    """Judge a line; `None` stands for one that is too long."""
    if line is None:
        verdict: Verdict | MalformedLine = MalformedLine(f"longer than {MAX_LINE_BYTES} bytes")
    else:
        verdict = judge_line(line)
    if isinstance(verdict, MalformedLine):
        return MalformedLine(f"line {number}: {verdict.reason}")
    return verdict


def _opened(file: str) -> AbstractContextManager[BinaryIO]:
    if file == "-":
        stdin: TextIO | None = sys.stdin  # None if it was closed when the program started
        if stdin is None:
            raise ConfigError("the standard input is closed")
        return nullcontext(stdin.buffer)
    try:
        return Path(file).open("rb")
    except (OSError, ValueError) as error:
        raise _unreadable(file, error) from error


def _numbered_lines(stream: BinaryIO, file: str) -> Iterator[tuple[int, bytes | None]]:
    """Read the lines that are not blank, one at a time, with their numbers from 1.

    A line that is too long is skipped without being held, and `None` given for it.
    """
    number = 0
    try:
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if number == 1:
                line = line.removeprefix(UTF8_BOM)
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                _skip_line(stream)
                yield number, None
            elif line.strip(JSON_BLANKS):
                yield number, line
    except OSError as error:
        raise _unreadable(file, error) from error


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        pass


def _unreadable(file: str, error: OSError | ValueError) -> ConfigError:
    name = "the standard input" if file == "-" else click.format_filename(file) or "''"
    why = error.strerror if isinstance(error, OSError) else str(error)
    fix = ""
    if isinstance(error, FileNotFoundError | IsADirectoryError):
        fix = "; name a file of hand records, or - for the standard input"
    elif isinstance(error, PermissionError):
        fix = "; make it readable"
    return ConfigError(f"{name} can't be read: {why}{fix}")


def _write(ctx: click.Context, line: str) -> None:
    stdout: TextIO | None = sys.stdout  # None if it was closed when the program started
    if stdout is None:
        raise ConfigError("the standard output is closed")
    try:
        click.echo(line)
    except BrokenPipeError:
        _silence_stdout()
        ctx.exit(BROKEN_PIPE)
    except OSError as error:
        _silence_stdout()
        raise HarnessError(f"the verdicts can't be written: {error.strerror}") from error


def _silence_stdout() -> None:
    """Let what is still buffered go nowhere, or Python fails on it again while it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
