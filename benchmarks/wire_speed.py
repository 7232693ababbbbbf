"""What a decision costs on the wire: microseconds to write and to read a turn and an answer.

Run: python benchmarks/wire_speed.py
"""

from __future__ import annotations

import random
import timeit
from collections.abc import Callable

from tarneeb_sdk import wire
from tarneeb_sdk.game import ALL_CARDS, Match, deal_out, rule_set, seat_view
from tarneeb_sdk.messages import Answer, Batch, TimeControl, Turn, Welcome

TURNS = 64
RULES = rule_set("tarneeb")
TIME = TimeControl(decision_s=1.0, bank_s=15.0, margin_s=0.05, retries=3, strikes=3)
WELCOME = Welcome(protocol_version=1, seat=0, rules=RULES, time=TIME, tables=TURNS, seed=b"0")


def make_turns(count: int, *, seed: int = 1) -> tuple[Turn, ...]:
    """Play random deals and keep the turns on which a seat has a choice."""
    rng = random.Random(seed)
    turns: list[Turn] = []
    while True:
        match = Match(RULES, first_dealer=rng.randrange(4))
        match.start_deal(deal_out(rng.sample(ALL_CARDS, 52), dealer=match.dealer))
        while match.turn is not None:
            if match.forced_move() is None:
                view = seat_view(match, match.turn)
                turns.append(Turn(rng.getrandbits(60) | 1, rng.getrandbits(40), 16.0, view))
            match.apply(rng.choice(match.legal_moves()))
        if len(turns) >= 20 * count:
            return tuple(rng.sample(turns, count))


def best_us(function: Callable[[], object], *, per: int) -> float:
    """Time a function; the best of many runs, in microseconds for each of `per` items."""
    seconds = min(timeit.repeat(function, number=20, repeat=30)) / 20
    return seconds / per * 1e6


def main() -> None:
    """Print one line for each step."""
    turns = make_turns(TURNS)
    batch = Batch(turns=turns)
    data = wire.response_to_wire(batch)
    answers = [Answer(turn.turn_id, turn.view.legal[0]) for turn in turns]
    answered = wire.answers_to_wire(answers)
    rng = random.Random(2)
    match = Match(RULES, first_dealer=0)
    match.start_deal(deal_out(rng.sample(ALL_CARDS, 52), dealer=match.dealer))
    steps: tuple[tuple[str, Callable[[], object], int], ...] = (
        ("referee: build a view", lambda: seat_view(match, 0), 1),
        ("referee: write a turn", lambda: wire.response_to_wire(batch), TURNS),
        ("bot: read a turn", lambda: wire.response_from_wire(data, welcome=WELCOME), TURNS),
        ("bot: write an answer", lambda: wire.answers_to_wire(answers), TURNS),
        ("referee: read an answer", lambda: wire.request_from_wire(answered), TURNS),
    )
    print(f"{len(data) / TURNS:.0f} bytes a turn, {len(answered) / TURNS:.0f} bytes an answer")
    for name, step, per in steps:
        print(f"{name:26} {best_us(step, per=per):6.2f} us")


if __name__ == "__main__":
    main()
