"""Messages to bytes and back: the one module that knows both (`protos/tarneeb/v1`).

Wire types never leave it. Whatever comes in is checked: what does not parse, leaves a choice
unset or names something that does not exist raises `MalformedError` and never turns into a move.
"""

from tarneeb_sdk.wire.deals import (
    result_from_wire,
    result_to_wire,
    rules_from_wire,
    rules_to_wire,
    view_from_wire,
    view_to_wire,
)
from tarneeb_sdk.wire.moves import (
    calls_from_wire,
    calls_to_wire,
    cards_from_wire,
    legal_from_wire,
    legal_to_wire,
    move_from_wire,
    move_to_wire,
    suit_from_wire,
    suit_to_wire,
)
from tarneeb_sdk.wire.service import (
    answer_from_wire,
    answers_to_wire,
    batch_to_wire,
    notice_from_wire,
    notice_to_wire,
    request_from_wire,
    request_to_wire,
    response_from_wire,
    response_to_wire,
)

__all__ = [
    "answer_from_wire",
    "answers_to_wire",
    "batch_to_wire",
    "calls_from_wire",
    "calls_to_wire",
    "cards_from_wire",
    "legal_from_wire",
    "legal_to_wire",
    "move_from_wire",
    "move_to_wire",
    "notice_from_wire",
    "notice_to_wire",
    "request_from_wire",
    "request_to_wire",
    "response_from_wire",
    "response_to_wire",
    "result_from_wire",
    "result_to_wire",
    "rules_from_wire",
    "rules_to_wire",
    "suit_from_wire",
    "suit_to_wire",
    "view_from_wire",
    "view_to_wire",
]
