"""Records and timings, to bytes and back (`protos/tarneeb/v1/record.proto`).

Equal records give equal bytes: fields are written in the order of their numbers, and the message
holds no map.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from google.protobuf.message import DecodeError

from tarneeb.v1 import record_pb2 as pb
from tarneeb_referee.faults import Fault, FaultKind
from tarneeb_referee.outcome import MatchTimings, SeatTimings
from tarneeb_referee.record import (
    RECORD_VERSION,
    Ending,
    MatchRecord,
    PlayedDeal,
    RefereeMove,
    RefereeMoveReason,
)
from tarneeb_sdk.errors import MalformedError
from tarneeb_sdk.wire import (
    calls_from_wire,
    calls_to_wire,
    cards_from_wire,
    rules_from_wire,
    rules_to_wire,
    suit_from_wire,
    suit_to_wire,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Item = TypeVar("Item")
Kind = TypeVar("Kind", bound=Enum)

TIMINGS_VERSION = 1
"""The form of the timings' bytes."""

_ENDINGS = {
    Ending.TARGET: pb.TERMINATION_TARGET,
    Ending.OUTRIGHT: pb.TERMINATION_OUTRIGHT,
    Ending.DEALS: pb.TERMINATION_DEALS,
    Ending.DEAL_CAP: pb.TERMINATION_DEAL_CAP,
    Ending.FORFEIT: pb.TERMINATION_FORFEIT,
}
_REASONS = {
    RefereeMoveReason.TIME: pb.REFEREE_MOVE_REASON_TIME,
    RefereeMoveReason.REFUSED_MOVES: pb.REFEREE_MOVE_REASON_REFUSED_MOVES,
    RefereeMoveReason.AUTOPILOT: pb.REFEREE_MOVE_REASON_AUTOPILOT,
    RefereeMoveReason.MUST_PLAY: pb.REFEREE_MOVE_REASON_MUST_PLAY,
}
_KINDS = {
    FaultKind.TIME_OUT: pb.FAULT_KIND_TIME_OUT,
    FaultKind.CRASH: pb.FAULT_KIND_CRASH,
    FaultKind.DISCONNECT: pb.FAULT_KIND_DISCONNECT,
    FaultKind.MALFORMED: pb.FAULT_KIND_MALFORMED,
    FaultKind.ILLEGAL: pb.FAULT_KIND_ILLEGAL,
    FaultKind.OVER_MEMORY: pb.FAULT_KIND_OVER_MEMORY,
    FaultKind.NEVER_READY: pb.FAULT_KIND_NEVER_READY,
    FaultKind.FLOODING: pb.FAULT_KIND_FLOODING,
    FaultKind.INCOMPATIBLE: pb.FAULT_KIND_INCOMPATIBLE,
    FaultKind.ABSENT: pb.FAULT_KIND_ABSENT,
}


def record_to_bytes(record: MatchRecord) -> bytes:
    """Write a match's record."""
    message = pb.MatchRecord(
        version=RECORD_VERSION,
        rules=rules_to_wire(record.rules),
        round=record.round_,
        pairing=record.pairing,
        board=record.board,
        half=record.half,
        entrants=record.entrants,
        deals=[_deal_to_wire(deal) for deal in record.deals],
        scores=record.scores,
        winner=record.winner,
        termination=_ENDINGS[record.ending],
        faults=[_fault_to_wire(fault) for fault in record.faults],
        autopilot_from=record.autopilot_from,
    )
    return message.SerializeToString(deterministic=True)


def record_from_bytes(data: bytes) -> MatchRecord:
    """Read a match's record.

    Raises:
        MalformedError: the bytes are no record, or one of a form that this version doesn't know.
    """
    message = _parse(pb.MatchRecord(), data, what="record", version=RECORD_VERSION)
    return MatchRecord(
        rules=rules_from_wire(message.rules),
        round_=message.round,
        pairing=message.pairing,
        board=message.board,
        half=message.half,
        entrants=tuple(message.entrants),
        deals=tuple([_deal_from_wire(deal) for deal in message.deals]),
        scores=tuple(message.scores),
        winner=message.winner if message.HasField("winner") else None,
        ending=_known(_ENDINGS, message.termination, what="termination"),
        faults=tuple([_fault_from_wire(fault) for fault in message.faults]),
        autopilot_from=_four(message.autopilot_from, what="autopilot_from"),
    )


def timings_to_bytes(timings: MatchTimings) -> bytes:
    """Write a match's timings."""
    message = pb.MatchTimings(
        version=TIMINGS_VERSION,
        seats=[
            pb.SeatTimings(
                decision_us=seat.decisions_us,
                bank_left_us=seat.bank_left_us,
                timed_out=seat.timed_out,
                late=seat.late,
            )
            for seat in timings.seats
        ],
        max_lag_us=timings.max_lag_us,
    )
    return message.SerializeToString(deterministic=True)


def timings_from_bytes(data: bytes) -> MatchTimings:
    """Read a match's timings.

    Raises:
        MalformedError: the bytes are no timings, or of a form that this version doesn't know.
    """
    message = _parse(pb.MatchTimings(), data, what="timings", version=TIMINGS_VERSION)
    return MatchTimings(
        seats=tuple(
            [
                SeatTimings(
                    decisions_us=tuple(seat.decision_us),
                    bank_left_us=seat.bank_left_us,
                    timed_out=seat.timed_out,
                    late=seat.late,
                )
                for seat in message.seats
            ]
        ),
        max_lag_us=message.max_lag_us,
    )


def _deal_to_wire(deal: PlayedDeal) -> pb.PlayedDeal:
    return pb.PlayedDeal(
        deal_number=deal.deal_number,
        redeal_number=deal.redeal_number,
        dealer=deal.dealer,
        hands=[bytes(hand) for hand in deal.hands],
        calls=calls_to_wire(deal.calls),
        trump=suit_to_wire(deal.trump),
        plays=bytes(deal.plays),
        points=deal.points,
        scores=deal.scores,
        cancelled=deal.cancelled,
        referee_moves=[
            pb.RefereeMove(move_index=each.move_index, reason=_REASONS[each.reason])
            for each in deal.referee_moves
        ],
    )


def _deal_from_wire(message: pb.PlayedDeal) -> PlayedDeal:
    return PlayedDeal(
        deal_number=message.deal_number,
        redeal_number=message.redeal_number,
        dealer=message.dealer,
        hands=_four([cards_from_wire(hand) for hand in message.hands], what="hands"),
        calls=calls_from_wire(message.calls),
        trump=suit_from_wire(message.trump),
        plays=cards_from_wire(message.plays),
        points=tuple(message.points),
        scores=tuple(message.scores),
        cancelled=message.cancelled,
        referee_moves=tuple(
            [
                RefereeMove(each.move_index, _known(_REASONS, each.reason, what="reason"))
                for each in message.referee_moves
            ]
        ),
    )


def _fault_to_wire(fault: Fault) -> pb.FaultRecord:
    return pb.FaultRecord(
        kind=_KINDS[fault.kind],
        seat=fault.seat,
        deal=fault.deal,
        move_index=fault.move_index,
        detail=fault.detail,
    )


def _fault_from_wire(message: pb.FaultRecord) -> Fault:
    kind = _known(_KINDS, message.kind, what="fault kind")
    return Fault(kind, message.seat, message.deal, message.move_index, message.detail)


_Message = TypeVar("_Message", pb.MatchRecord, pb.MatchTimings)


def _parse(message: _Message, data: bytes, *, what: str, version: int) -> _Message:
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise MalformedError(f"{len(data)} bytes are no {what}") from error
    if message.version != version:
        raise MalformedError(f"{what} of form {message.version}; this version reads {version}")
    return message


def _known(kinds: Mapping[Kind, int], number: int, *, what: str) -> Kind:
    for kind, wire in kinds.items():
        if wire == number:
            return kind
    raise MalformedError(f"{what} {number} is unknown")


def _four(items: Iterable[Item], *, what: str) -> tuple[Item, Item, Item, Item]:
    found = tuple(items)
    if len(found) != 4:
        raise MalformedError(f"{what} has {len(found)} entries, not 4")
    first, second, third, fourth = found
    return first, second, third, fourth
