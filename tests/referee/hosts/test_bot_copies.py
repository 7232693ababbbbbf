"""A bot runs in a copy of its folder: what it does there, and what its author does, stays apart."""

import asyncio
import dataclasses
import errno
import os
import threading
import venv
from pathlib import Path

import pytest

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.folder_digest import folder_digest
from tarneeb_referee.hosts import folder_copy
from tarneeb_referee.hosts.base import HostError, LaunchSpec
from tarneeb_referee.hosts.folder_copy import CopyStoppedError, copy_folder
from tests.referee.hosts.kit import Actor, Stage, perform

LEAVE_A_NOTE = """
say(*sorted(name for name in os.listdir() if name.startswith("note")) or ["nothing"])
open(f"note {time.monotonic_ns()}", "w").close()
say("done")
play_on()
"""


async def sit_down(stage: Stage, other: LaunchSpec) -> Actor:
    """Start the same bot in a seat of its own."""
    spec, lines = await stage.seat("")
    spec = dataclasses.replace(spec, bot=other.bot)
    return Actor(process=await stage.host.start(spec), spec=spec, lines=lines)


def test_what_a_bot_writes_into_its_folder_changes_nothing() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start(LEAVE_A_NOTE)
        assert [await actor.line(), await actor.line()] == ["nothing", "done"]
        bot = actor.spec.bot
        assert folder_digest(bot.folder) == bot.digest
        assert load_bot(bot.folder) == bot

    perform(scene)


def test_partners_and_later_sessions_share_nothing_through_the_folder() -> None:
    async def scene(stage: Stage) -> None:
        first = await stage.start(LEAVE_A_NOTE)
        assert [await first.line(), await first.line()] == ["nothing", "done"]
        partner = await sit_down(stage, first.spec)
        assert await partner.line() == "nothing"
        await first.process.stop()
        await stage.host.close_seat(first.spec.seat)
        later = await sit_down(stage, first.spec)
        assert await later.line() == "nothing"

    perform(scene)


def test_a_bot_that_is_restarted_finds_its_own_copy_again() -> None:
    async def scene(stage: Stage) -> None:
        actor = await stage.start(LEAVE_A_NOTE)
        assert [await actor.line(), await actor.line()] == ["nothing", "done"]
        await actor.process.stop()
        await stage.host.start(actor.spec)
        assert (await actor.line()).startswith("note")

    perform(scene)


def test_an_edit_before_the_first_use_is_not_booked_under_the_old_digest() -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("play_on()")
        script = spec.bot.folder / "bot.py"
        before = script.read_text()
        script.write_text("edited")
        with pytest.raises(HostError) as raised:
            await stage.host.start(spec)
        assert str(raised.value) == (
            f"{spec.bot.folder}: the files of bot 'A' changed since the run began;"
            " put them back as they were, or begin anew"
        )
        script.write_text(before)
        await stage.host.start(spec)

    perform(scene)


def test_an_edit_or_the_loss_of_the_folder_during_a_run_is_not_played() -> None:
    async def scene(stage: Stage) -> None:
        first = await stage.start("say('as it was')\nplay_on()")
        assert await first.line() == "as it was"
        (first.spec.bot.folder / "bot.py").unlink()
        second = await sit_down(stage, first.spec)
        assert await second.line() == "as it was"

    perform(scene)


def test_seats_that_start_at_once_share_one_untouched_copy() -> None:
    async def scene(stage: Stage) -> None:
        spec, lines = await stage.seat("say('here')\nplay_on()")
        specs = [dataclasses.replace(spec, seat=spec.seat)]
        specs += [dataclasses.replace((await stage.seat(""))[0], bot=spec.bot) for _ in range(3)]
        await asyncio.gather(*map(stage.host.start, specs))
        assert await lines.get() == "here"
        assert [path.name for path in stage.run.path.joinpath("bots").iterdir()] == ["b0"]

    perform(scene)


def test_no_room_for_a_copy_is_ours_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("play_on()")
        with monkeypatch.context() as patch:
            patch.setattr(folder_copy, "_copy_contents", full)
            with pytest.raises(HostError) as raised:
                await stage.host.start(spec)
        bots = stage.run.path / "bots"
        assert str(raised.value) == (
            f"no room in {bots} for a copy of bot 'A': no space left on device;"
            " make room there, or set TMPDIR to a folder on a larger disk"
        )
        assert list(bots.iterdir()) == []
        await stage.host.start(spec)  # once there is room

    perform(scene)


class SlowDisk:
    """Copies only when told to go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began = threading.Event()
        self.go_on = threading.Event()
        self.copy = folder_copy._copy_contents
        monkeypatch.setattr(folder_copy, "_copy_contents", self)

    def __call__(self, source: int, target: int, stop: threading.Event) -> None:
        self.began.set()
        self.go_on.wait(20)
        self.copy(source, target, stop)


def test_a_cancelled_start_returns_when_nobody_writes_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene(stage: Stage) -> None:
        await stage.start("play_on()")
        spec, _ = await stage.seat("play_on()")
        bot = (await stage.start("play_on()")).spec.bot  # its untouched copy is there
        spec = dataclasses.replace(spec, bot=bot)
        disk = SlowDisk(monkeypatch)
        start = asyncio.create_task(stage.host.start(spec))
        await asyncio.to_thread(disk.began.wait, 20)  # the loop is free meanwhile
        start.cancel()
        await asyncio.sleep(0)
        assert not start.done()
        disk.go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await start
        assert not any(path.name.startswith("bot") for path in spec.seat.path.iterdir())

    perform(scene)


def test_closing_the_host_breaks_off_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(stage: Stage) -> None:
        spec, _ = await stage.seat("play_on()")
        disk = SlowDisk(monkeypatch)
        start = asyncio.create_task(stage.host.start(spec))
        await asyncio.to_thread(disk.began.wait, 20)
        close = asyncio.create_task(stage.host.close())
        await asyncio.sleep(0)
        disk.go_on.set()
        await close
        with pytest.raises(HostError, match="the host was closed while a bot was being started"):
            await start
        with pytest.raises(HostError, match="the host was closed"):
            await stage.host.start(spec)

    perform(scene)


def test_a_virtual_environment_in_the_folder_works() -> None:
    script = "import mine\nsay(sys.prefix, mine.__file__)\nplay_on()"

    async def scene(stage: Stage) -> None:
        spec, lines = await stage.seat(script)
        folder = spec.bot.folder
        toml = folder / "bot.toml"
        toml.write_text(toml.read_text().replace("'python', '-I', '-S'", "'.venv/bin/python'"))
        venv.create(folder / ".venv", symlinks=True, with_pip=False)
        [packages] = (folder / ".venv" / "lib").glob("python*/site-packages")
        (packages / "mine.py").touch()
        await stage.host.start(dataclasses.replace(spec, bot=load_bot(folder)))
        copy = spec.seat.path / "bot"
        module = copy / packages.relative_to(folder) / "mine.py"
        assert await lines.get() == f"{copy / '.venv'} {module}"
        assert (copy / ".venv" / "bin" / "python").resolve().is_file()

    perform(scene)


@pytest.mark.parametrize("word", ["../{outside}/run", "{folder}/run"])
def test_a_command_may_lie_outside_and_an_absolute_path_may_lead_inside(word: str) -> None:
    async def scene(stage: Stage) -> None:
        text = "#!/bin/sh\nexec python -I -S bot.py\n"
        spec, lines = await stage.seat("say(os.getcwd())\nplay_on()", run=text)
        outside, _ = await stage.seat("", run=text)
        folder = spec.bot.folder
        command = word.format(outside=outside.bot.folder.name, folder=folder)
        bot = dataclasses.replace(spec.bot, command=(command,))
        await stage.host.start(dataclasses.replace(spec, bot=bot))
        assert await lines.get() == str(spec.seat.path / "bot")

    perform(scene)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder `bot`, another beside it, and links of all kinds."""
    bot = tmp_path / "bot"
    (bot / "deep" / "er").mkdir(parents=True)
    (bot / "inside").write_text("inside")
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "outside").write_text("outside")
    (tmp_path / "outside").write_text("outside")
    links = {
        "deep/near": "../inside",
        "deep/er/round": "../../../bot/inside",
        "absolute": f"{bot}/inside",
        "deep/absolute": f"{bot}/inside",
        "out": "../outside",
        "deep/er/out": "../../../beside/outside",
        "beside": "../beside",
        "deep/through": "../beside/../outside",  # `beside` is a link, so this is no `../outside`
        "far": f"{tmp_path}/outside",
        "dangling": "nowhere",
        "itself": "itself",
    }
    for name, text in links.items():
        (bot / name).symlink_to(text)
    return tmp_path


def copied(home: Path, *, origin: Path | None = None) -> Path:
    copy = home / "a" / "b" / "copy"
    copy.parent.mkdir(parents=True)
    copy_folder(home / "bot", copy, stop=threading.Event(), origin=origin)
    return copy


def test_links_mean_in_a_copy_what_they_mean_at_home(home: Path) -> None:
    copy = copied(home, origin=home / "bot")
    (home / "bot" / "inside").write_text("changed at home")
    for name in ("deep/near", "deep/er/round", "absolute", "deep/absolute"):
        assert (copy / name).is_symlink()
        assert (copy / name).read_text() == "inside"
    for name in ("out", "deep/er/out", "beside/outside", "deep/through", "far"):
        assert (copy / name).read_text() == "outside"
    assert str((copy / "dangling").readlink()) == "nowhere"
    assert str((copy / "itself").readlink()) == "itself"


def test_a_plain_copy_has_the_same_digest(home: Path) -> None:
    bot = home / "bot"
    (bot / ".git").mkdir()
    (bot / ".git" / "HEAD").write_text("x")
    (bot / "run").write_text("x")
    (bot / "run").chmod(0o4755)
    (bot / "secret").write_text("x")
    (bot / "secret").chmod(0o400)
    (bot / "empty").mkdir(mode=0o500)
    (bot / "__pycache__").mkdir()
    (bot / "__pycache__" / "a.pyc").write_text("x")
    os.utime(bot / "run", ns=(1_000_000_001, 2_000_000_003))
    copy = copied(home)
    assert folder_digest(copy) == folder_digest(bot)
    assert not (copy / ".git").exists()
    assert (copy / "__pycache__" / "a.pyc").exists()
    assert (copy / "run").stat().st_mode & 0o7777 == 0o755
    assert (copy / "run").stat().st_mtime_ns == 2_000_000_003
    assert (copy / "secret").stat().st_mode & 0o7777 == 0o400
    assert (copy / "empty").stat().st_mode & 0o7777 == 0o700


def test_a_pipe_keeps_nobody_waiting_and_shows_in_no_copy(home: Path) -> None:
    os.mkfifo(home / "bot" / "pipe")
    os.mkfifo(home / "bot" / "pipe.pyc")
    copy = copied(home)
    assert not (copy / "pipe").exists()
    assert not (copy / "pipe.pyc").exists()


@pytest.mark.parametrize("in_kernel", [True, False])
def test_contents_of_any_size_arrive(
    home: Path, monkeypatch: pytest.MonkeyPatch, in_kernel: bool
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(folder_copy, "_CHUNK_BYTES", 1000)
    if not in_kernel:
        monkeypatch.setattr(folder_copy, "_copy_in_kernel", refuse)
    data = os.urandom(2500)
    (home / "bot" / "large").write_bytes(data)
    assert (copied(home) / "large").read_bytes() == data


def test_a_copy_stops_between_pieces_of_a_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()

    def stopped_meanwhile(source: int, target: int) -> int:
        stop.set()
        return folder_copy._copy_through_us(source, target)

    monkeypatch.setattr(folder_copy, "_copy_in_kernel", stopped_meanwhile)
    monkeypatch.setattr(os, "copy_file_range", None, raising=False)  # as if it were Linux
    with pytest.raises(CopyStoppedError):
        copy_folder(home / "bot", home / "copy", stop=stop)
