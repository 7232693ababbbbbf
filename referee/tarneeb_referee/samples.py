"""Where the sample bots lie: in the checkout, or inside the installed wheel.

The wheel carries them as package data (hatch_build.py puts them there), so `sample:<name>` works
in both.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_IN_WHEEL = _PACKAGE / "_samples"
_IN_CHECKOUT = _PACKAGE.parent.parent / "sample_bots"


def samples_root() -> Path:
    """Find the folder with one folder a sample bot."""
    return _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT


def sample_names() -> tuple[str, ...]:
    """List the sample bots by name, in alphabetical order."""
    return tuple(sorted(bot.parent.name for bot in samples_root().glob("*/bot.toml")))


def sample_dir(name: str) -> Path:
    """Find the folder of one sample bot.

    Args:
        name: what follows `sample:`, such as `counting`.

    Raises:
        LookupError: no sample bot has this name; the text lists those there are.
    """
    # Membership, not a path check: it also refuses names such as `../secret`.
    names = sample_names()
    if name not in names:
        known = ", ".join(names) or "none is installed"
        raise LookupError(f"no sample bot is named {name!r} (there are: {known})")
    return samples_root() / name
