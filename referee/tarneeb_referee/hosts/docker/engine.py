"""The one gate to the container engine: each call has a time limit and, where harmless, is tried again.

Nothing else in the project talks to the engine. docker-py blocks, so each call runs in a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import functools
import logging
import os
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import docker
import docker.utils

from tarneeb_referee.hosts.docker.attached_output import AttachedOutput, attach_output
from tarneeb_referee.hosts.docker.builds import BuildFailedError, BuildRequest, ImageBuild
from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    FailureKind,
    NotThereError,
    SandboxUnavailableError,
    StateConflictError,
    sort_failure,
)
from tarneeb_referee.hosts.docker.image_files import FileStat, look_at_path

__all__ = [
    "ContainerExit",
    "Engine",
    "Operation",
]

_Result = TypeVar("_Result")

_logger = logging.getLogger(__name__)

_USUAL_SOCKET: Final = "unix:///var/run/docker.sock"
_THREADS: Final = 16
_FIRST_DELAY_S: Final = 0.1
_LAST_DELAY_S: Final = 1.0
# After this the thread itself is given up, whose socket should have timed out before.
_THREAD_SLACK_S: Final = 5.0
_TRIED_AGAIN: Final = frozenset({FailureKind.UNREACHABLE, FailureKind.SILENT})


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of call.

    Attributes:
        what: for errors, as in "cannot <what>: …".
        timeout_s: how long the engine may be silent.
        patience_s: how long after the first failure to begin further tries: the engine may be
            restarting. 0 where a second try could do harm, or where somebody is waiting to get
            away.
        may_hang: docker-py sets no time limit here. So it runs in a thread that nobody waits for.
    """

    what: str
    timeout_s: int
    patience_s: float = 0.0
    may_hang: bool = False


_INFO: Final = Operation("talk to the container engine", 5)
_CREATE: Final = Operation("create a container", 15, patience_s=20.0)
_ATTACH: Final = Operation("read a container's output", 10, may_hang=True)
_START: Final = Operation("start a container", 20, patience_s=5.0)
_INSPECT: Final = Operation("look at a container", 5, patience_s=2.0)
_EVENTS: Final = Operation("ask what happened to a container", 5, patience_s=2.0, may_hang=True)
_KILL: Final = Operation("stop a container", 5)
_REMOVE: Final = Operation("remove a container", 10, patience_s=3.0)
_LIST: Final = Operation("list containers", 10, patience_s=5.0)
_IMAGE: Final = Operation("look at an image", 10, patience_s=5.0)
_WAIT_S: Final = 60
_BUILD_SILENCE_S: Final = 300


@dataclass(frozen=True, slots=True)
class ContainerExit:
    """How a container ended, as the engine tells it.

    Attributes:
        code: what its main process exited with, or 128 and the number of a signal.
        out_of_memory: a process in it was killed at the container's memory limit.
        started_at: by the engine's clock, as RFC 3339 writes it.
        finished_at: the same.
    """

    code: int
    out_of_memory: bool
    started_at: str
    finished_at: str


class Engine:
    """A connection to a Docker Engine, or to what speaks its language.

    Args:
        connect: makes a client of docker-py with a time limit in seconds.
        knock: raises the error of the connection if nobody answers at the engine's door. When a
            connection fails, docker-py leaves its socket open until the garbage is collected.
    """

    def __init__(
        self,
        connect: Callable[[int], docker.APIClient],
        *,
        knock: Callable[[], None] = lambda: None,
    ) -> None:
        self._connect = connect
        self._knock = knock
        self._clients: dict[int, docker.APIClient] = {}
        self._clients_lock = threading.Lock()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="container-engine")

    @classmethod
    def from_environment(cls) -> Engine:
        """Use the engine that `DOCKER_HOST` and its kin name, or the one at the usual socket."""
        return cls(_client_from_environment, knock=_knock_from_environment)

    async def info(self) -> Mapping[str, Any]:
        """Ask what the engine is and what it can limit.

        Raises:
            SandboxUnavailableError: there is none, or it is not ours to use.
        """
        try:
            return await self._call(_INFO, lambda client: client.info())
        except EngineError as error:
            raise SandboxUnavailableError(
                f"{error}; start Docker or Podman, let this user use it, or set DOCKER_HOST"
            ) from error

    async def create(
        self, arguments: Mapping[str, Any], host_config: Mapping[str, Any], masked: list[str]
    ) -> str:
        """Create a container that is not started yet, and give its id.

        Raises:
            NotThereError: the image is gone.
            EngineError: the engine failed.
        """

        def create(client: docker.APIClient) -> str:
            config = client.create_host_config(**host_config)
            config["MaskedPaths"] = masked
            try:
                answer = client.create_container(host_config=config, **arguments)
            except docker.errors.APIError as error:
                if error.status_code != 409:
                    raise
                # Names are unique, so this is our own: an answer got lost on its way.
                client.remove_container(arguments["name"], force=True, v=True)
                answer = client.create_container(host_config=config, **arguments)
            for warning in answer.get("Warnings") or ():
                _logger.warning("the container engine says: %s", warning)
            return str(answer["Id"])

        return await self._call(_CREATE, create)

    async def attach(self, container: str) -> AttachedOutput:
        """Open a container's output, best before it starts; it ends with the container's."""
        return await self._call(_ATTACH, functools.partial(attach_output, container=container))

    async def start(self, container: str) -> None:
        """Start a container; one that runs already stays as it is."""
        await self._call(_START, lambda client: client.start(container))

    async def inspect(self, container: str) -> Mapping[str, Any]:
        """Describe a container.

        Raises:
            NotThereError: it does not exist.
        """
        return await self._call(_INSPECT, lambda client: client.inspect_container(container))

    async def path_stat(self, container: str, path: str) -> FileStat:
        """Describe what is at a path in a container; a link is not followed.

        Raises:
            NotThereError: nothing is.
        """
        return await self._call(
            _INSPECT, functools.partial(look_at_path, container=container, path=path)
        )

    async def kill(self, container: str, signal_name: str) -> None:
        """Send a signal to a container's main process; one that has ended is left alone."""
        with contextlib.suppress(NotThereError, StateConflictError):
            await self._call(_KILL, lambda client: client.kill(container, signal_name))

    async def remove(self, container: str) -> None:
        """Kill and remove a container with its unnamed volumes; a missing one is no error."""
        # A conflict: somebody else is removing it just now.
        with contextlib.suppress(NotThereError, StateConflictError):
            await self._call(
                _REMOVE, lambda client: client.remove_container(container, force=True, v=True)
            )

    async def containers(self, labels: Mapping[str, str | None]) -> list[Mapping[str, Any]]:
        """List the containers, running or not, that carry all of these labels.

        Args:
            labels: a value of None stands for any.
        """
        wanted = [key if value is None else f"{key}={value}" for key, value in labels.items()]
        return await self._call(
            _LIST, lambda client: client.containers(all=True, filters={"label": wanted})
        )

    async def image(self, name: str) -> Mapping[str, Any]:
        """Describe an image by its name or id.

        Raises:
            NotThereError: the engine does not have it.
        """

        def inspect(client: docker.APIClient) -> Mapping[str, Any]:
            answer: Mapping[str, Any] = client.inspect_image(name)  # type: ignore[no-untyped-call]
            return answer

        return await self._call(_IMAGE, inspect)

    async def build(self, request: BuildRequest) -> None:
        """Build an image.

        Raises:
            BuildFailedError: a step failed, or all of it took too long.
            EngineError: the engine failed.
        """
        build = ImageBuild(functools.partial(self._connect, _BUILD_SILENCE_S), request)
        try:
            await asyncio.wait_for(_in_own_thread(build.run, "image-build"), request.timeout_s)
        except TimeoutError as error:
            raise BuildFailedError(f"building took more than {request.timeout_s:g} s") from error
        finally:
            build.give_up()  # or its last step would go on by itself

    async def wait(self, container: str) -> None:
        """Wait until a container ends, however long that takes; `exit_of` then tells how.

        Raises:
            EngineUnreachableError: the engine went away meanwhile.
            NotThereError: somebody removed the container.
        """
        await _in_own_thread(functools.partial(self._wait, container), f"wait-{container[:12]}")

    async def exit_of(self, container: str) -> ContainerExit:
        """Ask how a container that has ended did so.

        Raises:
            EngineError: the engine does not say.
        """
        state = (await self.inspect(container)).get("State") or {}
        if not isinstance(state.get("ExitCode"), int):
            raise EngineError("the engine does not say how a container ended")
        return ContainerExit(
            code=state["ExitCode"],
            out_of_memory=bool(state.get("OOMKilled")),
            started_at=str(state.get("StartedAt") or ""),
            finished_at=str(state.get("FinishedAt") or ""),
        )

    async def signal_sent(self, container: str, ended: ContainerExit) -> str:
        """Name the last signal that was sent to a container through the engine; empty if none.

        No bot can reach the engine, so this is the doing of a person, or of another program.

        Raises:
            EngineError: the engine does not say.
        """
        try:
            since, until = _unix_time(ended.started_at), _unix_time(ended.finished_at)
        except ValueError as error:
            raise EngineError(f"cannot {_EVENTS.what}: {error}") from error

        def look(client: docker.APIClient) -> list[str]:
            # The stubs do not know that it takes fractions of a second, as text.
            events = client.events(  # type: ignore[call-overload]
                since=since,
                until=until,
                filters={"container": container, "event": "kill"},
                decode=True,
            )
            return [str(_attributes(event).get("signal", "?")) for event in events]

        signals = await self._call(_EVENTS, look)
        return f"signal {signals[-1]}" if signals else ""

    async def close(self) -> None:
        """Let go of all connections."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._clients_lock:
            clients, self._clients = tuple(self._clients.values()), {}
        for client in clients:
            client.close()

    def _wait(self, container: str) -> None:
        client = self._client(_WAIT_S)
        while True:
            try:
                client.wait(container, timeout=_WAIT_S, condition="not-running")
            except Exception as error:
                failure = sort_failure(error)
                if failure is None:
                    raise
                if failure.kind is FailureKind.SILENT:
                    continue  # it still runs
                raise failure.as_error("wait for a container") from error
            return

    async def _call(
        self, operation: Operation, function: Callable[[docker.APIClient], _Result]
    ) -> _Result:
        loop = asyncio.get_running_loop()
        give_up_at: float | None = None
        delay_s = _FIRST_DELAY_S
        while True:
            try:
                return await self._call_once(operation, function)
            except Exception as error:
                failure = sort_failure(error)
                if failure is None:
                    raise
                if give_up_at is None:
                    give_up_at = loop.time() + operation.patience_s
                again = failure.kind in _TRIED_AGAIN and loop.time() + delay_s < give_up_at
                if not again:
                    raise failure.as_error(operation.what) from error
                _logger.warning("cannot %s: %s; trying again", operation.what, failure.text)
            await asyncio.sleep(delay_s)
            delay_s = min(2 * delay_s, _LAST_DELAY_S)

    async def _call_once(
        self, operation: Operation, function: Callable[[docker.APIClient], _Result]
    ) -> _Result:
        def call() -> _Result:
            self._knock()
            return function(self._client(operation.timeout_s))

        waiting: Awaitable[_Result]
        if operation.may_hang:
            waiting = _in_own_thread(call, operation.what)
        else:
            waiting = asyncio.get_running_loop().run_in_executor(self._threads, call)
        return await asyncio.wait_for(waiting, operation.timeout_s + _THREAD_SLACK_S)

    def _client(self, timeout_s: int) -> docker.APIClient:
        # One client for each time limit: docker-py keeps the limit in the client.
        with self._clients_lock:
            client = self._clients.get(timeout_s)
        if client is None:
            client = self._connect(timeout_s)
            with self._clients_lock:
                client = self._clients.setdefault(timeout_s, client)
        return client


def _client_from_environment(timeout_s: int) -> docker.APIClient:
    client = docker.APIClient(timeout=timeout_s, **docker.utils.kwargs_from_env())
    # docker-py keeps a pool of connections for each address that it asks for, and an address
    # names the container: no connection would serve twice, and each would cost a descriptor.
    client.headers["Connection"] = "close"
    # Else each call looks for proxies and passwords in the environment and the user's files,
    # which takes longer than the call.
    client.trust_env = False
    return client


def _knock_from_environment() -> None:
    host = os.environ.get("DOCKER_HOST") or _USUAL_SOCKET
    if host.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as door:
            door.settimeout(_INFO.timeout_s)
            door.connect(host.removeprefix("unix://"))


async def _in_own_thread(function: Callable[[], _Result], name: str) -> _Result:
    """Run what may block for hours, or for ever; nobody waits for the thread at the end of the program."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[_Result] = loop.create_future()

    def settle(value: _Result | None, error: BaseException | None) -> None:
        if result.done():
            return  # whoever waited was cancelled
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(cast("_Result", value))

    def run() -> None:
        value, error = None, None
        try:
            value = function()
        except BaseException as raised:  # noqa: BLE001 - it goes on to whoever waits
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has been closed
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await result


def _attributes(event: Mapping[str, Any]) -> Mapping[str, Any]:
    return (event.get("Actor") or {}).get("Attributes") or {}


def _unix_time(text: str) -> str:
    """Convert a time as engines give it to one as they take it.

    >>> _unix_time("2026-11-29T22:11:23.558188816Z")
    '1795990283.558188'
    """
    return f"{datetime.datetime.fromisoformat(text).timestamp():.6f}"
