"""How much to play at once: it changes speed, never a result."""

from collections.abc import Mapping
from typing import Final

from tarneeb_tournaments.schedule import Pairing

FAST_DECISION_S: Final = 0.002
"""A bot that decides faster than this loses nothing by waiting for others."""

MANY_TABLES: Final = 64

BOTS_IN_A_PAIRING: Final = 4


def choose_pairings(wanted: int | None, *, cores: int) -> int:
    """Say how many pairings to play at once: as many as have a core for each of their bots.

    Args:
        wanted: a number from the tournament's file, which is taken as it is; None to choose.
        cores: that may be used.
    """
    return wanted or max(1, cores // BOTS_IN_A_PAIRING)


def choose_tables(
    wanted: int | None,
    pairing: Pairing,
    *,
    decision_s: Mapping[str, float | None],
    cores: int,
    pairings: int,
) -> int:
    """Say how many matches of a half to play at once.

    Bots that answer in under 2 ms get 64 tables. Of slower ones, so many that those thinking at
    once don't outnumber the cores. A bot is one process that thinks about one turn at a time, so
    never more than four think in a pairing, however many tables there are.

    Args:
        wanted: a number from the tournament's file, which is taken as it is; None to choose.
        pairing: who plays.
        decision_s: by entrant, how long a decision took in the check; None if it made none.
        cores: that may be used.
        pairings: that are played at once.
    """
    if wanted is not None:
        return wanted
    measured = [decision_s.get(entrant) for entrant in pairing.entrants]
    if all(each is not None and each < FAST_DECISION_S for each in measured):
        return MANY_TABLES
    share = max(1, cores // pairings)
    return MANY_TABLES if share >= BOTS_IN_A_PAIRING else share


def overload_warning(
    tables: int | None,
    pairings: int | None,
    *,
    decision_s: Mapping[str, float | None],
    cores: int,
) -> str | None:
    """Warn of more bots thinking at once than there are cores.

    Args:
        tables: as the tournament's file has it.
        pairings: as the tournament's file has it.
        decision_s: by entrant, how long a decision took in the check.
        cores: that may be used.
    """
    slow = any(each is None or each >= FAST_DECISION_S for each in decision_s.values())
    thinking = min(tables or 1, BOTS_IN_A_PAIRING) * choose_pairings(pairings, cores=cores)
    if not slow or thinking <= cores:
        return None
    return (
        f"warning: up to {thinking} slow bots think at once on {cores} cores, and some may run out "
        'of time for that; set run.tables and run.pairings to "auto", or lower'
    )
