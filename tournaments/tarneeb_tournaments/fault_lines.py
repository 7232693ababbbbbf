"""Where a bot went wrong, for its author: a line for the first fault of each kind."""

from collections.abc import Iterable, Iterator

from tarneeb_referee.faults import FaultKind
from tarneeb_tournaments.results import FaultRow, Results
from tarneeb_tournaments.text import printable


def first_faults(results: Results, faults: Iterable[FaultRow]) -> Iterator[str]:
    """Give the lines, entrant by entrant.

    Args:
        results: of the matches.
        faults: in schedule order. Absences are passed over: they follow from other faults.
    """
    first: dict[tuple[str, str], FaultRow] = {}
    for fault in faults:
        if fault.kind != FaultKind.ABSENT.value:
            first.setdefault((fault.entrant, fault.kind), fault)
    for entrant in results.info.entrants:
        for (id_, kind), fault in first.items():
            if id_ == entrant.id:
                yield printable(f"{entrant.name}, first {kind}: {_where(fault)}: {fault.detail}")


def _where(fault: FaultRow) -> str:
    place = f"board {fault.key.board}, half {fault.key.half}, seat {fault.seat}"
    # Before the first deal there is no move.
    return f"{place}, deal {fault.deal}, move {fault.move_index + 1}" if fault.deal else place
