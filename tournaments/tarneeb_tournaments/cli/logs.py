"""`tarneeb-referee logs`: what an entrant's bots printed, and how they ended."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game.near_miss import near_miss
from tarneeb_tournaments.cli.output import write
from tarneeb_tournaments.names import name_key
from tarneeb_tournaments.results import (
    TOLD_LAG_S,
    EntrantRow,
    SeatSession,
    StoredFault,
    StoredSession,
    TournamentInfo,
)
from tarneeb_tournaments.store.connection import is_results_file
from tarneeb_tournaments.store.sessions import read_sessions
from tarneeb_tournaments.store.sqlite import read_results
from tarneeb_tournaments.text import counted, printable

_MATCH_FORM: Final = "ROUND.PAIRING.BOARD.HALF"

_SHOWN_FAULTS: Final = 20
"""Of one seat in one half; the others are counted. JSON has all."""

_EXAMPLES = """\b
Examples:
  tarneeb-referee logs spring.results.sqlite --entrant Counting
  tarneeb-referee logs spring.results.sqlite --entrant e2 --match 1.3.7.2 --json
"""


@click.command(short_help="Show what an entrant's bots printed.", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--entrant", required=True, metavar="NAME", help="Its name, or its id, as e1.")
@click.option("--match", "match_id", metavar=_MATCH_FORM, help="Only of sessions of this match.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object a session.")
def logs(file: Path, *, entrant: str, match_id: str | None, as_json: bool) -> int:
    """Show what the bots of an entrant did wrong and printed, and how they ended.

    One session plays one half of a pairing, with two instances of the bot, one in each seat of
    its team. Faults are told with their match, deal and move, and with how late the referee itself
    was in that match, if it was: then the machine may have been too slow, and not the bot. Of an
    output that was too long the head and the tail were kept. Control characters are shown as
    escapes; --json has everything as it was.

    Exit codes: 0 done, 2 your mistake, 3 our fault.
    """
    if not is_results_file(file):
        missing = "is empty" if file.exists() else "no such file"
        raise ConfigError(f"{printable(file)}: {missing}; give the results file of a tournament")
    info = read_results(file).info
    found = _find_entrant(info, entrant, file)
    sessions = read_sessions(file, found.id)
    if match_id is not None:
        place = _parse_match(match_id, boards=info.boards)
        sessions = tuple(
            replace(each, faults=tuple(fault for fault in each.faults if fault.row.key == place))
            for each in sessions
            if (each.row.round, each.row.pairing, each.row.half) == (place[0], place[1], place[3])
        )
    for session in sessions:
        write(_as_json(session) if as_json else "".join(_as_text(session)))
    if not sessions and not as_json:
        write(f"no session of {found.name}{f' with match {match_id}' if match_id else ''} yet\n")
    return 0


def _find_entrant(info: TournamentInfo, wanted: str, file: Path) -> EntrantRow:
    for each in info.entrants:
        if wanted == each.id or name_key(wanted) == name_key(each.name):
            return each
    names = [each.name for each in info.entrants]
    near = near_miss(wanted, names)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(names[:20])}"
    raise ConfigError(f"{printable(file)}: no entrant {printable(wanted[:60])}; {hint}")


def _parse_match(text: str, *, boards: int) -> tuple[int, int, int, int]:
    parts = text.split(".")
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ConfigError(f"--match {printable(text[:60])}: write {_MATCH_FORM}, as 1.3.7.2")
    round_, pairing, board, half = map(int, parts)
    if not (1 <= board <= boards and half in (1, 2)):
        has = f"boards 1 to {boards:,}, and halves 1 and 2"
        raise ConfigError(f"--match {printable(text[:60])}: a pairing has {has}")
    return round_, pairing, board, half


def _as_text(session: StoredSession) -> Iterator[str]:
    row = session.row
    yield f"== round {row.round}, pairing {row.pairing}, half {row.half} (ended {session.ended_at})\n"
    for board, why in row.voids:
        yield f"board {board} is void: {printable(why)}\n"
    if row.stalls:
        times = counted(row.stalls, "time")
        yield f"the referee itself was late {times}, {row.max_stall_s:.3f} s at most\n"
    for seat in row.seats:
        yield f"-- seat {seat.seat}: {'; '.join(_facts(seat))}\n"
        yield from _faults([each for each in session.faults if each.row.seat == seat.seat])
        for number, log in enumerate(seat.logs, start=1):
            for name, data in (("stdout", log.stdout), ("stderr", log.stderr)):
                if data:
                    process = f" of process {number}" if len(seat.logs) > 1 else ""
                    yield f"-- {name}{process}:\n"
                    yield _harmless(data)


def _facts(seat: SeatSession) -> Iterator[str]:
    yield "never ready" if seat.start_s is None else f"ready after {seat.start_s:.2f} s"
    if seat.exit is not None:
        yield printable(seat.exit)
    if seat.cpu_s is not None:
        yield f"{seat.cpu_s:.2f} s of processor time"
    if seat.peak_memory_bytes is not None:
        yield f"{seat.peak_memory_bytes / 2**20:.0f} MiB at most"
    if seat.restarts:
        yield f"started again {counted(seat.restarts, 'time')}"
    if seat.gone is not None:
        yield f"given up: {seat.gone[0]}: {printable(seat.gone[1])}"
    for kind, detail in seat.incidents:
        yield f"{kind}: {printable(detail)}"
    if seat.late:
        yield counted(seat.late, "late answer")
    if seat.strays:
        yield f"{counted(seat.strays, 'answer')} to nothing"


def _faults(faults: list[StoredFault]) -> Iterator[str]:
    for fault in faults[:_SHOWN_FAULTS]:
        row = fault.row
        match = f"{row.key.round}.{row.key.pairing}.{row.key.board}.{row.key.half}"
        where = f"match {match}"
        # Before the first deal there is no move.
        if row.deal:
            where += f", deal {row.deal}, move {row.move_index + 1}"
        late = fault.lag_s > TOLD_LAG_S
        beside = f" (the referee itself was late by up to {fault.lag_s:.2f} s)" if late else ""
        yield f"{where}: {row.kind}: {printable(row.detail)}{beside}\n"
    more = Counter(each.row.kind for each in faults[_SHOWN_FAULTS:])
    if more:
        yield f"and more: {', '.join(f'{count} {kind}' for kind, count in sorted(more.items()))}\n"


def _harmless(data: bytes) -> str:
    """Write a bot's text so that it can't move a cursor or change a colour."""
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    if lines[-1] == "":
        lines.pop()
    return "".join(f"{printable(line.expandtabs())}\n" for line in lines)


def _as_json(session: StoredSession) -> str:
    row = session.row
    value: dict[str, Any] = {
        "round": row.round,
        "pairing": row.pairing,
        "half": row.half,
        "ended_at": session.ended_at,
        "voids": [list(void) for void in row.voids],
        "referee_stalls": {
            "count": row.stalls,
            "total_s": row.stalled_s,
            "max_s": row.max_stall_s,
        },
        "seats": [
            {
                "seat": seat.seat,
                "start_s": seat.start_s,
                "restarts": seat.restarts,
                "exit": seat.exit,
                "cpu_s": seat.cpu_s,
                "peak_memory_bytes": seat.peak_memory_bytes,
                "given_up": list(seat.gone) if seat.gone else None,
                "incidents": [list(each) for each in seat.incidents],
                "faults": [
                    _fault_as_json(each) for each in session.faults if each.row.seat == seat.seat
                ],
                "late": seat.late,
                "strays": seat.strays,
                "processes": [
                    {
                        "stdout": log.stdout.decode("utf-8", "backslashreplace"),
                        "stderr": log.stderr.decode("utf-8", "backslashreplace"),
                    }
                    for log in seat.logs
                ],
            }
            for seat in row.seats
        ],
    }
    return json.dumps(value, ensure_ascii=True) + "\n"


def _fault_as_json(fault: StoredFault) -> dict[str, Any]:
    row = fault.row
    return {
        "board": row.key.board,
        "kind": row.kind,
        "deal": row.deal or None,
        "move": row.move_index + 1 if row.deal else None,
        "detail": row.detail,
        "max_lag_s": fault.lag_s,
    }
