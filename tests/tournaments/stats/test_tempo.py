import numpy as np
import pytest
from scipy import stats

from tarneeb_tournaments.stats.tempo import (
    MoveKind,
    Tempo,
    TimedMove,
    _centred_ranks,
    tempo_of,
)


def played(
    rng: np.random.Generator, deals: int, *, signal: float = 0.0, tells_position: bool = False
) -> list[list[TimedMove]]:
    """Make up deals in which seat 0 and 2 take longer before the partner plays high."""
    made = []
    for _ in range(deals):
        order = rng.permutation(52)
        trump = int(rng.integers(4))
        moves = []
        for stage, card in enumerate(order.tolist()):
            seat = stage % 4
            busy = 3.0 - stage / 26 if tells_position else 1.0
            time = rng.lognormal(6 + busy, 1.0)
            if seat % 2 == 0 and stage + 2 < 52:
                time *= np.exp(signal * (order[stage + 2] % 13 - 6) / 6)
            moves.append(TimedMove(seat, MoveKind.CARD, stage, card, int(time), trump))
        made.append(moves)
    return made


def test_a_pair_that_talks_by_time_is_found() -> None:
    tempo = tempo_of(played(np.random.default_rng(1), 30, signal=0.5), [0, 2])
    assert tempo.partner is not None
    assert tempo.opponent is not None
    assert tempo.partner.p_value < 1e-6
    assert tempo.partner.moved == "rank"
    assert tempo.partner.correlation > 0.15
    assert tempo.opponent.p_value > 0.001


def test_honest_pairs_are_rarely_suspected() -> None:
    rng = np.random.default_rng(2)
    suspected = 0
    for _ in range(100):
        tempo = tempo_of(played(rng, 6, tells_position=True), [0, 2])
        assert tempo.partner is not None
        suspected += tempo.partner.p_value < 0.05
    assert suspected <= 10


def test_a_seats_own_partner_and_the_seat_to_its_right_are_compared() -> None:
    deals = played(np.random.default_rng(3), 30, signal=0.8)
    others = tempo_of(deals, [1, 3])
    assert others.partner is not None
    assert others.partner.p_value > 0.001


def test_signals_by_bids_are_found_too() -> None:
    rng = np.random.default_rng(4)
    deals = []
    for _ in range(80):
        level = int(rng.choice([0, 0, 7, 8, 9]))
        time = int(rng.lognormal(5, 0.5) * (1 + level))
        deals.append(
            [
                TimedMove(0, MoveKind.CALL, 0, 0, time),
                TimedMove(1, MoveKind.CALL, 1, 0, 100),
                TimedMove(2, MoveKind.CALL, 2, level, 100),
            ]
        )
    tempo = tempo_of(deals, [0, 2])
    assert tempo.partner is not None
    assert (tempo.partner.moved, tempo.partner.p_value < 1e-6) == ("level", True)


def test_a_named_suit_can_be_what_the_time_told() -> None:
    rng = np.random.default_rng(5)
    deals = []
    for _ in range(80):
        suit = int(rng.integers(4))
        time = int(rng.lognormal(5, 0.3) * (3 if suit == 3 else 1))
        deals.append(
            [TimedMove(0, MoveKind.CALL, 0, 0, time), TimedMove(2, MoveKind.TRUMP, 0, suit, 50)]
        )
    tempo = tempo_of(deals, [0])
    assert tempo.partner is not None
    assert tempo.partner.moved == "spades"


def test_moves_without_a_time_are_left_out() -> None:
    deals = [
        [move._replace(time_us=None) for move in moves]
        for moves in played(np.random.default_rng(6), 3)
    ]
    assert tempo_of(deals, [0, 2]) == Tempo(partner=None, opponent=None)


def test_few_moves_say_nothing() -> None:
    assert tempo_of(played(np.random.default_rng(7), 1), [0]).partner is None
    assert tempo_of([], [0]) == Tempo(partner=None, opponent=None)


def test_a_bot_that_always_takes_the_same_time_tells_nothing() -> None:
    deals = [
        [move._replace(time_us=1000) for move in moves]
        for moves in played(np.random.default_rng(8), 5)
    ]
    assert tempo_of(deals, [0, 2]).partner is None


@pytest.mark.parametrize("seed", range(5))
def test_ranks_are_those_of_scipy(seed: int) -> None:
    values = np.random.default_rng(seed).integers(0, 6, 20).astype(float)
    assert _centred_ranks(values).tolist() == (stats.rankdata(values) - 10.5).tolist()
