"""When results make no sense: did somebody alter the file, or is it a mistake of ours?"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tarneeb_sdk.errors import ConfigError, TarneebError
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.report import verify_file


@contextmanager
def altered_file_told(path: Path) -> Iterator[None]:
    """Do something with a file's results, and verify it if that can't be done.

    Raises:
        ConfigError: it can't be done, and the file is to blame.
    """
    try:
        yield
    except TarneebError:
        raise
    except Exception as error:
        wrong = verify_file(path, on_progress=lambda _checked, _total: None).wrong
        if wrong is None:
            raise
        raise ConfigError(f"{printable(path)}: is no true results file: {wrong}") from error
