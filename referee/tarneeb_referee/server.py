"""The gRPC end of one seat: a server on the seat's own socket that admits its bot and no other.

Nothing here knows what the bytes mean. What comes in is handed on with the time at which it came;
what goes out is fetched when the last message has left, so all that was said meanwhile goes
together in one message.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import hmac
import logging
import secrets
import time
from typing import TYPE_CHECKING, Protocol

import grpc

from tarneeb_sdk.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tarneeb_sdk.game import Seat

SERVICE = "tarneeb.v1.RefereeService"
METHOD = f"/{SERVICE}/Play"

RECEIVE_LIMIT_BYTES = 8 * 1024 * 1024
"""What the transport takes in at most. It is more than a bot may send, so that the referee sees,
and can say, how long a message was that was too long."""

MAX_CONNECTIONS = 16
"""A bot needs one, and for a moment two when it dials again."""

FLUSH_S = 0.5
"""How long a stream that is to end may take to send what waits for it."""

_OPTIONS = (
    ("grpc.max_receive_message_length", RECEIVE_LIMIT_BYTES),
    # Flow control: no more than this may lie in our buffers unread.
    ("grpc.http2.lookahead_bytes", 65_536),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.max_metadata_size", 8192),
    ("grpc.absolute_max_metadata_size", 16_384),
    ("grpc.max_concurrent_streams", 4),
    # Connections of one bot; each costs a file and some memory. Older gRPC does not know this one.
    ("grpc.max_allowed_incoming_connections", MAX_CONNECTIONS),
    ("grpc.so_reuseport", 0),
)

FREE_REFUSALS = 10
"""So many refused streams of a seat are logged and answered at once."""

REFUSAL_DELAY_S = 1.0
"""How long every later one waits for its answer. Whoever dials in without end costs little then; no
seat is blamed, for who it is that has no token is not known."""

_log = logging.getLogger(__name__)

Context = grpc.aio.ServicerContext[bytes, bytes]


class StreamEnd(enum.Enum):
    """How the referee ends a stream, as the status that the bot sees."""

    DONE = grpc.StatusCode.OK
    REPLACED = grpc.StatusCode.ABORTED
    GIVEN_UP = grpc.StatusCode.PERMISSION_DENIED
    MESSAGE_TOO_LONG = grpc.StatusCode.RESOURCE_EXHAUSTED


class DoorEvents(Protocol):
    """What a door tells, and asks, its owner."""

    def stream_opened(self, seat: Seat, stream: Stream) -> bool:
        """A stream with the right token has come; tell whether it is wanted."""
        ...

    def message_came(self, seat: Seat, stream: Stream, data: bytes, now_ns: int) -> None:
        """A message has come on a stream that was wanted."""
        ...

    def stream_ended(self, seat: Seat, stream: Stream) -> None:
        """A stream that was wanted has ended, whoever ended it."""
        ...

    def next_message(self, seat: Seat, stream: Stream) -> bytes | None:
        """Give what is to be sent now; None if there is nothing."""
        ...


class Stream:
    """One stream of a bot."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None
        self._ended: asyncio.Future[tuple[StreamEnd, str] | None] = loop.create_future()
        self._finish: tuple[StreamEnd, str] | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing comes or goes on it any more."""
        return self._ended.done()

    async def wait_ended(self, timeout_s: float) -> None:
        """Wait until it has ended, but no longer than this."""
        await asyncio.wait({self._ended}, timeout=timeout_s)

    def wake(self) -> None:
        """Have the next message fetched and sent."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def finish(self, end: StreamEnd, detail: str = "") -> None:
        """End the stream after all that waits for it has been sent; hear nothing more on it."""
        self._finish = (end, detail)
        self.wake()
        # The bot may not read what waits for it.
        asyncio.get_running_loop().call_later(FLUSH_S, self.cut, end, detail)

    def cut(self, end: StreamEnd, detail: str = "") -> None:
        """End the stream at once."""
        self._end((end, detail))

    def _end(self, how: tuple[StreamEnd, str] | None) -> None:
        if not self._ended.done():
            self._ended.set_result(how)

    async def carry(self, context: Context, seat: Seat, events: DoorEvents) -> None:
        """Read and write until the stream ends; then send its status."""
        tasks = [
            asyncio.create_task(self._read(context, seat, events)),
            asyncio.create_task(self._write(context, seat, events)),
        ]
        try:
            how = await self._ended
        finally:
            self._end(None)
            for task in tasks:
                task.cancel()
        if how is not None and how[0] is not StreamEnd.DONE:
            await context.abort(how[0].value, how[1])

    async def _read(self, context: Context, seat: Seat, events: DoorEvents) -> None:
        try:
            while True:
                data = await context.read()
                now_ns = time.monotonic_ns()
                if self.ended or not isinstance(data, bytes):
                    break
                if self._finish is None:
                    events.message_came(seat, self, data, now_ns)
        except Exception as error:  # noqa: BLE001  # gRPC has many, and all mean the same
            _log.debug("seat %d: reading failed: %r", seat, error)
        # The bot has nothing more to say, or is gone.
        self._end(None)

    async def _write(self, context: Context, seat: Seat, events: DoorEvents) -> None:
        loop = asyncio.get_running_loop()
        try:
            while not self.ended:
                data = events.next_message(seat, self)
                if data is not None:
                    await context.write(data)
                elif self._finish is not None:
                    self._end(self._finish)
                else:
                    self._waiter = loop.create_future()
                    await self._waiter
        except Exception as error:  # noqa: BLE001  # gRPC has many, and all mean the same
            _log.debug("seat %d: writing failed: %r", seat, error)
        self._end(None)


class Door:
    """Serves one seat.

    Attributes:
        seat: which seat that is; the bot's token proves it, never what the bot says.
    """

    def __init__(self, seat: Seat, events: DoorEvents) -> None:
        self.seat = seat
        self._events = events
        self._token = ""
        self._server: grpc.aio.Server | None = None
        self._refusals = 0
        self._closed = asyncio.Event()

    async def open(self, address: str) -> None:
        """Serve at an address, as gRPC writes it.

        Raises:
            HarnessError: the address cannot be used.
        """
        server = grpc.aio.server(options=_OPTIONS)
        # Without serializers: bytes.
        methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
            "Play": grpc.stream_stream_rpc_method_handler(self._play)
        }
        handler = grpc.method_handlers_generic_handler(SERVICE, methods)
        server.add_generic_rpc_handlers((handler,))
        try:
            server.add_insecure_port(address)
            await server.start()
        except RuntimeError as error:
            raise HarnessError(f"cannot serve at {address}: {error}") from error
        self._server = server

    async def close(self) -> None:
        """Stop serving and cut what is left of streams."""
        if self._server is not None:
            server, self._server = self._server, None
            self._closed.set()
            # Refusals that were held back get their answer.
            await asyncio.sleep(0)
            await server.stop(0)

    def new_token(self) -> str:
        """Make the token that a bot must show from now on; older ones are no longer good."""
        self._token = secrets.token_hex(32)
        return self._token

    async def _play(self, _requests: object, context: Context) -> None:
        if not self._knows(context.invocation_metadata() or ()):
            await self._note_refusal("that showed no valid token")
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED,
                "the token is not this seat's (metadata `authorization: Bearer <token>`)",
            )
        stream = Stream()
        if not self._events.stream_opened(self.seat, stream):
            await self._note_refusal("of a bot that plays no more (ended, or given up)")
            await context.abort(
                grpc.StatusCode.PERMISSION_DENIED,
                "the session is over, or goes on without this bot",
            )
        try:
            await stream.carry(context, self.seat, self._events)
        finally:
            self._events.stream_ended(self.seat, stream)

    def _knows(self, metadata: Iterable[tuple[str, str | bytes]]) -> bool:
        if not self._token:
            return False
        expected = f"Bearer {self._token}".encode()
        shown = [value for key, value in metadata if key == "authorization"]
        if len(shown) != 1:
            return False
        value = shown[0]
        return hmac.compare_digest(value if isinstance(value, bytes) else value.encode(), expected)

    async def _note_refusal(self, what: str) -> None:
        # The token itself stays out of the log.
        self._refusals += 1
        if self._refusals <= FREE_REFUSALS:
            _log.warning("seat %d: refused a stream %s", self.seat, what)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closed.wait(), REFUSAL_DELAY_S)
