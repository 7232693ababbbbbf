"""The gate to the engine, with a client that fails as it is told."""

import asyncio
import dataclasses
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import docker
import docker.errors
import pytest
import requests

from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.docker import engine as engine_module
from tarneeb_referee.hosts.docker.attached_output import AttachedOutput
from tarneeb_referee.hosts.docker.container import BotContainer
from tarneeb_referee.hosts.docker.engine import ContainerExit, Engine
from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    EngineSilentError,
    EngineUnreachableError,
    NotThereError,
    SandboxUnavailableError,
)
from tarneeb_referee.hosts.docker.machine import MachineMemory
from tarneeb_referee.hosts.docker.output_reader import OutputReader

Result = TypeVar("Result")

REFUSED = ConnectionRefusedError(111, "Connection refused")


def answer(status: int, text: str = "no") -> docker.errors.APIError:
    response = requests.Response()
    response.status_code = status
    return docker.errors.APIError("refused", response=response, explanation=text)


class FakeClient:
    """Gives, for each method, what its script says: values, or errors to raise."""

    def __init__(self, **scripts: list[object]) -> None:
        self.scripts = scripts
        self.calls: list[tuple[str, tuple[object, ...]]] = []

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*arguments: object, **_: object) -> object:
            if name != "close":
                self.calls.append((name, arguments))
            if name == "create_host_config":
                return {}
            script = self.scripts.get(name, [])
            result = script.pop(0) if len(script) > 1 else (script[0] if script else None)
            if isinstance(result, Exception):
                raise result
            return result() if callable(result) else result

        return call


def run(
    client: FakeClient, use: Callable[[Engine], Coroutine[Any, Any, Result]], **how: Any
) -> Result:
    async def main() -> Result:
        engine = Engine(lambda _: client, **how)  # type: ignore[arg-type,return-value]
        try:
            return await use(engine)
        finally:
            await engine.close()

    return asyncio.run(main())


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_FIRST_DELAY_S", 0.001)
    monkeypatch.setattr(engine_module, "_LAST_DELAY_S", 0.002)


def test_an_engine_that_is_back_soon_is_asked_again() -> None:
    client = FakeClient(inspect_image=[REFUSED, requests.ReadTimeout(), {"Id": "sha256:1"}])
    assert run(client, lambda engine: engine.image("x")) == {"Id": "sha256:1"}
    assert [name for name, _ in client.calls] == 3 * ["inspect_image"]


@pytest.mark.parametrize(
    ("error", "raised"),
    [(REFUSED, EngineUnreachableError), (requests.ReadTimeout(), EngineSilentError)],
)
def test_patience_has_an_end(
    error: Exception, raised: type[EngineError], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        engine_module, "_IMAGE", engine_module.Operation("look at an image", 5, patience_s=0.05)
    )
    with pytest.raises(raised, match="cannot look at an image: "):
        run(FakeClient(inspect_image=[error]), lambda engine: engine.image("x"))


def test_silence_that_outlasts_all_patience_is_followed_by_one_more_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patience_s = 0.05
    monkeypatch.setattr(
        engine_module, "_IMAGE", engine_module.Operation("look at an image", 5, patience_s)
    )

    def be_silent() -> None:
        time.sleep(2 * patience_s)
        raise requests.ReadTimeout

    client = FakeClient(inspect_image=[be_silent, {"Id": "sha256:1"}])
    assert run(client, lambda engine: engine.image("x")) == {"Id": "sha256:1"}


@pytest.mark.parametrize("error", [answer(404), answer(500), answer(400)])
def test_an_answer_is_an_answer(error: Exception) -> None:
    client = FakeClient(inspect_image=[error])
    with pytest.raises(EngineError):
        run(client, lambda engine: engine.image("x"))
    assert len(client.calls) == 1, "asking again would bring the same"


def test_a_bug_of_ours_is_not_hidden() -> None:
    with pytest.raises(KeyError):
        run(FakeClient(inspect_image=[KeyError("Id")]), lambda engine: engine.image("x"))


def test_without_an_engine_the_error_says_what_to_do() -> None:
    with pytest.raises(SandboxUnavailableError, match="start Docker or Podman"):
        run(FakeClient(info=[REFUSED]), lambda engine: engine.info())


def test_nobody_at_the_door_is_told_before_anything_is_sent() -> None:
    def knock() -> None:
        raise REFUSED

    client = FakeClient(info=[{}])
    with pytest.raises(SandboxUnavailableError, match="connection refused"):
        run(client, lambda engine: engine.info(), knock=knock)
    assert client.calls == []


def test_an_engine_that_hangs_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_THREAD_SLACK_S", 0.0)
    monkeypatch.setattr(engine_module, "_KILL", engine_module.Operation("stop a container", 0))
    release = threading.Event()
    client = FakeClient(kill=[lambda: release.wait(30)])

    async def kill(engine: Engine) -> None:
        try:
            await engine.kill("x", "SIGKILL")
        finally:
            release.set()

    with pytest.raises(EngineSilentError):
        run(client, kill)


def test_a_name_that_is_taken_is_our_own_lost_answer() -> None:
    client = FakeClient(create_container=[answer(409), {"Id": "new", "Warnings": None}])
    made = run(client, lambda engine: engine.create({"name": "mine"}, {}, []))
    assert made == "new"
    assert ("remove_container", ("mine",)) in client.calls


@pytest.mark.parametrize("status", [404, 409])
def test_removing_and_stopping_what_is_gone_is_done(status: int) -> None:
    client = FakeClient(remove_container=[answer(status)], kill=[answer(status)])

    async def both(engine: Engine) -> None:
        await engine.remove("x")
        await engine.kill("x", "SIGTERM")

    run(client, both)


def test_a_wait_outlasts_its_own_time_limit() -> None:
    client = FakeClient(
        wait=[requests.ReadTimeout(), requests.ReadTimeout(), {"StatusCode": 3}],
        inspect_container=[{"State": {"ExitCode": 3, "OOMKilled": True}}],
    )

    async def end(engine: Engine) -> ContainerExit:
        await engine.wait("x")
        return await engine.exit_of("x")

    ended = run(client, end)
    assert (ended.code, ended.out_of_memory) == (3, True)


@pytest.mark.parametrize(
    ("error", "raised"), [(REFUSED, EngineUnreachableError), (answer(404), NotThereError)]
)
def test_a_wait_that_breaks_is_told_at_once(error: Exception, raised: type[EngineError]) -> None:
    with pytest.raises(raised):
        run(FakeClient(wait=[error]), lambda engine: engine.wait("x"))


def test_who_signalled_a_container_is_asked_of_the_engine() -> None:
    event = {"Actor": {"Attributes": {"signal": "15"}}}
    state = {
        "ExitCode": 143,
        "StartedAt": "2026-11-29T22:11:23.5Z",
        "FinishedAt": "2026-11-29T22:11:24.5Z",
    }
    client = FakeClient(inspect_container=[{"State": state}], events=[[event]])

    async def ask(engine: Engine) -> str:
        return await engine.signal_sent("x", await engine.exit_of("x"))

    assert run(client, ask) == "signal 15"
    assert run(FakeClient(inspect_container=[{"State": state}], events=[[]]), ask) == ""
    with pytest.raises(EngineUnreachableError, match="cannot ask what happened"):
        run(FakeClient(inspect_container=[{"State": state}], events=[REFUSED]), ask)
    with pytest.raises(EngineError, match="cannot ask what happened"):
        run(FakeClient(inspect_container=[{"State": {"ExitCode": 143}}], events=[[]]), ask)


async def end_of_bot(
    engine: Engine, memory: MachineMemory | None = None, *, started_at: str = ""
) -> ExitInfo:
    ours, theirs = socket.socketpair()
    theirs.close()
    reader = OutputReader(AttachedOutput(ours), cap_bytes=64)
    bot = BotContainer(engine, "x", reader, memory or MachineMemory())
    bot.note_started(pid=0, started_at=started_at)
    return await asyncio.wait_for(bot.exited, 10)


@pytest.mark.parametrize(
    ("code", "events", "is_doubtful"),
    [
        (143, answer(500), True),
        (1, answer(500), False),
        # An engine on its way down has sent a signal, and a bot that obeys it ends with any code.
        (143, REFUSED, True),
        (0, REFUSED, True),
        (0, requests.ReadTimeout(), True),
        # No answer that we know.
        (0, ["nonsense"], True),
    ],
)
def test_an_engine_that_does_not_say_who_sent_a_signal_leaves_a_doubt(
    code: int, events: object, is_doubtful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = dataclasses.replace(engine_module._EVENTS, patience_s=0.0)
    monkeypatch.setattr(engine_module, "_EVENTS", impatient)
    state = {
        "ExitCode": code,
        "StartedAt": "2026-11-29T22:11:23Z",
        "FinishedAt": "2026-11-29T22:11:24Z",
    }
    client = FakeClient(wait=[{}], inspect_container=[{"State": state}], events=[events])
    assert bool(run(client, end_of_bot).host_failure) is is_doubtful


@pytest.mark.parametrize(
    "scripts",
    [
        {"wait": [KeyError("Id")]},
        {"wait": [RuntimeError("can't start new thread")]},
        {"wait": [{}], "inspect_container": [{"State": {}}]},
        {"wait": [{}], "inspect_container": [{}]},
        {"wait": [{}], "inspect_container": [answer(404)]},
    ],
)
def test_an_end_that_cannot_be_told_is_ours_and_keeps_nobody_waiting(
    scripts: dict[str, list[object]],
) -> None:
    how = run(FakeClient(**scripts), end_of_bot)
    assert how.host_failure
    assert not how.stopped


def test_the_end_of_a_process_that_somebody_started_is_not_the_bots() -> None:
    """As after `docker restart`: the engine tells of the process that runs now."""
    state = {
        "ExitCode": 0,
        "StartedAt": "2026-11-29T22:11:23Z",
        "FinishedAt": "2026-11-29T22:11:22Z",
    }
    client = FakeClient(wait=[{}], inspect_container=[{"State": state}], events=[[]])

    def end(started_at: str) -> str:
        how = run(client, lambda engine: end_of_bot(engine, started_at=started_at))
        return how.host_failure

    assert end("2026-11-29T22:11:20Z") == "somebody started the container again through the engine"
    assert end("2026-11-29T22:11:23Z") == ""


def test_a_machine_that_cannot_be_measured_is_ours() -> None:
    class Broken(MachineMemory):
        def ran_out(self, *, kills_before: int) -> bool:
            raise ZeroDivisionError(kills_before)

    state = {
        "ExitCode": 1,
        "StartedAt": "2026-11-29T22:11:23Z",
        "FinishedAt": "2026-11-29T22:12:24Z",
    }
    client = FakeClient(wait=[{}], inspect_container=[{"State": state}], events=[[]])
    assert run(client, lambda engine: end_of_bot(engine, Broken())).host_failure.startswith(
        "ZeroDivisionError"
    )


@pytest.fixture
def silent_engine(tmp_path: Path) -> Iterator[str]:
    """The address of an engine that lets everybody in, and says nothing to anybody."""
    path = str(tmp_path / "engine.sock")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        yield f"unix://{path}"


@pytest.mark.parametrize("operation", ["_ATTACH", "_EVENTS"])
def test_a_silent_engine_does_not_keep_the_program_from_its_end(
    operation: str, silent_engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = dataclasses.replace(getattr(engine_module, operation), timeout_s=0, patience_s=0.0)
    monkeypatch.setattr(engine_module, operation, at_once)
    monkeypatch.setattr(engine_module, "_THREAD_SLACK_S", 0.1)
    ended = ContainerExit(143, False, "2026-11-29T22:11:23Z", "2026-11-29T22:11:24Z")
    before = set(threading.enumerate())

    def connect(_timeout_s: int) -> docker.APIClient:
        return docker.APIClient(silent_engine, version="1.41")

    async def main() -> None:
        engine = Engine(connect)
        is_attach = operation == "_ATTACH"
        with pytest.raises(EngineSilentError):
            await (engine.attach("x") if is_attach else engine.signal_sent("x", ended))
        await engine.close()

    asyncio.run(main())
    hanging = set(threading.enumerate()) - before
    assert hanging, "docker-py has no time limit here"
    assert all(thread.daemon for thread in hanging), "Python waits for the others at its end"
