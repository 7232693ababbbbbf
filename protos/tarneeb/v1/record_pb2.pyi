from tarneeb.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
FAULT_KIND_ABSENT: FaultKind
FAULT_KIND_CRASH: FaultKind
FAULT_KIND_DISCONNECT: FaultKind
FAULT_KIND_FLOODING: FaultKind
FAULT_KIND_ILLEGAL: FaultKind
FAULT_KIND_INCOMPATIBLE: FaultKind
FAULT_KIND_MALFORMED: FaultKind
FAULT_KIND_NEVER_READY: FaultKind
FAULT_KIND_OVER_MEMORY: FaultKind
FAULT_KIND_TIME_OUT: FaultKind
FAULT_KIND_UNSPECIFIED: FaultKind
REFEREE_MOVE_REASON_AUTOPILOT: RefereeMoveReason
REFEREE_MOVE_REASON_MUST_PLAY: RefereeMoveReason
REFEREE_MOVE_REASON_REFUSED_MOVES: RefereeMoveReason
REFEREE_MOVE_REASON_TIME: RefereeMoveReason
REFEREE_MOVE_REASON_UNSPECIFIED: RefereeMoveReason
TERMINATION_DEALS: Termination
TERMINATION_DEAL_CAP: Termination
TERMINATION_FORFEIT: Termination
TERMINATION_OUTRIGHT: Termination
TERMINATION_TARGET: Termination
TERMINATION_UNSPECIFIED: Termination

class FaultRecord(_message.Message):
    __slots__ = ["deal", "detail", "kind", "move_index", "seat"]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    MOVE_INDEX_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    deal: int
    detail: str
    kind: FaultKind
    move_index: int
    seat: int
    def __init__(self, kind: _Optional[_Union[FaultKind, str]] = ..., seat: _Optional[int] = ..., deal: _Optional[int] = ..., move_index: _Optional[int] = ..., detail: _Optional[str] = ...) -> None: ...

class MatchRecord(_message.Message):
    __slots__ = ["autopilot_from", "board", "deals", "entrants", "faults", "half", "pairing", "round", "rules", "scores", "termination", "version", "winner"]
    AUTOPILOT_FROM_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    HALF_FIELD_NUMBER: _ClassVar[int]
    PAIRING_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TERMINATION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    autopilot_from: _containers.RepeatedScalarFieldContainer[int]
    board: int
    deals: _containers.RepeatedCompositeFieldContainer[PlayedDeal]
    entrants: _containers.RepeatedScalarFieldContainer[str]
    faults: _containers.RepeatedCompositeFieldContainer[FaultRecord]
    half: int
    pairing: int
    round: int
    rules: _game_pb2.RuleSet
    scores: _containers.RepeatedScalarFieldContainer[int]
    termination: Termination
    version: int
    winner: int
    def __init__(self, version: _Optional[int] = ..., rules: _Optional[_Union[_game_pb2.RuleSet, _Mapping]] = ..., round: _Optional[int] = ..., pairing: _Optional[int] = ..., board: _Optional[int] = ..., half: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ..., deals: _Optional[_Iterable[_Union[PlayedDeal, _Mapping]]] = ..., scores: _Optional[_Iterable[int]] = ..., winner: _Optional[int] = ..., termination: _Optional[_Union[Termination, str]] = ..., faults: _Optional[_Iterable[_Union[FaultRecord, _Mapping]]] = ..., autopilot_from: _Optional[_Iterable[int]] = ...) -> None: ...

class MatchTimings(_message.Message):
    __slots__ = ["max_lag_us", "seats", "version"]
    MAX_LAG_US_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    max_lag_us: int
    seats: _containers.RepeatedCompositeFieldContainer[SeatTimings]
    version: int
    def __init__(self, version: _Optional[int] = ..., seats: _Optional[_Iterable[_Union[SeatTimings, _Mapping]]] = ..., max_lag_us: _Optional[int] = ...) -> None: ...

class PlayedDeal(_message.Message):
    __slots__ = ["calls", "cancelled", "deal_number", "dealer", "hands", "plays", "points", "redeal_number", "referee_moves", "scores", "trump"]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    REDEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REFEREE_MOVES_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    calls: bytes
    cancelled: bool
    deal_number: int
    dealer: int
    hands: _containers.RepeatedScalarFieldContainer[bytes]
    plays: bytes
    points: _containers.RepeatedScalarFieldContainer[int]
    redeal_number: int
    referee_moves: _containers.RepeatedCompositeFieldContainer[RefereeMove]
    scores: _containers.RepeatedScalarFieldContainer[int]
    trump: _game_pb2.Suit
    def __init__(self, deal_number: _Optional[int] = ..., redeal_number: _Optional[int] = ..., dealer: _Optional[int] = ..., hands: _Optional[_Iterable[bytes]] = ..., calls: _Optional[bytes] = ..., trump: _Optional[_Union[_game_pb2.Suit, str]] = ..., plays: _Optional[bytes] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ..., cancelled: bool = ..., referee_moves: _Optional[_Iterable[_Union[RefereeMove, _Mapping]]] = ...) -> None: ...

class RefereeMove(_message.Message):
    __slots__ = ["move_index", "reason"]
    MOVE_INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    move_index: int
    reason: RefereeMoveReason
    def __init__(self, move_index: _Optional[int] = ..., reason: _Optional[_Union[RefereeMoveReason, str]] = ...) -> None: ...

class SeatTimings(_message.Message):
    __slots__ = ["bank_left_us", "decision_us", "late", "timed_out"]
    BANK_LEFT_US_FIELD_NUMBER: _ClassVar[int]
    DECISION_US_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    bank_left_us: int
    decision_us: _containers.RepeatedScalarFieldContainer[int]
    late: int
    timed_out: int
    def __init__(self, decision_us: _Optional[_Iterable[int]] = ..., bank_left_us: _Optional[int] = ..., timed_out: _Optional[int] = ..., late: _Optional[int] = ...) -> None: ...

class Termination(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class RefereeMoveReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class FaultKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
