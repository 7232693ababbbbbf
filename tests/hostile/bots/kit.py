"""What the hostile bots share: an attack that begins at a chosen moment of an honest game."""

import os
import threading
from collections.abc import Iterable, Iterator

import grpc

from tarneeb_sdk import Bot, Move, SeatView
from tarneeb_sdk.messages import Answer, Batch, Hello, Turn, Welcome
from tarneeb_sdk.wire import request_to_wire, response_from_wire

METHOD = "/tarneeb.v1.RefereeService/Play"


class Attacker(Bot):
    """Plays the first legal move, and attacks once."""

    attack_at = 5
    decisions = 0
    lock = threading.Lock()

    def decide(self, view: SeatView) -> Move:
        with Attacker.lock:
            Attacker.decisions += 1
            now = Attacker.decisions == self.attack_at
        if now:
            self.attack(view)
        return view.legal[0]

    def attack(self, view: SeatView) -> None:
        raise NotImplementedError


class Line:
    """A stream to the referee without the SDK's manners."""

    def __init__(self, *, token: str | None = None) -> None:
        options = (("grpc.use_local_subchannel_pool", 1),)
        self.channel = grpc.insecure_channel(os.environ["TARNEEB_ADDRESS"], options=options)
        self.token = os.environ["TARNEEB_TOKEN"] if token is None else token
        self.welcome: Welcome | None = None

    def dial(self, requests: Iterable[bytes]) -> Iterator[bytes]:
        """Send these and give what comes back."""
        method = self.channel.stream_stream(METHOD)
        metadata = (("authorization", f"Bearer {self.token}"),)
        return method(iter(requests), metadata=metadata)  # type: ignore[no-any-return]

    def turns(self, answers: Iterator[bytes]) -> Iterator[Turn]:
        """Read the turns out of what comes back."""
        for data in answers:
            message = response_from_wire(data, welcome=self.welcome)
            match message:
                case Welcome():
                    self.welcome = message
                case Batch():
                    yield from message.turns


def hello() -> bytes:
    return request_to_wire(Hello((1,), "hostile", "1", "none"))


def honest_answer(turn: Turn) -> Answer:
    return Answer(turn.turn_id, turn.view.legal[0])


def in_background(function: object, *arguments: object) -> None:
    """Start a thread that the bot's end does not wait for."""
    threading.Thread(target=function, args=arguments, daemon=True).start()  # type: ignore[arg-type]
