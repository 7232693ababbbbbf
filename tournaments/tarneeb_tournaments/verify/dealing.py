"""Are the cards those of the secret; or, while it is secret, the same cards for both sides?"""

import hashlib
from collections.abc import Mapping

from tarneeb_referee.deals import DealSource, Hands
from tarneeb_referee.record import MatchRecord
from tarneeb_sdk.game import Seat
from tarneeb_tournaments.verify.finding import DisprovedError, Where


class Dealing:
    """Holds the deals of records, in schedule order, against the secret and against each other."""

    def __init__(self, source: DealSource | None) -> None:
        """Begin before the first match.

        Args:
            source: None while the secret is not published.
        """
        self._source = source
        # Of the board that is being looked at: what its first half was dealt.
        self._board: tuple[int, int, int] | None = None
        self._first_dealer: Seat = 0
        self._hands: Mapping[tuple[int, int], Hands] = {}
        # The first deal of every board so far, shortened, and which board that was.
        self._first_deals: dict[bytes, tuple[int, int, int]] = {}

    def check(self, record: MatchRecord, where: Where) -> None:
        """Check the deals of a match; of a board, both halves are checked one after the other.

        Raises:
            DisprovedError: a deal or the first dealer is another than it must be.
        """
        if not record.deals:
            return
        board = (record.round_, record.pairing, record.board)
        if self._source is not None:
            self._check_secret(self._source, record, where)
        if board == self._board:
            self._check_same(record, where)
            return
        self._board = board
        self._first_dealer = record.deals[0].dealer
        self._hands = {(each.deal_number, each.redeal_number): each.hands for each in record.deals}
        self._check_new(record, board, where)

    def _check_secret(self, source: DealSource, record: MatchRecord, where: Where) -> None:
        at = {"round_": record.round_, "pairing": record.pairing, "board": record.board}
        dealer = source.first_dealer(**at)
        if record.deals[0].dealer != dealer:
            raise DisprovedError(
                where.at_deal(1),
                f"seat {record.deals[0].dealer} dealt first; by the secret it is seat {dealer}",
            )
        for number, deal in enumerate(record.deals, start=1):
            hands = source.deal(
                **at, deal_number=deal.deal_number, redeal_number=deal.redeal_number
            )
            if deal.hands != hands:
                raise DisprovedError(where.at_deal(number), "the cards are not those of the secret")

    def _check_same(self, record: MatchRecord, where: Where) -> None:
        if record.deals[0].dealer != self._first_dealer:
            raise DisprovedError(where.at_deal(1), "the first dealer is another than in half 1")
        for number, deal in enumerate(record.deals, start=1):
            name = (deal.deal_number, deal.redeal_number)
            if self._hands.get(name, deal.hands) != deal.hands:
                raise DisprovedError(where.at_deal(number), "the cards are others than in half 1")

    def _check_new(self, record: MatchRecord, board: tuple[int, int, int], where: Where) -> None:
        cards = b"".join(bytes(hand) for hand in record.deals[0].hands)
        digest = hashlib.sha256(cards).digest()[:16]
        before = self._first_deals.setdefault(digest, board)
        if before != board:
            round_, pairing, number = before
            there = Where(round=round_, pairing=pairing, board=number)
            raise DisprovedError(where.at_deal(1), f"the same cards as in {there}")
