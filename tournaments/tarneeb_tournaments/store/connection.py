"""Opening a results file, and telling it from everything that is none."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Final

from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.store.form import table_problem
from tarneeb_tournaments.store.schema import APPLICATION_ID, SCHEMA_VERSION
from tarneeb_tournaments.store.sqlite_errors import damaged, explain_os, explain_read
from tarneeb_tournaments.text import printable

BUSY_TIMEOUT_S: Final = 30.0
"""How long another program may keep the file locked before we give up."""

MAX_VALUE_BYTES: Final = 1 << 25
"""No text or blob that is read may be longer: a match of 200 deals, before each of which a thousand
were cancelled, takes half of it."""

_MAGIC: Final = b"SQLite format 3\0"
# Where the header says how the file is written: 2 for a log beside it (WAL).
_WRITE_VERSION_OFFSET: Final = 18
_WAL: Final = 2


def wal_path(path: Path) -> Path:
    """Name the log that holds the latest results while a referee works, or was killed."""
    return path.with_name(f"{path.name}-wal")


def is_results_file(path: Path) -> bool:
    """Tell whether results have been begun in a file. It changes nothing.

    Returns:
        False if nothing is there, or an empty file.

    Raises:
        ConfigError: something else is there, or results that this program can't work with.
        StoreError: it can't be read.
    """
    header = _header(path)
    if not header and not _has_content(wal_path(path)):
        return False
    if not path.exists():
        raise ConfigError(
            f"{printable(path)}: is missing, and its log is there, with results in it; put the file "
            f"back beside {printable(wal_path(path).name)}, or move that away, too"
        )
    if header and not header.startswith(_MAGIC):
        raise ConfigError(f"{printable(path)}: is not a results file; name another file")
    try:
        with closing(connect_to_read(path)) as connection:
            return _is_results(connection, path)
    except sqlite3.Error as error:
        raise explain_read(error, path) from error


def lacks_its_wal(path: Path) -> bool:
    """Tell whether a log belongs beside the file and is not there.

    That is so for a copy that was made while a referee ran, and after a killed referee whose file
    another program has opened and closed since, which is harmless.
    """
    header = _header(path)
    in_wal_mode = len(header) > _WRITE_VERSION_OFFSET and header[_WRITE_VERSION_OFFSET] == _WAL
    return in_wal_mode and not wal_path(path).exists()


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open a file so that a finished transaction survives a loss of power.

    Raises:
        sqlite3.Error: see `explain`.
    """
    connection = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        # FULL: the log reaches the disk with each transaction, not with each checkpoint.
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a file, running tournament or not, without changing it.

    Raises:
        sqlite3.Error: see `explain`.
    """
    uri = path.absolute().as_uri()
    # Without its log nobody is writing, and a file that nobody writes can be read where SQLite
    # could not make its own files beside it: in a read-only folder.
    options = "immutable=1" if lacks_its_wal(path) else "mode=ro"
    connection = sqlite3.connect(
        f"{uri}?{options}", uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    return connection


def check_whole(path: Path) -> None:
    """Go through a whole file and look for damage, before it is written to.

    Raises:
        ConfigError: there is some, or the tables are not those of a referee.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            check_tables(connection, path)
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise explain_read(error, path) from error
    if verdict != "ok":
        raise damaged(path)


def check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Check that the tables are those which a referee makes; others beside them are let pass.

    Raises:
        ConfigError: they are not.
    """
    problem = table_problem(connection, may_have_more=True)
    if problem is not None:
        raise ConfigError(f"{printable(path)}: {problem}; somebody has altered the file")


def make_private(path: Path) -> None:
    """Create an empty file that its owner alone can read: it will hold the secret.

    Raises:
        StoreError: it can't be made.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            # So that the file's name survives a loss of power as its contents do.
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise explain_os(error, path) from error


def _is_results(connection: sqlite3.Connection, path: Path) -> bool:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if tables == 0 and application == 0:
        return False
    if application != APPLICATION_ID:
        raise ConfigError(f"{printable(path)}: is another program's database; name another file")
    if version != SCHEMA_VERSION:
        newer = "newer" if version > SCHEMA_VERSION else "older"
        raise ConfigError(
            f"{printable(path)}: was written by {newer} software (form {version}, this one reads "
            f"form {SCHEMA_VERSION}); use that software, or name another file"
        )
    return True


def _header(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise ConfigError(f"{printable(path)}: is a folder; name a file in it")
        if not stat.S_ISREG(mode):
            # Looked at first: opening a named pipe would wait for a writer.
            raise ConfigError(f"{printable(path)}: is not a plain file; name another file")
        with path.open("rb") as stream:
            return stream.read(100)
    except ConfigError:
        raise
    except FileNotFoundError:
        return b""
    except (OSError, ValueError) as error:
        # ValueError: a zero byte in the path.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"{printable(path)}: can't be read: {str(reason).lower()}") from error


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
