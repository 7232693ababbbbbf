"""Deals that nobody can predict and, once the secret is out, anybody can check.

Everything drawn here is a function of the tournament's secret and of a name, never of what was
drawn before, so the order in which matches are played changes nothing. The name is a JSON array,
which no two different names can share as text:

    ["deal", public_seed, round, pairing, board, deal_number, redeal_number]

HMAC-SHA256 with the secret as its key turns the name into 32 bytes, SHAKE-256 turns these into as
many bytes as a shuffle needs. What bots are given (their seeds, the tables' ids) has names of its
own, so it tells nothing of a deal.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tarneeb_sdk.game import ALL_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tarneeb_sdk.game import Card, Seat

Hands = tuple[tuple["Card", ...], tuple["Card", ...], tuple["Card", ...], tuple["Card", ...]]
"""By seat, 13 cards each, in the order of receipt [R-6.1]."""

SECRET_BYTES = 32
TABLE_ID_BITS = 40
TURN_BITS = 24
"""More turns than a seat can be asked in a match, whatever the limits of R-8.1 and R-8.2."""


@dataclass(frozen=True, slots=True)
class DealSource:
    """Every deal, seed and id of one tournament.

    Rounds, pairings and boards are numbers that name a place in the schedule. Both halves of a
    pairing get the same deals; the half is part of what the bots see, and of nothing else.

    Attributes:
        secret: 32 bytes that nobody knows before the last match is over.
        public_seed: a text that is fixed before round 1, such as a digest of the configuration
            and of the entrants, so that the organizer can't choose the deals by choosing it.

    Raises:
        ValueError: the secret has another length.
    """

    secret: bytes = field(repr=False)
    public_seed: str

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(self.secret)}")

    def deal(
        self, *, round_: int, pairing: int, board: int, deal_number: int, redeal_number: int
    ) -> Hands:
        """Deal the cards, one at a time to each seat [R-2.1].

        Who deals decides who gets the first card of each four, and not which card a seat gets:
        after a different number of cancelled deals the dealers of the two halves may differ
        [R-6.4], and the hands must still be the same.

        Args:
            round_: of the schedule.
            pairing: within the round.
            board: within the pairing.
            deal_number: 1 for the first deal that is to be scored.
            redeal_number: how many deals with this number have been cancelled.
        """
        name = ("deal", self.public_seed, round_, pairing, board, deal_number, redeal_number)
        deck = shuffled_deck(self._digest(*name))
        return deck[0::4], deck[1::4], deck[2::4], deck[3::4]

    def first_dealer(self, *, round_: int, pairing: int, board: int) -> Seat:
        """Draw the first dealer of a board [R-2.1], the same in both halves."""
        digest = self._digest("first dealer", self.public_seed, round_, pairing, board)
        return digest[0] & 3

    def bot_seed(self, *, round_: int, pairing: int, half: int, seat: Seat) -> bytes:
        """Give the 16 bytes that a bot may seed its own dice with."""
        name = ("bot seed", self.public_seed, round_, pairing, half, seat)
        return self._digest(*name)[:16]

    def table_id(self, *, round_: int, pairing: int, half: int, board: int) -> int:
        """Give the number by which bots know a table, 1 to 2**40 - 1.

        It hides the board's number, so that a bot can't tell which tables of the other half hold
        the same deals.
        """
        digest = self._digest("table id", self.public_seed, round_, pairing, half, board)
        return int.from_bytes(digest[: TABLE_ID_BITS // 8], "big") or 1

    def _digest(self, *name: str | int) -> bytes:
        text = json.dumps(name, ensure_ascii=True, separators=(",", ":"))
        return hmac.digest(self.secret, text.encode("ascii"), "sha256")


def shuffled_deck(seed: bytes) -> tuple[Card, ...]:
    """Shuffle 52 cards by Fisher and Yates, every order as likely as any other.

    From the last place down, each is swapped with one that is drawn from it and those before it.

    Args:
        seed: what SHAKE-256 stretches.
    """
    deck = list(ALL_CARDS)
    stream = _stream(seed)
    for last in range(len(deck) - 1, 0, -1):
        other = _draw_below(last + 1, stream)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def _draw_below(bound: int, stream: Iterator[int]) -> int:
    """Draw 0 to bound - 1 from bytes; those past the last full multiple are skipped: no bias."""
    fair = 256 - 256 % bound
    byte = next(stream)
    while byte >= fair:
        byte = next(stream)
    return byte % bound


def _stream(seed: bytes) -> Iterator[int]:
    """Give the bytes of SHAKE-256, without end; a longer digest starts with the shorter one."""
    start, size = 0, 128
    while True:
        yield from hashlib.shake_256(seed).digest(size)[start:]
        start, size = size, 2 * size


def turn_id(table_id: int, turn_number: int) -> int:
    """Name a turn: 64 bits that a bot must give back.

    Args:
        table_id: of the table where the turn is.
        turn_number: 1 for the first turn that this seat is asked at this table. The turns of the
            other seats are not counted: how many of them were asked tells of their cards.

    Raises:
        ValueError: no match has so many turns.
    """
    if not 0 < turn_number < 1 << TURN_BITS:
        raise ValueError(f"turn number {turn_number} is not 1 to {(1 << TURN_BITS) - 1}")
    return table_id << TURN_BITS | turn_number
