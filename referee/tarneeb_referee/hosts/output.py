"""What a bot printed, in a bounded form."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

__all__ = ["EMPTY_LOGS", "EMPTY_OUTPUT", "BotLogs", "Output"]


@dataclass(frozen=True, slots=True)
class Output:
    """One stream of a bot: how it began, how it ended, and how much is missing between.

    Attributes:
        head: the first bytes; all of them if nothing is missing and it was short.
        tail: the last bytes, which follow the head directly when `dropped_bytes` is 0.
        dropped_bytes: how many bytes between the two were not kept.
    """

    head: bytes = b""
    tail: bytes = b""
    dropped_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        """How much the bot printed, kept or not."""
        return len(self.head) + self.dropped_bytes + len(self.tail)

    def to_bytes(self) -> bytes:
        """Join both parts, with a mark where something is missing."""
        return self._cut_mark().join((self.head, self.tail))

    def text(self) -> str:
        r"""Decode what was kept; bytes that are no UTF-8 become `\xff` and the like.

        The parts are decoded one by one, so that a cut within a character stays local.
        Control characters are left in: `last_line` takes them out, other displays must too.

        >>> Output(b"first\n", b"last\n", dropped_bytes=9).text()
        'first\n\n[... 9 bytes cut ...]\nlast\n'
        """
        if not self.dropped_bytes:
            return self.to_bytes().decode("utf-8", "backslashreplace")
        parts = (self.head, self._cut_mark(), self.tail)
        return "".join(part.decode("utf-8", "backslashreplace") for part in parts)

    def last_line(self, *, max_chars: int = 200) -> str:
        """Give the last line that is not blank, fit for a terminal and a one-line report.

        Args:
            max_chars: the end is kept of a longer line, where an error's own text is.
        """
        kept = self.tail if self.dropped_bytes else self.head + self.tail
        end = kept[-4 * max_chars - 4096 :]
        for line in reversed(end.decode("utf-8", "backslashreplace").splitlines()):
            shown = "".join(_harmless(char) for char in line).strip()
            if shown:
                return shown if len(shown) <= max_chars else f"…{shown[1 - max_chars :]}"
        return ""

    def _cut_mark(self) -> bytes:
        if not self.dropped_bytes:
            return b""
        return f"\n[... {self.dropped_bytes} bytes cut ...]\n".encode()


@dataclass(frozen=True, slots=True)
class BotLogs:
    """Both streams of one bot. They are kept apart, so their order among each other is lost."""

    stdout: Output = Output()
    stderr: Output = Output()

    def last_line(self) -> str:
        """Give the last line of stderr, or of stdout if stderr is empty."""
        return self.stderr.last_line() or self.stdout.last_line()


EMPTY_OUTPUT: Final = Output()
EMPTY_LOGS: Final = BotLogs()


def _harmless(char: str) -> str:
    # Cc: escape sequences; Cf: marks that turn the direction of text; Cs cannot be encoded.
    return " " if unicodedata.category(char) in {"Cc", "Cf", "Cs"} else char
