"""Bots that dial in from elsewhere. The certificate beside this file is for tests alone."""

import asyncio
import contextlib
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import grpc
import pytest

from tarneeb_referee.bot_folder import load_bot, remote_bot
from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import FaultKind
from tarneeb_referee.hosts import remote
from tarneeb_referee.hosts.base import LaunchSpec
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.remote import Lobby, MixedHost, RemoteSettings
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import HalfReport, MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tarneeb_referee.samples import sample_dir
from tarneeb_referee.server import SERVICE
from tarneeb_referee.settings import MatchSettings, TimeBudgets
from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game import rule_set
from tarneeb_sdk.messages import Hello
from tarneeb_sdk.wire import request_to_wire
from tests.hostile.bots import raw_http2

TLS = Path(__file__).parent / "tls"
TOKEN = 32 * "ab"
HELLO = request_to_wire(Hello((1,), "x", "1", "x"))


def settings(*, tls: bool = True) -> RemoteSettings:
    return RemoteSettings(
        listen="127.0.0.1:0",
        certificate=TLS / "certificate.pem" if tls else None,
        key=TLS / "key.pem" if tls else None,
        tokens={"e1": TOKEN},
    )


@contextlib.asynccontextmanager
async def open_lobby(how: RemoteSettings) -> AsyncIterator[Lobby]:
    lobby = Lobby(how)
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


@contextlib.contextmanager
def bots(port: int, count: int, *, token: str = TOKEN) -> Iterator[list[subprocess.Popen[str]]]:
    """Bots as their author runs them at home."""
    environment = {
        "TARNEEB_ADDRESS": f"localhost:{port}",
        "TARNEEB_TOKEN": token,
        "TARNEEB_CERTIFICATE": str(TLS / "certificate.pem"),
    }
    command = (sys.executable, str(sample_dir("cautious") / "bot.py"))
    processes = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    try:
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


async def play(
    lobby: Lobby, *, start_s: float = 10.0, decision_s: float = 5.0, bank_s: float = 15.0
) -> tuple[HalfReport, list[MatchOutcome]]:
    """Play one half: seats 0 and 2 for the remote entrant."""
    host = MixedHost(ProcessHost(RunFolder.create(), warn=lambda _: None), lobby)
    outcomes: list[MatchOutcome] = []

    async def keep(outcome: MatchOutcome) -> None:
        outcomes.append(outcome)

    away, here = BotHandle("e1", remote_bot("e1")), BotHandle("e2", load_bot("sample:random"))
    plan = HalfPlan(
        round_=1,
        pairing=1,
        half=1,
        boards=(1, 2),
        seats=(away, here, away, here),
        tables=2,
    )
    try:
        report = await play_half(
            plan,
            host=host,
            settings=MatchSettings(
                rules=rule_set("tarneeb", deals=2),
                time=TimeBudgets(start_s=start_s, decision_s=decision_s, bank_s=bank_s),
            ),
            deals=DealSource(bytes(32), "test"),
            on_match=keep,
        )
    finally:
        await host.close()
    return report, outcomes


def test_bots_at_home_play_over_tls() -> None:
    async def main() -> None:
        async with open_lobby(settings()) as lobby:
            with bots(lobby.port, 2) as processes:
                assert await lobby.wait_for_bots(2, timeout_s=30.0) == ()
                report, outcomes = await play(lobby)
                assert report.voids == ()
                assert [outcome.record.faults for outcome in outcomes] == [(), ()]
                assert [process.wait(10) for process in processes] == [0, 0]

    asyncio.run(main())


def test_who_does_not_come_is_never_ready() -> None:
    async def main() -> None:
        async with open_lobby(settings()) as lobby:
            with bots(lobby.port, 1):
                assert await lobby.wait_for_bots(1, timeout_s=30.0) == ()
                assert await lobby.wait_for_bots(2, timeout_s=0.1) == ("e1",)
                report, _ = await play(lobby, start_s=2.0)
                gone = [seat.gone for seat in report.seats]
                assert [fault is not None for fault in gone].count(True) == 1
                assert {fault.kind for fault in gone if fault} == {FaultKind.NEVER_READY}

    asyncio.run(main())


def test_another_token_is_refused() -> None:
    async def main() -> None:
        async with open_lobby(settings()) as lobby:
            with bots(lobby.port, 1, token=32 * "cd") as (process,):
                assert await asyncio.to_thread(process.wait, 30) == 3
                assert process.stderr is not None
                assert "does not know this bot's token" in process.stderr.read()

    asyncio.run(main())


def test_a_bot_without_tls_gets_nowhere() -> None:
    async def main() -> None:
        async with open_lobby(settings()) as lobby:
            address = f"127.0.0.1:{lobby.port}"
            async with grpc.aio.insecure_channel(address) as channel:
                dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(
                    "/tarneeb.v1.RefereeService/Play"
                )
                metadata = (("authorization", f"Bearer {TOKEN}"),)
                stream = dial(iter([HELLO]), metadata=metadata, timeout=5)
                with pytest.raises(grpc.RpcError):
                    await stream.read()

    asyncio.run(main())


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("tls", "said"), [(True, b""), (False, b""), (False, PREFACE)], ids=["tls", "plain", "idle"]
)
def test_who_connects_and_plays_nothing_is_sent_away(
    tls: bool,
    said: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits = {"grpc.server_handshake_timeout_ms", "grpc.max_connection_idle_ms"}
    options = tuple((name, 100 if name in waits else value) for name, value in remote._OPTIONS)
    monkeypatch.setattr(remote, "_OPTIONS", options)

    async def main() -> None:
        async with open_lobby(settings(tls=tls)) as lobby:
            reader, writer = await asyncio.open_connection("127.0.0.1", lobby.port)
            writer.write(said)
            await asyncio.wait_for(reader.read(), 10)
            writer.close()

    asyncio.run(main())


@contextlib.contextmanager
def bot_without_window(port: int) -> Iterator[threading.Thread]:
    """A bot that greets over TLS, keeps its connection alive, and lets nothing be sent to it.

    The thread ends when the referee closes the connection.
    """
    trusting = ssl.create_default_context(cafile=TLS / "certificate.pem")
    trusting.set_alpn_protocols(["h2"])
    plain = socket.create_connection(("127.0.0.1", port))
    with trusting.wrap_socket(plain, server_hostname="localhost") as line:
        line.sendall(raw_http2.opening(token=TOKEN, message=HELLO))
        thread = threading.Thread(target=raw_http2.answer_pings, args=(line,))
        thread.start()
        try:
            yield thread
        finally:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            thread.join()


@contextlib.asynccontextmanager
async def talkative_seat(folder: Path) -> AsyncIterator[tuple[LaunchSpec, asyncio.Event]]:
    """A seat that says one thing and waits; and whether it has been said."""
    said = asyncio.Event()

    async def say_one_thing(_requests: object, context: remote.Context) -> None:
        await context.write(b"x")
        said.set()
        await asyncio.Future()

    server = grpc.aio.server()
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Play": grpc.stream_stream_rpc_method_handler(say_one_thing)
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    address = f"unix:{folder}/seat"
    server.add_insecure_port(address)
    await server.start()
    spec = SimpleNamespace(
        bot=remote_bot("e1"), seat=SimpleNamespace(listen_address=address), token=TOKEN
    )
    try:
        yield cast("LaunchSpec", spec), said
    finally:
        await server.stop(0)


def what_is_held() -> tuple[int, int]:
    """Count this loop's tasks and this process's open files."""
    return len(asyncio.all_tasks()), len(tuple(Path("/dev/fd").iterdir()))


def test_a_bot_that_takes_in_nothing_is_let_go_with_its_seat_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "_FAREWELL_S", 0.05)

    async def main() -> None:
        async with open_lobby(settings()) as lobby, talkative_seat(tmp_path) as (spec, said):
            held: list[tuple[int, int]] = []
            for _ in range(4):
                with bot_without_window(lobby.port) as deaf:
                    assert await lobby.wait_for_bots(1, timeout_s=30.0) == ()
                    bot = remote.RemoteBot(spec)
                    lobby.offer(bot)
                    await said.wait()
                    said.clear()
                    await bot.stop()
                    await asyncio.to_thread(deaf.join, 10)
                    assert not deaf.is_alive(), "its connection is held"
                for _ in range(100):
                    await asyncio.sleep(0.01)
                    if held and what_is_held() == held[0]:
                        break
                held.append(what_is_held())
            # What gRPC opens with its first connection, it keeps.
            assert held == 4 * [held[0]]

    asyncio.run(main())


def test_a_bot_that_takes_in_nothing_costs_its_own_seat_alone() -> None:
    async def main() -> None:
        async with open_lobby(settings()) as lobby:
            with bots(lobby.port, 1):
                assert await lobby.wait_for_bots(1, timeout_s=30.0) == ()
                with bot_without_window(lobby.port) as deaf:
                    assert await lobby.wait_for_bots(2, timeout_s=30.0) == ()
                    report, outcomes = await play(lobby, start_s=2.0, decision_s=0.3, bank_s=0.0)
                    await asyncio.to_thread(deaf.join, 10)
                    assert not deaf.is_alive()
        assert report.voids == ()
        faults = [fault for outcome in outcomes for fault in outcome.record.faults]
        # The one that had waited longer has the first seat.
        assert {fault.seat for fault in faults} == {2}
        assert FaultKind.TIME_OUT in {fault.kind for fault in faults}
        assert [seat.gone for seat in report.seats if seat is not report.seats[2]] == 3 * [None]

    asyncio.run(main())


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "192.0.2.1:7433", "example.org:1"])
def test_plain_tcp_is_for_this_machine_alone(listen: str) -> None:
    async def main() -> None:
        lobby = Lobby(RemoteSettings(listen=listen, tokens={"e1": TOKEN}))
        with pytest.raises(ConfigError, match="can be reached from elsewhere"):
            await lobby.open()

    asyncio.run(main())


def test_a_certificate_that_is_not_there() -> None:
    async def main() -> None:
        none = Path("/nonexistent.pem")
        how = RemoteSettings(listen="127.0.0.1:0", certificate=none, key=none, tokens={})
        with pytest.raises(ConfigError, match="name a PEM file"):
            await Lobby(how).open()

    asyncio.run(main())
