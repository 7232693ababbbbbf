"""Judges a record again, with the rules core alone."""

from tarneeb_referee.record import Ending, MatchRecord, RefereeMoveReason
from tarneeb_sdk.game import Game, Match, Move, NameTrump, fallback_move


def check_record(record: MatchRecord) -> None:
    """Replay a record; every number in it must follow from its hands and moves."""
    if record.ending is Ending.FORFEIT:
        assert record.deals == ()
        return
    match = Match(record.rules, first_dealer=record.deals[0].dealer)
    for deal in record.deals:
        assert not match.over
        assert match.dealer == deal.dealer
        assert (match.deal_number, match.redeal_number) == (deal.deal_number, deal.redeal_number)
        state = match.start_deal(deal.hands)
        moves: list[Move] = list(deal.calls)
        if deal.trump is not None and record.rules.game is Game.TARNEEB:
            moves.append(NameTrump(deal.trump))
        moves += deal.plays
        by_referee = {each.move_index: each.reason for each in deal.referee_moves}
        for index, move in enumerate(moves):
            if index in by_referee:
                assert move is fallback_move(state)
            if by_referee.get(index) is RefereeMoveReason.MUST_PLAY:
                assert match.redeal_number >= record.rules.max_cancelled
            match.apply(move)
        result = match.last_result
        assert result is not None
        assert result.cancelled == deal.cancelled
        assert result.points == deal.points
        assert result.scores == deal.scores
        assert result.trump == deal.trump
    assert match.over
    assert match.scores == record.scores
    assert match.winner == record.winner
    assert match.termination is not None
    assert match.termination.name == record.ending.name
    for fault in record.faults:
        assert 0 <= fault.seat <= 3
        assert 1 <= fault.deal <= len(record.deals) + 1
