"""What this SDK calls itself towards a referee."""

from __future__ import annotations

from importlib import metadata


def _sdk_name() -> str:
    for distribution in ("tarneeb-sdk", "tarneeb-referee"):
        try:
            return f"python {metadata.version(distribution)}"
        except metadata.PackageNotFoundError:
            continue
    return "python"


SDK_NAME = _sdk_name()
"""For logs, such as `python 0.1.0`."""
