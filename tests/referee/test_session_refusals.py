"""Moves that are well formed and not legal [R-7.1]."""

import pytest

from tarneeb_referee.faults import (
    FaultKind,
)
from tarneeb_sdk.game import PASS, Bid, Card, Move, NameTrump, Phase, Suit
from tarneeb_sdk.messages import (
    Answer,
    LapseReason,
    MoveRefused,
    TurnLapsed,
)
from tests.referee.kit import Rig, faults, plain_choice, settings_of


def rig_in(phase: Phase, *, leads: bool | None = None) -> Rig:
    rig = Rig().begin()

    def there() -> bool:
        view = rig.waiting()[0][1].view
        return view.phase is phase and (leads is None or leads == (not view.trick))

    rig.play(lambda view: view.legal[1 if view.phase is Phase.AUCTION else 0], until=there)
    return rig


REFUSED: list[tuple[Phase, bool | None, Move, str]] = [
    (Phase.AUCTION, None, Card("2C"), "R-3.2"),
    (Phase.AUCTION, None, Bid(2), "R-3.2"),
    (Phase.AUCTION, None, NameTrump(Suit.CLUBS), "R-3.2"),
    (Phase.TRUMP, None, PASS, "R-3.4"),
    (Phase.TRUMP, None, Bid(13), "R-3.4"),
    (Phase.TRUMP, None, Card("AS"), "R-3.7"),
    (Phase.PLAY, True, PASS, "R-4.1"),
    (Phase.PLAY, True, Bid(9), "R-4.1"),
    (Phase.PLAY, False, NameTrump(Suit.SPADES), "R-4.2"),
]


@pytest.mark.parametrize(("phase", "leads", "move", "rule"), REFUSED)
def test_bug_19_a_move_that_is_not_legal_is_refused_with_its_rule(
    phase: Phase, leads: bool | None, move: Move, rule: str
) -> None:
    rig = rig_in(phase, leads=leads)
    [(seat, turn)] = rig.waiting()
    rig.answer(seat, Answer(turn.turn_id, move))
    refusal = rig.seats[seat].notices[-1]
    assert isinstance(refusal, MoveRefused)
    assert refusal.turn_id == turn.turn_id
    assert refusal.legal == turn.view.legal
    assert refusal.reason.endswith(f"[{rule}]")
    assert refusal.retries_left == 2
    # The turn still waits, and a legal move is taken.
    rig.answer(seat, Answer(turn.turn_id, turn.view.legal[0]))
    rig.play(plain_choice)
    [fault] = faults(rig)
    assert (fault.kind, fault.seat, fault.detail) == (FaultKind.ILLEGAL, seat, refusal.reason)
    assert not any(deal.referee_moves for deal in rig.outcomes[0].record.deals)


@pytest.mark.parametrize("held", [True, False], ids=["off suit", "not held"])
def test_bug_19_a_card_that_may_not_be_played_is_refused(held: bool) -> None:
    rig = Rig().begin()
    rig.play(
        lambda view: view.legal[1 if view.phase is Phase.AUCTION else 0],
        until=lambda: (
            bool(rig.waiting()[0][1].view.trick)
            and len(rig.waiting()[0][1].view.legal) < len(rig.waiting()[0][1].view.hand)
        ),
    )
    [(seat, turn)] = rig.waiting()
    wrong = next(
        card
        for card in map(Card, range(52))
        if (card in turn.view.hand) == held and card not in turn.view.legal
    )
    rig.answer(seat, Answer(turn.turn_id, wrong))
    refusal = rig.seats[seat].notices[-1]
    assert isinstance(refusal, MoveRefused)
    assert "R-4.2" in refusal.reason
    assert ("must follow" in refusal.reason) == held


def test_bug_19_retries_are_bounded_and_inside_the_same_clock() -> None:
    rig = Rig(settings_of(decision_s=0.5, retries=3)).begin()
    [(seat, turn)] = rig.waiting()
    rig.pass_time(300)
    rig.answer(seat, Answer(turn.turn_id, Card("2C")))
    rig.pass_time(300)
    assert rig.seats[seat].notices[-1] == TurnLapsed(
        turn.table_id, turn.turn_id, LapseReason.TIME, PASS
    )


def test_bug_19_after_the_last_retry_further_answers_are_late() -> None:
    rig = Rig(settings_of(retries=2)).begin()
    [(seat, turn)] = rig.waiting()
    wrong = Answer(turn.turn_id, Card("2C"))
    rig.answer(seat, wrong, wrong, Answer(turn.turn_id, Bid(9)))
    assert isinstance(rig.seats[seat].notices[-1], TurnLapsed)
    assert rig.session.seat_state(seat).late == 1
    rig.play(plain_choice)
    assert [fault.kind for fault in faults(rig)] == [FaultKind.ILLEGAL] * 2
    assert rig.outcomes[0].record.deals[0].calls[0] is PASS


def test_a_wrong_and_then_a_right_answer_in_one_message_are_one_refusal() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    rig.answer(seat, Answer(turn.turn_id, Card("2C")), Answer(turn.turn_id, Bid(9)))
    assert [type(notice) for notice in rig.seats[seat].notices] == [MoveRefused]
    rig.play(plain_choice)
    assert rig.outcomes[0].record.deals[0].calls[0] == Bid(9)


def test_the_right_answer_twice_counts_once() -> None:
    rig = Rig().begin()
    [(seat, turn)] = rig.waiting()
    right = Answer(turn.turn_id, Bid(9))
    rig.answer(seat, right, right)
    rig.answer(seat, right)
    assert rig.session.seat_state(seat).strays == 2
    rig.play(plain_choice)
    assert faults(rig) == []
