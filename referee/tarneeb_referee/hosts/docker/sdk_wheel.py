"""Makes the SDK's wheel out of what is installed here, for images that do not have it yet.

So a bot in a container speaks through the very SDK that its referee was tested with, and no index
of packages has to know it.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Final

__all__ = ["SdkWheel", "make_sdk_wheel"]

_PACKAGES: Final = ("tarneeb", "tarneeb_sdk")
_NAME: Final = "tarneeb-sdk"
_SUFFIXES: Final = (".py", ".pyi", ".typed")
# A zip file cannot tell of an earlier time.
_TIME: Final = (1980, 1, 1, 0, 0, 0)


class SdkWheel:
    """A wheel in memory; equal sources give equal bytes.

    Attributes:
        file_name: as pip wants it.
        data: the file's bytes.
    """

    __slots__ = ("data", "file_name")

    def __init__(self, file_name: str, data: bytes) -> None:
        self.file_name = file_name
        self.data = data

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hex."""
        return hashlib.sha256(self.data).hexdigest()


def make_sdk_wheel() -> SdkWheel:
    """Pack the contract and the SDK, as they are imported here, into a wheel."""
    version = _version()
    stem = f"{_NAME.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    files = sorted(file for package in _PACKAGES for file in _files(resources.files(package), ""))
    files += [
        (f"{info}/METADATA", _metadata(version).encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ]
    record = "".join(f"{name},sha256={_hash(data)},{len(data)}\n" for name, data in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, _TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return SdkWheel(f"{stem}-py3-none-any.whl", packed.getvalue())


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        name = f"{prefix}{folder.name}/"
        if entry.is_dir():
            yield from _files(entry, name)
        elif entry.name.endswith(_SUFFIXES):
            yield f"{name}{entry.name}", entry.read_bytes()


def _metadata(version: str) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {_NAME}", f"Version: {version}"]
    lines += [f"Requires-Python: {python}" for python in _own().get_all("Requires-Python") or ()]
    # What belongs to an extra is the referee's alone.
    lines += [
        f"Requires-Dist: {requirement}"
        for requirement in _own().get_all("Requires-Dist") or ()
        if "extra ==" not in requirement
    ]
    return "\n".join(lines) + "\n"


def _version() -> str:
    return _own()["Version"]


def _own() -> metadata.PackageMetadata:
    return metadata.metadata("tarneeb-referee")


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
