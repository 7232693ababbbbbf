import asyncio
import os
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.folder_digest import folder_digest
from tarneeb_referee.hosts.docker.build_context import pack_folder
from tarneeb_referee.hosts.docker.builds import BuildRequest
from tarneeb_referee.hosts.docker.failures import NotThereError
from tarneeb_referee.hosts.docker.images import BOT_LABEL, ImageStore, image_problem
from tarneeb_referee.hosts.docker.limits import MIB
from tarneeb_referee.hosts.docker.sdk_wheel import make_sdk_wheel
from tarneeb_referee.hosts.docker.settings import BuildSettings, DockerSettings
from tarneeb_sdk.errors import ConfigError

IMAGE: dict[str, Any] = {"Os": "linux", "Architecture": "amd64", "Config": {"Cmd": ["bot"]}}


def test_a_plain_image_is_fine() -> None:
    assert image_problem(IMAGE, architecture="amd64") == ""
    entry: dict[str, Any] = {**IMAGE, "Config": {"Entrypoint": ["bot"], "Cmd": None}}
    assert image_problem(entry, architecture="amd64") == ""
    taken_back: dict[str, Any] = {**IMAGE, "Config": {"Entrypoint": [""], "Cmd": ["bot"]}}
    assert image_problem(taken_back, architecture="amd64") == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"Architecture": "arm64"}, "the image is for linux/arm64 and this machine is linux/amd64"),
        ({"Os": "windows"}, "the image is for windows/amd64"),
        ({"Config": {"Cmd": ["x"], "Volumes": {"/data": {}}}}, "declares volumes (/data)"),
        ({"Config": {}}, "starts nothing"),
        ({"Config": None}, "starts nothing"),
        ({"Config": {"Entrypoint": [""]}}, "starts nothing"),
        (
            {"Config": {"Cmd": ["x"], "Env": [f"X={'é' * MIB}", "Y=1"]}},
            "the image's command and variables have 2,097,158 bytes",
        ),
    ],
)
def test_an_image_that_is_of_no_use(change: dict[str, Any], words: str) -> None:
    assert words in image_problem({**IMAGE, **change}, architecture="amd64")


def test_equal_folders_are_packed_into_equal_bytes(tmp_path: Path) -> None:
    for name, mode in (("a", 0o600), ("b", 0o644)):
        folder = tmp_path / name
        (folder / "lib" / "__pycache__").mkdir(parents=True)
        (folder / "lib" / "__pycache__" / "x.pyc").write_bytes(name.encode())
        (folder / "bot.py").write_text("pass\n")
        (folder / "bot.py").chmod(mode)
        (folder / "start.sh").write_text("#!/bin/sh\n")
        (folder / "start.sh").chmod(0o700)
        (folder / "link").symlink_to("bot.py")
    extra = (("sdk.whl", b"wheel"), ("bot.py", b"ours"))
    digest = folder_digest(tmp_path / "a")
    packed = [pack_folder(tmp_path / name, digest=digest, extra=extra) for name in "ab"]
    first, second = (file.read() for file in packed)
    assert first == second
    packed[0].seek(0)
    with tarfile.open(fileobj=packed[0]) as tar:
        entries = {entry.name: entry for entry in tar}
        assert sorted(entries) == ["bot.py", "link", "sdk.whl", "start.sh"]
        assert entries["start.sh"].mode == 0o755
        assert entries["bot.py"].mode == 0o644
        assert entries["link"].linkname == "bot.py"
        bot = tar.extractfile("bot.py")
        assert bot is not None
        assert bot.read() == b"pass\n", "the folder's own file stands"
    for file in packed:
        file.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that its owner goes on to change."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "a.py").write_text("a\n")
    (folder / "b.py").write_text("b\n")
    (tmp_path / "secret").write_text("s\n")
    return folder


def refusal(folder: Path, digest: str) -> str:
    with pytest.raises(ConfigError) as raised:
        pack_folder(folder, digest=digest)
    return str(raised.value)


def test_a_folder_that_was_changed_before_it_is_packed_is_refused(folder: Path) -> None:
    digest = folder_digest(folder)
    (folder / "b.py").write_text("c\n")
    assert refusal(folder, digest) == (
        f"{folder}: has changed since it was looked at; leave it as it is, and start again"
    )


def test_what_is_packed_is_what_is_hashed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = folder_digest(folder)
    add = tarfile.TarFile.addfile

    def add_while_another_writes(tar: tarfile.TarFile, entry: tarfile.TarInfo, file: Any) -> None:
        (folder / "a.py").write_text("x\n")
        add(tar, entry, file)
        (folder / "a.py").write_text("a\n")

    monkeypatch.setattr(tarfile.TarFile, "addfile", add_while_another_writes)
    assert "has changed" in refusal(folder, digest)
    assert folder_digest(folder) == digest, "by now nothing of it is to be seen"


def test_a_file_that_is_cut_while_it_is_packed_is_told_as_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = folder_digest(folder)
    add = tarfile.TarFile.addfile

    def cut_and_add(tar: tarfile.TarFile, entry: tarfile.TarInfo, file: Any) -> None:
        (folder / entry.name).write_text("")
        add(tar, entry, file)

    monkeypatch.setattr(tarfile.TarFile, "addfile", cut_and_add)
    assert "has changed" in refusal(folder, digest)


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_takes_a_files_place_a_moment_before_it_is_opened_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    digest = folder_digest(folder)
    file = folder / "b.py"
    really_open = os.open

    def open_late(path: Any, *how: Any) -> int:
        if path == file:
            file.unlink()
            file.symlink_to("../secret") if kind == "link" else os.mkfifo(file)
        return really_open(path, *how)

    monkeypatch.setattr(os, "open", open_late)
    assert str(file) in refusal(folder, digest)


def test_the_sdks_wheel_is_the_same_each_time_and_can_be_imported_from(tmp_path: Path) -> None:
    wheel = make_sdk_wheel()
    assert wheel.data == make_sdk_wheel().data
    file = tmp_path / wheel.file_name
    file.write_bytes(wheel.data)
    names = set(_names(file))
    assert {"tarneeb_sdk/__init__.py", "tarneeb/v1/game_pb2.py", "tarneeb_sdk/py.typed"} <= names
    assert not [name for name in names if name.startswith(("tarneeb_referee", "tarneeb_tour"))]


def test_the_sdks_wheel_needs_only_what_a_bot_needs(tmp_path: Path) -> None:
    wheel = make_sdk_wheel()
    file = tmp_path / wheel.file_name
    file.write_bytes(wheel.data)
    (metadata,) = [name for name in _names(file) if name.endswith("METADATA")]
    with zipfile.ZipFile(file) as archive:
        text = archive.read(metadata).decode()
    needed = [line for line in text.splitlines() if line.startswith("Requires-Dist")]
    assert {line.split()[1].split(">")[0] for line in needed} == {"grpcio", "protobuf"}


def _names(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as archive:
        return archive.namelist()


class FakeEngine:
    """Has the images that were built on it."""

    def __init__(self) -> None:
        self.images: dict[str, dict[str, Any]] = {}
        self.built: list[BuildRequest] = []

    async def image(self, name: str) -> dict[str, Any]:
        try:
            return self.images[name]
        except KeyError as error:
            raise NotThereError(name) from error

    async def build(self, request: BuildRequest) -> None:
        self.built.append(request)
        self.images[request.tag] = {**IMAGE, "Id": f"sha256:{len(self.built)}"}


def test_a_folder_is_built_once_and_pinned_by_the_images_id(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM base\n")
    bot = BotSpec("Mine", "1", (), tmp_path, folder_digest(tmp_path))
    engine, notes = FakeEngine(), list[str]()
    settings = DockerSettings(build=BuildSettings(network="none"))

    async def pin(bot: BotSpec) -> BotSpec:
        store = ImageStore(
            engine,  # type: ignore[arg-type]
            architecture="x86_64",
            settings=settings,
            note=notes.append,
        )
        return await store.pin(bot)

    first, again = asyncio.run(pin(bot)), asyncio.run(pin(bot))
    assert first.image == first.digest == again.image == "sha256:1"
    assert notes == ["building the image of bot 'Mine'"]
    assert [request.network for request in engine.built] == ["none"]
    (tmp_path / "bot.py").write_text("pass\n")
    changed = asyncio.run(pin(replace(bot, digest=folder_digest(tmp_path))))
    assert changed.image == "sha256:2"
    assert [request.labels for request in engine.built] == [
        {BOT_LABEL: bot.digest},
        {BOT_LABEL: folder_digest(tmp_path)},
    ]
