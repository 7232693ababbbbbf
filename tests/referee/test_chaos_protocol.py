"""Bots that flood, babble, cheat and lie, as processes over gRPC."""

import os
from pathlib import Path

import pytest

from tarneeb_referee.faults import FaultKind
from tarneeb_referee.record import Ending
from tarneeb_sdk.game import rule_set
from tests.referee.arena import POLITE, assert_the_others_are_innocent, chaos, play
from tests.referee.kit import settings_of
from tests.referee.replay import check_record

SLOW = settings_of(decision_s=5.0)


def rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


# Flooding.


def test_bug_11_a_message_too_long_is_booked_with_its_length() -> None:
    played = play(chaos("too_much", str(5 * 1024 * 1024)), settings=SLOW)
    assert_the_others_are_innocent(played)
    [fault] = played.faults
    size = 5 * 1024 * 1024 + 6
    assert fault.kind is FaultKind.MALFORMED
    assert fault.detail == f"message of {size} bytes exceeds 65536"
    # The bot was told, dialled again, and played on.
    assert f"message of {size} bytes exceeds 65536" in played.log(0)
    assert played.outcomes[0].record.autopilot_from == (0, 0, 0, 0)


def test_bug_11_a_message_of_200_mib_does_not_grow_the_referee() -> None:
    play(POLITE)
    before_mb = rss_mb()
    played = play(chaos("too_much", str(200 * 1024 * 1024)), settings=SLOW)
    assert rss_mb() - before_mb < 50
    assert_the_others_are_innocent(played)
    assert len(played.faults) == 1
    assert played.outcomes[0].record.autopilot_from == (0, 0, 0, 0)


def test_bug_11_a_million_messages_that_nobody_asked_for_are_cut_short() -> None:
    play(POLITE)
    before_mb = rss_mb()
    played = play(chaos("flood"), boards=3, tables=3, settings=SLOW)
    assert rss_mb() - before_mb < 50
    assert_the_others_are_innocent(played, boards=3)
    assert played.kinds == {"FLOODING", "ABSENT"}
    gone = played.seat(0).gone
    assert gone is not None
    assert gone.detail == "more than 1000 answers a board to turns that did not wait"
    assert played.seat(0).strays == 3001


def test_bug_11_a_hundred_thousand_entries_of_metadata_are_refused() -> None:
    before_mb = rss_mb()
    played = play(chaos("metadata_bomb"), settings=SLOW)
    assert rss_mb() - before_mb < 50
    assert_the_others_are_innocent(played)
    assert played.faults == []
    assert "StatusCode.RESOURCE_EXHAUSTED" in played.log(0)


@pytest.mark.parametrize(
    "data", ["ffffffff", "", "9a060178", "1200"], ids=["garbage", "empty", "field 99", "no answers"]
)
def test_bug_20_a_message_that_says_nothing_is_never_a_move(data: str) -> None:
    played = play(chaos("babble", data), settings=SLOW)
    assert_the_others_are_innocent(played)
    assert played.kinds == {"MALFORMED"}
    # Three refused answers on each of three turns.
    assert len(played.faults) == 9
    [outcome] = played.outcomes
    assert outcome.record.autopilot_from[0] == 1
    check_record(outcome.record)


# Illegal moves.


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("bid 14", "MALFORMED"),
        ("low bid", "ILLEGAL"),
        ("card in the auction", "ILLEGAL"),
        ("trump 7", "MALFORMED"),
        ("card not held", "ILLEGAL"),
        ("card played", "ILLEGAL"),
        ("off suit", "ILLEGAL"),
        ("card 2**31-1", "MALFORMED"),
        ("bid for a card", "ILLEGAL"),
    ],
)
def test_bug_19_a_wrong_move_is_refused_retried_and_then_made_by_the_referee(
    how: str, kind: str
) -> None:
    settings = settings_of(rule_set("tarneeb", deals=3), decision_s=5.0)
    played = play(chaos("cheat", how), settings=settings)
    assert_the_others_are_innocent(played)
    assert played.kinds == {kind}
    # Each lost turn is three refused moves; the third lost turn ends it.
    assert len(played.faults) % 3 == 0
    assert len(played.faults) <= 9
    [outcome] = played.outcomes
    assert (outcome.record.autopilot_from[0] > 0) == (len(played.faults) == 9)
    check_record(outcome.record)


def test_bug_19_the_right_card_twice_counts_once() -> None:
    played = play(chaos("twice"), settings=SLOW)
    assert_the_others_are_innocent(played)
    assert played.faults == []
    decisions = len(played.outcomes[0].timings.seats[0].decisions_us)
    # The last answer may come after the end.
    assert decisions - 2 <= played.seat(0).strays <= decisions


# Versions.


@pytest.mark.parametrize("versions", [("0",), ("999",)])
def test_bug_21_another_protocol_is_incompatible_and_is_told_so(versions: tuple[str]) -> None:
    played = play(chaos("version", *versions), boards=2)
    assert len(played.outcomes) == 2
    for outcome in played.outcomes:
        assert outcome.record.ending is Ending.FORFEIT
        assert outcome.record.winner == 1
        [fault] = outcome.record.faults
        assert fault.kind is FaultKind.INCOMPATIBLE
        assert fault.detail == f"the referee speaks version 1, the bot said {versions[0]}"
    assert f"the bot said {versions[0]}" in played.log(0)


# Coming back.


def test_bug_22_a_bot_that_crashes_comes_back_to_the_same_turn() -> None:
    played = play(chaos("newcomer"), settings=SLOW)
    assert_the_others_are_innocent(played)
    assert [fault.kind for fault in played.faults] == [FaultKind.CRASH] * 2
    assert {fault.detail for fault in played.faults} == {"exited with 3"}
    assert played.seat(0).restarts == 2
    assert played.outcomes[0].record.autopilot_from == (0, 0, 0, 0)
    check_record(played.outcomes[0].record)


def test_bug_23_a_bot_that_lost_its_stream_plays_on_when_it_dials_again() -> None:
    played = play(chaos("comes_back", "1.5"), boards=2, tables=2, settings=SLOW)
    assert_the_others_are_innocent(played, boards=2)
    assert [fault.kind for fault in played.faults] == [FaultKind.DISCONNECT]
    assert played.seat(0).restarts == 0


def test_a_bot_that_never_dials_again_is_started_again() -> None:
    settings = settings_of(decision_s=30.0, start_s=1.5, restarts=1)
    played = play(chaos("never_back"), settings=settings)
    assert_the_others_are_innocent(played)
    assert played.kinds <= {"DISCONNECT", "NEVER_READY", "ABSENT"}
    assert played.seat(0).restarts == 1
    assert played.seat(0).gone is not None


# Whose seat it is.


def test_bug_18_a_wrong_token_is_refused_and_the_seat_is_undisturbed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    played = play(chaos("thief"), settings=SLOW)
    assert_the_others_are_innocent(played)
    assert played.faults == []
    assert played.log(0).count("StatusCode.UNAUTHENTICATED") == 15
    refused = [each for each in caplog.messages if "refused a stream" in each]
    assert 0 < len(refused) <= 10
    assert not any("0" * 64 in each for each in refused)


@pytest.mark.parametrize(
    "names", [("A", "A", "A", "A"), ("entrant 1", "entrant 2", "entrant 3", "entrant 0")]
)
def test_bug_18_what_a_bot_calls_itself_changes_nothing(names: tuple[str, ...]) -> None:
    bots = [chaos("impostor", name) for name in names]
    played = play(bots[0], others=bots[1:], settings=SLOW)
    assert_the_others_are_innocent(played)
    assert played.faults == []
    record = played.outcomes[0].record
    assert record.entrants == ("entrant 0", "entrant 1", "entrant 2", "entrant 3")
    assert [seat.entrant_id for seat in played.report.seats] == list(record.entrants)
