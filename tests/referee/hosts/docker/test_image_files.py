import asyncio
import base64
import json
from typing import cast

import docker
import docker.errors
import pytest
import requests

from tarneeb_referee.hosts.docker.failures import (
    EngineError,
    EngineSilentError,
    EngineUnreachableError,
    NotThereError,
)
from tarneeb_referee.hosts.docker.image_files import FileStat, files_problem, look_at_path

FOLDER = FileStat(is_plain=False, is_directory=True, link_target="", size_bytes=4096)
PIPE = FileStat(is_plain=False, is_directory=False, link_target="", size_bytes=0)


def plain(size_bytes: int = 900) -> FileStat:
    return FileStat(is_plain=True, is_directory=False, link_target="", size_bytes=size_bytes)


def link(target: str) -> FileStat:
    return FileStat(is_plain=False, is_directory=False, link_target=target, size_bytes=0)


class FakeFiles:
    """Has these files, and follows the links on the way to them, as engines do."""

    def __init__(self, files: dict[str, FileStat | Exception]) -> None:
        self.files = files

    async def path_stat(self, _container: str, path: str) -> FileStat:
        found = self.files.get(path, NotThereError(path))
        if isinstance(found, Exception):
            raise found
        return found


def problem(**files: FileStat | Exception) -> str:
    places = {f"/{name.replace('_', '/')}": found for name, found in files.items()}
    return asyncio.run(files_problem(FakeFiles(places), "x"))


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"etc": FOLDER},
        {"etc": FOLDER, "etc_passwd": plain(), "etc_group": plain()},
        # As tools other than Docker build images.
        {"etc": FOLDER, "etc_passwd": link("/store/passwd"), "store": FOLDER, "store_passwd": plain()},
        {"etc": link("/store"), "store": FOLDER, "store_passwd": plain(1024 * 1024)},
        # Not known: its start will tell.
        {"etc": FOLDER, "etc_passwd": EngineError("too many links")},
    ],
)  # fmt: skip
def test_files_that_keep_no_start(files: dict[str, FileStat | Exception]) -> None:
    assert problem(**files) == ""


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"etc": FOLDER, "etc_passwd": PIPE}, "/etc/passwd is a pipe or a device; make it a plain"),
        ({"etc": FOLDER, "etc_group": PIPE}, "/etc/group is a pipe"),
        ({"etc": FOLDER, "etc_passwd": FOLDER}, "/etc/passwd is a folder"),
        ({"etc": FOLDER, "etc_passwd": plain(1024 * 1024 + 1)}, "/etc/passwd has 1,048,577 bytes"),
        ({"etc": FOLDER, "etc_passwd": link("/proc/kmsg")}, "is a link to /proc/kmsg"),
        ({"etc": FOLDER, "etc_passwd": link("/x"), "x": PIPE}, "/etc/passwd is a pipe"),
        ({"etc": link("/x"), "x": FOLDER, "x_passwd": PIPE}, "/etc/passwd is a pipe"),
        ({"etc": link("/proc/self/root/x")}, "is a link to /proc/self/root/x/passwd"),
        ({"etc": FOLDER, "etc_passwd": link("/a"), "a": link("/a")}, "a link to a link"),
    ],
)
def test_files_that_would_keep_a_start(files: dict[str, FileStat | Exception], words: str) -> None:
    assert words in problem(**files)


@pytest.mark.parametrize("error", [EngineUnreachableError("gone"), EngineSilentError("silent")])
def test_an_engine_that_is_gone_says_nothing_of_an_image(error: Exception) -> None:
    with pytest.raises(EngineError):
        problem(etc=error)


class FakeClient:
    """Answers one question for a path."""

    timeout = 5

    def __init__(self, **told: object) -> None:
        self.told = told

    def _url(self, form: str, *values: str) -> str:
        return form.format(*values)

    def head(self, url: str, **_: object) -> requests.Response:
        assert url == "/containers/x/archive"
        response = requests.Response()
        response.status_code = 200
        if self.told:
            header = base64.b64encode(json.dumps(self.told).encode()).decode()
            response.headers["X-Docker-Container-Path-Stat"] = header
        return response

    def _raise_for_status(self, _response: requests.Response) -> None:
        """All went well."""


def look(**told: object) -> FileStat:
    client = cast("docker.APIClient", FakeClient(**told))
    return look_at_path(client, container="x", path="/etc/passwd")


def test_a_path_is_described_as_engines_do() -> None:
    assert look(name="passwd", size=7, mode=0o644, linkTarget="") == plain(7)
    assert look(name="etc", size=4096, mode=2147484141, linkTarget="") == FOLDER
    assert look(name="passwd", size=0, mode=33554852, linkTarget="") == PIPE
    assert look(name="passwd", size=5, mode=134218239, linkTarget="/x").link_target == "/x"


def test_an_engine_that_describes_no_file_is_told_from_none() -> None:
    with pytest.raises(docker.errors.APIError):
        look()
