from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest

from tarneeb_sdk.client import Client, ClientSettings
from tarneeb_sdk.game import RuleSet, rule_set
from tarneeb_sdk.messages import Answers, Hello, Request, Response, TimeControl, Welcome
from tarneeb_sdk.wire import request_from_wire, response_to_wire

TIME = TimeControl(decision_s=1.0, bank_s=15.0, margin_s=0.05, retries=3, strikes=3)


def make_welcome(
    *, seat: int = 0, rules: RuleSet | None = None, seed: bytes = b"seed", tables: int = 4
) -> Welcome:
    return Welcome(1, seat, rules or rule_set("tarneeb"), TIME, tables, seed)


class Talk:
    """The referee's end of one stream, as a script sees it."""

    def __init__(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> None:
        self._requests = requests
        self.context = context
        self.metadata: dict[str, Any] = dict(context.invocation_metadata())

    def read(self) -> Request:
        return request_from_wire(next(self._requests))

    def rest(self) -> Iterator[Request]:
        """Read until the bot hangs up, or is asked no more."""
        try:
            for data in self._requests:
                yield request_from_wire(data)
        except grpc.RpcError:
            return

    def hello(self) -> Hello:
        request = self.read()
        assert isinstance(request, Hello)
        return request

    def answers(self) -> Answers:
        request = self.read()
        assert isinstance(request, Answers)
        return request


Script = Callable[[Talk], Iterator[Response]]


@dataclass
class FakeReferee:
    """A gRPC server that plays one script for each stream that a bot opens."""

    address: str
    scripts: list[Script] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)

    def play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        script = self.scripts.pop(0)
        try:
            for response in script(Talk(requests, context)):
                yield response_to_wire(response)
        except (AssertionError, StopIteration) as error:
            self.errors.append(error)
            raise


class _Handler(grpc.GenericRpcHandler):
    def __init__(self, referee: FakeReferee) -> None:
        self._handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(
            referee.play
        )

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any] | None:
        return self._handler if details.method == "/tarneeb.v1.RefereeService/Play" else None


def serve(referee: FakeReferee) -> grpc.Server:
    server = grpc.server(ThreadPoolExecutor(4), handlers=[_Handler(referee)])
    server.add_insecure_port(referee.address)
    server.start()
    return server


@pytest.fixture
def referee(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeReferee]:
    folder: Path = tmp_path_factory.mktemp("r")
    fake = FakeReferee(f"unix:{folder}/s")
    server = serve(fake)
    yield fake
    server.stop(None).wait()
    assert fake.errors == []


@pytest.fixture
def play_client(referee: FakeReferee) -> Callable[..., int]:
    def play(bot_class: Any, *, give_up_s: float = 5.0, token: str = "t0k") -> int:
        settings = ClientSettings(
            address=referee.address, token=token, name="Test", give_up_s=give_up_s
        )
        return Client(bot_class, settings).play()

    return play


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = {thread.name for thread in threading.enumerate()}
    yield
    left = {thread.name for thread in threading.enumerate()} - before
    assert "flusher" not in left


@pytest.fixture
def welcome() -> Welcome:
    return make_welcome()


@pytest.fixture(name="serve")
def serve_fixture() -> Callable[[FakeReferee], grpc.Server]:
    return serve


@pytest.fixture
def new_referee() -> type[FakeReferee]:
    return FakeReferee
