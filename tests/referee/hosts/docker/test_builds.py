"""Building an image, with an engine that answers as it is told."""

import asyncio
import io
import json
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import docker
import docker.errors
import pytest
import requests

from tarneeb_referee.hosts.docker.builds import BuildFailedError, BuildRequest, ImageBuild
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import EngineError, EngineUnreachableError

REQUEST = BuildRequest(
    context=io.BytesIO(b"a tar file"),
    tag="tarneeb-bot:x",
    labels={"org.tarneeb.bot": "digest"},
    arguments={"BASE_IMAGE": "base"},
    network="none",
    memory_bytes=1 << 30,
    timeout_s=600,
)


class FakeClient:
    """Tells this news, and then fails if there is an error."""

    def __init__(self, *news: dict[str, str], error: Exception | None = None) -> None:
        self.news = news
        self.error = error
        self.asked: dict[str, object] = {}
        self.hooks: dict[str, list[Callable[[object], None]]] = {}
        self.headers = {"Connection": "close"}
        self.closed = threading.Event()

    def build(self, **arguments: object) -> Iterator[dict[str, str]]:
        self.asked = arguments
        yield from self.news
        if self.error is not None:
            raise self.error

    def close(self) -> None:
        self.closed.set()


def build(client: FakeClient) -> None:
    try:
        ImageBuild(lambda: client, REQUEST).run()  # type: ignore[arg-type,return-value]
    finally:
        assert client.closed.is_set()


def test_limits_and_network_of_a_build_are_passed_on() -> None:
    build(client := FakeClient({"stream": "Step 1/1"}))
    assert client.asked["network_mode"] == "none"
    assert client.asked["container_limits"] == {
        "memory": 1 << 30,
        "memswap": 1 << 30,
        "cpushares": 128,
    }
    assert client.asked["buildargs"] == {"BASE_IMAGE": "base"}
    assert client.asked["use_config_proxy"] is False
    assert client.headers == {}, "or an engine does not see us go"


def test_a_step_that_fails_is_told_with_the_last_lines() -> None:
    news = [{"stream": f"line {number}\n"} for number in range(9)]
    with pytest.raises(BuildFailedError) as raised:
        build(FakeClient(*news, {"error": "returned a non-zero code: 1"}))
    assert str(raised.value) == (
        "building failed: line 6 | line 7 | line 8 | returned a non-zero code: 1"
    )
    assert not raised.value.is_missing_base


def test_an_image_to_start_from_that_cannot_be_had_is_known() -> None:
    with pytest.raises(BuildFailedError) as raised:
        build(FakeClient({"error": "pull access denied for base"}))
    assert raised.value.is_missing_base


def test_a_step_that_is_silent_for_too_long_has_failed() -> None:
    with pytest.raises(BuildFailedError):
        build(FakeClient(error=requests.ReadTimeout()))


def test_an_engine_that_goes_away_says_nothing_about_the_dockerfile() -> None:
    with pytest.raises(EngineUnreachableError, match="cannot build an image"):
        build(FakeClient(error=ConnectionResetError(104, "Connection reset by peer")))


def test_a_full_disk_says_nothing_about_the_dockerfile() -> None:
    response = requests.Response()
    response.status_code = 500
    text = "write /var/lib/docker/tmp: no space left on device"
    error = docker.errors.APIError("failed", response=response, explanation=text)
    with pytest.raises(EngineError) as raised:
        build(FakeClient(error=error))
    assert not isinstance(raised.value, BuildFailedError)


class SilentClient(FakeClient):
    """Answers, and then says nothing until it is hung up on."""

    def __init__(self) -> None:
        super().__init__()
        self.ours, self.theirs = socket.socketpair()
        self.may_answer = threading.Event()
        self.has_answered = threading.Event()
        self.was_hung_up = False
        self.theirs.settimeout(5)

    def build(self, **_: object) -> Iterator[dict[str, str]]:
        assert self.may_answer.wait(10)
        (begin,) = self.hooks["response"]
        # As deep as the socket lies in a response of requests.
        inner = SimpleNamespace(raw=SimpleNamespace(_sock=self.ours))
        begin(SimpleNamespace(raw=SimpleNamespace(closed=False, _fp=SimpleNamespace(fp=inner))))
        self.has_answered.set()
        self.was_hung_up = self.theirs.recv(1) == b""
        yield {"stream": "the end"}


@pytest.mark.parametrize("is_early", [True, False])
def test_a_build_that_is_given_up_ends(*, is_early: bool) -> None:
    client = SilentClient()
    one = ImageBuild(lambda: client, REQUEST)  # type: ignore[arg-type,return-value]
    thread = threading.Thread(target=one.run)
    thread.start()
    if is_early:
        one.give_up()
    client.may_answer.set()
    if not is_early:
        assert client.has_answered.wait(10)
        one.give_up()
    thread.join(10)
    assert client.was_hung_up
    assert client.closed.is_set()
    client.theirs.close()


def test_a_build_that_takes_too_long_is_given_up() -> None:
    client = SilentClient()
    client.may_answer.set()

    async def main() -> None:
        engine = Engine(lambda _: client)  # type: ignore[arg-type,return-value]
        with pytest.raises(BuildFailedError, match=r"building took more than 0.05 s"):
            await engine.build(replace(REQUEST, timeout_s=0.05))
        await engine.close()

    asyncio.run(main())
    assert client.closed.wait(10)
    assert client.was_hung_up
    client.theirs.close()


def test_no_password_for_a_registry_goes_with_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    login = {"auths": {"registry.example": {"auth": "bWU6c2VjcmV0"}}}
    (tmp_path / "config.json").write_text(json.dumps(login))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    sent: list[requests.PreparedRequest] = []

    class Client(docker.APIClient):
        def send(self, request: requests.PreparedRequest, **_: object) -> requests.Response:
            sent.append(request)
            raise ConnectionResetError(104, "Connection reset by peer")

    client = Client("unix:///no/such.sock", version="1.41")
    assert client._auth_configs.get_all_credentials()  # type: ignore[attr-defined]
    with pytest.raises(EngineUnreachableError):
        ImageBuild(lambda: client, REQUEST).run()
    (request,) = sent
    assert "/build" in str(request.url)
    assert "X-Registry-Config" not in request.headers
