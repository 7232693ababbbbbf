"""The messages of the stream, to bytes and back.

The hot ones are a batch of turns, one way, and the answers to it, the other way: a few
microseconds a turn are a good part of what a decision costs (benchmarks/wire_speed.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from google.protobuf.message import DecodeError

from tarneeb.v1 import referee_service_pb2 as pb
from tarneeb_sdk.game import MalformedError
from tarneeb_sdk.messages import (
    Answer,
    Answers,
    Batch,
    DealCancelled,
    DealScored,
    Hello,
    LapseReason,
    MalformedAnswer,
    MatchOver,
    MoveRefused,
    Refusal,
    TimeControl,
    Turn,
    TurnLapsed,
    Welcome,
)
from tarneeb_sdk.wire.deals import (
    fill_view,
    result_from_wire,
    result_to_wire,
    rules_from_wire,
    rules_to_wire,
    scores_from_wire,
    seat_from_wire,
    view_from_wire,
)
from tarneeb_sdk.wire.moves import (
    fill_legal,
    legal_from_wire,
    legal_to_wire,
    move_from_wire,
    move_to_wire,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_sdk.game import RuleSet
    from tarneeb_sdk.messages import Notice, Request, Response

_REASONS_TO_WIRE = {
    LapseReason.TIME: pb.LAPSE_REASON_TIME,
    LapseReason.REFUSED_MOVES: pb.LAPSE_REASON_REFUSED_MOVES,
    LapseReason.AUTOPILOT: pb.LAPSE_REASON_AUTOPILOT,
}
_REASONS_FROM_WIRE = {int(wire): reason for reason, wire in _REASONS_TO_WIRE.items()}


# From the bot.


def request_to_wire(request: Request) -> bytes:
    """Write what a bot says: its `Hello`, or answers."""
    match request:
        case Hello():
            return _hello_to_wire(request)
        case Answers():
            return answers_to_wire(
                [answer for answer in request.answers if isinstance(answer, Answer)]
            )
        case _:
            assert_never(request)


def _hello_to_wire(hello: Hello) -> bytes:
    message = pb.Hello(
        protocol_versions=hello.protocol_versions,
        name=hello.name,
        version=hello.version,
        sdk=hello.sdk,
    )
    return pb.PlayRequest(hello=message).SerializeToString()


def answers_to_wire(answers: Iterable[Answer]) -> bytes:
    """Write answers, in the order of the decisions."""
    request = pb.PlayRequest(answers=pb.Answers())
    add = request.answers.answers.add
    for answer in answers:
        add(turn_id=answer.turn_id, move=move_to_wire(answer.move))
    return request.SerializeToString()


def request_from_wire(data: bytes) -> Request:
    """Read what a bot says.

    An answer that is malformed in itself becomes a `MalformedAnswer`, so that it costs its own
    turn and not the ones beside it.

    Raises:
        MalformedError: the message does not parse, or says nothing.
    """
    try:
        request = pb.PlayRequest.FromString(data)
    except DecodeError as error:
        raise MalformedError(f"a message of {len(data)} bytes does not parse") from error
    kind = request.WhichOneof("message")
    if kind == "answers":
        return Answers(tuple([_any_answer_from_wire(each) for each in request.answers.answers]))
    if kind == "hello":
        hello = request.hello
        return Hello(
            protocol_versions=tuple(hello.protocol_versions),
            name=hello.name,
            version=hello.version,
            sdk=hello.sdk,
        )
    raise MalformedError("the message holds neither hello nor answers")


def _any_answer_from_wire(message: pb.Answer) -> Answer | MalformedAnswer:
    try:
        return answer_from_wire(message)
    except MalformedError as error:
        return MalformedAnswer(message.turn_id, str(error))


def answer_from_wire(message: pb.Answer) -> Answer:
    """Read one answer.

    Raises:
        MalformedError: it names no turn, or no move.
    """
    turn_id = message.turn_id
    if turn_id == 0:
        raise MalformedError("the answer names no turn (turn_id is 0)")
    return Answer(turn_id, move_from_wire(message.move))


# From the referee.


def response_to_wire(response: Response) -> bytes:
    """Write what the referee says: a welcome, a refusal or a batch."""
    match response:
        case Batch():
            return batch_to_wire(response)
        case Welcome():
            message = pb.PlayResponse(welcome=_welcome_to_wire(response))
        case Refusal():
            refusal = pb.Refusal(
                reason=response.reason, protocol_versions=response.protocol_versions
            )
            message = pb.PlayResponse(refusal=refusal)
        case _:
            assert_never(response)
    return message.SerializeToString()


def batch_to_wire(batch: Batch) -> bytes:
    """Write notices and turns as one message."""
    response = pb.PlayResponse(batch=pb.Batch())
    add_turn = response.batch.turns.add
    for turn in batch.turns:
        view = turn.view
        message = add_turn(
            turn_id=turn.turn_id, table_id=turn.table_id, time_left_ms=_ms(turn.time_left_s)
        )
        fill_legal(message.legal, view.legal)
        fill_view(message.view, view)
    if batch.notices:
        response.batch.notices.extend([notice_to_wire(notice) for notice in batch.notices])
    return response.SerializeToString()


def response_from_wire(data: bytes, *, welcome: Welcome | None) -> Response:
    """Read what the referee says.

    Args:
        data: the message.
        welcome: the stream's welcome, which gives views their seat and rules; None before it.

    Raises:
        MalformedError: the message does not parse, says nothing, or is a batch before the welcome;
            or a number in it is out of its range.
    """
    try:
        response = pb.PlayResponse.FromString(data)
    except DecodeError as error:
        raise MalformedError(f"a message of {len(data)} bytes does not parse") from error
    kind = response.WhichOneof("message")
    if kind == "batch":
        if welcome is None:
            raise MalformedError("a batch came before the welcome")
        return _batch_from_wire(response.batch, seat=welcome.seat, rules=welcome.rules)
    if kind == "welcome":
        return _welcome_from_wire(response.welcome)
    if kind == "refusal":
        refusal = response.refusal
        return Refusal(refusal.reason, tuple(refusal.protocol_versions))
    raise MalformedError("the message holds neither welcome, refusal nor batch")


def _batch_from_wire(batch: pb.Batch, *, seat: int, rules: RuleSet) -> Batch:
    turns = [
        Turn(
            turn.turn_id,
            turn.table_id,
            turn.time_left_ms / 1000,
            view_from_wire(turn.view, seat=seat, rules=rules, legal=legal_from_wire(turn.legal)),
        )
        for turn in batch.turns
    ]
    for turn in turns:
        if turn.turn_id == 0:
            raise MalformedError("a turn has no id (turn_id is 0)")
        if not turn.view.legal:
            raise MalformedError(f"turn {turn.turn_id} has no legal moves")
    # A kind of notice that a later referee adds reads as none set, and tells this bot nothing.
    notices = tuple(
        [
            notice_from_wire(notice, rules=rules)
            for notice in batch.notices
            if notice.WhichOneof("notice")
        ]
    )
    return Batch(notices, tuple(turns))


def _welcome_to_wire(welcome: Welcome) -> pb.Welcome:
    time = welcome.time
    return pb.Welcome(
        protocol_version=welcome.protocol_version,
        seat=welcome.seat,
        rules=rules_to_wire(welcome.rules),
        time=pb.TimeControl(
            decision_ms=_ms(time.decision_s),
            bank_ms=_ms(time.bank_s),
            margin_ms=_ms(time.margin_s),
            retries=time.retries,
            strikes=time.strikes,
        ),
        tables=welcome.tables,
        seed=welcome.seed,
    )


def _welcome_from_wire(message: pb.Welcome) -> Welcome:
    time = message.time
    return Welcome(
        protocol_version=message.protocol_version,
        seat=seat_from_wire(message.seat, what="seat"),
        rules=rules_from_wire(message.rules),
        time=TimeControl(
            decision_s=time.decision_ms / 1000,
            bank_s=time.bank_ms / 1000,
            margin_s=time.margin_ms / 1000,
            retries=time.retries,
            strikes=time.strikes,
        ),
        tables=message.tables,
        seed=message.seed,
    )


def notice_to_wire(notice: Notice) -> pb.Notice:
    """Write one notice."""
    table_id = notice.table_id
    match notice:
        case DealScored():
            return pb.Notice(table_id=table_id, deal_scored=result_to_wire(notice.result))
        case DealCancelled():
            return pb.Notice(table_id=table_id, deal_cancelled=result_to_wire(notice.result))
        case MatchOver():
            over = pb.MatchOver(scores=notice.scores, winner=notice.winner)
            return pb.Notice(table_id=table_id, match_over=over)
        case MoveRefused():
            refused = pb.MoveRefused(
                turn_id=notice.turn_id,
                reason=notice.reason,
                legal=legal_to_wire(notice.legal),
                retries_left=notice.retries_left,
            )
            return pb.Notice(table_id=table_id, move_refused=refused)
        case TurnLapsed():
            lapsed = pb.TurnLapsed(
                turn_id=notice.turn_id,
                reason=_REASONS_TO_WIRE[notice.reason],
                move=move_to_wire(notice.move),
            )
            return pb.Notice(table_id=table_id, turn_lapsed=lapsed)
        case _:
            assert_never(notice)


def notice_from_wire(message: pb.Notice, *, rules: RuleSet) -> Notice:
    """Read one notice.

    Raises:
        MalformedError: it says nothing that this version knows, or a number in it is out of its
            range.
    """
    table_id = message.table_id
    match message.WhichOneof("notice"):
        case "deal_scored":
            result = result_from_wire(message.deal_scored, rules=rules, cancelled=False)
            return DealScored(table_id, result)
        case "deal_cancelled":
            result = result_from_wire(message.deal_cancelled, rules=rules, cancelled=True)
            return DealCancelled(table_id, result)
        case "match_over":
            return _match_over_from_wire(message.match_over, table_id=table_id, rules=rules)
        case "move_refused":
            refused = message.move_refused
            return MoveRefused(
                table_id,
                refused.turn_id,
                refused.reason,
                legal_from_wire(refused.legal),
                refused.retries_left,
            )
        case "turn_lapsed":
            return _turn_lapsed_from_wire(message.turn_lapsed, table_id=table_id)
        case _:
            raise MalformedError("the notice has nothing set that this version knows")


def _match_over_from_wire(message: pb.MatchOver, *, table_id: int, rules: RuleSet) -> MatchOver:
    winner = message.winner if message.HasField("winner") else None
    if winner is not None and winner > 1:
        raise MalformedError(f"winner {winner} is not team 0 or 1")
    scores = scores_from_wire(message.scores, sides=rules.num_scores, what="scores")
    return MatchOver(table_id, scores, winner)


def _turn_lapsed_from_wire(message: pb.TurnLapsed, *, table_id: int) -> TurnLapsed:
    reason = _REASONS_FROM_WIRE.get(message.reason)
    if reason is None:
        raise MalformedError(f"lapse reason {message.reason} is unknown: they are 1 to 3")
    return TurnLapsed(table_id, message.turn_id, reason, move_from_wire(message.move))


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
