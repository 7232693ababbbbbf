"""What holds in every state of every deal."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk.game import (
    MOVES,
    PRESETS,
    SEATS,
    Card,
    CardSet,
    IllegalMoveError,
    Match,
    NameTrump,
    Phase,
    add_points,
    rule_set,
    split_tricks,
    start_deal,
    team_scores,
)
from tests.sdk.game.random_deals import ALL_PRESETS, random_deal, seeded, states_of

presets = st.sampled_from(sorted(PRESETS))
seeds = st.integers(0, 2**32 - 1)


@given(presets, seeds)
def test_each_card_is_held_or_played_once(preset: str, seed: int) -> None:
    dice = Random(seed)
    for deal in states_of(random_deal(rule_set(preset), dice), dice):
        held = [card for seat in SEATS for card in deal.hand(seat)]
        assert sorted([*held, *deal.plays]) == list(range(52))


@given(presets, seeds)
def test_somebody_can_move_until_the_deal_is_over(preset: str, seed: int) -> None:
    dice = Random(seed)
    for deal in states_of(random_deal(rule_set(preset), dice), dice):
        ended = deal.phase in {Phase.SCORED, Phase.CANCELLED}
        assert deal.over == ended == (deal.turn is None) == (deal.legal_moves() == ())


@given(presets, seeds)
def test_tricks_count_the_finished_ones_and_end_at_13(preset: str, seed: int) -> None:
    dice = Random(seed)
    for deal in states_of(random_deal(rule_set(preset), dice), dice):
        assert sum(deal.tricks) == len(deal.plays) // 4
        assert len(deal.trick) == len(deal.plays) % 4
    assert sum(deal.tricks) == (13 if deal.phase is Phase.SCORED else 0)


@given(presets, seeds)
def test_tricks_go_to_those_who_won_them(preset: str, seed: int) -> None:
    dice = Random(seed)
    deal = random_deal(rule_set(preset), dice)
    first = None
    for state in states_of(deal, dice):
        first = state.leader if first is None else first
    if first is not None:
        tricks = split_tricks(deal.plays, leader=first, trump=deal.trump)
        assert deal.tricks == tuple(sum(t.winner == seat for t in tricks) for seat in SEATS)


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_the_legal_moves_are_those_that_are_accepted(preset: str) -> None:
    """All 70 numbers at every state: `legal_moves`, `can`, `verify` and `apply` agree."""
    dice = seeded()
    for _ in range(8):
        for deal in states_of(random_deal(rule_set(preset), dice), dice):
            legal = deal.legal_moves()
            assert list(legal) == sorted(legal)
            for move in MOVES:
                expected = move in legal
                assert deal.can(move) is expected
                assert (deal.verify(move) is None) is expected
                twin = deal.copy()
                if expected:
                    twin.apply(move)
                    assert twin != deal
                else:
                    refusal = deal.verify(move)
                    assert isinstance(refusal, IllegalMoveError)
                    assert refusal.legal == legal
                    with pytest.raises(IllegalMoveError) as caught:
                        twin.apply(move)
                    assert str(caught.value) == str(refusal)
                    assert twin == deal


@given(st.sampled_from(["tarneeb", "tarneeb-31", "tarneeb-outright"]), seeds)
def test_r_5_8_at_most_one_team_crosses_the_target_on_a_deal(preset: str, seed: int) -> None:
    dice = Random(seed)
    rules = rule_set(preset)
    match = Match(rules, first_dealer=0, scores=(rules.target - 1, rules.target - 1))
    deal = random_deal(rules, dice)
    for _ in states_of(deal, dice):
        pass
    if deal.phase is Phase.SCORED:
        after = add_points(match.scores, deal.points())
        assert sum(score >= rules.target for score in after) <= 1


@given(presets, seeds)
def test_a_deal_played_again_from_its_record_is_the_same(preset: str, seed: int) -> None:
    dice = Random(seed)
    rules = rule_set(preset)
    deal = random_deal(rules, dice)
    copies = [state.copy() for state in states_of(deal, dice)]
    for copy in copies:
        assert copy.calls == deal.calls[: len(copy.calls)]
        assert copy.plays == deal.plays[: len(copy.plays)]
    again = start_deal(rules, dealer=deal.dealer, hands=deal.dealt)
    for call in deal.calls:
        again.apply(call)
    if again.phase is Phase.TRUMP and deal.trump is not None:
        again.apply(NameTrump(deal.trump))
    for card in deal.plays:
        again.apply(card)
    assert again == deal


@given(presets, seeds)
def test_points_are_of_the_teams_or_of_the_seats(preset: str, seed: int) -> None:
    dice = Random(seed)
    rules = rule_set(preset)
    deal = random_deal(rules, dice)
    for _ in states_of(deal, dice):
        pass
    if deal.phase is Phase.SCORED:
        assert len(deal.points()) == rules.num_scores
        assert len(team_scores(deal.points())) == 2


@given(presets, seeds)
def test_the_void_seat_alone_may_discard(preset: str, seed: int) -> None:
    """R-4.2, from the plays alone: who did not follow holds none of the led suit."""
    dice = Random(seed)
    deal = random_deal(rule_set(preset), dice)
    for state in states_of(deal, dice):
        led = state.trick[0].suit if state.trick else None
        if led is not None and state.turn is not None:
            held = state.hand(state.turn).of(led)
            legal = CardSet([move for move in state.legal_moves() if isinstance(move, Card)])
            assert legal == (held or state.hand(state.turn))
