"""Gives each running bot a core of its own, where there are enough. Pure."""

from __future__ import annotations

__all__ = ["CorePool"]

_FOR_THE_REFEREE = 1


class CorePool:
    """Lends cores.

    All bots get one or none does: a bot on a core of its own would be better off than one beside
    it that has to share.

    Args:
        cores: how many the machine has.
        at_once: how many bots will run at once.
    """

    def __init__(self, cores: int, *, at_once: int) -> None:
        enough = at_once + _FOR_THE_REFEREE <= cores
        # The first core is left to the referee and the engine.
        self._free = list(range(cores - 1, _FOR_THE_REFEREE - 1, -1)) if enough else []

    def take(self) -> str:
        """Lend a core: its number as the engine takes it, or an empty text for any core.

        >>> pool = CorePool(5, at_once=4)
        >>> pool.take(), pool.take()
        ('1', '2')
        >>> CorePool(4, at_once=4).take()
        ''
        """
        return str(self._free.pop()) if self._free else ""

    def give_back(self, core: str) -> None:
        """Take a core back."""
        if core:
            self._free.append(int(core))
