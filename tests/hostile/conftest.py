import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarneeb_referee.hosts.run_folder import RunFolder
from tests.hostile.arena import BOTS

NEEDED = "TARNEEB_NEEDS_ENGINE"
"""Set where the tests of containers must not be skipped, as in CI."""

KEPT = ("tarneeb-", "pytest-")


@pytest.fixture(autouse=True, scope="session")
def own_temporary_folder() -> Iterator[None]:
    """Keep all temporary files in a folder of ours, where nobody else leaves any meanwhile."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="h-") as folder:
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", None)
        # The folder that all runs share stays when the first has ended.
        RunFolder.create().close()
        yield
        left = [path for path in Path(folder).iterdir() if not path.name.startswith(KEPT)]
        assert left == []


@pytest.fixture(autouse=True, scope="session")
def engine_answers() -> None:
    """Skip where there is no container engine, but never where one was promised."""
    import docker  # noqa: PLC0415 - an extra

    assert BOTS.is_dir()
    try:
        client = docker.from_env(timeout=5)
        client.ping()
        client.close()
    except docker.errors.DockerException as error:
        if os.environ.get(NEEDED):
            raise
        pytest.skip(f"no container engine answers: {error}")
