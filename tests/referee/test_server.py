"""Who is let in at a seat's door, and what comes through it."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import grpc
import pytest

from tarneeb_referee import server
from tarneeb_referee.server import (
    MAX_CONNECTIONS,
    METHOD,
    RECEIVE_LIMIT_BYTES,
    Door,
    Stream,
    StreamEnd,
)
from tarneeb_sdk.errors import HarnessError


class Listener:
    """Writes down what a door tells it; sends back what it is given to send."""

    def __init__(self, *, wants: bool = True) -> None:
        self.wants = wants
        self.streams: list[Stream] = []
        self.heard: list[tuple[Stream, bytes]] = []
        self.times: list[int] = []
        self.ended: list[Stream] = []
        self.to_send: list[bytes] = []

    def stream_opened(self, seat: int, stream: Stream) -> bool:
        self.streams.append(stream)
        return self.wants

    def message_came(self, seat: int, stream: Stream, data: bytes, now_ns: int) -> None:
        self.heard.append((stream, data))
        self.times.append(now_ns)

    def stream_ended(self, seat: int, stream: Stream) -> None:
        self.ended.append(stream)

    def next_message(self, seat: int, stream: Stream) -> bytes | None:
        return self.to_send.pop(0) if self.to_send else None


class Caller:
    """Dials a door."""

    def __init__(self, address: str) -> None:
        options = (("grpc.use_local_subchannel_pool", 1),)
        self.channel = grpc.aio.insecure_channel(address, options=options)

    def dial(
        self, *metadata: tuple[str, str | bytes], method: str = METHOD
    ) -> "grpc.aio.StreamStreamCall[bytes, bytes]":
        call: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = self.channel.stream_stream(method)
        return call(metadata=metadata)


Scene = Callable[[Door, Listener, Caller], Awaitable[None]]


def at_a_door(tmp_path: Path, scene: Scene, *, wants: bool = True) -> Listener:
    """Open a door, let the scene happen, close the door."""
    listener = Listener(wants=wants)

    async def run() -> None:
        door = Door(2, listener)
        address = f"unix:{tmp_path / 'd.sock'}"
        await door.open(address)
        caller = Caller(address)
        try:
            await asyncio.wait_for(scene(door, listener, caller), 20)
        finally:
            await caller.channel.close()
            await door.close()

    asyncio.run(run())
    return listener


async def until(condition: Callable[[], object]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not happen")


def bearer(token: str) -> tuple[str, str]:
    return ("authorization", f"Bearer {token}")


# Tokens.


def test_the_seats_token_lets_in(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"hello")
        await until(lambda: listener.heard)
        assert [data for _, data in listener.heard] == [b"hello"]

    at_a_door(tmp_path, scene)


WRONG: list[Callable[[str], tuple[tuple[str, str | bytes], ...]]] = [
    lambda token: (),
    lambda token: (bearer(""),),
    lambda token: (bearer(token[:-1]),),
    lambda token: (bearer(token + "0"),),
    lambda token: (bearer(token.upper()),),
    lambda token: (("authorization", token),),
    lambda token: (("authorization", f"bearer {token}"),),
    lambda token: (("x-authorization", f"Bearer {token}"),),
    lambda token: (bearer("0" * 64), bearer(token)),
    lambda token: (bearer(token), bearer(token)),
    lambda token: (("authorization-bin", f"Bearer {token}".encode()),),
]


@pytest.mark.parametrize("metadata", WRONG)
def test_anything_else_is_refused(
    tmp_path: Path, metadata: Callable[[str], tuple[tuple[str, str | bytes], ...]]
) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        token = "a" + door.new_token()[1:]
        door._token = token
        stream = caller.dial(*metadata(token))
        assert await stream.code() is grpc.StatusCode.UNAUTHENTICATED
        assert token not in (await stream.details() or "")

    assert at_a_door(tmp_path, scene).streams == []


def test_no_token_is_good_before_one_was_made(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        assert await caller.dial(bearer("")).code() is grpc.StatusCode.UNAUTHENTICATED

    at_a_door(tmp_path, scene)


def test_a_new_token_makes_the_old_one_worthless(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        old = door.new_token()
        new = door.new_token()
        assert old != new
        assert await caller.dial(bearer(old)).code() is grpc.StatusCode.UNAUTHENTICATED
        await caller.dial(bearer(new)).write(b"hello")
        await until(lambda: listener.heard)

    at_a_door(tmp_path, scene)


def test_tokens_are_256_bits_of_the_systems_randomness() -> None:
    door = Door(0, Listener())
    tokens = {door.new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(len(bytes.fromhex(token)) == 32 for token in tokens)


@pytest.mark.parametrize("wants", [True, False])
def test_who_dials_in_vain_again_and_again_waits_for_each_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, wants: bool
) -> None:
    monkeypatch.setattr(server, "REFUSAL_DELAY_S", 0.2)

    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        token = door.new_token()
        shown = "f" * 64 if wants else token
        for _ in range(server.FREE_REFUSALS):
            await caller.dial(bearer(shown)).code()
        began = time.monotonic()
        code = grpc.StatusCode
        refused = code.UNAUTHENTICATED if wants else code.PERMISSION_DENIED
        for _ in range(3):
            assert await caller.dial(bearer(shown)).code() is refused
        assert time.monotonic() - began >= 0.6
        # The one with the token waits for nobody.
        if wants:
            stream = caller.dial(bearer(token))
            await stream.write(b"hello")
            await until(lambda: listener.heard)

    at_a_door(tmp_path, scene, wants=wants)


def said_here(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Leave out the bots of earlier tests, of which some are still looking for their referee."""
    records = caplog.records
    return [each.getMessage() for each in records if each.name != "tarneeb_sdk.client"]


def test_a_door_closes_though_a_refusal_is_still_held_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "FREE_REFUSALS", 0)
    monkeypatch.setattr(server, "REFUSAL_DELAY_S", 600.0)

    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        caller.dial(bearer("f" * 64))
        await asyncio.sleep(0.1)
        await door.close()

    at_a_door(tmp_path, scene)
    assert said_here(caplog) == []


def test_refusals_are_logged_without_the_token_and_not_for_ever(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REFUSAL_DELAY_S", 0.0)

    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        door.new_token()
        for _ in range(30):
            await caller.dial(bearer("f" * 64)).code()

    at_a_door(tmp_path, scene)
    assert said_here(caplog) == ["seat 2: refused a stream that showed no valid token"] * 10


def test_a_stream_that_is_not_wanted_is_refused(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        assert await stream.code() is grpc.StatusCode.PERMISSION_DENIED

    assert at_a_door(tmp_path, scene, wants=False).ended == []
    told = "seat 2: refused a stream of a bot that plays no more (ended, or given up)"
    assert said_here(caplog) == [told]


def test_another_method_is_not_there(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()), method="/tarneeb.v1.RefereeService/GetBoard")
        assert await stream.code() is grpc.StatusCode.UNIMPLEMENTED

    at_a_door(tmp_path, scene)


def test_an_address_that_cannot_be_used_is_our_fault() -> None:
    async def run() -> None:
        door = Door(0, Listener())
        try:
            await door.open("unix:/no/such/folder/x.sock")
        finally:
            await door.close()

    with pytest.raises(HarnessError, match="cannot serve at unix:/no/such/folder"):
        asyncio.run(run())


# What passes.


def test_messages_are_read_with_the_time_and_written_when_woken(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"1")
        await stream.write(b"2")
        await until(lambda: len(listener.heard) == 2)
        listener.to_send += [b"a", b"b"]
        listener.streams[0].wake()
        assert [await stream.read(), await stream.read()] == [b"a", b"b"]

    listener = at_a_door(tmp_path, scene)
    assert [data for _, data in listener.heard] == [b"1", b"2"]
    assert listener.times == sorted(listener.times)


def test_a_finished_stream_sends_what_waits_and_ends_well(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"1")
        await until(lambda: listener.heard)
        listener.to_send += [b"last"]
        listener.streams[0].finish(StreamEnd.DONE)
        assert [message async for message in messages(stream)] == [b"last"]
        assert await stream.code() is grpc.StatusCode.OK

    listener = at_a_door(tmp_path, scene)
    assert listener.ended == listener.streams


async def messages(
    stream: "grpc.aio.StreamStreamCall[bytes, bytes]",
) -> AsyncIterator[bytes]:
    while isinstance(data := await stream.read(), bytes):
        yield data


@pytest.mark.parametrize(
    "end", [StreamEnd.REPLACED, StreamEnd.GIVEN_UP, StreamEnd.MESSAGE_TOO_LONG]
)
def test_a_cut_stream_ends_with_its_status_and_reason(tmp_path: Path, end: StreamEnd) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"1")
        await until(lambda: listener.heard)
        listener.streams[0].cut(end, "for this reason")
        assert await stream.code() is end.value
        assert await stream.details() == "for this reason"

    at_a_door(tmp_path, scene)


def test_nothing_is_heard_on_a_stream_that_is_to_end(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"1")
        await until(lambda: listener.heard)
        listener.streams[0]._finish = (StreamEnd.DONE, "")
        await stream.write(b"2")
        await asyncio.sleep(0.1)
        assert len(listener.heard) == 1

    at_a_door(tmp_path, scene)


@pytest.mark.parametrize("how", ["cancel", "half-close", "channel"])
def test_a_stream_that_the_bot_ends_has_ended(tmp_path: Path, how: str) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"1")
        await until(lambda: listener.heard)
        match how:
            case "cancel":
                stream.cancel()
            case "half-close":
                await stream.done_writing()
            case _:
                await caller.channel.close()
        await until(lambda: listener.ended)

    listener = at_a_door(tmp_path, scene)
    assert listener.ended == listener.streams


def test_a_message_over_the_transports_own_limit_ends_the_stream(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        stream = caller.dial(bearer(door.new_token()))
        await stream.write(b"1")
        await until(lambda: listener.heard)
        await stream.write(bytes(RECEIVE_LIMIT_BYTES + 1))
        await until(lambda: listener.ended)

    assert len(at_a_door(tmp_path, scene).heard) == 1


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_a_bot_cannot_use_up_the_referees_files(tmp_path: Path) -> None:
    async def scene(door: Door, listener: Listener, caller: Caller) -> None:
        files = open_files()
        socks = [socket.socket(socket.AF_UNIX) for _ in range(200)]
        try:
            for sock in socks:
                sock.setblocking(False)
                with contextlib.suppress(OSError):
                    sock.connect(str(tmp_path / "d.sock"))
            await asyncio.sleep(0.3)
            held = open_files() - files - len(socks)
            assert held <= MAX_CONNECTIONS + 4
        finally:
            for sock in socks:
                sock.close()

    at_a_door(tmp_path, scene)
