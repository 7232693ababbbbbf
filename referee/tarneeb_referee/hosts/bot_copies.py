"""Gives each seat its own copy of its bot's folder, all made of one that nobody has touched."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.folder_digest import folder_digest, shown_path
from tarneeb_referee.hosts.base import HostError, SeatFolder
from tarneeb_referee.hosts.folder_copy import CopyStoppedError, copy_folder
from tarneeb_referee.hosts.run_folder import remove_tree
from tarneeb_sdk.errors import ConfigError

__all__ = ["BotCopies"]

_SEAT_COPY: Final = "bot"
_UNFINISHED: Final = "bot.unfinished"
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class BotCopies:
    """The copies of one run.

    When a bot is first used its folder is copied once, and that copy has to have the digest under
    which its matches are booked. So what the author changes later is played by nobody, and what a
    bot writes into its folder is seen by no partner, no other half and no later session.

    Args:
        folder: where the untouched copies go; made when needed, removed with the run's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._pristine: dict[tuple[Path, str], asyncio.Task[Path]] = {}
        self._made = 0
        self._jobs: dict[asyncio.Future[None], threading.Event] = {}
        self._closed = False

    async def for_seat(self, bot: BotSpec, seat: SeatFolder) -> Path:
        """Make the copy that a bot runs in, or find the one that it ran in before its restart.

        Raises:
            HostError: the folder changed since the run began, or cannot be copied.
        """
        copy = seat.path / _SEAT_COPY
        if copy.exists():
            return copy
        pristine = await self._pristine_copy(bot)
        unfinished = seat.path / _UNFINISHED
        await self._in_thread(
            partial(_copy_all, pristine, unfinished, bot=bot, origin=bot.folder, finished=copy)
        )
        return copy

    async def close(self) -> None:
        """Break off what is being copied; returns when nobody writes any more."""
        self._closed = True
        for stop in self._jobs.values():
            stop.set()
        await asyncio.gather(*self._pristine.values(), *self._jobs, return_exceptions=True)

    async def _pristine_copy(self, bot: BotSpec) -> Path:
        key = (bot.folder, bot.digest)
        task = self._pristine.get(key)
        if task is None:
            task = asyncio.create_task(self._make_pristine(bot))
            self._pristine[key] = task
            task.add_done_callback(partial(self._forget_failed, key))
        # Others may wait for it, too: it goes on when one of them is cancelled.
        return await asyncio.shield(task)

    def _forget_failed(self, key: tuple[Path, str], task: asyncio.Task[Path]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._pristine.pop(key, None)

    async def _make_pristine(self, bot: BotSpec) -> Path:
        copy = self._folder / f"b{self._made}"
        self._made += 1
        await self._in_thread(partial(_make_verified, bot, copy))
        return copy

    async def _in_thread(self, work: Callable[[threading.Event], None]) -> None:
        if self._closed:
            raise HostError("the host was closed while a bot was being started")
        stop = threading.Event()
        job = asyncio.ensure_future(asyncio.to_thread(work, stop))
        self._jobs[job] = stop
        job.add_done_callback(self._jobs.pop)
        try:
            await asyncio.shield(job)
        except CopyStoppedError as error:
            raise HostError("the host was closed while a bot was being started") from error
        except asyncio.CancelledError:
            # The seat's folder may be removed next, so nobody must be writing there.
            stop.set()
            await asyncio.wait({job})
            if not job.cancelled():
                job.exception()
            raise


def _make_verified(bot: BotSpec, copy: Path, stop: threading.Event) -> None:
    try:
        copy.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise _cannot_copy(bot, copy, error) from error
    _copy_all(bot.folder, copy, stop, bot=bot)
    try:
        is_the_same = folder_digest(copy) == bot.digest
    except ConfigError as error:
        raise HostError(str(error)) from error
    if not is_the_same:
        remove_tree(copy)
        raise HostError(
            f"{shown_path(bot.folder)}: the files of bot {bot.name!r} changed since the run began;"
            " put them back as they were, or begin anew"
        )


def _copy_all(
    source: Path,
    target: Path,
    stop: threading.Event,
    *,
    bot: BotSpec,
    origin: Path | None = None,
    finished: Path | None = None,
) -> None:
    try:
        copy_folder(source, target, stop=stop, origin=origin)
        if finished is not None:
            target.rename(finished)
    except OSError as error:
        remove_tree(target)
        raise _cannot_copy(bot, target, error) from error
    except CopyStoppedError:
        remove_tree(target)
        raise


def _cannot_copy(bot: BotSpec, target: Path, error: OSError) -> HostError:
    problem = (error.strerror or str(error)).lower()
    if error.errno in _NO_ROOM:
        return HostError(
            f"no room in {shown_path(target.parent)} for a copy of bot {bot.name!r}: {problem};"
            " make room there, or set TMPDIR to a folder on a larger disk"
        )
    place = f": {shown_path(Path(os.fsdecode(error.filename)))}" if error.filename else ""
    return HostError(f"cannot copy the files of bot {bot.name!r}: {problem}{place}")
