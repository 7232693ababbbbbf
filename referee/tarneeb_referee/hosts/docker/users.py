"""Chooses the users that bots are in their containers: nobody of this machine."""

from __future__ import annotations

import contextlib
import grp
import pwd
import secrets
from collections.abc import Callable
from typing import Final

from tarneeb_referee.hosts.base import HostError

__all__ = ["LOWEST_USER_ID", "USER_IDS", "any_user", "is_known_here", "next_user"]

LOWEST_USER_ID: Final = 20_000
USER_IDS: Final = 40_000
"""Bots are users `LOWEST_USER_ID` and up, so many: mostly those of no person and no service, and
such as a remapped engine has too, which knows 65,536."""


def any_user() -> int:
    """Give a number to begin at, which other runs on this machine most likely do not."""
    return LOWEST_USER_ID + secrets.randbelow(USER_IDS)


def next_user(after: int, *, is_taken: Callable[[int], bool]) -> int:
    """Give the number after this one that is nobody's; after the last comes the first. Pure.

    Args:
        after: from `LOWEST_USER_ID`.
        is_taken: tells whether a number is somebody's.

    Raises:
        HostError: all of them are.
    """
    for step in range(1, USER_IDS + 1):
        user = LOWEST_USER_ID + (after - LOWEST_USER_ID + step) % USER_IDS
        if not is_taken(user):
            return user
    raise HostError(
        f"all user numbers from {LOWEST_USER_ID:,} to {LOWEST_USER_ID + USER_IDS - 1:,} are"
        " somebody's on this machine, and a bot in a container has to be nobody"
    )


def is_known_here(number: int) -> bool:
    """Tell whether this machine knows a user or a group of this number.

    Where both are kept in files that takes 0.15 ms; a directory service is asked each time.
    """
    with contextlib.suppress(KeyError):
        pwd.getpwuid(number)
        return True
    with contextlib.suppress(KeyError):
        grp.getgrgid(number)
        return True
    return False
