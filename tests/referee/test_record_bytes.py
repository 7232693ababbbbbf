import dataclasses

import pytest

from tarneeb.v1 import record_pb2
from tarneeb_referee.faults import Fault, FaultKind
from tarneeb_referee.outcome import MatchOutcome, MatchTimings, SeatTimings
from tarneeb_referee.record import Ending, RefereeMove, RefereeMoveReason
from tarneeb_referee.record_bytes import (
    record_from_bytes,
    record_to_bytes,
    timings_from_bytes,
    timings_to_bytes,
)
from tarneeb_sdk.errors import MalformedError
from tarneeb_sdk.game import rule_set
from tests.referee.kit import Rig, plan_of, random_choice, settings_of


def played(preset: str = "tarneeb", *, deals: int | None = 3) -> MatchOutcome:
    rig = Rig(settings_of(rule_set(preset, deals=deals), strikes=1), plan=plan_of()).begin()
    rig.play(random_choice(5), until=lambda: len(rig.seats[3].asked) > 20)
    rig.pass_time(1100)
    rig.play(random_choice(5))
    return rig.outcomes[0]


@pytest.mark.parametrize("preset", ["tarneeb", "tarneeb-31", "tarneeb-outright", "syrian41"])
def test_a_record_survives_its_bytes(preset: str) -> None:
    record = played(preset).record
    assert record.faults
    assert any(deal.referee_moves for deal in record.deals)
    data = record_to_bytes(record)
    assert record_from_bytes(data) == record
    assert record_to_bytes(record_from_bytes(data)) == data


def test_a_record_keeps_the_limits_of_its_match() -> None:
    """Without them the replay of a match that they ended would go on."""
    record = played().record
    rules = rule_set("tarneeb", max_cancelled=2, max_deals=3)
    record = dataclasses.replace(record, rules=rules)
    assert record_from_bytes(record_to_bytes(record)).rules == rules


def test_timings_survive_their_bytes() -> None:
    timings = played().timings
    assert timings_from_bytes(timings_to_bytes(timings)) == timings
    assert timings_from_bytes(timings_to_bytes(MatchTimings())) == MatchTimings()


def test_a_draw_is_no_win_of_team_0() -> None:
    record = dataclasses.replace(played().record, winner=None)
    assert record_from_bytes(record_to_bytes(record)).winner is None
    record = dataclasses.replace(record, winner=0)
    assert record_from_bytes(record_to_bytes(record)).winner == 0


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_survives(ending: Ending) -> None:
    record = dataclasses.replace(played().record, ending=ending)
    assert record_from_bytes(record_to_bytes(record)).ending is ending


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_of_fault_survives(kind: FaultKind) -> None:
    fault = Fault(kind, 3, 2, 17, "what happened")
    record = dataclasses.replace(played().record, faults=(fault,))
    assert record_from_bytes(record_to_bytes(record)).faults == (fault,)


@pytest.mark.parametrize("reason", RefereeMoveReason)
def test_every_reason_for_a_referees_move_survives(reason: RefereeMoveReason) -> None:
    record = played().record
    deal = dataclasses.replace(record.deals[0], referee_moves=(RefereeMove(4, reason),))
    record = dataclasses.replace(record, deals=(deal,))
    assert record_from_bytes(record_to_bytes(record)).deals == (deal,)


def test_what_was_measured_is_not_in_the_record() -> None:
    outcome = played()
    slower = MatchTimings(seats=(SeatTimings(decisions_us=(1,)),) * 4)
    assert record_to_bytes(MatchOutcome(outcome.record, slower).record) == record_to_bytes(
        outcome.record
    )


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (record_pb2.MatchRecord(version=2), "record of form 2"),
        (record_pb2.MatchRecord(), "record of form 0"),
    ],
)
def test_a_record_of_another_form_is_refused(message: record_pb2.MatchRecord, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        record_from_bytes(message.SerializeToString())


def test_bytes_that_are_no_record_are_refused() -> None:
    with pytest.raises(MalformedError, match="3 bytes are no record"):
        record_from_bytes(b"\xff\xff\xff")
    with pytest.raises(MalformedError, match="3 bytes are no timings"):
        timings_from_bytes(b"\xff\xff\xff")


def test_a_record_with_a_part_that_is_unknown_is_refused() -> None:
    message = record_pb2.MatchRecord()
    message.ParseFromString(record_to_bytes(played().record))
    message.termination = 99  # type: ignore[assignment]
    with pytest.raises(MalformedError, match="termination 99 is unknown"):
        record_from_bytes(message.SerializeToString())
