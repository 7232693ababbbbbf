"""Results that nobody played."""

from collections.abc import Iterable

from tarneeb_tournaments.results import (
    EntrantRow,
    FaultRow,
    MatchKey,
    MatchRow,
    ProcessLog,
    SeatSession,
    SeatTimes,
    SessionRow,
    Settings,
    StoredMatch,
    TournamentInfo,
)
from tarneeb_tournaments.schedule import Pairing, round_robin

SECRET = bytes(range(32))


def settings(boards: int = 2, preset: str = "tarneeb") -> Settings:
    return {
        "tournament": {
            "name": "Test",
            "preset": preset,
            "schedule": "round-robin",
            "boards": boards,
        },
        "match": {"target": 41},
    }


def info(
    names: Iterable[str] = ("A", "B"), *, boards: int = 2, preset: str = "tarneeb"
) -> TournamentInfo:
    entrants = tuple(
        EntrantRow(f"e{number}", name, "Bot", "1", f"{number:064x}")
        for number, name in enumerate(names, start=1)
    )
    return TournamentInfo(
        name="Test",
        settings=settings(boards, preset),
        entrants=entrants,
        public_seed="ab" * 32,
        secret=SECRET,
    )


def pairings(tournament: TournamentInfo) -> tuple[Pairing, ...]:
    return round_robin([each.id for each in tournament.entrants])


def match(
    key: tuple[int, int, int, int] = (1, 1, 1, 1),
    entrants: tuple[str, str] = ("e1", "e2"),
    scores: tuple[int, int] = (41, 20),
    *,
    winner: int | None = 0,
    ending: str = "target",
    deals: int = 8,
    autopilot: tuple[bool, bool] = (False, False),
    absent: int = 0,
    faults: Iterable[tuple[int, str]] = (),
    decisions_us: tuple[int, ...] = (100, 200, 300),
    late: int = 0,
    record: bytes | None = None,
) -> StoredMatch:
    """Make a match; faults are pairs of seat and kind."""
    place = MatchKey(*key)
    return StoredMatch(
        row=MatchRow(
            *place,
            *entrants,
            *scores,
            winner,
            ending,
            deals,
            bids0=5,
            bids1=3,
            made0=4,
            made1=2,
            autopilots=autopilot[0] | autopilot[1] << 1,
            absent=absent,
        ),
        record=f"record of {key}".encode() if record is None else record,
        faults=tuple(
            FaultRow(place, number, entrants[seat % 2], seat, kind, 1, 5, "no answer in time")
            for number, (seat, kind) in enumerate(faults, start=1)
        ),
        times=tuple(
            SeatTimes(
                seat=seat,
                entrant=entrants[seat % 2],
                decisions=len(decisions_us),
                total_us=sum(decisions_us),
                max_us=max(decisions_us, default=0),
                late=late,
            )
            for seat in range(4)
        ),
        timings=f"timings of {key}".encode(),
    )


def session(
    key: tuple[int, int, int] = (1, 1, 1), *, log: bytes = b"hello\n", max_stall_s: float = 0.0
) -> SessionRow:
    round_, pairing, half = key
    return SessionRow(
        round=round_,
        pairing=pairing,
        half=half,
        seats=tuple(
            SeatSession(
                seat=seat,
                entrant=f"e{seat % 2 + 1}",
                start_s=0.25,
                incidents=(("crash", "exited with status 3"),) if seat == 1 else (),
                logs=(ProcessLog(log, b""),),
            )
            for seat in range(4)
        ),
        voids=((2, "the host is out of memory"),),
        stalls=int(max_stall_s > 0),
        stalled_s=max_stall_s,
        max_stall_s=max_stall_s,
    )
