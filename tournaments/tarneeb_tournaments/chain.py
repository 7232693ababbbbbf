"""The chain of records: each match carries the hash of its record and of the row before it.

Rows are linked in schedule order, and matches end in another. So a match is linked as soon as all
that come before it are there, and what is linked at any time is a beginning of the schedule. The
chain depends on records alone: not on the order of completion, nor on how often a run was stopped.
Whoever kept one link can tell whether anything before it has been altered since.
"""

import hashlib

from tarneeb_tournaments.results import EntrantRow, MatchRow
from tarneeb_tournaments.seeds import canonical_json


def record_hash(record: bytes) -> str:
    """Hash a match's record: SHA-256 in hex."""
    return hashlib.sha256(record).hexdigest()


def first_link(public_seed: str, secret_sha256: str, entrants: tuple[EntrantRow, ...]) -> str:
    """Give what stands in the place of a link before the first match: SHA-256 in hex.

    It holds what was published before round 1, so a chain belongs to one tournament.
    """
    bots = [[each.id, each.name, each.bot_name, each.bot_version, each.digest] for each in entrants]
    return _sha256(["tarneeb chain", public_seed, secret_sha256, bots])


def next_link(before: str, row: MatchRow, record_sha256: str) -> str:
    """Give a match's link: SHA-256 in hex.

    Args:
        before: the link of the match before it in schedule order, or `first_link`.
        row: the match in short.
        record_sha256: `record_hash` of its record.
    """
    return _sha256([before, list(row), record_sha256])


def _sha256(value: object) -> str:
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()
