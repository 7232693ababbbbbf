from tarneeb.v1 import game_pb2 as _game_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
LAPSE_REASON_AUTOPILOT: LapseReason
LAPSE_REASON_REFUSED_MOVES: LapseReason
LAPSE_REASON_TIME: LapseReason
LAPSE_REASON_UNSPECIFIED: LapseReason

class Answer(_message.Message):
    __slots__ = ["move", "turn_id"]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    move: _game_pb2.Move
    turn_id: int
    def __init__(self, turn_id: _Optional[int] = ..., move: _Optional[_Union[_game_pb2.Move, _Mapping]] = ...) -> None: ...

class Answers(_message.Message):
    __slots__ = ["answers"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class Batch(_message.Message):
    __slots__ = ["notices", "turns"]
    NOTICES_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    notices: _containers.RepeatedCompositeFieldContainer[Notice]
    turns: _containers.RepeatedCompositeFieldContainer[Turn]
    def __init__(self, notices: _Optional[_Iterable[_Union[Notice, _Mapping]]] = ..., turns: _Optional[_Iterable[_Union[Turn, _Mapping]]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ["name", "protocol_versions", "sdk", "version"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    name: str
    protocol_versions: _containers.RepeatedScalarFieldContainer[int]
    sdk: str
    version: str
    def __init__(self, protocol_versions: _Optional[_Iterable[int]] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., sdk: _Optional[str] = ...) -> None: ...

class MatchOver(_message.Message):
    __slots__ = ["scores", "winner"]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    winner: int
    def __init__(self, scores: _Optional[_Iterable[int]] = ..., winner: _Optional[int] = ...) -> None: ...

class MoveRefused(_message.Message):
    __slots__ = ["legal", "reason", "retries_left", "turn_id"]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RETRIES_LEFT_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    legal: _game_pb2.LegalMoves
    reason: str
    retries_left: int
    turn_id: int
    def __init__(self, turn_id: _Optional[int] = ..., reason: _Optional[str] = ..., legal: _Optional[_Union[_game_pb2.LegalMoves, _Mapping]] = ..., retries_left: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ["deal_cancelled", "deal_scored", "match_over", "move_refused", "table_id", "turn_lapsed"]
    DEAL_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    DEAL_SCORED_FIELD_NUMBER: _ClassVar[int]
    MATCH_OVER_FIELD_NUMBER: _ClassVar[int]
    MOVE_REFUSED_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_LAPSED_FIELD_NUMBER: _ClassVar[int]
    deal_cancelled: _game_pb2.DealRecord
    deal_scored: _game_pb2.DealRecord
    match_over: MatchOver
    move_refused: MoveRefused
    table_id: int
    turn_lapsed: TurnLapsed
    def __init__(self, table_id: _Optional[int] = ..., deal_scored: _Optional[_Union[_game_pb2.DealRecord, _Mapping]] = ..., deal_cancelled: _Optional[_Union[_game_pb2.DealRecord, _Mapping]] = ..., match_over: _Optional[_Union[MatchOver, _Mapping]] = ..., move_refused: _Optional[_Union[MoveRefused, _Mapping]] = ..., turn_lapsed: _Optional[_Union[TurnLapsed, _Mapping]] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ["answers", "hello"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    HELLO_FIELD_NUMBER: _ClassVar[int]
    answers: Answers
    hello: Hello
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., answers: _Optional[_Union[Answers, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ["batch", "refusal", "welcome"]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    batch: Batch
    refusal: Refusal
    welcome: Welcome
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., batch: _Optional[_Union[Batch, _Mapping]] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ["protocol_versions", "reason"]
    PROTOCOL_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    protocol_versions: _containers.RepeatedScalarFieldContainer[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ..., protocol_versions: _Optional[_Iterable[int]] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ["bank_ms", "decision_ms", "margin_ms", "retries", "strikes"]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    MARGIN_MS_FIELD_NUMBER: _ClassVar[int]
    RETRIES_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    bank_ms: int
    decision_ms: int
    margin_ms: int
    retries: int
    strikes: int
    def __init__(self, decision_ms: _Optional[int] = ..., bank_ms: _Optional[int] = ..., margin_ms: _Optional[int] = ..., retries: _Optional[int] = ..., strikes: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ["legal", "table_id", "time_left_ms", "turn_id", "view"]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_LEFT_MS_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    legal: _game_pb2.LegalMoves
    table_id: int
    time_left_ms: int
    turn_id: int
    view: _game_pb2.View
    def __init__(self, turn_id: _Optional[int] = ..., table_id: _Optional[int] = ..., legal: _Optional[_Union[_game_pb2.LegalMoves, _Mapping]] = ..., time_left_ms: _Optional[int] = ..., view: _Optional[_Union[_game_pb2.View, _Mapping]] = ...) -> None: ...

class TurnLapsed(_message.Message):
    __slots__ = ["move", "reason", "turn_id"]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    move: _game_pb2.Move
    reason: LapseReason
    turn_id: int
    def __init__(self, turn_id: _Optional[int] = ..., reason: _Optional[_Union[LapseReason, str]] = ..., move: _Optional[_Union[_game_pb2.Move, _Mapping]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ["protocol_version", "rules", "seat", "seed", "tables", "time"]
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    rules: _game_pb2.RuleSet
    seat: int
    seed: bytes
    tables: int
    time: TimeControl
    def __init__(self, protocol_version: _Optional[int] = ..., seat: _Optional[int] = ..., rules: _Optional[_Union[_game_pb2.RuleSet, _Mapping]] = ..., time: _Optional[_Union[TimeControl, _Mapping]] = ..., tables: _Optional[int] = ..., seed: _Optional[bytes] = ...) -> None: ...

class LapseReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
