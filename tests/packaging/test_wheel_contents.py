import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SDK_PACKAGES = {"tarneeb", "tarneeb_sdk"}
ALL_PACKAGES = SDK_PACKAGES | {"tarneeb_referee", "tarneeb_tournaments"}


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def top_level(wheel: Path) -> set[str]:
    return {name.split("/")[0] for name in names(wheel) if ".dist-info/" not in name}


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [path] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(path))


def test_the_full_wheel_holds_the_four_packages_and_nothing_else(full_wheel: Path) -> None:
    assert top_level(full_wheel) == ALL_PACKAGES


def test_the_sdk_wheel_holds_the_contract_and_the_sdk_alone(sdk_wheel: Path) -> None:
    assert top_level(sdk_wheel) == SDK_PACKAGES


def test_both_wheels_hold_the_same_sdk(full_wheel: Path, sdk_wheel: Path) -> None:
    shared = {name for name in names(full_wheel) if name.split("/")[0] in SDK_PACKAGES}
    assert shared == {name for name in names(sdk_wheel) if name.split("/")[0] in SDK_PACKAGES}
    with zipfile.ZipFile(full_wheel) as full, zipfile.ZipFile(sdk_wheel) as sdk:
        assert all(full.read(name) == sdk.read(name) for name in shared)


def test_every_package_says_that_it_is_typed(full_wheel: Path) -> None:
    assert {f"{package}/py.typed" for package in ALL_PACKAGES} <= names(full_wheel)


def test_every_proto_ships_with_its_generated_code(full_wheel: Path) -> None:
    protos = {name for name in names(full_wheel) if name.endswith(".proto")}
    assert protos
    for proto in protos:
        stem = proto.removesuffix(".proto")
        assert {f"{stem}_pb2.py", f"{stem}_pb2.pyi"} <= names(full_wheel)


def test_the_full_wheel_holds_every_file_of_the_sample_bots(full_wheel: Path) -> None:
    samples = ROOT / "sample_bots"
    expected = {
        f"tarneeb_referee/_samples/{path.relative_to(samples).as_posix()}"
        for path in samples.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected
    assert {name for name in names(full_wheel) if "/_samples/" in name} == expected


def test_a_bot_needs_grpc_and_protobuf_and_no_more(sdk_wheel: Path) -> None:
    required = metadata(sdk_wheel).get_all("Requires-Dist", [])
    assert sorted(line.split(">=")[0] for line in required) == ["grpcio", "protobuf"]


def test_the_wheels_agree_on_version_python_and_licence(
    full_wheel: Path, sdk_wheel: Path, pyproject: dict[str, Any]
) -> None:
    for key in ("Version", "Requires-Python", "License-Expression"):
        assert metadata(full_wheel)[key] == metadata(sdk_wheel)[key]
    assert metadata(full_wheel)["Version"] == pyproject["project"]["version"]


def test_the_sdk_wheel_has_no_commands(sdk_wheel: Path) -> None:
    assert not any(name.endswith("entry_points.txt") for name in names(sdk_wheel))
