import os
import socket
import sys
from pathlib import Path

import pytest

from tarneeb_referee.bot_folder import bot_search_path, load_bot, local_command
from tarneeb_referee.folder_digest import folder_digest
from tarneeb_sdk.errors import ConfigError

GOOD = """\
name = "Careful"
version = "1.0"
command = ["python", "bot.py"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    bot = tmp_path / "careful"
    bot.mkdir()
    (bot / "bot.toml").write_text(GOOD)
    (bot / "bot.py").write_text("print()\n")
    return bot


def refusal(where: str | Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_bot(where)
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text


def test_a_bot_is_what_its_folder_says(folder: Path) -> None:
    bot = load_bot(folder)
    assert (bot.name, bot.version, bot.command) == ("Careful", "1.0", ("python", "bot.py"))
    assert bot.folder == folder.resolve()
    assert bot.digest == folder_digest(folder)


def test_a_relative_path_starts_from_the_folder_given(folder: Path) -> None:
    assert load_bot("careful", relative_to=folder.parent) == load_bot(folder)


def test_python_is_the_interpreter_of_the_referee(folder: Path) -> None:
    assert local_command(load_bot(folder)) == (sys.executable, "bot.py")


def test_a_path_to_python_stays_as_written(folder: Path) -> None:
    (folder / "python").symlink_to(sys.executable)
    (folder / "bot.toml").write_text(GOOD.replace('"python"', '"./python"'))
    assert local_command(load_bot(folder)) == ("./python", "bot.py")


def test_python_in_a_start_script_is_the_interpreter_of_the_referee() -> None:
    assert bot_search_path().split(os.pathsep)[0] == str(Path(sys.executable).parent)


def test_a_name_is_put_in_its_composed_form(folder: Path) -> None:
    (folder / "bot.toml").write_text(GOOD.replace("Careful", "e\u0301t\u00e9"))
    assert load_bot(folder).name == "\u00e9t\u00e9"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace("version", "verison"), "verison: is not a key of a bot; did you mean"),
        (GOOD + "colour = 1\n", "colour: is not a key of a bot; there are: name, version, command"),
        (GOOD + '"a\\nb" = 1\n', "a b: is not a key"),
        ('name = "x"\ncommand = ["python"]\n', "version: is missing; add a line version ="),
        (
            'name = "x"\n',
            'version, command: are missing; add lines version = "1.0" and command = ["python", ',
        ),
        ("", "name, version, command: are missing; add lines name = "),
        (GOOD.replace('"Careful"', "T"), "column 8); write a text in quotes"),
        (GOOD.replace('"1.0"', "1.0"), "version: is 1.0; write a text in quotes"),
        (GOOD.replace('"Careful"', "7"), "name: is 7; write a text in quotes"),
        (GOOD.replace("Careful", ""), "name: is ''; write 1 to 40 printable"),
        (GOOD.replace("Careful", "x" * 41), "write 1 to 40 printable"),
        (GOOD.replace("Careful", "a\tb"), "write 1 to 40 printable"),
        (GOOD.replace("Careful", "\\u001b[2J"), "write 1 to 40 printable"),
        (GOOD.replace("Careful", " a"), "without spaces around"),
        (GOOD.replace('["python", "bot.py"]', '"python bot.py"'), "write a list of texts"),
        (GOOD.replace('["python", "bot.py"]', "[]"), "command: is empty; write"),
        (GOOD.replace('["python", "bot.py"]', '[""]'), "command: is empty; write"),
        (GOOD.replace('"bot.py"', "3"), "command: word 2 is 3; write each word"),
        (GOOD.replace("bot.py", "a\\u0000b"), "command: word 2 is"),
        (GOOD.replace("bot.py", "bto.py"), "command: 'bto.py' is not in the folder; add the file"),
        (GOOD.replace('"python"', '"no-such-program"'), "is not on the PATH; install it"),
        (GOOD.replace('"python"', '"bot.py"'), "'bot.py' is not on the PATH; write \"./bot.py\""),
        (GOOD.replace('"python"', '"./missing"'), "'./missing': no such file or directory; a path"),
        (GOOD.replace('"python"', '"./bot.py"'), "'./bot.py' is not executable; run chmod +x"),
        (GOOD.replace('"python"', '"../careful"'), "is not a file; name the program itself"),
        ("name = \n", "is not TOML: "),
        (GOOD + 'name = "again"\n', "is not TOML: "),
        ("x" * 70_000, "has 70000 bytes; 65536 are allowed"),
    ],
)
def test_a_wrong_bot_file_is_refused_with_its_place_and_fix(
    folder: Path, text: str, says: str
) -> None:
    (folder / "bot.toml").write_text(text)
    refused = refusal(folder)
    assert refused.startswith(f"{folder}/bot.toml: ")
    assert says in refused


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xef\xbb\xbf" + GOOD.encode(), "starts with a byte order mark"),
        (GOOD.encode("utf-16"), "starts with a byte order mark"),
        (GOOD.encode() + b"# caf\xe9\n", "line 4 is not UTF-8"),
    ],
)
def test_a_bot_file_has_to_be_plain_utf_8(folder: Path, data: bytes, says: str) -> None:
    (folder / "bot.toml").write_bytes(data)
    assert says in refusal(folder)


def test_a_missing_bot_file_is_named(folder: Path) -> None:
    (folder / "bot.toml").unlink()
    assert "bot.toml: is missing; write it with name, version, command" in refusal(folder)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nobody").startswith(f"{tmp_path}/nobody: no such file or directory;")


def test_a_samples_bare_name_is_told_with_its_prefix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for where in ("counting", Path("counting")):
        assert refusal(where).endswith("such file or directory; did you mean sample:counting?")
    assert "sample:<name>" in refusal("bots/counting")


def test_a_file_is_no_bot_folder(folder: Path) -> None:
    assert "is not a folder; name the one bot.toml is in" in refusal(folder / "bot.toml")


@pytest.mark.parametrize("where", ["", "a\0b"])
def test_what_is_no_path_is_refused(where: str) -> None:
    assert "is no path" in refusal(where)


def test_an_unknown_sample_is_refused() -> None:
    assert refusal("sample:nobody").startswith("sample:nobody: no sample bot is named 'nobody'")


@pytest.mark.parametrize("name", ["bot.toml", "data"])
def test_a_named_pipe_is_refused_without_waiting_for_it(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    assert f"{folder}/{name}: is " in refusal(folder)


def test_a_socket_and_a_link_to_a_device_do_not_hang(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # a socket's path must be short
    (folder / "zero").symlink_to("/dev/zero")
    load_bot(folder)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind("left.sock")
        assert "left.sock: is a socket" in refusal(folder)


def test_the_digest_is_the_same_wherever_and_whenever_the_folder_was_written(
    tmp_path: Path,
) -> None:
    digests = set()
    for place, order in (("one", ("a", "b")), ("two", ("b", "a"))):
        for name in order:
            (tmp_path / place / "data").mkdir(parents=True, exist_ok=True)
            (tmp_path / place / "data" / name).write_text(name)
        digests.add(folder_digest(tmp_path / place))
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["__pycache__/bot.cpython-311.pyc", "old.pyc", ".git/HEAD"])
def test_the_digest_leaves_out_what_tools_write(folder: Path, name: str) -> None:
    before = folder_digest(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"x")
    assert folder_digest(folder) == before


def test_the_digest_changes_with_contents_names_links_and_the_executable_bit(
    folder: Path,
) -> None:
    seen = [folder_digest(folder)]

    def note_change() -> None:
        now = folder_digest(folder)
        assert now not in seen
        seen.append(now)

    (folder / "bot.py").write_text("print(1)\n")
    note_change()
    (folder / "bot.py").chmod(0o755)
    note_change()
    (folder / "bot.py").rename(folder / "bot2.py")
    note_change()
    (folder / "out").symlink_to("/usr")
    note_change()
    (folder / "out").unlink()
    (folder / "out").symlink_to("/bin")
    note_change()
    (folder / "b\nc").write_text("")
    note_change()
    if sys.platform == "linux":  # macOS refuses names that are no UTF-8
        (folder / os.fsdecode(b"\xff")).write_text("")
        note_change()


def test_a_circle_of_links_does_not_hang_the_digest(folder: Path) -> None:
    (folder / "loop").symlink_to(".")
    (folder / "self").symlink_to("self")
    assert len(folder_digest(folder)) == 64


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(folder: Path) -> None:
    (folder / "secret").write_text("")
    (folder / "secret").chmod(0)
    assert f"{folder}/secret: permission denied" in refusal(folder)
