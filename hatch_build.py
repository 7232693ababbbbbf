"""Build hook: puts the sample bots into the wheel, so that `sample:<name>` works everywhere.

A static `force-include` would also copy them into editable installs, where the copy would go
stale beside the checkout's own folder. The reader of this folder is
`tarneeb_referee.samples.sample_dir`.
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SAMPLES_IN_CHECKOUT = "sample_bots"
SAMPLES_IN_WHEEL = "tarneeb_referee/_samples"


class SampleBotsHook(BuildHookInterface[Any]):
    """Adds the sample bots to a standard wheel, and leaves editable wheels alone."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Map the checkout's folder to its place in the wheel."""
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"][SAMPLES_IN_CHECKOUT] = SAMPLES_IN_WHEEL
