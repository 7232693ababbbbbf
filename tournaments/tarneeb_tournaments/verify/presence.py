"""Is every match there that must be, and none that must not?"""

import json
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from tarneeb_tournaments.results import MatchKey, PairingRow
from tarneeb_tournaments.verify.finding import DisprovedError
from tarneeb_tournaments.verify.reading import where_of


class Presence:
    """Holds the matches of a file against those that are due, pairing by pairing.

    Attributes:
        gap: the first match that is not there yet; None while there is none.
    """

    def __init__(
        self,
        *,
        boards: int,
        is_finished: bool,
        in_chunks: bool,
        sessions: Mapping[tuple[int, int, int], str],
    ) -> None:
        """Begin before round 1.

        Args:
            boards: of a pairing.
            is_finished: nothing may be missing.
            in_chunks: both halves of some boards may be played before others are begun, so that
                a session may have had a part of its half to play.
            sessions: by round, pairing and half, the boards that its last session left void.
        """
        self.gap: MatchKey | None = None
        self._boards = boards
        self._is_finished = is_finished
        self._in_chunks = in_chunks
        self._sessions = sessions
        self._unsettled: set[str] = set()

    @property
    def is_settled(self) -> bool:
        """Whether no match is missing so far."""
        return not self._unsettled

    def _is_settled_for(self, row: PairingRow) -> bool:
        """Tell whether nothing is missing of the pairings that its entrants had so far."""
        return not self._unsettled & set(row.pairing.entrants)

    def due(self, row: PairingRow) -> Iterator[MatchKey]:
        """Give the matches of a pairing in schedule order."""
        if row.is_played:
            for board in range(1, self._boards + 1):
                for half in (1, 2):
                    yield MatchKey(*row.pairing.place, board, half)

    def check(self, row: PairingRow, found: AbstractSet[MatchKey]) -> bool:
        """Check which matches of a pairing are there.

        Returns:
            Whether all are.

        Raises:
            DisprovedError: one is that may not be, or one is missing that was played.
        """
        if not found and self._is_untouched(row):
            # Without going through its boards: a big tournament has many such pairings.
            self.gap = self.gap or next(self.due(row))
            self._unsettled.update(row.pairing.entrants)
            return False
        due = tuple(self.due(row))
        strange = found - set(due)
        if strange:
            raise DisprovedError(where_of(min(strange)), "a match that the schedule does not have")
        missing = [key for key in due if key not in found]
        if not missing:
            return True
        if found and not self._is_settled_for(row):
            raise DisprovedError(
                where_of(min(found)), "played before the pairings of its entrants before it"
            )
        for key in missing:
            if self._is_finished or self._was_played(key, found):
                raise DisprovedError(where_of(key), "the match is missing")
        self.gap = self.gap or missing[0]
        self._unsettled.update(row.pairing.entrants)
        return False

    def _is_untouched(self, row: PairingRow) -> bool:
        """Tell whether a pairing is still to come, and nobody has begun it."""
        begun = any((*row.pairing.place, half) in self._sessions for half in (1, 2))
        return row.is_played and not self._is_finished and not begun

    def _was_played(self, key: MatchKey, found: AbstractSet[MatchKey]) -> bool:
        """Tell whether a match was played, although it is not there."""
        if key.half == 1:
            later = [each for each in found if each.half == 2]
            if key._replace(half=2) in later or (later and not self._in_chunks):
                return True
        voids = self._sessions.get((key.round, key.pairing, key.half))
        return (
            voids is not None and not self._in_chunks and key.board not in _void_boards(voids, key)
        )


def _void_boards(voids: str, key: MatchKey) -> AbstractSet[int]:
    try:
        return {board for board, _ in json.loads(voids)}
    except (RecursionError, TypeError, ValueError) as error:
        raise DisprovedError(where_of(key), "its session can't be read") from error
