"""A disk of a few MiB, for tests of what happens when it is full."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(mebibytes: int) -> Iterator[Path]:
    """Mount one; the test is skipped where that is not allowed.

    It is not below pytest's folders: another run may move those away while it is mounted.
    """
    with tempfile.TemporaryDirectory(prefix="disk") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", folder]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("only root can mount a small disk")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)
