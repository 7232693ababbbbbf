"""What is stored of a match: sums over its record."""

import itertools

import pytest

from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import BotFault, Fault, FaultKind, OurFault, OurFaultKind
from tarneeb_referee.hosts.base import ExitInfo
from tarneeb_referee.hosts.memory import memory_bot
from tarneeb_referee.hosts.output import BotLogs, Output
from tarneeb_referee.outcome import (
    HalfReport,
    LagReport,
    MatchOutcome,
    MatchTimings,
    SeatReport,
    SeatTimings,
    VoidMatch,
)
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.record import Ending, MatchRecord, PlayedDeal
from tarneeb_referee.record_bytes import record_from_bytes, timings_from_bytes
from tarneeb_sdk.game import PASS, SEATS, Bid, Call, Match, RuleSet, Suit, fallback_move, rule_set
from tarneeb_tournaments.outcomes import match_row, session_row, stored_match
from tarneeb_tournaments.results import MatchKey, ProcessLog
from tests.tournaments.kit.made_up import SECRET

TARNEEB = rule_set("tarneeb")
SYRIAN = rule_set("syrian41")
ALWAYS = rule_set("tarneeb", defenders_always_score=True)
HANDS = DealSource(SECRET, "test").deal(
    round_=1, pairing=1, board=1, deal_number=1, redeal_number=0
)


def deal(
    calls: tuple[Call, ...],
    points: tuple[int, ...],
    *,
    dealer: int = 3,
    cancelled: bool = False,
) -> PlayedDeal:
    return PlayedDeal(
        deal_number=1,
        redeal_number=0,
        dealer=dealer,
        hands=HANDS,
        calls=calls,
        trump=None if cancelled else Suit.SPADES,
        plays=(),
        points=points,
        scores=points,
        cancelled=cancelled,
        referee_moves=(),
    )


def record(
    *deals: PlayedDeal,
    rules: RuleSet = TARNEEB,
    scores: tuple[int, ...] = (41, 20),
    winner: int | None = 0,
    faults: tuple[Fault, ...] = (),
    autopilot_from: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> MatchRecord:
    return MatchRecord(
        rules=rules,
        round_=2,
        pairing=3,
        board=4,
        half=1,
        entrants=("e5", "e6", "e5", "e6"),
        deals=deals,
        scores=scores,
        winner=winner,
        ending=Ending.TARGET,
        faults=faults,
        autopilot_from=autopilot_from,
    )


ALL_PASS = (PASS, PASS, PASS, PASS)
# Dealt by seat 3, so seat 0 calls first: won by seat 0 (team 0), seat 1 (team 1).
BY_SEAT_0 = (Bid(9), PASS, PASS, PASS)
BY_SEAT_1 = (PASS, Bid(7), PASS, PASS)
OVERBID = (Bid(7), Bid(8), PASS, PASS, Bid(9), PASS)


@pytest.mark.parametrize(
    ("deals", "bids", "made"),
    [
        ([], (0, 0), (0, 0)),
        ([deal(BY_SEAT_0, (9, 0))], (1, 0), (1, 0)),
        ([deal(BY_SEAT_0, (-9, 5))], (1, 0), (0, 0)),
        ([deal(BY_SEAT_1, (0, 8))], (0, 1), (0, 1)),
        ([deal(OVERBID, (9, 0))], (1, 0), (1, 0)),
        ([deal(BY_SEAT_0, (9, 0), dealer=0)], (0, 1), (0, 0)),
        ([deal(ALL_PASS, (0, 0), cancelled=True)], (0, 0), (0, 0)),
        ([deal(BY_SEAT_0, (9, 0)), deal(BY_SEAT_1, (6, -7))], (1, 1), (1, 0)),
    ],
)
def test_contracts_are_counted_for_the_declarers_team(
    deals: list[PlayedDeal], bids: tuple[int, int], made: tuple[int, int]
) -> None:
    row = match_row(record(*deals))
    assert (row.bids0, row.bids1) == bids
    assert (row.made0, row.made1) == made
    assert row.deals == sum(not each.cancelled for each in deals)


def test_r_5_6_defenders_that_score_have_made_no_contract() -> None:
    row = match_row(record(deal(BY_SEAT_0, (9, 4)), rules=ALWAYS))
    assert (row.bids0, row.bids1, row.made0, row.made1) == (1, 0, 1, 0)


def test_r_6_6_each_declaration_is_a_contract() -> None:
    calls = (Bid(4), Bid(3), Bid(2), Bid(5))
    row = match_row(record(deal(calls, (4, -3, 2, 5)), rules=SYRIAN, scores=(4, -3, 2, 5)))
    assert (row.bids0, row.bids1) == (2, 2)
    assert (row.made0, row.made1) == (2, 1)
    assert (row.score0, row.score1) == (6, 2)


def test_seats_on_autopilot_are_marked() -> None:
    assert match_row(record(autopilot_from=(0, 0, 2, 0))).autopilots == 0b0100
    assert match_row(record(autopilot_from=(0, 1, 0, 1))).autopilots == 0b1010


@pytest.mark.parametrize("rules", [TARNEEB, SYRIAN, ALWAYS], ids=lambda rules: rules.preset)
def test_whole_matches_agree_with_the_rules_core(rules: RuleSet) -> None:
    """Play matches by R-7.2 with some bids on top, and count contracts as the core tells them."""
    deals: list[PlayedDeal] = []
    bids, made = [0, 0], [0, 0]
    match = Match(rules, first_dealer=1)
    for number in itertools.count(1):
        if match.over:
            break
        hands = DealSource(SECRET, rules.preset).deal(
            round_=1, pairing=1, board=1, deal_number=number, redeal_number=0
        )
        dealer = match.dealer
        match.start_deal(hands)
        while match.in_deal:
            assert match.deal is not None
            legal = match.deal.legal_moves()
            bold = [move for move in legal if isinstance(move, Bid) and move.level in {7, 8}]
            match.apply(bold[0] if bold and number % 2 else fallback_move(match.deal))
        result = match.last_result
        assert result is not None
        deals.append(deal(result.calls, result.points, dealer=dealer, cancelled=result.cancelled))
        if result.cancelled:
            continue
        declarers = SEATS if rules is SYRIAN else (result.declarer,)
        for seat in declarers:
            assert seat is not None
            bids[seat % 2] += 1
            own = result.points[seat] if rules is SYRIAN else result.points[seat % 2]
            made[seat % 2] += own > 0
    row = match_row(record(*deals, rules=rules, scores=match.scores))
    assert [row.bids0, row.bids1] == bids
    assert [row.made0, row.made1] == made
    assert sum(bids) > 0


def test_a_stored_match_holds_record_faults_and_times() -> None:
    fault = Fault(FaultKind.TIME_OUT, 1, 1, 5, "no answer in time")
    timings = MatchTimings(
        seats=tuple(
            SeatTimings(decisions_us=(10, 30), timed_out=seat, late=1) for seat in range(4)
        ),
        max_lag_us=7,
    )
    kept = record(deal(BY_SEAT_0, (9, 0)), faults=(fault,))
    stored = stored_match(MatchOutcome(kept, timings))
    assert stored.row.key == MatchKey(2, 3, 4, 1)
    assert stored.row.entrants == ("e5", "e6")
    assert record_from_bytes(stored.record) == kept
    assert timings_from_bytes(stored.timings) == timings
    (row,) = stored.faults
    assert (row.number, row.entrant, row.seat, row.kind) == (1, "e6", 1, "time-out")
    assert (row.deal, row.move_index, row.detail) == (1, 5, "no answer in time")
    times = stored.times[3]
    assert (times.entrant, times.decisions, times.total_us, times.max_us) == ("e6", 2, 40, 30)
    assert (times.timed_out, times.late) == (3, 1)


def test_a_session_keeps_how_each_bot_fared() -> None:
    bots = tuple(BotHandle(f"e{team}", memory_bot("x")) for team in (1, 2, 1, 2))
    plan = HalfPlan(
        round_=1,
        pairing=2,
        half=2,
        boards=(1, 2),
        seats=(bots[0], bots[1], bots[2], bots[3]),
    )
    crashed = SeatReport(
        entrant_id="e2",
        start_s=0.5,
        restarts=2,
        gone=BotFault(FaultKind.CRASH, "exited with status 3"),
        incidents=(BotFault(FaultKind.CRASH, "exited with status 3"),),
        exit=ExitInfo(code=3, cpu_s=1.5, peak_memory_bytes=1_000),
        logs=(BotLogs(Output(head=b"out"), Output(head=b"err")),),
    )
    well = SeatReport(entrant_id="e1")
    fault = OurFault(OurFaultKind.HOST_SHORT, "no memory")
    row = session_row(
        plan,
        HalfReport(
            seats=(well, crashed, well, well),
            voids=(VoidMatch(2, fault),),
            lag=LagReport(stalls=1, total_s=0.5, max_s=0.5),
        ),
    )
    assert (row.round, row.pairing, row.half) == (1, 2, 2)
    assert row.voids == ((2, "host out of memory or disk: no memory"),)
    assert row.stalled_s == 0.5
    seat = row.seats[1]
    assert (seat.entrant, seat.start_s, seat.restarts) == ("e2", 0.5, 2)
    assert seat.gone == ("crash", "exited with status 3")
    assert seat.incidents == (("crash", "exited with status 3"),)
    assert (seat.exit, seat.cpu_s, seat.peak_memory_bytes) == ("exited with 3", 1.5, 1_000)
    assert seat.logs == (ProcessLog(b"out", b"err"),)
    assert row.seats[0].exit is None
