"""A bot that knows the protocol and nothing of manners: a raw gRPC client for chaos bots.

Each chaos bot is a file of its own here, run as a process: it plays legally until it misbehaves.
"""

import os
import queue
from collections.abc import Iterator

import grpc

from tarneeb.v1 import game_pb2
from tarneeb.v1 import referee_service_pb2 as pb

METHOD = "/tarneeb.v1.RefereeService/Play"


class Wild:
    """One stream to the referee."""

    def __init__(
        self,
        *,
        address: str | None = None,
        token: str | None = None,
        metadata: tuple[tuple[str, str], ...] = (),
    ) -> None:
        options = (
            ("grpc.max_send_message_length", -1),
            ("grpc.use_local_subchannel_pool", 1),
        )
        self.channel = grpc.insecure_channel(
            os.environ["TARNEEB_ADDRESS"] if address is None else address, options=options
        )
        token = os.environ["TARNEEB_TOKEN"] if token is None else token
        self.outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        dial: grpc.StreamStreamMultiCallable[bytes, bytes] = self.channel.stream_stream(METHOD)
        self.stream = dial(
            iter(self.outbox.get, None),
            metadata=(("authorization", f"Bearer {token}"), *metadata),
        )

    def hello(self, *, versions: tuple[int, ...] = (1,), name: str = "wild") -> "Wild":
        hello = pb.Hello(protocol_versions=versions, name=name)
        self.send(pb.PlayRequest(hello=hello).SerializeToString())
        return self

    def send(self, data: bytes) -> None:
        self.outbox.put(data)

    def responses(self) -> Iterator[pb.PlayResponse]:
        for data in self.stream:
            yield pb.PlayResponse.FromString(data)

    def turns(self) -> Iterator[pb.Turn]:
        """Every turn; one whose answer was refused comes again."""
        known: dict[int, pb.Turn] = {}
        for response in self.responses():
            for notice in response.batch.notices:
                if notice.WhichOneof("notice") == "move_refused":
                    again = known.get(notice.move_refused.turn_id)
                    if again is not None and notice.move_refused.retries_left:
                        yield again
            for turn in response.batch.turns:
                known[turn.turn_id] = turn
                yield turn

    def answer(self, turn: pb.Turn, move: game_pb2.Move | None = None) -> None:
        move = legal_move(turn) if move is None else move
        answers = pb.Answers(answers=[pb.Answer(turn_id=turn.turn_id, move=move)])
        self.send(pb.PlayRequest(answers=answers).SerializeToString())


def legal_move(turn: pb.Turn) -> game_pb2.Move:
    """Give the first legal move."""
    legal = turn.legal
    if getattr(legal, "pass"):
        move = game_pb2.Move()
        getattr(move, "pass").SetInParent()
        return move
    if legal.bids:
        return game_pb2.Move(bid=legal.bids[0])
    if legal.trumps:
        return game_pb2.Move(trump=legal.trumps[0])
    return game_pb2.Move(card=(legal.cards & -legal.cards).bit_length() - 1)


def in_play(turn: pb.Turn, *, trick: int = 0) -> bool:
    """Tell whether a turn is a card of this trick (0 for the first) or a later one."""
    return bool(turn.view.phase == game_pb2.PHASE_PLAY and len(turn.view.plays) >= 4 * trick)
