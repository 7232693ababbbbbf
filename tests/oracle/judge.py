"""Judge a hand record with the oracle alone.

The record must have the right form (docs/reference/hand-records.md); only its moves may be wrong.
"""

from collections.abc import Mapping
from typing import Any

from tests.oracle.cards import hand_from_pbn
from tests.oracle.deal import AUCTION, CANCELLED, PLAY, SCORED, TRUMP, Deal, SyrianDeal, TarneebDeal
from tests.oracle.fallback import time_out_move
from tests.oracle.match import new_deal, next_dealer, points_of, winner_after
from tests.oracle.scoring import TARGET, Rules

PHASE_OF_FIELD = {"calls": AUCTION, "trump": TRUMP, "plays": PLAY}


def judge(record: Mapping[str, Any]) -> dict[str, Any]:
    rules = rules_of(record["rules"])
    hands = [hand_from_pbn(hand) for hand in record["hands"]] if "hands" in record else None
    deal = new_deal(rules, record["dealer"], hands, record.get("revealed"))
    fallbacks: list[dict[str, Any]] = []
    at = follow(deal, record, fallbacks)
    if at is None and "tricks" in record:
        deal.tricks = list(record["tricks"])
        deal.phase, deal.turn = SCORED, None

    verdict: dict[str, Any] = {"status": "accepted" if at is None else "rejected"}
    if at is not None:
        verdict["at"] = at
    verdict |= {"phase": deal.phase, "turn": deal.turn, "legal": deal.legal()}
    verdict["fallbacks"] = fallbacks
    if deal.phase in (TRUMP, PLAY, SCORED):
        verdict["contract"] = contract_of(deal)
    if deal.phase in (PLAY, SCORED):
        verdict["tricks"] = deal.tricks
        verdict["trick"] = [card for _, card in deal.trick]
    before = record.get("scores", [0, 0, 0, 0] if rules.is_syrian else [0, 0])
    if deal.phase == CANCELLED:
        verdict |= {"scores": before, "next_dealer": next_dealer(deal), "winner": None}
    if deal.phase == SCORED:
        points = points_of(rules, deal)
        after = [old + new for old, new in zip(before, points, strict=True)]
        verdict |= {"points": points, "scores": after, "next_dealer": next_dealer(deal)}
        verdict["winner"] = winner_after(rules, deal, after)
    return verdict


def rules_of(given: str | Mapping[str, Any]) -> Rules:
    options: Mapping[str, Any] = {"preset": given} if isinstance(given, str) else given
    preset = options["preset"]
    return Rules(
        preset=preset,
        target=options.get("target", TARGET[preset]),
        defenders_always_score=options.get("defenders_always_score", False),
    )


def follow(
    deal: Deal, record: Mapping[str, Any], fallbacks: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """Make the moves of a record one after the other; give the place of the first wrong one."""
    moves = [("calls", index, move) for index, move in enumerate(record.get("calls", []))]
    if "trump" in record:
        moves.append(("trump", 0, record["trump"]))
    moves += [("plays", index, move) for index, move in enumerate(record.get("plays", []))]
    for field, index, recorded in moves:
        move = recorded
        place = {"field": field, "index": index}
        if deal.phase != PHASE_OF_FIELD[field]:
            return place
        if isinstance(move, str) and move == "timeout":
            move = time_out_move(deal)
            fallbacks.append({**place, "move": move})
        if deal.refusal(move) is not None:
            return place
        deal.do(move)
    return None


def contract_of(deal: Deal) -> dict[str, Any]:
    if isinstance(deal, SyrianDeal):
        return {"bids": [deal.declared[seat] for seat in range(4)], "trump": deal.trump}
    assert isinstance(deal, TarneebDeal)
    return {"seat": deal.declarer, "bid": deal.bid, "trump": deal.trump}
