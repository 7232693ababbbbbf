"""Who had to meet whom, and who was left out: the schedule run again, step by step."""

from collections.abc import Iterable, Sequence

from tarneeb_tournaments.pairs import PairResult, pair_results
from tarneeb_tournaments.results import (
    MatchRow,
    PairingRow,
    PairingStep,
    Results,
    TournamentInfo,
)
from tarneeb_tournaments.schedule import Pairing, PairingResult, Schedule, Swiss, drawn_order
from tarneeb_tournaments.schedule.factory import is_planned, schedule_of
from tarneeb_tournaments.stats.pair_inputs import pairing_results
from tarneeb_tournaments.suspension import Conducts
from tarneeb_tournaments.text import printable
from tarneeb_tournaments.verify.finding import DisprovedError, Where


class Course:
    """Follows a tournament in schedule order, and knows at each point what must come."""

    def __init__(self, results: Results) -> None:
        """Begin before round 1.

        Raises:
            DisprovedError: the settings name no schedule for these entrants.
        """
        self._info = results.info
        self._schedule = _make_schedule(results.info)
        ids = [each.id for each in results.info.entrants]
        seed = bytes.fromhex(results.info.public_seed)
        self._order = drawn_order(ids, public_seed=seed)
        self._last_rounds = {each.id: each.last_round for each in results.info.entrants}
        self._conducts = Conducts()
        self._rows: list[PairingRow] = []
        self._pairs: list[PairResult] = []

    def check_step(self, step: PairingStep) -> None:
        """Check pairings that were made at one time; all before them are settled.

        Raises:
            DisprovedError: they do not follow from the seed and the results.
        """
        number = 1 + (self._rows[-1].pairing.round if self._rows else 0)
        where = Where(round=number)
        if step.round != number:
            raise DisprovedError(where, f"its pairings are kept as those of round {step.round}")
        if step.is_final is not (is_planned(self._schedule) or not step.pairings):
            raise DisprovedError(where, "whether it is the last one is not what the schedule says")
        suspended = self._conducts.unfit
        if set(step.suspended) != suspended:
            raise DisprovedError(
                where, f"suspended: {_list(step.suspended)}; by the results: {_list(suspended)}"
            )
        for entrant in step.withdrawn:
            # Others may have left since, when these pairings were made already.
            if not self._has_left(entrant, step.round):
                raise DisprovedError(where, f"{printable(entrant)} had not withdrawn")
        due = self._next_pairings(step)
        for stored, follows in zip(step.pairings, due, strict=False):
            if stored != follows:
                raise DisprovedError(
                    Where(round=stored.round, pairing=stored.number),
                    f"{_describe(stored)}; the schedule gives {_describe(follows)}",
                )
        if len(step.pairings) != len(due):
            raise DisprovedError(
                where, f"{len(step.pairings)} pairings; the schedule gives {len(due)}"
            )

    def check_marks(self, row: PairingRow, *, is_complete: bool) -> None:
        """Check whether a pairing was rightly left out, or rightly not.

        Args:
            row: the pairing.
            is_complete: no mark can be on its way still: it was played, or all is over.

        Raises:
            DisprovedError: it was not.
        """
        where = Where(round=row.pairing.round, pairing=row.pairing.number)
        number = row.pairing.round
        met = () if row.pairing.is_bye else row.pairing.entrants
        gone = {each for each in met if self._has_left(each, number)}
        if set(row.withdrawn) != gone:
            raise DisprovedError(
                where, f"withdrawn: {_list(row.withdrawn)}; by their last rounds: {_list(gone)}"
            )
        due = {each for each in met if self._conducts[each].is_unfit}
        marked = set(row.suspended)
        if marked - due or (is_complete and due - marked):
            raise DisprovedError(
                where, f"suspended: {_list(row.suspended)}; by the results: {_list(due)}"
            )

    def settle(self, row: PairingRow, matches: Sequence[MatchRow]) -> None:
        """Take in a pairing that is played to its end, or not played."""
        self._rows.append(row)
        if row.is_played:
            self._pairs += pair_results(matches)
            self._conducts.add(matches)

    def check_end(self, last: PairingStep) -> None:
        """Check, when all is settled, that no pairings are missing after the last ones.

        Raises:
            DisprovedError: there are some to come.
        """
        if last.is_final and last.pairings and self._next_pairings(last):
            raise DisprovedError(
                Where(round=self._rows[-1].pairing.round + 1), "the schedule gives more pairings"
            )

    def _next_pairings(self, step: PairingStep) -> tuple[Pairing, ...]:
        return self._schedule.next_pairings(self._order, self._results(), absent=step.absent)

    def _results(self) -> tuple[PairingResult, ...]:
        is_swiss = isinstance(self._schedule, Swiss)
        return pairing_results(self._rows, self._pairs, scores_byes=is_swiss)

    def _has_left(self, entrant: str, round_: int) -> bool:
        last = self._last_rounds.get(entrant)
        return last is not None and last < round_


def _make_schedule(info: TournamentInfo) -> Schedule:
    try:
        schedule = schedule_of(info.settings["tournament"])
        reason = schedule.verify([each.id for each in info.entrants])
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        raise DisprovedError(Where(), f"the settings name no schedule: {error}") from error
    if reason is not None:
        raise DisprovedError(Where(), reason)
    return schedule


def _describe(pairing: Pairing) -> str:
    sides = [" and ".join(side) for side in pairing.sides]
    return printable(f"{sides[0]} has a bye" if len(sides) == 1 else " v ".join(sides))


def _list(entrants: Iterable[str]) -> str:
    return printable(", ".join(sorted(entrants))) or "nobody"
