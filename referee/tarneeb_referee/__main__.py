"""The program `tarneeb-referee`, also as `python -m tarneeb_referee`.

A bot needs no more than this distribution's base dependencies, so an installation without the extra
`referee` is sound, but has no command line. It should say so instead of failing on an import.
"""

import sys

_OF_THE_EXTRA = frozenset({"click", "numpy", "pydantic", "rich", "rustworkx", "scipy"})


def main() -> int:
    """Run the command line, or say what has to be installed for it; give the exit code."""
    try:
        from tarneeb_referee.cli.main import main as run  # noqa: PLC0415 - it may not load
    except ModuleNotFoundError as error:
        if error.name not in _OF_THE_EXTRA:
            raise
        fix = "pip install 'tarneeb-referee[referee]'"
        sys.stderr.write(f"error: {error.name} is not installed; run: {fix}\n")
        return 2
    return run()


if __name__ == "__main__":
    sys.exit(main())
