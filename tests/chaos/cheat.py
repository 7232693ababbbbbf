"""Sends a move that is not legal at each turn of one kind, until it is told otherwise."""

import sys

from tarneeb.v1 import game_pb2
from tarneeb.v1 import referee_service_pb2 as pb
from tests.chaos.wild import Wild


def wrong_move(turn: pb.Turn, how: str) -> game_pb2.Move | None:
    view, legal = turn.view, turn.legal
    auction = view.phase == game_pb2.PHASE_AUCTION
    play = view.phase == game_pb2.PHASE_PLAY
    match how:
        case "bid 14" if auction:
            return game_pb2.Move(bid=14)
        case "low bid" if auction:
            return game_pb2.Move(bid=2)
        case "card in the auction" if auction:
            return game_pb2.Move(card=view.hand.bit_length() - 1)
        case "trump 7" if view.phase == game_pb2.PHASE_TRUMP:
            return game_pb2.Move(trump=7)  # type: ignore[arg-type]
        case "card not held" if play:
            return game_pb2.Move(card=next(n for n in range(52) if not view.hand >> n & 1))
        case "card played" if play and view.plays:
            return game_pb2.Move(card=view.plays[0])
        case "off suit" if play and view.hand & ~legal.cards:
            return game_pb2.Move(card=(view.hand & ~legal.cards).bit_length() - 1)
        case "card 2**31-1" if play:
            return game_pb2.Move(card=2**31 - 1)
        case "bid for a card" if play:
            return game_pb2.Move(bid=7)
    return None


wild = Wild().hello()
for turn in wild.turns():
    move = wrong_move(turn, sys.argv[1])
    if move is None and turn.legal.bids:
        # So that it must name trump, sometimes.
        move = game_pb2.Move(bid=turn.legal.bids[0])
    wild.answer(turn, move)
