"""gRPC is told how to wait for the referee's sockets before it is loaded."""

import os
import subprocess
import sys

import pytest

SHOW = """
import os, sys
import tarneeb_referee.cli.main
import tarneeb_referee.run
print(os.environ["GRPC_EXPERIMENTS"], "grpc" in sys.modules)
"""


@pytest.mark.parametrize("chosen", [None, "", "-event_engine_client"])
def test_the_referee_polls_directly_unless_the_user_says_otherwise(chosen: str | None) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "GRPC_EXPERIMENTS"}
    if chosen is not None:
        environment["GRPC_EXPERIMENTS"] = chosen
    shown = subprocess.run(
        (sys.executable, "-c", SHOW), env=environment, capture_output=True, text=True, check=True
    )
    expected = "-event_engine_client,-event_engine_listener" if chosen is None else chosen
    assert shown.stdout == f"{expected} True\n"
    # gRPC complains there of a name that it does not know.
    assert shown.stderr == ""


def test_no_other_module_of_the_referee_loads_grpc_first() -> None:
    script = f"import sys\nsys.modules['tarneeb_referee.transport'] = sys\n{SHOW}"
    shown = subprocess.run(
        (sys.executable, "-c", script), capture_output=True, text=True, check=False
    )
    assert "cannot import name 'grpc'" in shown.stderr
    assert shown.returncode == 1
