"""Bots that play from elsewhere: they dial in over TLS, and are led to the seat that waits for them.

A remote bot has no process here. The lobby listens on one address; a stream that shows an
entrant's token waits there until one of the entrant's seats is to be played, and is then carried,
message by message, to the seat's own socket, as if the bot were local. So clocks, faults and
limits are those of every other bot, and the journey counts as thinking time.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc

from tarneeb_referee.hosts.base import (
    DEFAULT_GRACE_S,
    BotProcess,
    ExitInfo,
    Host,
    HostError,
    LaunchSpec,
    SeatFolder,
)
from tarneeb_referee.hosts.connections import cut_connection
from tarneeb_referee.hosts.output import EMPTY_LOGS, BotLogs
from tarneeb_referee.server import RECEIVE_LIMIT_BYTES, SERVICE
from tarneeb_sdk.errors import ConfigError

__all__ = ["MIN_TOKEN_CHARS", "Lobby", "MixedHost", "RemoteSettings", "is_loopback"]

MIN_TOKEN_CHARS: Final = 32
"""Below it a token could be guessed."""

_METHOD: Final = f"/{SERVICE}/Play"
_MAX_WAITING: Final = 8
"""Streams of one entrant that may wait at once; each has two seats in a pairing."""

_FAREWELL_S: Final = 1.0

# None: the bot's own end of the line broke. Any other end by the referee is one for good.
_TRY_AGAIN: Final = (None, grpc.StatusCode.RESOURCE_EXHAUSTED)

_OPTIONS: Final = (
    ("grpc.max_receive_message_length", RECEIVE_LIMIT_BYTES),
    ("grpc.max_metadata_size", 8192),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.max_allowed_incoming_connections", 256),
    # Strangers who hold connections and play nothing would keep the bots out.
    ("grpc.server_handshake_timeout_ms", 10_000),
    ("grpc.max_connection_idle_ms", 10_000),
    ("grpc.so_reuseport", 0),
    # A line that has died without a word is noticed within half a minute.
    ("grpc.keepalive_time_ms", 15_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
)

_logger = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[bytes, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteSettings:
    """Where remote bots dial in.

    Attributes:
        listen: `host:port`; `[host]:port` for IPv6.
        certificate: PEM files of the chain and the key; absent only on a loopback address.
        key: the same.
        tokens: by entrant's bot (`BotSpec.remote`), what its bots prove themselves with.
    """

    listen: str
    certificate: Path | None = None
    key: Path | None = None
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)


class RemoteBot:
    """A seat that waits for a remote bot, or has one; what the host gives as its process."""

    def __init__(self, spec: LaunchSpec) -> None:
        self.spec = spec
        self.stopped = False
        self.exited: asyncio.Future[ExitInfo] = asyncio.get_running_loop().create_future()

    @property
    def is_ending(self) -> bool:
        """Whether the seat has been taken away; of the bot's own process nothing is known."""
        return self.exited.done()

    async def stop(self, *, grace_s: float = DEFAULT_GRACE_S) -> ExitInfo:  # noqa: ARG002
        """Take the seat away; what the bot does then is its own business."""
        self.stopped = True
        if not self.exited.done():
            self.exited.set_result(ExitInfo(stopped=True))
        return self.exited.result()

    async def logs(self) -> BotLogs:
        """Give nothing: what it prints stays at home."""
        return EMPTY_LOGS


class Lobby:
    """Listens for remote bots, and leads each to a seat of its entrant's.

    Args:
        settings: where, and who may come.
    """

    def __init__(self, settings: RemoteSettings) -> None:
        self._settings = settings
        self._server: grpc.aio.Server | None = None
        self._seats: dict[str, deque[RemoteBot]] = {name: deque() for name in settings.tokens}
        self._waiting: dict[str, deque[asyncio.Future[RemoteBot]]] = {
            name: deque() for name in settings.tokens
        }
        self._arrived = asyncio.Event()
        self.port = 0

    async def open(self) -> None:
        """Begin to listen.

        Raises:
            ConfigError: a certificate that cannot be read, or none on an address for strangers.
            HostError: the address cannot be used.
        """
        settings = self._settings
        server = grpc.aio.server(options=_OPTIONS)
        methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
            "Play": grpc.stream_stream_rpc_method_handler(self._play)
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
        try:
            if settings.certificate is not None and settings.key is not None:
                credentials = _credentials(settings.certificate, settings.key)
                self.port = server.add_secure_port(settings.listen, credentials)
            elif is_loopback(settings.listen):
                self.port = server.add_insecure_port(settings.listen)
            else:
                raise ConfigError(
                    f"remote.listen: {settings.listen} can be reached from elsewhere; give a"
                    " certificate and a key, or listen on 127.0.0.1"
                )
            await server.start()
        except RuntimeError as error:
            raise HostError(f"cannot listen for remote bots at {settings.listen}") from error
        self._server = server

    async def close(self) -> None:
        """Stop listening, and end all streams."""
        if self._server is not None:
            server, self._server = self._server, None
            await server.stop(0)

    def offer(self, bot: RemoteBot) -> None:
        """Let the first stream of the entrant's that waits, or comes, take this seat."""
        name = bot.spec.bot.remote
        while self._waiting[name]:
            waiter = self._waiting[name].popleft()
            if not waiter.done():
                waiter.set_result(bot)
                return
        self._seats[name].append(bot)

    async def wait_for_bots(self, each: int, *, timeout_s: float) -> tuple[str, ...]:
        """Wait until so many streams of each entrant wait; give the entrants that lack some."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self._lacking(each):
                    self._arrived.clear()
                    await self._arrived.wait()
        return self._lacking(each)

    def _lacking(self, each: int) -> tuple[str, ...]:
        return tuple(name for name, waiting in self._waiting.items() if len(waiting) < each)

    async def _play(self, _requests: object, context: Context) -> None:
        name = self._who(context.invocation_metadata() or ())
        if name is None:
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "no entrant has this token (metadata `authorization: Bearer <token>`)",
            )
        if len(self._waiting[name]) >= _MAX_WAITING:
            await context.abort(
                grpc.StatusCode.RESOURCE_EXHAUSTED, "enough of this entrant's bots wait already"
            )
        bot = await self._next_seat(name)
        ended = None
        try:
            ended = await _carry(context, bot, port=self.port)
        finally:
            if not bot.stopped and ended in _TRY_AGAIN:
                # The seat is still to be played, by this bot's next stream.
                self.offer(bot)
        if ended is not None and ended is not grpc.StatusCode.OK:
            await context.abort(ended, "the referee ended the stream")

    async def _next_seat(self, name: str) -> RemoteBot:
        seats = self._seats[name]
        while seats:
            bot = seats.popleft()
            if not bot.stopped:
                return bot
        waiter: asyncio.Future[RemoteBot] = asyncio.get_running_loop().create_future()
        self._waiting[name].append(waiter)
        self._arrived.set()
        try:
            return await waiter
        except asyncio.CancelledError:
            # The stream has gone while it waited, or in the very moment of being called.
            with contextlib.suppress(ValueError):
                self._waiting[name].remove(waiter)
            if waiter.done() and not waiter.cancelled():
                self.offer(waiter.result())
            raise

    def _who(self, metadata: Iterable[tuple[str, str | bytes]]) -> str | None:
        shown = [value for key, value in metadata if key == "authorization"]
        if len(shown) != 1:
            return None
        value = shown[0] if isinstance(shown[0], bytes) else shown[0].encode()
        found = None
        # All are compared, so that the time tells nothing.
        for name, token in self._settings.tokens.items():
            if hmac.compare_digest(value, f"Bearer {token}".encode()):
                found = name
        return found


class MixedHost:
    """A host whose bots are partly remote; the others run where another host says.

    Args:
        local: for bots that are here, and for all seats' sockets.
        lobby: where remote bots come in; it is open.
    """

    def __init__(self, local: Host, lobby: Lobby) -> None:
        self._local = local
        self._lobby = lobby

    @property
    def run_id(self) -> str:
        return self._local.run_id

    def open_seat(self) -> SeatFolder:
        return self._local.open_seat()

    async def close_seat(self, seat: SeatFolder) -> None:
        await self._local.close_seat(seat)

    async def start(self, spec: LaunchSpec) -> BotProcess:
        if not spec.bot.remote:
            return await self._local.start(spec)
        bot = RemoteBot(spec)
        self._lobby.offer(bot)
        return bot

    async def close(self) -> None:
        await self._lobby.close()
        await self._local.close()


async def _carry(context: Context, bot: RemoteBot, *, port: int) -> grpc.StatusCode | None:
    """Carry messages between a remote bot and its seat until either side ends, or the seat is gone.

    A bot that takes in nothing more keeps nobody waiting for longer than the farewell. Then its
    connection is cut: gRPC would keep it, with the message that waits, until the lobby closes.

    Args:
        context: of the bot's stream.
        bot: whose seat it has been led to.
        port: where the bot has come in.

    Returns:
        How the referee ended it; None if the bot did.
    """
    address = bot.spec.seat.listen_address
    options = (
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_receive_message_length", RECEIVE_LIMIT_BYTES),
    )
    metadata = (("authorization", f"Bearer {bot.spec.token}"),)
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        method: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(_METHOD)
        stream = method(metadata=metadata)
        inward = asyncio.create_task(_carry_in(context, stream))
        outward = asyncio.create_task(_carry_out(context, stream))
        try:
            either: set[asyncio.Future[None] | asyncio.Future[ExitInfo]]
            either = {inward, outward, bot.exited}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            by_bot = not outward.done() and not bot.stopped
            if by_bot:
                # The bot has no more to say, or is gone. What it said is still to arrive.
                await stream.done_writing()
            await asyncio.wait({outward}, timeout=_FAREWELL_S)
            if not outward.done():
                cut_connection(context.peer(), port=port)
                # gRPC complains of a stream that is left while something waits to be sent on it.
                await asyncio.wait({outward}, timeout=_FAREWELL_S)
                return None
            if by_bot:
                return None
            with contextlib.suppress(asyncio.CancelledError, TimeoutError, grpc.RpcError):
                return await asyncio.wait_for(stream.code(), _FAREWELL_S)
            return None
        finally:
            for task in (inward, outward):
                task.cancel()
            await asyncio.gather(inward, outward, return_exceptions=True)
            stream.cancel()


async def _carry_in(context: Context, stream: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
    with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):
        while isinstance(data := await context.read(), bytes):
            await stream.write(data)


async def _carry_out(context: Context, stream: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
    with contextlib.suppress(grpc.RpcError):
        while isinstance(data := await stream.read(), bytes):
            await context.write(data)


def is_loopback(listen: str) -> bool:
    """Tell whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1:7433"), is_loopback("[::1]:7433"), is_loopback("0.0.0.0:7433")
    (True, True, False)
    >>> is_loopback("localhost:7433")
    True
    """
    host = listen.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _credentials(certificate: Path, key: Path) -> grpc.ServerCredentials:
    try:
        pair = (key.read_bytes(), certificate.read_bytes())
    except OSError as error:
        raise ConfigError(
            f"{error.filename}: {(error.strerror or str(error)).lower()}; name a PEM file that"
            " can be read"
        ) from error
    return grpc.ssl_server_credentials([pair])
