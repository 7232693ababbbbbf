"""What an organizer could forge with care, hashes and chain made good again, is found all the same."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tarneeb_referee.faults import Fault, FaultKind
from tarneeb_referee.record import (
    Ending,
    MatchRecord,
    PlayedDeal,
    RefereeMove,
    RefereeMoveReason,
)
from tarneeb_referee.record_bytes import record_from_bytes
from tarneeb_sdk.game import Bid, Card, Suit
from tarneeb_tournaments.results import MatchKey
from tests.tournaments.kit import table_play
from tests.tournaments.kit.forgery import altered, forge, found_in, relink
from tests.tournaments.kit.table_play import config, play, with_

KEY = MatchKey(1, 1, 1, 1)
AT = "round 1, pairing 1, board 1, half 1"

Change = Callable[[MatchRecord], MatchRecord]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("honest") / "r.sqlite"
    play(path, config("AB", deals=2))
    return path


@pytest.fixture(scope="module")
def erring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a file in which one bot's time runs out, until it is on autopilot."""
    path = tmp_path_factory.mktemp("erring") / "r.sqlite"
    play(path, config("AB", deals=6), make_play=with_(misdeeds={"e1": (table_play.time_out, 20)}))
    return path


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a file in which one bot's moves are refused."""
    path = tmp_path_factory.mktemp("refused") / "r.sqlite"
    play(path, config("AB", deals=4), make_play=with_(misdeeds={"e1": (table_play.wrong_card, 9)}))
    return path


@pytest.fixture(scope="module")
def forfeited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("forfeited") / "r.sqlite"
    play(path, config("AB"), make_play=with_(absent=("e2",)))
    return path


def record_of(path: Path, key: MatchKey = KEY) -> MatchRecord:
    with closing(sqlite3.connect(path)) as database:
        (found,) = database.execute(
            "SELECT record FROM record WHERE (round, pairing, board, half) = (?, ?, ?, ?)", key
        ).fetchone()
    return record_from_bytes(found)


def found_after(original: Path, copy: Path, change: Change) -> str:
    with altered(original, copy) as database:
        forge(database, KEY, change)
    return found_in(copy)


def in_deal(number: int, change: Callable[[PlayedDeal], PlayedDeal]) -> Change:
    """Make a change of one deal; -1 is the last."""

    def changed(record: MatchRecord) -> MatchRecord:
        deals = list(record.deals)
        deals[number] = change(deals[number])
        return replace(record, deals=tuple(deals))

    return changed


def scored(record: MatchRecord) -> int:
    """Find the first deal that was not cancelled."""
    return next(number for number, deal in enumerate(record.deals) if not deal.cancelled)


def another(record: MatchRecord) -> Change:
    return lambda _: record


def swapped(cards: Sequence[Card], one: int, other: int) -> tuple[Card, ...]:
    changed = list(cards)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def test_an_illegal_card_is_found(honest: Path, tmp_path: Path) -> None:
    number = scored(record_of(honest))
    change = in_deal(number, lambda deal: replace(deal, plays=swapped(deal.plays, 0, 1)))
    moves = len(record_of(honest).deals[number].calls) + 2
    wrong = found_after(honest, tmp_path / "r", change)
    assert wrong.startswith(f"{AT}, deal {number + 1}, move {moves}: ")


def test_a_call_too_low_is_found(honest: Path, tmp_path: Path) -> None:
    number = scored(record_of(honest))
    change = in_deal(number, lambda deal: replace(deal, calls=(Bid(13), Bid(7), *deal.calls[2:])))
    wrong = found_after(honest, tmp_path / "r", change)
    assert wrong.startswith(f"{AT}, deal {number + 1}, move 2: ")


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda deal: replace(deal, points=(99, 0)), "points (99, 0) must be "),
        (lambda deal: replace(deal, scores=(99, 0)), "scores (99, 0) must be "),
        (lambda deal: replace(deal, dealer=(deal.dealer + 1) % 4), "is deal "),
        (lambda deal: replace(deal, deal_number=9), "is deal 9."),
        (lambda deal: replace(deal, redeal_number=9), "is deal 2.9 of dealer "),
        (lambda deal: replace(deal, plays=deal.plays[:-1]), "stops while seat "),
        (
            lambda deal: replace(deal, referee_moves=(RefereeMove(99, RefereeMoveReason.TIME),)),
            "move 100: a move of the referee that is not",
        ),
    ],
)
def test_a_deal_that_does_not_follow_from_its_moves_is_found(
    honest: Path, tmp_path: Path, change: Callable[[PlayedDeal], PlayedDeal], wrong: str
) -> None:
    number = len(record_of(honest).deals)
    told = found_after(honest, tmp_path / "r", in_deal(-1, change))
    assert told.startswith(f"{AT}, deal {number}")
    assert wrong in told


def test_other_cards_are_found(honest: Path, tmp_path: Path) -> None:
    """Two seats have each other's cards."""

    def change(deal: PlayedDeal) -> PlayedDeal:
        return replace(deal, hands=(deal.hands[1], deal.hands[0], *deal.hands[2:]))

    assert found_after(honest, tmp_path / "r", in_deal(0, change)).startswith(f"{AT}, deal 1")


def test_cards_in_another_order_of_receipt_are_found(honest: Path, tmp_path: Path) -> None:
    def change(deal: PlayedDeal) -> PlayedDeal:
        return replace(deal, hands=(swapped(deal.hands[0], 0, 1), *deal.hands[1:]))

    assert found_after(honest, tmp_path / "r", in_deal(0, change)) == (
        f"{AT}, deal 1: the cards are not those of the secret"
    )


def test_two_deals_swapped_are_found(honest: Path, tmp_path: Path) -> None:
    def change(record: MatchRecord) -> MatchRecord:
        first, second, *rest = record.deals
        return replace(
            record,
            deals=(replace(first, hands=second.hands), replace(second, hands=first.hands), *rest),
        )

    assert found_after(honest, tmp_path / "r", change).startswith(f"{AT}, deal 1")


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (lambda record: replace(record, scores=(99, 0)), "scores (99, 0) must be "),
        (lambda record: replace(record, winner=None), "winner None must be "),
        (lambda record: replace(record, ending=Ending.TARGET), "ended by target; by the rules it "),
        (lambda record: replace(record, deals=record.deals[:-1]), "the match is not over"),
        (lambda record: replace(record, deals=()), "no deal, but the match ended by deals"),
        (lambda record: replace(record, board=2), "the record is that of round 1, pairing 1, bo"),
        (lambda record: replace(record, half=2), "the record is that of round 1, pairing 1, bo"),
        (
            lambda record: replace(record, rules=replace(record.rules, deals=3)),
            "played by other rules than the tournament's",
        ),
        (
            lambda record: replace(record, autopilot_from=(99, 0, 0, 0)),
            "an autopilot begins after the last deal",
        ),
    ],
)
def test_a_match_that_does_not_follow_from_its_deals_is_found(
    honest: Path, tmp_path: Path, change: Change, wrong: str
) -> None:
    assert found_after(honest, tmp_path / "r", change).startswith(f"{AT}: {wrong}")


def test_deals_after_the_end_are_found(honest: Path, tmp_path: Path) -> None:
    number = len(record_of(honest).deals) + 1

    def change(record: MatchRecord) -> MatchRecord:
        return replace(record, deals=(*record.deals, record.deals[-1]))

    assert found_after(honest, tmp_path / "r", change) == (
        f"{AT}, deal {number}: the match was over before this deal"
    )


def test_other_entrants_at_the_table_are_found(honest: Path, tmp_path: Path) -> None:
    def change(record: MatchRecord) -> MatchRecord:
        first, second, *_ = record.entrants
        return replace(record, entrants=(second, first, second, first))

    assert "it must be" in found_after(honest, tmp_path / "r", change)


def test_an_autopilot_without_a_fault_is_found(honest: Path, tmp_path: Path) -> None:
    number = len(record_of(honest).deals)

    def change(record: MatchRecord) -> MatchRecord:
        return replace(record, autopilot_from=(number, 0, 0, 0))

    assert found_after(honest, tmp_path / "r", change) == (
        f"{AT}, deal {number}: no fault explains the autopilot of seat 0"
    )


@pytest.mark.parametrize("reason", [RefereeMoveReason.TIME, RefereeMoveReason.REFUSED_MOVES])
def test_a_move_of_the_referee_without_its_fault_is_found(
    erring: Path, refused: Path, tmp_path: Path, reason: RefereeMoveReason
) -> None:
    original = erring if reason is RefereeMoveReason.TIME else refused
    kind = FaultKind.TIME_OUT if reason is RefereeMoveReason.TIME else FaultKind.ILLEGAL
    faults = record_of(original).faults
    assert any(fault.kind is kind for fault in faults)
    wrong = found_after(original, tmp_path / "r", lambda record: replace(record, faults=()))
    assert ": the referee moved for seat " in wrong


def test_a_time_out_that_cost_nothing_is_found(honest: Path, tmp_path: Path) -> None:
    fault = Fault(FaultKind.TIME_OUT, 0, 1, 0, "no answer in time")
    wrong = found_after(honest, tmp_path / "r", lambda record: replace(record, faults=(fault,)))
    assert wrong == (
        f"{AT}, deal 1, move 1: a time-out of seat 0, but the referee did not move for it"
    )


@pytest.mark.parametrize(
    ("fault", "wrong"),
    [
        (Fault(FaultKind.CRASH, 0, 99, 0, ""), "a crash of seat 0 where nobody was to move"),
        (Fault(FaultKind.CRASH, 7, 1, 0, ""), "a fault of seat 7"),
        (Fault(FaultKind.FLOODING, 0, 1, 0, ""), "seat 0 is not on autopilot in spite of flooding"),
    ],
)
def test_a_fault_that_can_not_be_is_found(
    honest: Path, tmp_path: Path, fault: Fault, wrong: str
) -> None:
    told = found_after(honest, tmp_path / "r", lambda record: replace(record, faults=(fault,)))
    assert told.endswith(wrong)


def test_a_move_of_the_referee_that_is_not_marked_is_found(erring: Path, tmp_path: Path) -> None:
    number = next(n for n, deal in enumerate(record_of(erring).deals) if deal.referee_moves)
    change = in_deal(number, lambda deal: replace(deal, referee_moves=deal.referee_moves[1:]))
    assert found_after(erring, tmp_path / "r", change).startswith(f"{AT}, deal {number + 1}, move ")


def test_a_move_of_the_seat_marked_as_the_referees_is_found(honest: Path, tmp_path: Path) -> None:
    number = scored(record_of(honest))
    deal = record_of(honest).deals[number]
    # Whoever named trump named another suit than the referee would have, or else led another card.
    places = range(len(deal.calls), len(deal.calls) + 4)
    told = []
    for place in places:
        mark = RefereeMove(place, RefereeMoveReason.TIME)
        change = in_deal(number, partial(replace, referee_moves=(mark,)))
        told.append(found_after(honest, tmp_path / f"{place}", change))
    assert all(each.startswith(f"{AT}, deal {number + 1}, move ") for each in told)
    assert any("the referee played" in each for each in told)


def test_a_forfeit_without_a_fault_is_found(forfeited: Path, tmp_path: Path) -> None:
    wrong = found_after(forfeited, tmp_path / "r", lambda record: replace(record, faults=()))
    assert wrong == f"{AT}: a forfeit, and no fault explains it"


def test_a_forfeit_for_the_wrong_side_is_found(forfeited: Path, tmp_path: Path) -> None:
    def change(record: MatchRecord) -> MatchRecord:
        assert record.winner is not None
        return replace(record, winner=1 - record.winner)

    assert "of a forfeit; by its faults it is" in found_after(forfeited, tmp_path / "r", change)


def test_a_match_turned_into_a_forfeit_is_found(honest: Path, tmp_path: Path) -> None:
    def change(record: MatchRecord) -> MatchRecord:
        fault = Fault(FaultKind.NEVER_READY, 0, 0, 0, "did not become ready")
        return replace(
            record, deals=(), scores=(0, 0), winner=1, ending=Ending.FORFEIT, faults=(fault,)
        )

    assert found_after(honest, tmp_path / "r", change) != ""


def test_a_suspension_that_is_taken_back_is_found(tmp_path: Path) -> None:
    play(tmp_path / "a", config("ABCD"), make_play=with_(absent=("e2",)))
    with altered(tmp_path / "a", tmp_path / "b") as database:
        database.execute("UPDATE pairing SET suspended = ''")
    assert "half 1: the match is missing, and round " in found_in(tmp_path / "b")


def test_a_suspension_without_a_reason_is_found(tmp_path: Path) -> None:
    play(tmp_path / "a", config("ABCD"), make_play=with_(stop_after=4))
    with altered(tmp_path / "a", tmp_path / "b") as database:
        database.execute("UPDATE pairing SET suspended = first WHERE round = 3")
    assert "; by the results: nobody" in found_in(tmp_path / "b")


def test_before_the_end_the_halves_are_held_against_each_other(tmp_path: Path) -> None:
    play(tmp_path / "a", config("ABCD"), make_play=with_(stop_after=4))

    def change(deal: PlayedDeal) -> PlayedDeal:
        return replace(deal, hands=(swapped(deal.hands[0], 0, 1), *deal.hands[1:]))

    assert found_after(tmp_path / "a", tmp_path / "b", in_deal(0, change)) == (
        "round 1, pairing 1, board 1, half 2, deal 1: the cards are others than in half 1"
    )


def test_before_the_end_one_board_under_two_numbers_is_found(tmp_path: Path) -> None:
    play(tmp_path / "a", config("ABCD"), make_play=with_(stop_after=4))
    with altered(tmp_path / "a", tmp_path / "b") as database:
        for half in (1, 2):
            copied = record_of(tmp_path / "a", KEY._replace(half=half))
            (times,) = database.execute(
                "SELECT timings FROM timing_detail "
                "WHERE (round, pairing, board, half) = (1, 1, 1, ?)",
                (half,),
            ).fetchone()
            at = (1, 1, 2, half)
            database.execute(
                "UPDATE timing_detail SET timings = ? "
                "WHERE (round, pairing, board, half) = (?, ?, ?, ?)",
                (times, *at),
            )
            database.execute(
                "DELETE FROM timing WHERE (round, pairing, board, half) = (?, ?, ?, ?)", at
            )
            database.execute(
                "INSERT INTO timing SELECT round, pairing, 2, half, seat, entrant, decisions, "
                "total_us, max_us, timed_out, late FROM timing "
                "WHERE (round, pairing, board, half) = (1, 1, 1, ?)",
                (half,),
            )
            forge(database, MatchKey(*at), another(replace(copied, board=2)))
        relink(database)
    assert found_in(tmp_path / "b") == (
        "round 1, pairing 1, board 2, half 1, deal 1: "
        "the same cards as in round 1, pairing 1, board 1"
    )


def test_trump_named_otherwise_is_found(honest: Path, tmp_path: Path) -> None:
    number = scored(record_of(honest))

    def change(deal: PlayedDeal) -> PlayedDeal:
        other = Suit.CLUBS if deal.trump is not Suit.CLUBS else Suit.HEARTS
        return replace(deal, trump=other)

    assert found_after(honest, tmp_path / "r", in_deal(number, change)) != ""
