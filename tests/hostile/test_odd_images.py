"""Images that are odd in themselves: each is named before the first match, and stops nobody else."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import docker
import pytest

from tests.hostile.arena import surroundings

pytestmark = pytest.mark.docker

TAG = "tarneeb-odd"
COMMAND = 'CMD ["python3", "-c", "print(1)"]'
DOES_NOTHING = "exited with 0 before ready"
NO_START = "cannot be started, twice, while another bot can: cannot start a container: "
NO_CREATION = "cannot be started, twice, while another bot can: cannot create a container: "

# What a Dockerfile does after its first line, and what is said of the image before the tournament.
ODD = {
    # Where the referee's own folders are mounted.
    "file at /referee": ("RUN rm -rf /referee && touch /referee", "not a directory"),
    "pipe at /referee": ("RUN rm -rf /referee && mkfifo /referee", NO_START),
    "/referee is /proc": ("RUN rm -rf /referee && ln -s /proc /referee", NO_START),
    "/referee is /etc": ("RUN rm -rf /referee && ln -s /etc /referee", NO_START),
    "/referee is /dev": ("RUN rm -rf /referee && ln -s /dev /referee", NO_START),
    "/referee is itself": ("RUN rm -rf /referee && ln -s referee /referee", NO_START),
    "/referee is nowhere": ("RUN rm -rf /referee && ln -s /a/b /referee", DOES_NOTHING),
    "file at /tmp": ("RUN rm -rf /tmp && touch /tmp", NO_START),
    "/tmp is /proc": ("RUN rm -rf /tmp && ln -s /proc /tmp", NO_START),
    "/tmp is itself": ("RUN rm -rf /tmp && ln -s tmp /tmp", NO_START),
    # What the engine reads at each start. Each of these pipes would hang it.
    "pipe for users": ("RUN rm /etc/passwd && mkfifo /etc/passwd", "/etc/passwd is a pipe"),
    "pipe for groups": ("RUN rm /etc/group && mkfifo /etc/group", "/etc/group is a pipe"),
    "kernel's log for users": (
        "RUN ln -sf /proc/kmsg /etc/passwd",
        "/etc/passwd is a link to /proc/kmsg",
    ),
    "folder for users": ("RUN rm /etc/passwd && mkdir /etc/passwd", "/etc/passwd is a folder"),
    "long list of users": (
        "RUN yes a:b:c | head -c 20000000 > /etc/passwd",
        "/etc/passwd has 20,000,000 bytes",
    ),
    "users are themselves": ("RUN ln -sf passwd /etc/passwd", NO_START),
    "user out of range": ("RUN echo x:x:99999999999999999999:0::: > /etc/passwd", DOES_NOTHING),
    "user that is not there": ("USER nobody-knows", DOES_NOTHING),
    # The command.
    "folder as command": ('ENTRYPOINT ["/etc"]', "exited with 126 before ready"),
    "text as command": ('ENTRYPOINT ["/etc/hostname"]', "exited with 126 before ready"),
    "pipe as command": (
        'RUN mkfifo -m 777 /pipe\nENTRYPOINT ["/pipe"]',
        "exited with 1 before ready",
    ),
    "command that is itself": (
        'RUN ln -s loop /loop\nENTRYPOINT ["/loop"]',
        "exited with 126 before ready",
    ),
    "long command": (f'ENTRYPOINT ["/{"x" * 5000}"]', "exited with 126 before ready"),
    "no such command": ('ENTRYPOINT ["nope"]', "exited with 127 before ready"),
    "no such shell": ('SHELL ["/nope"]\nCMD echo', "exited with 127 before ready"),
    "no command": ('ENTRYPOINT [""]\nCMD []', "the image starts nothing"),
    # Where it works. The first of them is refused when an image is built, not when it is imported.
    "folder for nobody": ("RUN mkdir -m 700 /w\nWORKDIR /w", DOES_NOTHING),
    # What an image may ask for besides.
    "volume": ("VOLUME /referee", "the image declares volumes (/referee)"),
    "signal": ("STOPSIGNAL SIGSTOP", DOES_NOTHING),
    "health check": (f"HEALTHCHECK --interval=1s {COMMAND}", DOES_NOTHING),
    "later build": ("ONBUILD RUN false", DOES_NOTHING),
}
# Images of a few files of ours. What is written into their configuration, and what is said of them.
FILES: dict[str, bytes | str | None] = {"bot": b"no program"}
OTHER_FILES = {
    "empty": {},
    "linked folder with a pipe": {**FILES, "etc": "/far", "far/passwd": None},
}
IMPORTED = {
    "empty": ('ENTRYPOINT ["/bot"]', "exited with 127 before ready"),
    "works in a file": ('ENTRYPOINT ["/bot"]\nWORKDIR /bot', NO_CREATION),
    "works below a file": ('ENTRYPOINT ["/bot"]\nWORKDIR /bot/x', NO_CREATION),
    "works in a file of the kernel's": (
        'ENTRYPOINT ["/bot"]\nWORKDIR /proc/self/fd/3',
        NO_START,
    ),
    # Docker puts a folder of its own in the place of the link.
    "linked folder with a pipe": ('ENTRYPOINT ["/bot"]', "exited with 1 before ready"),
    "for another machine": ('ENTRYPOINT ["/bot"]', "the image is for linux/s390x"),
}


def tar_of(files: Mapping[str, bytes | str | None]) -> bytes:
    """Pack files by their content, links by where they lead, and pipes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, what in files.items():
            entry = tarfile.TarInfo(name)
            entry.mode = 0o755
            if isinstance(what, bytes):
                entry.size = len(what)
                tar.addfile(entry, io.BytesIO(what))
                continue
            entry.type = tarfile.FIFOTYPE if what is None else tarfile.SYMTYPE
            entry.linkname = what or ""
            tar.addfile(entry)
    return packed.getvalue()


def build(client: docker.APIClient, tag: str, lines: str) -> None:
    base = os.environ.get("TARNEEB_BASE_IMAGE", "python:3.11-slim")
    command = "" if "ENTRYPOINT" in lines or "CMD" in re.sub("HEALTH.*", "", lines) else COMMAND
    dockerfile = f"FROM {base}\n{command}\n{lines}\n".encode()
    news = client.build(
        fileobj=io.BytesIO(tar_of({"Dockerfile": dockerfile})),
        custom_context=True,
        tag=tag,
        rm=True,
        decode=True,
        network_mode="none",
    )
    errors = [line["error"] for line in news if "error" in line]
    assert errors == []


def bring_in(client: docker.APIClient, tag: str, name: str, changes: str) -> None:
    client.post(
        client._url("/images/create"),  # type: ignore[attr-defined]
        params={
            "fromSrc": "-",
            "repo": tag,
            "changes": changes.splitlines(),
        },
        data=tar_of(OTHER_FILES.get(name, FILES)),
        headers={"Content-Type": "application/x-tar"},
    ).raise_for_status()
    if name == "for another machine":
        move_elsewhere(client, tag)


def move_elsewhere(client: docker.APIClient, tag: str) -> None:
    """Let an image say that it is for another kind of machine: no engine makes one by itself."""
    packed, moved = io.BytesIO(b"".join(client.get_image(tag))), io.BytesIO()
    with tarfile.open(fileobj=packed) as source, tarfile.open(fileobj=moved, mode="w") as target:
        for entry in source:
            file = source.extractfile(entry)
            data = b"" if file is None else file.read()
            if entry.name != "manifest.json" and data.startswith(b'{"architecture":'):
                data = re.sub(rb'"architecture":"[^"]+"', b'"architecture":"s390x"', data)
                entry.size = len(data)
            target.addfile(entry, io.BytesIO(data))
    client.remove_image(tag)
    client.load_image(moved.getvalue())  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def images() -> Iterator[dict[str, str]]:
    """Odd images, by what is odd about them."""
    client = docker.from_env(timeout=120).api
    tags: dict[str, str] = {}
    try:
        for number, name in enumerate((*ODD, *IMPORTED)):
            tags[name] = f"{TAG}-{number}:latest"
            if name in ODD:
                build(client, tags[name], ODD[name][0])
            else:
                bring_in(client, tags[name], name, IMPORTED[name][0])
        yield tags
    finally:
        for tag in tags.values():
            with contextlib.suppress(docker.errors.ImageNotFound):
                client.remove_image(tag, force=True)
        client.close()


def run(folder: Path, entrants: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a tournament of these entrants, by name: what stands in the file for each."""
    listed = "\n".join(f'[[entrant]]\nname = "{name}"\n{what}\n' for name, what in entrants.items())
    (folder / "t.toml").write_text(
        '[tournament]\nname = "Odd"\nboards = 1\n[match]\ndeals = 1\n[sandbox]\nkind = "docker"\n'
        f"{listed}"
    )
    return subprocess.run(
        (sys.executable, "-m", "tarneeb_referee", "tournament", "t.toml", "--results", "r.sqlite"),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=500,
    )


SEEN_BEFORE = ("the image declares", "the image starts", "the image is for")


def words_for(*, seen_before: bool) -> dict[str, str]:
    said = {name: words for name, (_, words) in (*ODD.items(), *IMPORTED.items())}
    return {
        name: words for name, words in said.items() if words.startswith(SEEN_BEFORE) is seen_before
    }


@pytest.mark.parametrize("seen_before", [True, False], ids=["description", "start"])
def test_each_odd_image_gets_a_line_of_its_own(
    images: dict[str, str], tmp_path: Path, *, seen_before: bool
) -> None:
    words = words_for(seen_before=seen_before)
    before = surroundings()
    entrants = {name: f'image = "{images[name]}"' for name in words}
    done = run(tmp_path, {"honest": 'bot = "sample:random"', **entrants})
    assert done.returncode == 2, done.stderr
    lines = dict(re.findall(r"t\.toml: entrant \d+, ([^:]+): (.*)", done.stderr))
    wrong = {name: lines.get(name) for name in words if words[name] not in lines.get(name, "")}
    assert wrong == {}, done.stderr
    assert lines.keys() == words.keys(), "all, and nobody else"
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "r.sqlite").exists()
    assert surroundings() == before, "something is left"


def test_an_image_that_is_not_there_gets_a_line(tmp_path: Path) -> None:
    done = run(tmp_path, {"honest": 'bot = "sample:random"', "gone": 'image = "no-such-bot:7"'})
    assert done.returncode == 2, done.stderr
    assert "t.toml: entrant 2, gone: no-such-bot:7: the engine has no such image" in done.stderr
    assert not (tmp_path / "r.sqlite").exists()


def test_without_an_engine_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    done = run(tmp_path, {"A": 'bot = "sample:random"', "B": 'bot = "sample:cautious"'})
    assert done.returncode == 3, done.stderr
    (line,) = done.stderr.splitlines()
    assert "start Docker or Podman" in line
    assert not (tmp_path / "r.sqlite").exists()


def test_where_nothing_starts_nobody_is_blamed(images: dict[str, str], tmp_path: Path) -> None:
    odd = {name: f'image = "{images[name]}"' for name in ("file at /referee", "file at /tmp")}
    done = run(tmp_path, odd)
    assert done.returncode == 3, done.stderr
    assert "checking 'file-at" not in done.stderr
    assert "cannot start a container" in done.stderr
    assert "entrant" not in done.stderr
