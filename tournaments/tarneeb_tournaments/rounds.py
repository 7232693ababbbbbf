"""Making pairings from what is stored: which come first, which come next, and who has left."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from tarneeb_tournaments.pairs import PairResult, pair_results
from tarneeb_tournaments.results import (
    MatchRow,
    PairingRow,
    PairingStep,
    Results,
    TournamentInfo,
    Withdrawal,
)
from tarneeb_tournaments.schedule import (
    Individual,
    Pairing,
    PairingResult,
    Schedule,
    Swiss,
    drawn_order,
    is_planned,
    schedule_of,
)
from tarneeb_tournaments.stats.pair_inputs import pairing_results


def tournament_schedule(info: TournamentInfo) -> Schedule:
    """Make the schedule of a tournament."""
    return schedule_of(info.settings["tournament"])


def entrant_order(info: TournamentInfo) -> tuple[str, ...]:
    """Give the ids of all entrants in the order of the draw."""
    seed = bytes.fromhex(info.public_seed)
    return drawn_order([each.id for each in info.entrants], public_seed=seed)


def first_pairings(info: TournamentInfo) -> tuple[tuple[Pairing, ...], bool]:
    """Make the pairings that a tournament begins with, and tell whether they are all."""
    schedule = tournament_schedule(info)
    return schedule.next_pairings(entrant_order(info), ()), is_planned(schedule)


def next_step(
    info: TournamentInfo, results: Sequence[PairingResult], *, suspended: AbstractSet[str]
) -> PairingStep:
    """Make the pairings that follow when all before them are settled.

    Args:
        info: with who has withdrawn.
        results: of all pairings so far, byes too, in any order; at least one.
        suspended: ids of who was suspended until now.
    """
    number = 1 + max(each.pairing.round for each in results)
    withdrawn = [
        each.id
        for each in info.entrants
        if each.last_round is not None and each.last_round < number
    ]
    absent = frozenset((*suspended, *withdrawn))
    schedule = tournament_schedule(info)
    pairings = schedule.next_pairings(entrant_order(info), results, absent=absent)
    return PairingStep(
        round=number,
        pairings=pairings,
        suspended=tuple(sorted(suspended)),
        withdrawn=tuple(sorted(withdrawn)),
        is_final=not pairings,
    )


def settled_result(
    info: TournamentInfo, row: PairingRow, matches: Sequence[MatchRow]
) -> PairingResult:
    """Score one pairing for the rounds after it.

    Args:
        info: says whether byes are scored.
        row: the pairing.
        matches: all of its matches; none if it is not played.
    """
    pairs = pair_results(sorted(matches))
    scores_byes = isinstance(tournament_schedule(info), Swiss)
    (result,) = pairing_results([row], pairs, scores_byes=scores_byes)
    return result


def settled_results(
    results: Results, pairs: Iterable[PairResult] | None = None
) -> tuple[PairingResult, ...]:
    """Score all pairings that are settled, for the next round and for the ranking.

    Args:
        results: so far.
        pairs: `pair_results` of its matches, from whoever has them already.
    """
    info = results.info
    boards: dict[tuple[int, int], int] = {}
    for match in results.matches:
        place = (match.round, match.pairing)
        boards[place] = boards.get(place, 0) + 1
    rows = [
        row
        for row in results.pairings
        if not row.is_played or boards.get(row.pairing.place, 0) == 2 * info.boards
    ]
    scores_byes = isinstance(tournament_schedule(info), Swiss)
    if pairs is None:
        pairs = pair_results(results.matches)
    return pairing_results(rows, pairs, scores_byes=scores_byes)


def matches_expected(info: TournamentInfo, pairings: Sequence[Pairing]) -> int:
    """Estimate the matches of a whole tournament from its first pairings."""
    return 2 * info.boards * rounds_expected(info) * sum(not each.is_bye for each in pairings)


def rounds_expected(info: TournamentInfo) -> int:
    """Say how many rounds a schedule has that is not known from the start; 1 if it is."""
    match tournament_schedule(info):
        case Swiss() as swiss:
            return swiss.rounds
        case Individual() as individual:
            return individual.rounds_for(len(info.entrants))
        case _:
            return 1


def withdrawals(results: Results, wanted: Mapping[str, int | None]) -> tuple[Withdrawal, ...]:
    """Find who is to leave and has not left yet.

    Args:
        results: so far.
        wanted: by entrant, the last round that its owner wants it to take part in.
    """
    return tuple(
        Withdrawal(
            each.id,
            last_round,
            tuple(
                row.pairing.place
                for row in results.pairings
                if row.pairing.round > last_round
                and each.id in row.pairing.entrants
                and not row.pairing.is_bye
            ),
        )
        for each in results.info.entrants
        if (last_round := wanted.get(each.id)) is not None and each.last_round is None
    )


def withdrawal_problems(
    results: Results, wanted: Mapping[str, int | None]
) -> Sequence[tuple[str, str]]:
    """Find withdrawals that come too late, or are taken back.

    Returns:
        The id of each entrant with what is wrong.
    """
    played: dict[str, int] = {}
    for match in results.matches:
        for entrant in match.seats:
            played[entrant] = max(played.get(entrant, 0), match.round)
    problems = []
    for each in results.info.entrants:
        last_round = wanted.get(each.id)
        if each.last_round is not None and last_round != each.last_round:
            problems.append((each.id, f"it has left after round {each.last_round}; put that back"))
        elif last_round is not None and played.get(each.id, 0) > last_round:
            number = played[each.id]
            problems.append((each.id, f"it has played in round {number}; use {number} or more"))
    return problems
