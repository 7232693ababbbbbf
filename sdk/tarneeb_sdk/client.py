"""The bot's end of the stream: dials the referee, lets the bots decide, sends their answers."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, assert_never

import grpc

from tarneeb_sdk.errors import MalformedError, TarneebError
from tarneeb_sdk.messages import PROTOCOL_VERSIONS, Batch, Hello, Refusal, Welcome
from tarneeb_sdk.outbox import Flusher, Outbox
from tarneeb_sdk.tables import BotTables
from tarneeb_sdk.version import SDK_NAME
from tarneeb_sdk.wire import response_from_wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tarneeb_sdk.bot import Bot

METHOD = "/tarneeb.v1.RefereeService/Play"

EXIT_DONE = 0
EXIT_REFUSED = 3
EXIT_GONE = 4

_log = logging.getLogger("tarneeb_sdk.client")

# How long a bot that fails waits for its last answers to arrive.
_FAREWELL_S = 2.0

# Between two tries to reach the referee. gRPC's own waits grow to two minutes and are kept for a
# channel's life, so each try gets a channel of its own.
_FIRST_DELAY_S = 0.05
_LAST_DELAY_S = 0.5
_CHANNEL_OPTIONS = (
    # Without it a new channel shares the connection, and the waits, of the one before.
    ("grpc.use_local_subchannel_pool", 1),
    # The time for one try to connect; 20 s otherwise.
    ("grpc.min_reconnect_backoff_ms", 2000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
)


class _End(Enum):
    """How one stream ended."""

    DONE = "the referee closed it"
    LOST = "it broke after the welcome"
    UNREACHED = "it never came to a welcome"


class StreamRefusedError(TarneebError):
    """The referee does not want this bot, and will not another time."""


_FINAL_CODES = {
    grpc.StatusCode.UNAUTHENTICATED: "the referee does not know this bot's token",
    grpc.StatusCode.PERMISSION_DENIED: "the referee does not admit this bot",
    grpc.StatusCode.UNIMPLEMENTED: "what answers there is not a Tarneeb referee",
    grpc.StatusCode.ABORTED: "another process has taken this bot's place",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSettings:
    """Where a bot plays.

    Attributes:
        address: `unix:/path/to/socket` or `host:port`.
        token: proves to the referee who the bot is.
        name: for logs.
        version: for logs.
        give_up_s: how long to go on dialling a referee that does not answer.
    """

    address: str
    token: str
    name: str = ""
    version: str = ""
    give_up_s: float = 10.0


class Client:
    """Plays one session: all matches for which the referee started this process."""

    def __init__(self, bot_class: type[Bot], settings: ClientSettings) -> None:
        self._bot_class = bot_class
        self._settings = settings
        self._tables: BotTables | None = None
        self._flusher = Flusher()

    def play(self) -> int:
        """Play until the referee ends the session; dial again whenever the stream breaks.

        Returns:
            The exit code: 0 when the session ended well, 3 when the referee refused the bot, 4
            when it could not be reached for `give_up_s`.

        Raises:
            Exception: whatever the bot raises.
        """
        try:
            return self._play()
        except StreamRefusedError as refused:
            _log.error("%s (%s)", refused, self._settings.address)
            return EXIT_REFUSED
        finally:
            self._flusher.close()

    def _play(self) -> int:
        delay_s = _FIRST_DELAY_S
        give_up_at = time.monotonic() + self._settings.give_up_s
        while True:
            end = self._play_stream()
            if end is _End.DONE:
                return EXIT_DONE
            if end is _End.LOST:
                delay_s = _FIRST_DELAY_S
                give_up_at = time.monotonic() + self._settings.give_up_s
            if time.monotonic() + delay_s > give_up_at:
                _log.error(
                    "no referee at %s for %g s", self._settings.address, self._settings.give_up_s
                )
                return EXIT_GONE
            time.sleep(delay_s)
            delay_s = min(2 * delay_s, _LAST_DELAY_S)

    def _play_stream(self) -> _End:
        settings = self._settings
        outbox = Outbox()
        outbox.say_hello(Hello(PROTOCOL_VERSIONS, settings.name, settings.version, SDK_NAME))
        welcome: Welcome | None = None
        with grpc.insecure_channel(settings.address, options=_CHANNEL_OPTIONS) as channel:
            # Without serializers: bytes.
            dial: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
            stream = dial(
                outbox.messages(), metadata=(("authorization", f"Bearer {settings.token}"),)
            )
            try:
                for data in stream:
                    welcome = self._take(data, welcome=welcome, outbox=outbox)
            except grpc.RpcError as error:
                _raise_if_final(stream, error)
                if welcome is None:
                    return _End.UNREACHED
                _log.warning(
                    "lost the referee (%s); dialling again", stream.details() or stream.code().name
                )
                return _End.LOST
            except StreamRefusedError:
                raise
            except (Exception, SystemExit):
                self._flusher.end()
                _send_the_rest(outbox, stream, stream.cancel)
                raise
            finally:
                outbox.close()
                stream.cancel()
        return _End.DONE

    def _take(self, data: bytes, *, welcome: Welcome | None, outbox: Outbox) -> Welcome | None:
        """Handle one message; return the stream's welcome as far as it is known."""
        try:
            response = response_from_wire(data, welcome=welcome)
        except MalformedError as error:
            raise StreamRefusedError(
                f"the referee sent what no SDK understands: {error}"
            ) from error
        match response:
            case Batch():
                assert self._tables is not None, "the welcome makes the tables"
                self._flusher.begin(outbox)
                self._tables.handle(response, outbox.add)
                outbox.flush()
                self._flusher.end()
                return welcome
            case Welcome():
                self._take_seat(response)
                return response
            case Refusal():
                raise StreamRefusedError(_refusal_text(response))
            case _:
                assert_never(response)

    def _take_seat(self, welcome: Welcome) -> None:
        if welcome.protocol_version not in PROTOCOL_VERSIONS:
            raise StreamRefusedError(
                f"the referee chose protocol version {welcome.protocol_version}; "
                f"this SDK speaks {_listed(PROTOCOL_VERSIONS)}"
            )
        # The same seat again: the bots keep what they know, and what they have answered.
        if self._tables is None or self._tables.welcome != welcome:
            self._tables = BotTables(self._bot_class, welcome)


def _send_the_rest(
    outbox: Outbox, responses: Iterable[bytes], cancel: Callable[[], object]
) -> None:
    """Let the answers of a bot that has failed arrive before its stream ends.

    The referee books the failure at the table of the turn that it then waits for. With an answer
    still unsent that would be another table than the one at which the bot failed.
    """
    outbox.flush()
    outbox.close()
    patience = threading.Timer(_FAREWELL_S, cancel)
    patience.start()
    try:
        # The referee ends its side when it has read all of ours.
        for _ in responses:
            pass
    except grpc.RpcError:
        _log.debug("the referee was gone before the last answers arrived")
    finally:
        patience.cancel()


def _raise_if_final(stream: grpc.Call, error: grpc.RpcError) -> None:
    """Raise if dialling again would not help."""
    reason = _FINAL_CODES.get(stream.code())
    if reason is not None:
        details = stream.details()
        raise StreamRefusedError(f"{reason}: {details}" if details else reason) from error


def _refusal_text(refusal: Refusal) -> str:
    spoken = _listed(refusal.protocol_versions)
    return (
        f"the referee refused this bot: {refusal.reason} (the referee speaks protocol {spoken}, "
        f"this SDK {_listed(PROTOCOL_VERSIONS)})"
    )


def _listed(versions: tuple[int, ...]) -> str:
    return ", ".join(map(str, versions)) or "nothing"
