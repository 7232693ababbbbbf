"""Keeps the meaning of a path when the folder that it was written in is copied elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["text_in_copy"]


def text_in_copy(text: str, place: Path, origin: Path) -> str:
    """Rewrite a path that is relative to a folder, so that it holds in a copy of the folder.

    What leads outside is made absolute, as the copy lies elsewhere. What lies in the folder, be
    it named by an absolute path or by one that leaves and comes back, is meant in the copy.

    Args:
        text: the path as written.
        place: where in the folder it starts from if it is relative, itself relative to `origin`.
        origin: the folder, absolute and without links.

    >>> text_in_copy("../lib", Path("bin"), Path("/home/me/bot"))
    '../lib'
    >>> text_in_copy("../../models", Path("bin"), Path("/home/me/bot"))
    '/home/me/bot/bin/../../models'
    >>> text_in_copy("/home/me/bot/lib", Path("bin"), Path("/home/me/bot"))
    '../lib'
    """
    is_absolute = text.startswith("/")
    if not is_absolute and not _climbs_out(f"{place}/{text}"):
        return text
    start = f"{origin}/{place}"
    # Not tidied up: `a/../b` differs from `b` where `a` is a link.
    meant = text if is_absolute else f"{origin / place}/{text}"
    inside = os.path.relpath(os.path.normpath(meant), origin)
    if _climbs_out(inside):
        return meant
    return os.path.relpath(f"{origin}/{inside}", start)


def _climbs_out(relative: str) -> bool:
    return os.path.normpath(relative).split("/", 1)[0] == ".."
