"""Answers twice, for other tables and seats, for turns that never were, and with every wrong type."""

from queue import SimpleQueue

from kit import Line, hello, honest_answer

from tarneeb.v1 import game_pb2, referee_service_pb2
from tarneeb_sdk.wire import answers_to_wire


def wrong_moves():  # type: ignore[no-untyped-def]
    move = game_pb2.Move
    yield move()
    for bid in (0, 1, 14, 2**31):
        yield move(bid=bid)
    for trump in (0, 5, 2**31 - 1):
        yield move(trump=trump)
    for card in (52, 99, 2**31):
        yield move(card=card)
    # Each is well formed, and most are for another phase.
    yield move(card=0)
    yield move(trump=game_pb2.SUIT_SPADES)
    yield move(**{"pass": game_pb2.Pass()})


def raw_answer(turn_id: int, move: object) -> bytes:
    answer = referee_service_pb2.Answer(turn_id=turn_id, move=move)
    answers = referee_service_pb2.Answers(answers=[answer])
    return referee_service_pb2.PlayRequest(answers=answers).SerializeToString()


def main() -> None:
    line = Line()
    requests: SimpleQueue[bytes] = SimpleQueue()
    requests.put(hello())
    turns = line.turns(line.dial(iter(requests.get, None)))
    wrong = list(wrong_moves())
    for count, turn in enumerate(turns):
        if count < len(wrong):
            requests.put(raw_answer(turn.turn_id, wrong[count]))
        # Another table, another count, no turn at all.
        for turn_id in (turn.turn_id ^ 1 << 20, turn.turn_id + 1, turn.turn_id - 1, 0, 2**64 - 1):
            requests.put(answers_to_wire([_with_id(turn, turn_id)]))
        requests.put(answers_to_wire([honest_answer(turn), honest_answer(turn)]))


def _with_id(turn, turn_id):  # type: ignore[no-untyped-def]
    from tarneeb_sdk.messages import Answer

    return Answer(turn_id, turn.view.legal[0])


if __name__ == "__main__":
    main()
