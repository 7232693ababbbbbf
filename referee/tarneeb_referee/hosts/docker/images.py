"""Finds, builds, checks and pins the images that bots run in.

An image is pinned by its id, a hash of all that is in it: a name may come to mean another image
tomorrow.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from tarneeb_referee.bot_folder import BotSpec
from tarneeb_referee.folder_digest import shown_path
from tarneeb_referee.hosts.docker.build_context import DOCKERFILE, pack_folder
from tarneeb_referee.hosts.docker.builds import BuildFailedError, BuildRequest
from tarneeb_referee.hosts.docker.engine import Engine
from tarneeb_referee.hosts.docker.failures import NotThereError
from tarneeb_referee.hosts.docker.limits import MIB
from tarneeb_referee.hosts.docker.sdk_wheel import SdkWheel, make_sdk_wheel
from tarneeb_referee.hosts.docker.settings import BASE_IMAGE_VARIABLE, DockerSettings
from tarneeb_sdk.errors import ConfigError

__all__ = ["BOT_LABEL", "ImageStore", "image_problem"]

BOT_LABEL: Final = "org.tarneeb.bot"
"""On each image that was built here: the digest of the folder it was built from."""

_REPOSITORY: Final = "tarneeb-bot"
_BASE_IMAGE_ARGUMENT: Final = "BASE_IMAGE"

# Linux gives a new program no more than a quarter of its stack's 8 MiB.
_MAX_COMMAND_BYTES: Final = 2 * MIB

# What `uname -m` says, and what an image says of itself.
_ARCHITECTURES: Final = {
    "x86_64": "amd64",
    "aarch64": "arm64",
    "armv7l": "arm",
    "i686": "386",
    "i386": "386",
}


class ImageStore:
    """The images of one engine.

    Args:
        engine: the gate to it.
        architecture: what it runs on, as `Engine.info` tells it.
        settings: how bots are run, and their images built.
        note: told of images that are built, and of those that are very large.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        architecture: str,
        settings: DockerSettings,
        note: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._architecture = _ARCHITECTURES.get(architecture, architecture)
        self._settings = settings.build
        self._warn_above_bytes = settings.limits.image_warning_bytes
        self._note = note
        self._wheel: SdkWheel | None = None

    async def pin(self, bot: BotSpec) -> BotSpec:
        """Give the bot with the id of its image, which is built first where that is needed.

        Args:
            bot: one that names an image (`image`), or a folder with a Dockerfile.

        Returns:
            The same bot, with the image's id as its `image` and as its `digest`.

        Raises:
            ConfigError: there is no such image, it cannot be built, or it is of no use here.
            EngineError: the engine failed.
        """
        image = await (self._find(bot.image) if bot.image else self._build(bot))
        where = bot.image or shown_path(bot.folder)
        problem = image_problem(image, architecture=self._architecture)
        if problem:
            raise ConfigError(f"{where}: {problem}")
        size = int(image.get("Size") or 0)
        if size > self._warn_above_bytes:
            self._note(
                f"warning: the image of bot {bot.name!r} has {size // MIB:,} MiB; more than"
                f" {self._warn_above_bytes // MIB:,} MiB are unusual"
            )
        image_id = str(image["Id"])
        return replace(bot, image=image_id, digest=image_id)

    async def _find(self, name: str) -> Mapping[str, Any]:
        try:
            return await self._engine.image(name)
        except NotThereError as error:
            raise ConfigError(
                f"{name}: the engine has no such image; pull or build it first, as with"
                f" `docker pull {name}`"
            ) from error

    async def _build(self, bot: BotSpec) -> Mapping[str, Any]:
        dockerfile = bot.folder / DOCKERFILE
        if not dockerfile.is_file():
            raise ConfigError(
                f"{shown_path(dockerfile)}: is missing; a bot in a container needs one, or an"
                " `image` in place of a folder"
            )
        tag = f"{_REPOSITORY}:{await self._key(bot)}"
        try:
            return await self._engine.image(tag)
        except NotThereError:
            pass
        self._note(f"building the image of bot {bot.name!r}")
        wheel = self._sdk_wheel()
        extra = ((wheel.file_name, wheel.data),)
        with pack_folder(bot.folder, digest=bot.digest, extra=extra) as context:
            request = BuildRequest(
                context=context,
                tag=tag,
                labels={BOT_LABEL: bot.digest},
                arguments=self._arguments(),
                network=self._settings.network,
                memory_bytes=self._settings.memory_bytes,
                timeout_s=self._settings.timeout_s,
            )
            try:
                await self._engine.build(request)
            except BuildFailedError as error:
                raise ConfigError(
                    f"{shown_path(dockerfile)}: {error}{self._hint(error)}"
                ) from error
        return await self._engine.image(tag)

    async def _key(self, bot: BotSpec) -> str:
        """Hash all that the image is made from, so that it is built again when that changes."""
        base = self._settings.base_image
        if base:
            with contextlib.suppress(NotThereError):  # then the build will fetch it
                base = str((await self._engine.image(base)).get("Id"))
        parts = (bot.digest, self._sdk_wheel().digest, base)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]

    def _arguments(self) -> dict[str, str]:
        base = self._settings.base_image
        return {_BASE_IMAGE_ARGUMENT: base} if base else {}

    def _hint(self, error: BuildFailedError) -> str:
        if error.is_missing_base and not self._settings.base_image:
            return (
                "; where no registry of images is reached, make a base with tools/base-image and"
                f" set {BASE_IMAGE_VARIABLE} to its name"
            )
        return ""

    def _sdk_wheel(self) -> SdkWheel:
        if self._wheel is None:
            self._wheel = make_sdk_wheel()
        return self._wheel


def image_problem(image: Mapping[str, Any], *, architecture: str) -> str:
    """Say in a few words why an image cannot be played with; empty if it can.

    Args:
        image: as the engine describes it.
        architecture: the engine's, as images name it.
    """
    own = (str(image.get("Os") or "linux"), str(image.get("Architecture") or architecture))
    if own != ("linux", architecture):
        return (
            f"the image is for {own[0]}/{own[1]} and this machine is linux/{architecture};"
            " build it for this one"
        )
    config: Mapping[str, Any] = image.get("Config") or {}
    volumes = config.get("Volumes")
    if volumes:
        # Such a place is on the machine's disk and has no limit.
        return (
            f"the image declares volumes ({', '.join(sorted(volumes))}), and a bot has no disk;"
            " remove VOLUME from its Dockerfile"
        )
    # One empty word is how a Dockerfile takes back the entry point of the image it starts from.
    entry = [word for word in config.get("Entrypoint") or () if word]
    if not entry and not config.get("Cmd"):
        return "the image starts nothing; add CMD to its Dockerfile"
    given = (
        *(config.get("Env") or ()),
        *(config.get("Entrypoint") or ()),
        *(config.get("Cmd") or ()),
    )
    size = sum(len(str(word).encode()) for word in given)
    if size > _MAX_COMMAND_BYTES:
        return (
            f"the image's command and variables have {size:,} bytes, and no program is started with"
            f" more than {_MAX_COMMAND_BYTES:,}"
        )
    return ""
