import os

import pytest

from tests.hostile.arena import BOTS

NEEDED = "TARNEEB_NEEDS_ENGINE"
"""Set where the tests of containers must not be skipped, as in CI."""


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
