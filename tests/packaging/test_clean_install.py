"""Both wheels in fresh environments, on the oldest and the newest dependencies."""

import dataclasses
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tarneeb_referee.bot_folder import load_bot
from tarneeb_sdk.game import rule_set
from tests.referee.arena import assert_the_others_are_innocent, play
from tests.referee.kit import settings_of

if TYPE_CHECKING:
    from tests.packaging.conftest import CleanVenv

pytestmark = pytest.mark.slow

# A whole stream through the generated stubs: bot, server and both directions.
STREAM = """
import sys
from concurrent import futures

import grpc
from tarneeb.v1 import referee_service_pb2 as pb
from tarneeb.v1 import referee_service_pb2_grpc as stubs


class Referee(stubs.RefereeServiceServicer):
    def Play(self, requests, context):
        for request in requests:
            assert isinstance(request, pb.PlayRequest)
            yield pb.PlayResponse()


server = grpc.server(futures.ThreadPoolExecutor(2))
stubs.add_RefereeServiceServicer_to_server(Referee(), server)
address = "unix:" + sys.argv[1]
server.add_insecure_port(address)
server.start()
with grpc.insecure_channel(address) as channel:
    answers = list(stubs.RefereeServiceStub(channel).Play(iter([pb.PlayRequest()] * 3), timeout=30))
server.stop(0).wait()
assert len(answers) == 3
print("played")
"""

VERSIONS = """
from importlib.metadata import version

print(version("grpcio"), version("protobuf"))
"""


def floors(pyproject: dict[str, Any]) -> dict[str, str]:
    """Read the lowest version that each base dependency allows."""
    split = [line.partition(">=") for line in pyproject["project"]["dependencies"]]
    return {name: floor for name, _, floor in split}


@pytest.mark.parametrize("dependencies", ["lowest", "newest"])
def test_the_stubs_carry_a_stream_on_every_allowed_version(
    dependencies: str,
    clean_venv: "CleanVenv",
    sdk_wheel: Path,
    pyproject: dict[str, Any],
    tmp_path: Path,
) -> None:
    lowest = floors(pyproject)
    pins = [f"{name}=={floor}" for name, floor in lowest.items()]
    clean_venv.install(sdk_wheel, *(pins if dependencies == "lowest" else []))
    if dependencies == "lowest":
        assert clean_venv.run("-c", VERSIONS).split() == [lowest["grpcio"], lowest["protobuf"]]
    socket = tmp_path / "s"
    assert clean_venv.run("-W", "error", "-c", STREAM, socket).strip() == "played"


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
def test_a_sample_bot_plays_on_the_oldest_allowed_versions(
    preset: str, clean_venv: "CleanVenv", sdk_wheel: Path, pyproject: dict[str, Any]
) -> None:
    """Only the bot is in the old environment; its referee is the one under test."""
    lowest = floors(pyproject)
    clean_venv.install(sdk_wheel, *(f"{name}=={floor}" for name, floor in lowest.items()))
    assert clean_venv.run("-c", VERSIONS).split() == [lowest["grpcio"], lowest["protobuf"]]
    command = (str(clean_venv.python), "-W", "error", "bot.py")
    bot = dataclasses.replace(load_bot("sample:counting"), command=command)
    settings = settings_of(rule_set(preset, deals=2), decision_s=30.0, start_s=30.0)
    played = play(bot, boards=4, tables=2, settings=settings)
    assert_the_others_are_innocent(played, boards=4)
    assert played.faults == []
    seat = played.seat(0)
    assert (seat.gone, seat.restarts, seat.incidents) == (None, 0, ())
    assert "Traceback" not in played.log(0)


def test_the_sdk_wheel_brings_no_referee(clean_venv: "CleanVenv", sdk_wheel: Path) -> None:
    clean_venv.install(sdk_wheel)
    clean_venv.run("-W", "error", "-c", "import tarneeb_sdk, tarneeb.v1")
    probe = (
        "import importlib.util as u; print(u.find_spec('tarneeb_referee'), u.find_spec('click'))"
    )
    assert clean_venv.run("-c", probe).split() == ["None", "None"]


def test_the_full_wheel_runs_its_command_and_finds_its_samples(
    clean_venv: "CleanVenv", full_wheel: Path
) -> None:
    clean_venv.install(f"tarneeb-referee[referee] @ {full_wheel.as_uri()}")
    probe = "from tarneeb_referee.samples import sample_names; print(*sample_names())"
    samples = Path(__file__).resolve().parents[2] / "sample_bots"
    expected = sorted(path.parent.name for path in samples.glob("*/bot.toml"))
    assert clean_venv.run("-c", probe).split() == expected
    help_text = clean_venv.run("-m", "tarneeb_referee", "--help")
    for command in ("adjudicate", "match", "standings", "tournament"):
        assert command in help_text
    assert "does not load" not in help_text


def test_without_its_extra_the_command_says_what_to_install(
    clean_venv: "CleanVenv", full_wheel: Path
) -> None:
    clean_venv.install(full_wheel)
    command = [str(clean_venv.python.with_name("tarneeb-referee")), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.endswith("run: pip install 'tarneeb-referee[referee]'")
