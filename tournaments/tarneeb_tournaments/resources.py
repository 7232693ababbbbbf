"""What the machine must have before a tournament starts: room on the disk, and descriptors."""

import resource
import shutil
from pathlib import Path
from typing import Final

from tarneeb_sdk.errors import HarnessError
from tarneeb_tournaments.store.sqlite_errors import explain_os
from tarneeb_tournaments.text import printable

MIN_FREE_BYTES: Final = 4 << 20
"""Less than this, and a run would stop at its first few hundred matches."""

# Measured: a match to 41 takes some 6 kB, record, times and indexes.
BYTES_A_MATCH: Final = 8 << 10

# Of the referee itself, and of each pairing: sockets, pipes and output files of its bots.
BASE_FILES: Final = 64
FILES_A_PAIRING: Final = 64


def check_disk(results: Path, *, matches_left: int) -> str | None:
    """Look whether the results will have room.

    Returns:
        A warning where they may not; None where they will.

    Raises:
        StoreError: there is next to none.
    """
    try:
        free = shutil.disk_usage(results.resolve().parent).free
    except OSError as error:
        raise explain_os(error, results) from error
    if free < MIN_FREE_BYTES:
        raise HarnessError(
            f"{printable(results)}: its disk has only {free >> 10:,} KiB left; free at least "
            f"{MIN_FREE_BYTES >> 20} MiB, or give another place with --results"
        )
    needed = matches_left * BYTES_A_MATCH
    if free < needed:
        return (
            f"warning: the disk of {printable(results)} has {free >> 20:,} MiB left and the "
            f"results may take {needed >> 20:,} MiB"
        )
    return None


def check_open_files(*, pairings: int) -> None:
    """Raise the limit on open files to what is needed, as far as that is allowed.

    Raises:
        HarnessError: the limit is too low, and fixed.
    """
    needed = BASE_FILES + pairings * FILES_A_PAIRING
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise HarnessError(
            f"the limit on open files is {hard} and {needed} are needed; raise it "
            f"(ulimit -n {needed}), or play fewer pairings at once (run.pairings)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
