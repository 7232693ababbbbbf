import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's; pytest's own is too long."""
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="tarneeb-test-"))
    yield folder
    shutil.rmtree(folder)
