"""The rules core and the oracle play the same matches, and agree at every step.

A failure shows the seed of its matches. `ORACLE_SEED=1234` sets the first seed; the nightly run
draws its own.
"""

import os
import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_sdk.game import (
    MOVES,
    PRESETS,
    Bid,
    Card,
    Deal,
    IllegalMoveError,
    Match,
    Move,
    Phase,
    RuleSet,
    callers,
    deal_out,
    fallback_move,
    split_tricks,
    start_deal,
)
from tests.oracle import match as oracle_match
from tests.oracle.cards import DECK
from tests.oracle.deal import AUCTION, CANCELLED, PLAY, TarneebDeal, deal_cards
from tests.oracle.deal import Move as OracleMove
from tests.oracle.fallback import time_out_move
from tests.oracle.random_play import Style, random_hands, random_move, random_style
from tests.oracle.scoring import Rules

DEALS_A_RUN = 20_000
DEALS_A_NIGHT = 400_000
CHUNKS = 10

NIGHTLY = os.environ.get("TEST_PROFILE") == "nightly"
FIRST_SEED = int(os.environ.get("ORACLE_SEED", secrets.randbits(32) if NIGHTLY else 2026))


def written(move: Move) -> OracleMove:
    """Write a move as the oracle and the hand records do."""
    return move.level if isinstance(move, Bid) else str(move)


WRITTEN = {move: written(move) for move in MOVES}
OF_AUCTION = {written(move): move for move in MOVES[52:-4]}
OF_TRUMP = {written(move): move for move in MOVES[-4:]}
OF_PLAY = {written(move): move for move in MOVES[:52]}
READ = {AUCTION: OF_AUCTION, "trump": OF_TRUMP, PLAY: OF_PLAY}


def random_rules(dice: Random) -> tuple[RuleSet, Rules]:
    """Draw a preset and its options, as both engines take them."""
    preset = dice.choice([*PRESETS])
    base = PRESETS[preset]
    rules = replace(
        base,
        target=dice.choice(base.allowed_targets),
        defenders_always_score=preset != "syrian41" and dice.random() < 0.3,
        deals=dice.choice([None, None, None, 1, 2, 5]),
        max_cancelled=dice.choice([20, 3, 1]),
        max_deals=dice.choice([200, 200, 3]),
    )
    oracle_rules = Rules(
        preset=preset,
        target=rules.target,
        defenders_always_score=rules.defenders_always_score,
        deals=rules.deals,
        max_cancelled=rules.max_cancelled,
        max_deals=rules.max_deals,
    )
    return rules, oracle_rules


def random_scores(rules: RuleSet, dice: Random) -> list[int]:
    """Draw the scores to begin with: zeros, or some near the target and near zero."""
    if dice.random() < 0.3:
        return [0] * rules.num_scores
    near = [rules.target - dice.randint(-3, 12), dice.randint(-6, 6)]
    return [dice.choice(near) for _ in range(rules.num_scores)]


class Pair:
    """One match on both engines."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.rules, oracle_rules = random_rules(dice)
        scores = random_scores(self.rules, dice)
        dealer = dice.randrange(4)
        self.core = Match(self.rules, first_dealer=dealer, scores=scores)
        self.oracle = oracle_match.Match(oracle_rules, dealer)
        self.oracle.scores = [*scores]

    def play_deal(self) -> None:
        hands = random_hands(self.dice)
        style = random_style(self.dice)
        deal = self.core.start_deal([[Card(card) for card in hand] for hand in hands])
        self.oracle.start_deal(hands)
        while deal.turn is not None:
            if self.dice.random() < 0.05:
                self.core = self.core.copy()
                assert self.core.deal is not None
                deal = self.core.deal
            self.play_move(deal, style)
        self.compare_deal(deal)
        self.probe(deal)
        self.compare_match(deal)

    def play_move(self, deal: Deal, style: Style) -> None:
        theirs = self.oracle.deal
        assert theirs is not None
        legal = theirs.legal()
        assert [WRITTEN[move] for move in deal.legal_moves()] == legal
        self.compare_deal(deal)
        self.probe(deal)
        unasked = self.oracle.move_made_unasked()
        if unasked is None and theirs.phase == PLAY and len(legal) == 1:
            unasked = legal[0]
        forced = self.core.forced_move()
        assert (None if forced is None else WRITTEN[forced]) == unasked
        if unasked is not None:
            chosen = unasked
        elif self.dice.random() < style.time_out_chance:
            chosen = time_out_move(theirs)
            assert WRITTEN[fallback_move(deal)] == chosen
        else:
            chosen = random_move(theirs, legal, style, self.dice)
        self.core.apply(READ[theirs.phase][chosen])
        self.oracle.do(chosen)

    def probe(self, deal: Deal) -> None:
        """Offer a random move, legal or not; what is refused must change nothing."""
        theirs = self.oracle.deal
        assert theirs is not None
        move = self.dice.choice(MOVES)
        refused_by = theirs.refusal(WRITTEN[move]) if fits(move, theirs.phase) else "R-7.1"
        error = deal.verify(move)
        assert (error is None) == (refused_by is None) == deal.can(move), (move, refused_by, error)
        if error is None:
            return
        assert [WRITTEN[legal] for legal in error.legal] == theirs.legal()
        if refused_by in {"R-3.2", "R-4.2", "R-6.3"}:
            assert error.rule == refused_by
        if self.dice.random() < 0.1:
            before = deal.copy()
            with pytest.raises(IllegalMoveError):
                deal.apply(move)
            assert deal == before

    def compare_deal(self, deal: Deal) -> None:
        theirs = self.oracle.deal
        assert theirs is not None
        assert deal.phase.value == theirs.phase
        assert deal.turn == theirs.turn
        assert (None if deal.trump is None else deal.trump.letter) == theirs.trump
        assert list(deal.tricks) == theirs.tricks
        assert [str(card) for card in deal.trick] == [card for _, card in theirs.trick]

    def compare_match(self, deal: Deal) -> None:
        theirs = self.oracle.deal
        assert theirs is not None
        assert [WRITTEN[call] for call in deal.calls] == theirs.calls
        assert list(callers(deal.calls, dealer=deal.dealer)) == theirs.callers
        assert [str(card) for card in deal.plays] == theirs.plays
        if deal.phase is Phase.SCORED:
            leader = theirs.callers[0] if deal.declarer is None else deal.declarer
            tricks = split_tricks(deal.plays, leader=leader, trump=deal.trump)
            assert [trick.winner for trick in tricks] == theirs.takers
            assert list(deal.points()) == oracle_match.points_of(self.oracle.rules, theirs)
        assert list(self.core.scores) == self.oracle.scores
        assert self.core.over == self.oracle.over
        assert self.core.winner == self.oracle.winner
        assert self.core.dealer == self.oracle.dealer
        assert self.core.deals_scored == self.oracle.deals_scored
        assert self.core.cancelled_in_row == self.oracle.cancelled_in_a_row


def fits(move: Move, phase: str) -> bool:
    """Tell whether a move is of the kind that a phase asks for; the oracle tells no kinds apart."""
    return WRITTEN[move] in READ.get(phase, {}) and READ[phase][WRITTEN[move]] is move


CASES = [
    *[
        f"{bid}, {preset}"
        for preset in ("tarneeb", "tarneeb-31", "tarneeb-outright")
        for bid in (
            *("12 bid or less, failed", "12 bid or less, made", "12 bid or less, all taken"),
            *("13 bid, failed", "13 bid, all taken"),
        )
    ],
    *[f"cancelled, {preset}" for preset in PRESETS],
    *[
        f"won by {end}, {game}"
        for end in ("target", "deals", "deal_cap")
        for game in ("tarneeb", "syrian41")
    ],
    "won by outright, tarneeb",
    "scored, syrian41",
]


def cases_of(pair: Pair) -> Iterator[str]:
    """Name what the last deal was an example of."""
    deal = pair.oracle.deal
    assert deal is not None
    if deal.phase == CANCELLED:
        yield f"cancelled, {pair.oracle.rules.preset}"
    elif isinstance(deal, TarneebDeal):
        assert deal.declarer is not None
        taken = sum(deal.tricks[deal.declarer % 2 :: 2])
        slam = "13 bid" if deal.bid == 13 else "12 bid or less"
        made = "all taken" if taken == 13 else "made" if taken >= (deal.bid or 0) else "failed"
        yield f"{slam}, {made}, {pair.oracle.rules.preset}"
    else:
        yield "scored, syrian41"
    if pair.core.end is not None:
        drawn = "drawn" if pair.core.winner is None else "won"
        yield f"{drawn} by {pair.core.end.termination.value}, {pair.rules.game.value}"


def play_deals(number: int, *, seed: int) -> Counter[str]:
    """Play so many deals on both engines, and count what they were examples of."""
    dice = Random(seed)
    seen = Counter[str]()
    pair = Pair(dice)
    try:
        for _ in range(number):
            # Matches of Syrian 41 at random go on for ever: most are left before the end.
            if pair.core.over or dice.random() < 0.1:
                pair = Pair(dice)
            pair.play_deal()
            seen.update(cases_of(pair))
    except Exception as error:
        error.add_note(f"ORACLE_SEED={seed}, after {seen}: {pair.core!r} by {pair.rules!r}")
        raise
    return seen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_core_and_oracle_agree_at_every_step_of_random_deals(chunk: int) -> None:
    seen = play_deals(DEALS_A_RUN // CHUNKS, seed=FIRST_SEED + chunk)
    assert [case for case in CASES if case not in seen] == [], f"too little variety: {seen}"


@given(deck=st.permutations(DECK), dealer=st.integers(0, 3))
def test_r_2_1_and_r_6_1_cards_are_dealt_alike(deck: list[str], dealer: int) -> None:
    hands = deal_out([Card(card) for card in deck], dealer=dealer)
    assert [[str(card) for card in hand] for hand in hands] == deal_cards(deck, dealer)
    assert start_deal(PRESETS["syrian41"], dealer=dealer, hands=hands).revealed == Card(deck[51])


@given(data=st.data(), preset=st.sampled_from([*PRESETS]))
def test_every_move_there_is_gets_the_same_answer_at_every_step(
    data: st.DataObject, preset: str
) -> None:
    """R-7.1: what is refused by one engine is refused by the other, move by move."""
    dealer = data.draw(st.integers(0, 3), label="dealer")
    deck = data.draw(st.permutations(DECK), label="deck")
    hands = [deck[at : at + 13] for at in (0, 13, 26, 39)]
    shown = hands[dealer][12] if preset == "syrian41" else None
    theirs = oracle_match.new_deal(Rules(preset, 41), dealer, hands, shown)
    deal = start_deal(
        PRESETS[preset], dealer=dealer, hands=[[Card(card) for card in hand] for hand in hands]
    )
    while True:
        refused = {
            move
            for move in MOVES
            if not fits(move, theirs.phase) or theirs.refusal(WRITTEN[move]) is not None
        }
        assert {move for move in MOVES if deal.verify(move) is not None} == refused
        assert {move for move in MOVES if not deal.can(move)} == refused
        legal = theirs.legal()
        assert [WRITTEN[move] for move in deal.legal_moves()] == legal
        if not legal:
            break
        chosen = data.draw(st.sampled_from(legal))
        deal.apply(READ[theirs.phase][chosen])
        theirs.do(chosen)
    assert deal.phase.value == theirs.phase
    assert list(deal.tricks) == theirs.tricks


@pytest.mark.nightly
@pytest.mark.parametrize("chunk", range(CHUNKS, 2 * CHUNKS))
def test_core_and_oracle_agree_over_many_more_deals(chunk: int) -> None:
    play_deals(DEALS_A_NIGHT // CHUNKS, seed=FIRST_SEED + chunk)
