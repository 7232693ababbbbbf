from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
PHASE_AUCTION: Phase
PHASE_CANCELLED: Phase
PHASE_PLAY: Phase
PHASE_SCORED: Phase
PHASE_TRUMP: Phase
PHASE_UNSPECIFIED: Phase
SUIT_CLUBS: Suit
SUIT_DIAMONDS: Suit
SUIT_HEARTS: Suit
SUIT_SPADES: Suit
SUIT_UNSPECIFIED: Suit

class DealRecord(_message.Message):
    __slots__ = ["bid", "calls", "deal_number", "dealer", "declarer", "plays", "points", "revealed", "scores", "tricks", "trump"]
    BID_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DECLARER_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    REVEALED_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    bid: int
    calls: bytes
    deal_number: int
    dealer: int
    declarer: int
    plays: bytes
    points: _containers.RepeatedScalarFieldContainer[int]
    revealed: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    tricks: bytes
    trump: Suit
    def __init__(self, deal_number: _Optional[int] = ..., dealer: _Optional[int] = ..., calls: _Optional[bytes] = ..., declarer: _Optional[int] = ..., bid: _Optional[int] = ..., trump: _Optional[_Union[Suit, str]] = ..., revealed: _Optional[int] = ..., plays: _Optional[bytes] = ..., tricks: _Optional[bytes] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

class LegalMoves(_message.Message):
    __slots__ = ["bids", "cards", "trumps"]
    BIDS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    TRUMPS_FIELD_NUMBER: _ClassVar[int]
    bids: bytes
    cards: int
    trumps: _containers.RepeatedScalarFieldContainer[Suit]
    def __init__(self, bids: _Optional[bytes] = ..., trumps: _Optional[_Iterable[_Union[Suit, str]]] = ..., cards: _Optional[int] = ..., **kwargs) -> None: ...

class Move(_message.Message):
    __slots__ = ["bid", "card", "trump"]
    BID_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    bid: int
    card: int
    trump: Suit
    def __init__(self, bid: _Optional[int] = ..., trump: _Optional[_Union[Suit, str]] = ..., card: _Optional[int] = ..., **kwargs) -> None: ...

class Pass(_message.Message):
    __slots__ = []
    def __init__(self) -> None: ...

class RuleSet(_message.Message):
    __slots__ = ["deals", "defenders_always_score", "max_cancelled", "max_deals", "preset", "target"]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    DEFENDERS_ALWAYS_SCORE_FIELD_NUMBER: _ClassVar[int]
    MAX_CANCELLED_FIELD_NUMBER: _ClassVar[int]
    MAX_DEALS_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    deals: int
    defenders_always_score: bool
    max_cancelled: int
    max_deals: int
    preset: str
    target: int
    def __init__(self, preset: _Optional[str] = ..., target: _Optional[int] = ..., defenders_always_score: bool = ..., deals: _Optional[int] = ..., max_cancelled: _Optional[int] = ..., max_deals: _Optional[int] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ["bid", "calls", "deal_number", "dealer", "declarer", "hand", "leader", "phase", "plays", "revealed", "scores", "tricks", "trump"]
    BID_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    DEAL_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DECLARER_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    REVEALED_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    bid: int
    calls: bytes
    deal_number: int
    dealer: int
    declarer: int
    hand: int
    leader: int
    phase: Phase
    plays: bytes
    revealed: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    tricks: bytes
    trump: Suit
    def __init__(self, deal_number: _Optional[int] = ..., dealer: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., hand: _Optional[int] = ..., calls: _Optional[bytes] = ..., declarer: _Optional[int] = ..., bid: _Optional[int] = ..., trump: _Optional[_Union[Suit, str]] = ..., revealed: _Optional[int] = ..., plays: _Optional[bytes] = ..., leader: _Optional[int] = ..., tricks: _Optional[bytes] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

class Suit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = []
