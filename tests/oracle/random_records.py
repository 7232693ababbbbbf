"""Hand records at random: whole deals, unfinished ones, and ones with a wrong move somewhere."""

from random import Random
from typing import Any

from tests.oracle.cards import DECK, hand_to_pbn
from tests.oracle.deal import AUCTION, PLAY, SCORED, TRUMP, Deal
from tests.oracle.fallback import time_out_move
from tests.oracle.judge import rules_of
from tests.oracle.match import new_deal
from tests.oracle.random_play import random_hands, random_move, random_style

PRESETS = ["tarneeb", "tarneeb-31", "tarneeb-outright", "syrian41"]

# What a stranger's file may hold where a move should stand.
NO_MOVES: list[object] = [
    *[
        "7",
        "P ",
        "p",
        "PASS",
        "pass",
        "",
        "s",
        "NT",
        "SPADES",
        "10S",
        "AS ",
        "as",
        "SA",
        "1S",
        "ten",
    ],
    *[7.5, 7.0, -7, -1, 0, 1, 14, 99, 2**31, 2**63, 10**30, 1e300, -0.0, True, False, None],
    *["TIMEOUT", "timeout ", "\ud800", "\x00", "♠", "A\u2660", "P" * 5000],
    *[[], [7], {}, {"bid": 7}, [["AS"]]],
]

Record = dict[str, Any]


def random_record(dice: Random) -> Record:
    """Draw a record of the right form, with whatever moves."""
    preset = dice.choice(PRESETS)
    record: Record = {"rules": random_rules(preset, dice), "dealer": dice.randrange(4)}
    syrian = preset == "syrian41"
    if dice.random() < 0.8:
        record["scores"] = [dice.choice([dice.randint(-20, 60), 0, 40, 41]) for _ in range(4)]
        record["scores"] = record["scores"] if syrian else record["scores"][:2]
    hands = random_hands(dice)
    shown = hands[record["dealer"]][12] if syrian else None
    deal = new_deal(rules_of(record["rules"]), record["dealer"], hands, shown)
    record |= play_out(deal, dice)
    broken = dice.random() < 0.4
    if broken:
        break_somewhere(record, dice)
    auction_alone = "plays" not in record and record.get("trump") != "timeout"
    if not (auction_alone and dice.random() < 0.5):
        record["hands"] = [hand_to_pbn(hand) for hand in hands]
    if syrian and ("hands" in record or dice.random() < 0.5):
        record["revealed"] = shown
    if deal.phase == SCORED and not broken and dice.random() < 0.2:
        record["tricks"] = deal.tricks
        del record["plays"]
    return record


def random_rules(preset: str, dice: Random) -> object:
    options: dict[str, object] = {}
    if preset != "syrian41" and dice.random() < 0.5:
        options["target"] = dice.choice([31, 41, 61])
    if preset != "syrian41" and dice.random() < 0.4:
        options["defenders_always_score"] = dice.choice([True, True, False])
    return {"preset": preset, **options} if options or dice.random() < 0.1 else preset


def play_out(deal: Deal, dice: Random) -> Record:
    """Play a deal to its end or to a random move before it, and write it down."""
    style = random_style(dice)
    length = dice.choice([60, 60, 60, dice.randrange(60), dice.randrange(8)])
    written: Record = {}
    while deal.turn is not None and length > 0:
        length -= 1
        phase = deal.phase
        timed_out = dice.random() < style.time_out_chance
        move = time_out_move(deal) if timed_out else random_move(deal, deal.legal(), style, dice)
        deal.do(move)
        entry = "timeout" if timed_out else move
        if phase == AUCTION:
            written.setdefault("calls", []).append(entry)
        elif phase == TRUMP:
            written["trump"] = entry
        elif phase == PLAY:
            written.setdefault("plays", []).append(entry)
    return written


def break_somewhere(record: Record, dice: Random) -> None:
    """Change one thing in the moves; often, but not always, the record is wrong after it."""
    value = dice.choice([*NO_MOVES, "P", 13, "S", "timeout", dice.choice(DECK), dice.choice(DECK)])
    field = dice.choice(
        [field for field in ("calls", "trump", "plays") if field in record] or ["calls"]
    )
    if field == "trump" or dice.random() < 0.05:
        record["trump"] = value
        return
    moves = record.setdefault(field, [])
    place = dice.randrange(len(moves) + 1)
    match dice.choice(["insert", "replace", "drop", "append", "swap"]):
        case "insert":
            moves.insert(place, value)
        case "replace" if place < len(moves):
            moves[place] = value
        case "drop" if place < len(moves):
            del moves[place]
        case "swap" if place + 1 < len(moves):
            moves[place], moves[place + 1] = moves[place + 1], moves[place]
        case _:
            moves.append(value)
