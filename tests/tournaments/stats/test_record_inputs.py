"""Records are made by playing at a table, so that times and moves belong together."""

import random
from dataclasses import replace

import pytest

from tarneeb_referee.deals import DealSource, Hands
from tarneeb_referee.outcome import MatchTimings
from tarneeb_referee.record import MatchRecord
from tarneeb_referee.table import Table
from tarneeb_referee.table_commands import Finish, Place
from tarneeb_sdk.game import Game, rule_set
from tarneeb_tournaments.stats.behaviour import behaviour_of
from tarneeb_tournaments.stats.record_inputs import deal_summaries, moves_of, timed_deals
from tarneeb_tournaments.stats.tempo import MoveKind, TimedMove
from tests.referee.kit import SECRET, settings_of

SOURCE = DealSource(SECRET, "seed")


def hands(deal_number: int, redeal_number: int) -> Hands:
    return SOURCE.deal(
        round_=1, pairing=1, board=1, deal_number=deal_number, redeal_number=redeal_number
    )


def played(
    preset: str, seed: int, *, deals: int = 3, lapse_share: float = 0.0
) -> tuple[MatchRecord, MatchTimings]:
    """Play at random; the time of each decision is 1000 us for each legal move."""
    rng = random.Random(seed)
    table = Table(
        Place(round_=1, pairing=1, half=1, board=1, entrants=("a", "b", "a", "b")),
        table_id=5,
        settings=settings_of(rule_set(preset, deals=deals), strikes=1_000),
        first_dealer=0,
        deal_hands=hands,
    )
    commands = table.start()
    while not isinstance(commands[-1], Finish):
        assert table.turn is not None
        legal = table.turn.view.legal
        if rng.random() < lapse_share:
            commands = table.timed_out()
        else:
            commands = table.answered(rng.choice(legal), len(legal) * 1_000_000)
    return table.record(), table.timings()


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
@pytest.mark.parametrize("seed", range(5))
def test_points_of_summaries_are_those_of_the_match(preset: str, seed: int) -> None:
    record, _ = played(preset, seed)
    summaries = list(deal_summaries(record))
    assert len(summaries) == 3
    totals = [sum(each) for each in zip(*(one.points for one in summaries), strict=True)]
    assert tuple(totals) == record.scores
    for summary in summaries:
        for contract in summary.contracts:
            team = contract.seat if record.rules.game is Game.SYRIAN41 else contract.seat % 2
            assert (contract.tricks >= contract.bid) == (summary.points[team] > 0)


def test_behaviour_of_a_record_adds_up() -> None:
    record, _ = played("tarneeb", 1, deals=8)
    counted = behaviour_of(deal_summaries(record))
    assert sum(each.contracts for each in counted.values()) == 8
    a = counted["a"]
    assert a.declarer_points + a.defender_points == record.scores[0] - record.scores[1]


@pytest.mark.parametrize("preset", ["tarneeb", "syrian41"])
@pytest.mark.parametrize("lapse_share", [0.0, 0.2])
def test_every_time_goes_to_the_decision_that_took_it(preset: str, lapse_share: float) -> None:
    record, timings = played(preset, 2, lapse_share=lapse_share)
    deals = list(timed_deals(record, timings))
    assert sum(len(deal) for deal in deals) == sum(
        len(moves_of(deal, record.rules)) for deal in record.deals
    )
    by_seat: list[list[int]] = [[], [], [], []]
    for deal in deals:
        for move in deal:
            if move.time_us is not None:
                by_seat[move.seat].append(move.time_us)
    assert [tuple(each) for each in by_seat] == [seat.decisions_us for seat in timings.seats]


def test_moves_say_what_was_decided_when() -> None:
    record, timings = played("tarneeb", 3, deals=1)
    moves = next(iter(timed_deals(record, timings)))
    if record.deals[0].cancelled:
        pytest.skip("no play")
    kinds = [move.kind for move in moves]
    calls = kinds.count(MoveKind.CALL)
    assert kinds == [MoveKind.CALL] * calls + [MoveKind.TRUMP] + [MoveKind.CARD] * 52
    cards = moves[calls + 1 :]
    assert [move.stage for move in cards] == list(range(52))
    assert sorted(move.value for move in cards) == list(range(52))
    assert {move.trump for move in cards} == {record.deals[0].trump}
    # The last card of each hand is forced.
    assert all(move.time_us is None for move in cards[-4:])
    assert isinstance(moves[0], TimedMove)


def test_times_of_another_match_are_refused() -> None:
    record, timings = played("tarneeb", 4)
    seats = list(timings.seats)
    for times, problem in (
        (seats[1].decisions_us[:-1], "fewer times than decisions"),
        ((*seats[1].decisions_us, 5), "more times than decisions"),
    ):
        seats[1] = replace(seats[1], decisions_us=times)
        wrong = replace(timings, seats=tuple(seats))
        with pytest.raises(ValueError, match=problem):
            list(timed_deals(record, wrong))
        seats = list(timings.seats)
