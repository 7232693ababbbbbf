"""Hand records: one JSON object a line that tells of one deal, and how such a line is read.

docs/reference/hand-records.md describes the form. Reading splits what is wrong with a line in two:
a line that is no record is malformed, and raises; a record whose moves break the rules is read
like any other, and is for `tarneeb_referee.adjudicate` to reject. So a value that stands where a
move should, and is none, is kept as `NoMove`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from tarneeb_referee.record_json import SHOWN_LENGTH, parse_json_object, shown
from tarneeb_sdk.game import (
    ALL_CARDS,
    BIDS,
    PASS,
    SUITS,
    TRUMPS,
    Call,
    Card,
    CardSet,
    Game,
    MalformedError,
    Move,
    NameTrump,
    RulesError,
    RuleSet,
    Seat,
    parse_hand,
    rule_set,
)
from tarneeb_sdk.game.near_miss import near_miss

__all__ = ["TIME_OUT", "HandRecord", "NoMove", "RecordedMove", "TimeOut", "parse_record"]

RECORD_KEYS = (
    "rules",
    "dealer",
    "scores",
    "hands",
    "revealed",
    "calls",
    "trump",
    "plays",
    "tricks",
)
RULES_KEYS = ("preset", "target", "defenders_always_score")

# Beyond this a JSON number is not the same in all languages (RFC 8259, section 6).
MAX_SCORE = 2**53 - 1


class TimeOut(Enum):
    """Stands in a record for a move that the referee made [R-7.2]."""

    TIME_OUT = "timeout"


TIME_OUT: Final = TimeOut.TIME_OUT


@dataclass(frozen=True, slots=True)
class NoMove:
    """A value that stands where a move should, and is no move there.

    Attributes:
        shown: the value in print, cut to a length that fits a reason.
    """

    shown: str


RecordedMove: TypeAlias = Move | TimeOut | NoMove


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A record of the right form; its moves may be wrong.

    Attributes:
        rules: the preset with its options.
        dealer: the seat that dealt.
        scores: before the deal: two teams, or four seats in Syrian 41.
        hands: the four hands, by seat; `None` if the record has none.
        revealed: Syrian 41: the shown card [R-6.1]; `None` if the record has none.
        calls: in the order they were made.
        trump: `None` if it is not named yet.
        plays: in the order they were made.
        tricks: tricks by seat, given instead of plays; `None` if the record has none.
    """

    rules: RuleSet
    dealer: Seat
    scores: tuple[int, ...]
    hands: tuple[CardSet, ...] | None
    revealed: Card | None
    calls: tuple[RecordedMove, ...]
    trump: RecordedMove | None
    plays: tuple[RecordedMove, ...]
    tricks: tuple[int, ...] | None


def parse_record(text: str) -> HandRecord:
    """Read one line of a file of hand records.

    Raises:
        MalformedError: it is not JSON, or has not the form of a record.
    """
    keys = parse_json_object(text)
    _check_keys(keys, RECORD_KEYS, "the record")
    if "rules" not in keys or "dealer" not in keys:
        missing = "rules" if "rules" not in keys else "dealer"
        raise MalformedError(f"the record has no {missing!r}")
    rules = _parse_rules(keys["rules"])
    dealer = _parse_dealer(keys["dealer"])
    hands = _parse_hands(keys["hands"]) if "hands" in keys else None
    revealed = None
    if "revealed" in keys:
        revealed = _parse_revealed(keys["revealed"], rules, dealer, hands)
    if "tricks" in keys and "plays" in keys:
        raise MalformedError("the record has both 'plays' and 'tricks'; tricks stand for plays")
    return HandRecord(
        rules=rules,
        dealer=dealer,
        scores=_parse_scores(keys["scores"], rules)
        if "scores" in keys
        else (0,) * rules.num_scores,
        hands=hands,
        revealed=revealed,
        calls=tuple(map(_parse_call, _list_of(keys, "calls"))),
        trump=_parse_trump(keys["trump"]) if "trump" in keys else None,
        plays=tuple(map(_parse_play, _list_of(keys, "plays"))),
        tricks=_parse_tricks(keys["tricks"]) if "tricks" in keys else None,
    )


def _check_keys(keys: Iterable[str], known: Sequence[str], where: str) -> None:
    for key in keys:
        if key not in known:
            near = near_miss(key, known)
            hint = f"; did you mean {near!r}?" if near else f"; it may have {', '.join(known)}"
            raise MalformedError(f"{where} has an unknown key {shown(key)}{hint}")


def _parse_rules(value: object) -> RuleSet:
    options: Mapping[str, object]
    match value:
        case str():
            options = {"preset": value}
        case dict():
            options = value
            _check_keys(options, RULES_KEYS, "'rules'")
        case _:
            raise MalformedError(f"'rules' is a preset's name or an object, not {shown(value)}")
    preset = options.get("preset")
    if not isinstance(preset, str):
        raise MalformedError(f"'preset' is a preset's name, not {shown(preset)}")
    always = options.get("defenders_always_score", False)
    if not isinstance(always, bool):
        raise MalformedError(f"'defenders_always_score' is true or false, not {shown(always)}")
    target = options.get("target")
    # Absent is the preset's own target; null is nothing.
    if not (type(target) is int or (target is None and "target" not in options)):
        raise MalformedError(f"'target' is a whole number, not {shown(target)}")
    try:
        # A record may come from a table that plays one preset's points to another's target.
        return rule_set(
            preset[:SHOWN_LENGTH],
            target=target,
            defenders_always_score=always,
            any_target=True,
        )
    except RulesError as error:
        raise MalformedError(f"'rules': {error}") from error


def _parse_dealer(value: object) -> Seat:
    if type(value) is not int or not 0 <= value <= 3:
        raise MalformedError(f"'dealer' is a seat from 0 to 3, not {shown(value)}")
    return value


def _parse_scores(value: object, rules: RuleSet) -> tuple[int, ...]:
    whose = "four seats" if rules.num_scores == 4 else "two teams"
    if not isinstance(value, list) or len(value) != rules.num_scores:
        raise MalformedError(f"'scores' are the scores of {whose} in {rules.preset}")
    for score in value:
        if type(score) is not int or abs(score) > MAX_SCORE:
            raise MalformedError(f"'scores' are whole numbers, not {shown(score)}")
    return tuple(value)


def _parse_hands(value: object) -> tuple[CardSet, ...]:
    if not isinstance(value, list) or len(value) != 4:
        raise MalformedError("'hands' are the hands of four seats")
    hands = []
    seen = CardSet()
    for seat, text in enumerate(value):
        if not isinstance(text, str) or len(text) > 60:
            raise MalformedError(f"the hand of seat {seat} is a text S.H.D.C, not {shown(text)}")
        try:
            hand = parse_hand(text)
        except MalformedError as error:
            raise MalformedError(f"the hand of seat {seat}: {error}") from error
        if len(hand) != 13:
            raise MalformedError(f"the hand of seat {seat} has {len(hand)} cards, not 13")
        if twice := seen & hand:
            raise MalformedError(f"{next(iter(twice))} is in two hands")
        seen |= hand
        hands.append(hand)
    return tuple(hands)


def _parse_revealed(
    value: object, rules: RuleSet, dealer: Seat, hands: tuple[CardSet, ...] | None
) -> Card:
    if rules.game is not Game.SYRIAN41:
        raise MalformedError(f"'revealed' has no meaning in {rules.preset}: no card is shown")
    card = _CARDS.get(value) if isinstance(value, str) else None
    if card is None:
        raise MalformedError(f"'revealed' is a card such as \"AS\", not {shown(value)}")
    if hands is not None and card not in hands[dealer]:
        raise MalformedError(f"the shown card {card} is not in the hand of seat {dealer} [R-6.1]")
    return card


def _parse_tricks(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != 4:
        raise MalformedError("'tricks' are the tricks of four seats")
    for tricks in value:
        if type(tricks) is not int or not 0 <= tricks <= 13:
            raise MalformedError(f"'tricks' are whole numbers from 0 to 13, not {shown(tricks)}")
    if sum(value) != 13:
        raise MalformedError(f"'tricks' add up to {sum(value)}, not 13 [R-4.4]")
    return tuple(value)


def _list_of(keys: Mapping[str, object], key: str) -> list[object]:
    value = keys.get(key, [])
    if not isinstance(value, list):
        raise MalformedError(f"{key!r} is a list of moves, not {shown(value)}")
    return value


# JSON has 7 and 7.0, true and 1, which Python takes for equal: the type decides.

_BIDS: Mapping[int, Call] = {bid.level: bid for bid in BIDS}
_TRUMPS: Mapping[str, NameTrump] = {suit.letter: TRUMPS[suit] for suit in SUITS}
_CARDS: Mapping[str, Card] = {str(card): card for card in ALL_CARDS}


def _parse_call(value: object) -> RecordedMove:
    call: Call | None = None
    if type(value) is int:
        call = _BIDS.get(value)
    elif value == "P":
        call = PASS
    return call if call is not None else _parse_no_move(value)


def _parse_trump(value: object) -> RecordedMove:
    trump = _TRUMPS.get(value) if isinstance(value, str) else None
    return trump if trump is not None else _parse_no_move(value)


def _parse_play(value: object) -> RecordedMove:
    card = _CARDS.get(value) if isinstance(value, str) else None
    return card if card is not None else _parse_no_move(value)


def _parse_no_move(value: object) -> RecordedMove:
    return TIME_OUT if value == "timeout" else NoMove(shown(value))
