"""[remote] in a tournament's file, and the entrants whose bots dial in from elsewhere."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tarneeb_referee.hosts.remote import MIN_TOKEN_CHARS, RemoteSettings, is_loopback
from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.config_models import RemoteSection
from tarneeb_tournaments.config_problems import Problem
from tarneeb_tournaments.text import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """How remote bots take part.

    Attributes:
        settings: where they dial in, and with which tokens.
        wait_s: how long to wait for them at the start.
    """

    settings: RemoteSettings
    wait_s: float


def read_token(path: Path) -> str:
    """Read an entrant's token.

    Raises:
        ConfigError: it cannot be read, or is none.
    """
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "is no text"
        raise ConfigError(
            f"{printable(path)}: {problem.lower()}; make one with: openssl rand -hex 32"
        ) from error
    if len(text) < MIN_TOKEN_CHARS or not (text.isascii() and text.isalnum()):
        raise ConfigError(
            f"{printable(path)}: holds no token of {MIN_TOKEN_CHARS} or more letters and digits;"
            " make one with: openssl rand -hex 32"
        )
    return text


def remote_problems(
    section: RemoteSection, *, is_used: bool, pairings: int | None
) -> Iterator[Problem]:
    """Find what does not fit together about remote bots.

    Args:
        section: the [remote] table.
        is_used: some entrant is remote.
        pairings: `run.pairings`; None for "auto".
    """
    if not is_used:
        return
    if (section.certificate is None) != (section.key is None):
        yield Problem("remote", "certificate and key belong together; give both, or neither")
    elif section.certificate is None and not is_loopback(section.listen):
        yield Problem(
            "remote.listen",
            f"{section.listen} can be reached from elsewhere; give a certificate and a key, or"
            " listen on 127.0.0.1",
        )
    if pairings is not None and pairings > 1:
        yield Problem(
            "run.pairings",
            f"{pairings} is too many with remote bots, of which there are two for each entrant;"
            " leave it out, or write 1",
        )


def make_remote(section: RemoteSection, folder: Path, tokens: Mapping[str, str]) -> Remote:
    """Make the values that a [remote] table asks for, once it has no problem."""
    settings = RemoteSettings(
        listen=section.listen,
        certificate=None if section.certificate is None else folder / section.certificate,
        key=None if section.key is None else folder / section.key,
        tokens=tokens,
    )
    return Remote(settings=settings, wait_s=section.wait)
