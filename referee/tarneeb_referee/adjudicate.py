"""Judge hand records: follow the moves with the rules core, and say where they lead."""

from collections.abc import Iterator

from tarneeb_referee.hand_record import (
    TIME_OUT,
    HandRecord,
    NoMove,
    RecordedMove,
    TimeOut,
    parse_record,
)
from tarneeb_referee.verdict import Fallback, Field, MalformedLine, Outcome, Rejection, Verdict
from tarneeb_sdk.game import (
    Contract,
    Deal,
    Declarations,
    Game,
    IllegalMoveError,
    MalformedError,
    Move,
    Phase,
    RuleSet,
    Team,
    add_points,
    fallback_move,
    match_end,
    next_dealer,
    partner_of,
    start_deal,
    syrian41_points,
    tarneeb_points,
    team_of,
    wins_outright,
)

__all__ = ["adjudicate", "judge_line"]


def judge_line(line: bytes) -> Verdict | MalformedLine:
    """Judge one line of a file of hand records."""
    try:
        return adjudicate(parse_record(line.decode("utf-8")))
    except UnicodeDecodeError as error:
        return MalformedLine(f"bad UTF-8: {error.reason} at byte {error.start + 1}")
    except MalformedError as error:
        return MalformedLine(str(error))


def adjudicate(record: HandRecord) -> Verdict:
    """Judge a record.

    Raises:
        MalformedError: it lacks what its moves are to be judged by, which are the hands and, in
            Syrian 41, the shown card; or it gives the tricks of a deal that was not played.
    """
    deal = _start(record)
    fallbacks: list[Fallback] = []
    rejection = _follow(record, deal, fallbacks)
    phase: Phase = deal.phase
    tricks: tuple[int, ...] = deal.tricks
    if record.tricks is not None and rejection is None:
        phase, tricks = _score_sheet(deal, record.tricks)
    in_play = phase in {Phase.PLAY, Phase.SCORED}
    return Verdict(
        rejection=rejection,
        phase=phase,
        turn=None if phase is Phase.SCORED else deal.turn,
        legal=() if phase is Phase.SCORED else _legal_moves(record, deal),
        contract=deal.contract,
        tricks=tricks if in_play else None,
        trick=deal.trick if in_play else None,
        fallbacks=tuple(fallbacks),
        outcome=_outcome(record, deal, phase, tricks),
    )


def _start(record: HandRecord) -> Deal:
    hands = record.hands
    if record.rules.game is Game.SYRIAN41 and record.revealed is None:
        # Trump is unknown, so no trick can be judged: the auction alone is followed.
        hands = None
    return start_deal(record.rules, dealer=record.dealer, hands=hands, revealed=record.revealed)


def _follow(record: HandRecord, deal: Deal, fallbacks: list[Fallback]) -> Rejection | None:
    """Make the moves of a record, up to the first that is refused."""
    for field, index, recorded in _moves(record):
        if deal.phase is not _PHASES[field]:
            return Rejection(field, index, _out_of_place(field, deal))
        if isinstance(recorded, NoMove):
            return Rejection(field, index, _no_move(recorded, deal))
        move = _move_made(recorded, deal, record)
        if recorded is TIME_OUT:
            fallbacks.append(Fallback(field, index, move))
        try:
            deal.apply(move)
        except IllegalMoveError as error:
            return Rejection(field, index, error.reason)
    return None


_PHASES: dict[Field, Phase] = {
    "calls": Phase.AUCTION,
    "trump": Phase.TRUMP,
    "plays": Phase.PLAY,
}


def _moves(record: HandRecord) -> Iterator[tuple[Field, int, RecordedMove]]:
    for index, call in enumerate(record.calls):
        yield "calls", index, call
    if record.trump is not None:
        yield "trump", 0, record.trump
    for index, play in enumerate(record.plays):
        yield "plays", index, play


def _move_made(recorded: Move | TimeOut, deal: Deal, record: HandRecord) -> Move:
    """Give the move to make: the recorded one, or the referee's for a time-out."""
    if not deal.hands_known:
        if deal.phase is Phase.PLAY:
            missing = "hands" if record.hands is None else "revealed"
            raise MalformedError(f"'plays' can't be judged without {missing!r}")
        if deal.phase is Phase.TRUMP and recorded is TIME_OUT:
            raise MalformedError("a time-out at trump can't be judged without 'hands' [R-7.2]")
    return fallback_move(deal) if isinstance(recorded, TimeOut) else recorded


def _out_of_place(field: Field, deal: Deal) -> str:
    """Say why a move is refused that stands where the deal has no place for it."""
    syrian = deal.rules.game is Game.SYRIAN41
    if deal.phase is Phase.CANCELLED:
        return f"the deal is cancelled [{'R-6.4' if syrian else 'R-3.6'}]"
    if deal.phase is Phase.SCORED:
        return "all thirteen tricks are played [R-4.4]"
    if field == "trump" and syrian:
        return "nobody names trump: the shown card decides it [R-6.2]"
    if field == "calls":
        if syrian:
            return "each seat has declared once [R-6.3]"
        return f"the auction is over: seat {deal.declarer} has won it [R-3.4]"
    if deal.phase is Phase.TRUMP:
        return f"seat {deal.turn} has not named trump yet [R-3.7]"
    return f"the auction is not over: seat {deal.turn} must call [{'R-6.3' if syrian else 'R-3.4'}]"


def _no_move(recorded: NoMove, deal: Deal) -> str:
    """Say why a value is refused that is no move at all."""
    match deal.phase:
        case Phase.AUCTION if deal.rules.game is Game.SYRIAN41:
            needed, rule = "a whole number from 2 to 13", "R-6.3"
        case Phase.AUCTION:
            needed, rule = '"P" or a whole number from 7 to 13', "R-3.2"
        case Phase.TRUMP:
            needed, rule = '"C", "D", "H" or "S"', "R-3.7"
        case _:
            needed, rule = 'a card such as "AS"', "R-1.3"
    return f"seat {deal.turn} made no move: {needed} is needed, not {recorded.shown} [{rule}]"


def _legal_moves(record: HandRecord, deal: Deal) -> tuple[Move, ...]:
    if deal.phase is Phase.PLAY and not deal.hands_known and record.hands is not None:
        # Only the shown card is missing, so nothing is played yet and any card may be led.
        assert deal.turn is not None
        return record.hands[deal.turn].cards()
    return deal.legal_moves()


def _score_sheet(deal: Deal, tricks: tuple[int, ...]) -> tuple[Phase, tuple[int, ...]]:
    """End a deal whose tricks are given instead of its plays."""
    if deal.phase is Phase.CANCELLED:
        raise MalformedError("'tricks' are given, but the deal is cancelled")
    if deal.phase is Phase.AUCTION:
        raise MalformedError("'tricks' are given, but the auction is not over")
    return Phase.SCORED, tricks


def _outcome(
    record: HandRecord, deal: Deal, phase: Phase, tricks: tuple[int, ...]
) -> Outcome | None:
    rules = record.rules
    if phase is Phase.CANCELLED:
        dealer = next_dealer(rules, record.dealer, cancelled=True)
        return Outcome(None, record.scores, dealer, None)
    if phase is not Phase.SCORED:
        return None
    contract = deal.contract
    assert contract is not None
    points = _points(rules, contract, tricks)
    scores = add_points(record.scores, points)
    dealer = next_dealer(rules, record.dealer, cancelled=False)
    # How many deals came before is not known, so no cap on their number can end the match.
    end = match_end(rules, scores, deals_scored=1, outright=_outright_team(rules, contract, tricks))
    return Outcome(points, scores, dealer, None if end is None else end.winner)


def _points(
    rules: RuleSet, contract: Contract | Declarations, tricks: tuple[int, ...]
) -> tuple[int, ...]:
    if isinstance(contract, Declarations):
        return syrian41_points(declarations=contract.bids, tricks=tricks)
    return tarneeb_points(rules, declarer=contract.declarer, bid=contract.bid, tricks=tricks)


def _outright_team(
    rules: RuleSet, contract: Contract | Declarations, tricks: tuple[int, ...]
) -> Team | None:
    if isinstance(contract, Declarations):
        return None
    taken = tricks[contract.declarer] + tricks[partner_of(contract.declarer)]
    won = wins_outright(rules, bid=contract.bid, taken=taken)
    return team_of(contract.declarer) if won else None
