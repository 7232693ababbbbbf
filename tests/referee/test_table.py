"""Everything that can happen at a table, as data."""

from collections.abc import Callable

import pytest

from tarneeb_referee.deals import TURN_BITS, DealSource, Hands
from tarneeb_referee.faults import BotFault, Fault, FaultKind, MoveWasRefused
from tarneeb_referee.record import Ending, RefereeMove, RefereeMoveReason
from tarneeb_referee.settings import MatchSettings
from tarneeb_referee.table import MAX_FAULTS, Table
from tarneeb_referee.table_commands import Ask, Command, Finish, Place, Tell, TellAll, Withdraw
from tarneeb_sdk.game import (
    PASS,
    Bid,
    Card,
    Move,
    NameTrump,
    Phase,
    Suit,
    parse_cards,
    rule_set,
)
from tarneeb_sdk.messages import (
    DealCancelled,
    DealScored,
    LapseReason,
    MatchOver,
    MoveRefused,
    TurnLapsed,
)
from tests.referee.kit import SECRET, settings_of

MS = 1_000_000
S = 1000 * MS
PLACE = Place(round_=3, pairing=2, half=1, board=7, entrants=("a", "b", "c", "d"))
CRASH = BotFault(FaultKind.CRASH, "exited with 3")
SOURCE = DealSource(SECRET, "seed")


def random_hands(deal_number: int, redeal_number: int) -> Hands:
    return SOURCE.deal(
        round_=1, pairing=1, board=1, deal_number=deal_number, redeal_number=redeal_number
    )


def one_suit_each(_deal_number: int, _redeal_number: int) -> Hands:
    hands = [
        tuple(parse_cards(" ".join(rank + suit for rank in "23456789TJQKA"))) for suit in "CDHS"
    ]
    return hands[0], hands[1], hands[2], hands[3]


def table_of(
    settings: MatchSettings | None = None,
    *,
    hands: Callable[[int, int], Hands] = random_hands,
    first_dealer: int = 3,
) -> Table:
    return Table(
        PLACE,
        table_id=77,
        settings=settings or settings_of(),
        first_dealer=first_dealer,
        deal_hands=hands,
    )


def ask_in(commands: list[Command]) -> Ask:
    [ask] = [command for command in commands if isinstance(command, Ask)]
    assert commands[-1] is ask
    return ask


def notices_to(seat: int, commands: list[Command]) -> list[object]:
    return [
        command.notice
        for command in commands
        if isinstance(command, TellAll) or (isinstance(command, Tell) and command.seat == seat)
    ]


def play(table: Table, commands: list[Command], *moves: Move) -> list[Command]:
    for move in moves:
        commands = table.answered(move, MS)
    return commands


def play_out(table: Table, commands: list[Command]) -> list[Command]:
    """Answer with the last legal move until the match is over; give all commands."""
    everything = list(commands)
    while not table.over:
        ask = ask_in(commands)
        commands = table.answered(ask.turn.view.legal[-1], MS)
        everything += commands
    return everything


# Asking.


def test_the_dealers_right_is_asked_first() -> None:
    ask = ask_in(table_of(first_dealer=3).start())
    assert ask.seat == 0
    assert ask.turn.view.phase is Phase.AUCTION
    assert ask.turn.view.legal == (PASS, *map(Bid, range(7, 14)))
    assert ask.turn.table_id == 77


def test_a_turn_names_its_table_and_counts_the_seats_own_turns_alone() -> None:
    table = table_of()
    commands = table.start()
    ids: dict[int, list[int]] = {0: [], 1: [], 2: [], 3: []}
    while not table.over:
        ask = ask_in(commands)
        ids[ask.seat].append(ask.turn.turn_id)
        commands = table.answered(ask.turn.view.legal[0], MS)
    for seat in range(4):
        assert ids[seat] == [(77 << TURN_BITS) + n for n in range(1, len(ids[seat]) + 1)]


def test_a_turn_tells_the_budget_and_the_bank_but_not_the_margin() -> None:
    settings = settings_of(decision_s=1.0, bank_s=15.0, margin_s=0.05)
    ask = ask_in(table_of(settings).start())
    assert ask.turn.time_left_s == 16.0
    assert ask.allowance_ns == 16_050 * MS


def test_what_exceeds_a_decisions_budget_comes_off_the_bank() -> None:
    table = table_of(settings_of(decision_s=1.0, bank_s=15.0, margin_s=0.05))
    table.start()
    table.answered(Bid(7), 3050 * MS)
    play(table, [], Bid(8), Bid(9), Bid(10))
    assert table.turn is not None
    assert table.waits_for == 0
    assert table.turn.time_left_s == 14.0
    assert table.timings().seats[0].bank_left_us == 13_000_000


def test_a_forced_card_is_played_without_asking() -> None:
    table = table_of(hands=one_suit_each)
    commands = play(table, table.start(), Bid(13), NameTrump(Suit.CLUBS))
    # Seat 0 leads; the other hands hold no club, so each may throw what it likes.
    asked = []
    while not table.over:
        ask = ask_in(commands)
        asked.append((ask.seat, len(ask.turn.view.plays)))
        commands = table.answered(ask.turn.view.legal[0], MS)
    # All of the last trick is forced, and nothing else.
    assert len(asked) == 48
    assert asked[-1] == (3, 47)
    assert table.record().deals[0].referee_moves == ()


# The end of deals and matches.


def test_a_scored_deal_is_told_to_all_with_its_public_record() -> None:
    table = table_of(settings_of(rule_set("tarneeb", deals=2)))
    everything = play_out(table, table.start())
    scored = [
        command.notice
        for command in everything
        if isinstance(command, TellAll) and isinstance(command.notice, DealScored)
    ]
    assert [notice.result.deal_number for notice in scored] == [1, 2]
    assert all(len(notice.result.plays) == 52 for notice in scored)
    assert [deal.plays for deal in table.record().deals] == [n.result.plays for n in scored]


def test_a_cancelled_deal_is_told_and_dealt_again_by_the_same_dealer() -> None:
    table = table_of()
    commands = play(table, table.start(), PASS, PASS, PASS, PASS)
    assert isinstance(notices_to(2, commands)[0], DealCancelled)
    ask = ask_in(commands)
    assert (ask.seat, ask.turn.view.deal_number) == (0, 1)
    play_out(table, commands)
    first, second = table.record().deals[:2]
    assert (first.deal_number, first.redeal_number, first.cancelled) == (1, 0, True)
    assert (second.deal_number, second.redeal_number) == (1, 1)
    assert first.hands != second.hands


def test_r_8_1_after_20_cancelled_deals_the_last_seat_is_not_asked() -> None:
    table = table_of()
    commands = table.start()
    for _ in range(20):
        commands = play(table, commands, PASS, PASS, PASS, PASS)
    commands = play(table, commands, PASS, PASS, PASS)
    ask = ask_in(commands)
    assert (ask.seat, ask.turn.view.phase) == (3, Phase.TRUMP)
    play_out(table, commands)
    deal = table.record().deals[20]
    assert deal.calls == (PASS, PASS, PASS, Bid(7))
    assert deal.referee_moves == (RefereeMove(3, RefereeMoveReason.MUST_PLAY),)
    assert table.record().faults == ()


def test_the_match_over_notice_follows_the_last_deal_and_ends_the_table() -> None:
    table = table_of()
    everything = play_out(table, table.start())
    scored, over, finish = everything[-3:]
    assert isinstance(scored, TellAll)
    assert isinstance(scored.notice, DealScored)
    assert isinstance(over, TellAll)
    assert isinstance(over.notice, MatchOver)
    assert isinstance(finish, Finish)
    record = table.record()
    assert over.notice.scores == record.scores
    assert over.notice.winner == record.winner
    assert record.ending is Ending.DEALS
    assert table.waits_for is None


def test_a_record_names_its_place_and_its_entrants() -> None:
    table = table_of()
    play_out(table, table.start())
    record = table.record()
    assert (record.round_, record.pairing, record.board, record.half) == (3, 2, 7, 1)
    assert record.entrants == ("a", "b", "c", "d")
    assert record.autopilot_from == (0, 0, 0, 0)


def test_timings_hold_every_decision() -> None:
    table = table_of()
    table.start()
    table.answered(Bid(7), 1_234_567)
    table.answered(PASS, 7_000)
    assert table.timings().seats[0].decisions_us == (1234,)
    assert table.timings().seats[1].decisions_us == (7,)


# Time-outs.


def test_r_7_2_the_referee_moves_for_a_seat_whose_time_is_over() -> None:
    table = table_of()
    first = ask_in(table.start())
    commands = table.timed_out()
    assert commands[0] == Withdraw(0, first.turn.turn_id)
    lapsed = TurnLapsed(77, first.turn.turn_id, LapseReason.TIME, PASS)
    assert notices_to(0, commands) == [lapsed]
    assert notices_to(1, commands) == []
    assert ask_in(commands).seat == 1
    assert table.timings().seats[0].timed_out == 1


def test_a_time_out_has_used_up_the_bank() -> None:
    table = table_of(settings_of(decision_s=1.0, bank_s=15.0))
    table.start()
    table.timed_out()
    play(table, [], Bid(7), Bid(8), Bid(9))
    while table.waits_for != 0:
        assert table.turn is not None
        table.answered(table.turn.view.legal[0], MS)
    assert table.turn is not None
    assert table.turn.time_left_s == 1.0


def test_a_time_out_is_a_fault_at_its_place_in_the_record() -> None:
    table = table_of()
    commands = play(table, table.start(), PASS, Bid(7), PASS)
    commands = table.timed_out()
    play_out(table, commands)
    record = table.record()
    assert record.faults == (Fault(FaultKind.TIME_OUT, 3, 1, 3, "no answer in time"),)
    assert record.deals[0].referee_moves == (RefereeMove(3, RefereeMoveReason.TIME),)
    assert record.deals[0].calls == (PASS, Bid(7), PASS, PASS)


def test_the_third_strike_puts_the_seat_on_autopilot_for_the_rest_of_the_match() -> None:
    table = table_of(settings_of(rule_set("tarneeb", deals=2), strikes=3))
    commands = table.start()
    while not table.over:
        ask = ask_in(commands)
        if ask.seat == 2:
            commands = table.timed_out()
        else:
            commands = table.answered(ask.turn.view.legal[-1], MS)
    record = table.record()
    assert len(record.faults) == 3
    assert record.autopilot_from == (0, 0, 1, 0)
    assert table.timings().seats[2].timed_out == 3
    reasons = [move.reason for deal in record.deals for move in deal.referee_moves]
    assert reasons[:3] == [RefereeMoveReason.TIME] * 3
    assert set(reasons[3:]) == {RefereeMoveReason.AUTOPILOT}


def test_a_match_of_four_absent_bots_plays_itself_to_the_end() -> None:
    table = table_of(settings_of(rule_set("tarneeb"), strikes=1))
    commands = table.start()
    while not table.over:
        commands = table.timed_out()
    assert isinstance(commands[-1], Finish)
    assert table.record().autopilot_from == (1, 1, 1, 1)


# Refused moves.


def test_r_7_1_a_refused_move_changes_nothing_and_tells_reason_and_legal_moves() -> None:
    table = table_of(hands=one_suit_each)
    first = ask_in(table.start())
    [command] = table.refused_move(Card("AS"))
    assert command == Tell(
        0,
        MoveRefused(
            77,
            first.turn.turn_id,
            "seat 0 played AS; it must pass or bid 7 to 13 [R-3.2]",
            first.turn.view.legal,
            retries_left=2,
        ),
    )
    assert table.waits_for == 0
    assert table.turn == first.turn
    assert ask_in(table.answered(Bid(7), MS)).seat == 1


def test_after_the_last_retry_the_referee_moves_and_it_costs_a_strike() -> None:
    table = table_of(settings_of(retries=3, strikes=3))
    first = ask_in(table.start())
    for left in (2, 1):
        [refusal] = notices_to(0, table.refused_move(Card("AS")))
        assert isinstance(refusal, MoveRefused)
        assert refusal.retries_left == left
    commands = table.refused_move(Card("AS"))
    refusal, lapsed = notices_to(0, commands)
    assert isinstance(refusal, MoveRefused)
    assert refusal.retries_left == 0
    assert lapsed == TurnLapsed(77, first.turn.turn_id, LapseReason.REFUSED_MOVES, PASS)
    assert Withdraw(0, first.turn.turn_id) in commands
    play_out(table, commands)
    record = table.record()
    assert [fault.kind for fault in record.faults] == [FaultKind.ILLEGAL] * 3
    assert record.deals[0].referee_moves == (RefereeMove(0, RefereeMoveReason.REFUSED_MOVES),)
    assert record.autopilot_from == (0, 0, 0, 0)


def test_each_turn_has_its_own_retries() -> None:
    table = table_of(settings_of(retries=2))
    commands = table.start()
    for _ in range(8):
        ask = ask_in(commands)
        [command] = table.refused(MoveWasRefused("no choice is set", malformed=True))
        assert isinstance(command, Tell)
        commands = table.answered(ask.turn.view.legal[1], MS)
    assert table.turn is not None


def test_lost_turns_of_both_kinds_add_up_to_strikes() -> None:
    table = table_of(settings_of(rule_set("tarneeb", deals=1), retries=1, strikes=2))
    table.start()
    table.refused(MoveWasRefused("no choice is set", malformed=True))
    play(table, [], Bid(7), PASS, PASS, NameTrump(Suit.CLUBS))
    while table.waits_for != 0:
        assert table.turn is not None
        table.answered(table.turn.view.legal[0], MS)
    table.timed_out()
    while not table.over:
        assert table.turn is not None
        assert table.waits_for != 0
        table.answered(table.turn.view.legal[0], MS)


def test_a_bot_that_errs_at_every_turn_cannot_make_the_record_grow_without_bound() -> None:
    table = table_of(settings_of(rule_set("tarneeb", deals=10), retries=3))
    commands = table.start()
    while not table.over:
        ask = ask_in(commands)
        if ask.seat == 0:
            table.refused(MoveWasRefused("no choice is set", malformed=True))
        commands = table.answered(ask.turn.view.legal[-1], MS)
    assert len(table.record().faults) == MAX_FAULTS


# Crashes and empty seats.


def test_a_crash_is_a_strike_and_the_turn_still_waits() -> None:
    table = table_of()
    first = ask_in(table.start())
    assert table.struck(0, CRASH) == []
    assert table.turn == first.turn
    play_out(table, table.answered(Bid(7), MS))
    assert table.record().faults == (Fault(FaultKind.CRASH, 0, 1, 0, "exited with 3"),)


def test_a_crash_that_is_the_last_strike_lapses_the_turn_at_once() -> None:
    table = table_of(settings_of(strikes=1))
    first = ask_in(table.start())
    commands = table.struck(0, CRASH)
    assert notices_to(0, commands) == [
        TurnLapsed(77, first.turn.turn_id, LapseReason.AUTOPILOT, PASS)
    ]
    assert ask_in(commands).seat == 1


def test_a_crash_of_a_seat_that_is_not_asked_disturbs_nobody() -> None:
    table = table_of(settings_of(strikes=1))
    first = ask_in(table.start())
    assert table.struck(2, CRASH) == []
    assert table.turn == first.turn
    commands = play(table, [], PASS, Bid(8))
    assert ask_in(commands).seat == 3


def test_a_seat_that_is_given_up_is_on_autopilot_from_that_deal_on() -> None:
    table = table_of(settings_of(rule_set("tarneeb", deals=2)))
    commands = table.start()
    while ask_in(commands).turn.view.deal_number == 1:
        commands = table.answered(ask_in(commands).turn.view.legal[-1], MS)
    commands = table.given_up(3, CRASH)
    while not table.over:
        assert table.turn is not None
        assert table.waits_for != 3
        table.answered(table.turn.view.legal[-1], MS)
    assert table.record().autopilot_from == (0, 0, 0, 2)
    assert table.record().faults == (Fault(FaultKind.CRASH, 3, 2, 0, "exited with 3"),)


def test_an_empty_seat_is_played_for_without_a_fault() -> None:
    table = table_of()
    table.leave_empty(0)
    ask = ask_in(table.start())
    assert (ask.seat, ask.turn.view.calls) == (1, (PASS,))
    play_out(table, [ask])
    assert table.record().faults == ()
    assert table.record().autopilot_from == (1, 0, 0, 0)


def test_late_answers_are_counted_beside_the_record() -> None:
    table = table_of()
    table.start()
    table.timed_out()
    table.came_late(0)
    assert table.timings().seats[0].late == 1


@pytest.mark.parametrize("preset", ["tarneeb", "tarneeb-31", "tarneeb-outright", "syrian41"])
def test_matches_end_by_themselves(preset: str) -> None:
    table = table_of(settings_of(rule_set(preset)))
    commands = table.start()
    while not table.over:
        ask = ask_in(commands)
        commands = table.answered(ask.turn.view.legal[0], MS)
    assert table.record().ending in {Ending.TARGET, Ending.OUTRIGHT, Ending.DEAL_CAP}
