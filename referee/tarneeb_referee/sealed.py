"""What follows from answers and waits for its step: how `tempo_quantum_s` hides times.

A table plays on at once; only what others would see of it is kept back. So no result changes, and
a turn that is kept back is on nobody's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tarneeb_referee.clock import NS_PER_S, release_after_ns

if TYPE_CHECKING:
    from tarneeb_referee.table import Table
    from tarneeb_referee.table_commands import Command


@dataclass(frozen=True, slots=True)
class SealedCommands:
    """Commands of one table, in order, and when they may be obeyed."""

    table: Table
    release_ns: int
    commands: list[Command]


class Sealed:
    """All commands of a session that are kept back."""

    def __init__(self, quantum_s: float) -> None:
        self._quantum_ns = round(quantum_s * NS_PER_S)
        self._by_table: dict[int, SealedCommands] = {}

    def __len__(self) -> int:
        return len(self._by_table)

    @property
    def due_ns(self) -> int | None:
        """When `take_due` has something to give; None if nothing is kept back."""
        return min((each.release_ns for each in self._by_table.values()), default=None)

    @property
    def tables(self) -> tuple[int, ...]:
        """The ids of tables of which something is kept back."""
        return tuple(self._by_table)

    def keep(
        self, table: Table, commands: list[Command], *, elapsed_ns: int | None, now_ns: int
    ) -> bool:
        """Keep commands back if they must wait, and tell whether so.

        Args:
            table: whose they are.
            commands: what follows from an event there.
            elapsed_ns: how long the answer took that they follow from; None for another event.
            now_ns: when it happened.
        """
        before = self._by_table.get(table.table_id)
        if before is not None:
            # Never before what came first.
            before.commands.extend(commands)
            return True
        if not self._quantum_ns or elapsed_ns is None:
            return False
        wait_ns = release_after_ns(elapsed_ns, quantum_ns=self._quantum_ns) - elapsed_ns
        if not wait_ns:
            return False
        self._by_table[table.table_id] = SealedCommands(table, now_ns + wait_ns, commands)
        return True

    def take_due(self, now_ns: int) -> list[SealedCommands]:
        """Give what may be obeyed now, the earliest first."""
        if not self._by_table:
            return []
        due = [each for each in self._by_table.values() if each.release_ns <= now_ns]
        due.sort(key=lambda each: each.release_ns)
        for each in due:
            del self._by_table[each.table.table_id]
        return due

    def drop(self, table: Table) -> None:
        """Forget what is kept back of a table."""
        self._by_table.pop(table.table_id, None)
