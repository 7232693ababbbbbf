"""The rules of Tarneeb and Syrian 41: pure, copyable, and without I/O.

A `Match` holds the scores and the deal in progress; a `Deal` is a state machine: `legal_moves`,
`apply`, `copy`. `seat_view` builds what one seat may see. Every rule is cited by its number in
docs/rules.md.
"""

from tarneeb_sdk.game.auction import callers
from tarneeb_sdk.game.card_set import CardSet, format_hand, parse_hand
from tarneeb_sdk.game.cards import (
    ALL_CARDS,
    RANKS,
    SUITS,
    Card,
    Suit,
    format_card,
    format_cards,
    format_suit,
    parse_card,
    parse_cards,
    parse_suit,
)
from tarneeb_sdk.game.contract import Contract, Declarations
from tarneeb_sdk.game.deal import Deal
from tarneeb_sdk.game.dealing import deal_out
from tarneeb_sdk.game.errors import IllegalMoveError, MalformedError, RulesError, TarneebError
from tarneeb_sdk.game.fallback import (
    fallback_call,
    fallback_card,
    fallback_declaration,
    fallback_move,
    fallback_trump,
)
from tarneeb_sdk.game.match import Match
from tarneeb_sdk.game.moves import (
    BIDS,
    MOVES,
    NUM_MOVES,
    PASS,
    TRUMPS,
    Bid,
    Call,
    Move,
    NameTrump,
    Pass,
    format_call,
    is_move,
    move_of,
    parse_call,
)
from tarneeb_sdk.game.phases import Fact, Phase
from tarneeb_sdk.game.result import DealResult
from tarneeb_sdk.game.rules import PRESETS, Game, RuleSet, rule_set
from tarneeb_sdk.game.scoring import (
    MatchEnd,
    Termination,
    add_points,
    match_end,
    next_dealer,
    syrian41_points,
    tarneeb_points,
    team_scores,
    wins_outright,
)
from tarneeb_sdk.game.seats import (
    SEATS,
    TEAMS,
    Seat,
    Team,
    partner_of,
    right_of,
    team_of,
    turn_order,
)
from tarneeb_sdk.game.start import resume_deal, start_deal
from tarneeb_sdk.game.syrian41_deal import Syrian41Deal
from tarneeb_sdk.game.tarneeb_deal import TarneebDeal
from tarneeb_sdk.game.tricks import Trick, play_seats, split_tricks, trick_winner, winning_play
from tarneeb_sdk.game.view import SeatView, deal_from_view, seat_view

__all__ = [
    "ALL_CARDS",
    "BIDS",
    "MOVES",
    "NUM_MOVES",
    "PASS",
    "PRESETS",
    "RANKS",
    "SEATS",
    "SUITS",
    "TEAMS",
    "TRUMPS",
    "Bid",
    "Call",
    "Card",
    "CardSet",
    "Contract",
    "Deal",
    "DealResult",
    "Declarations",
    "Fact",
    "Game",
    "IllegalMoveError",
    "MalformedError",
    "Match",
    "MatchEnd",
    "Move",
    "NameTrump",
    "Pass",
    "Phase",
    "RuleSet",
    "RulesError",
    "Seat",
    "SeatView",
    "Suit",
    "Syrian41Deal",
    "TarneebDeal",
    "TarneebError",
    "Team",
    "Termination",
    "Trick",
    "add_points",
    "callers",
    "deal_from_view",
    "deal_out",
    "fallback_call",
    "fallback_card",
    "fallback_declaration",
    "fallback_move",
    "fallback_trump",
    "format_call",
    "format_card",
    "format_cards",
    "format_hand",
    "format_suit",
    "is_move",
    "match_end",
    "move_of",
    "next_dealer",
    "parse_call",
    "parse_card",
    "parse_cards",
    "parse_hand",
    "parse_suit",
    "partner_of",
    "play_seats",
    "resume_deal",
    "right_of",
    "rule_set",
    "seat_view",
    "split_tricks",
    "start_deal",
    "syrian41_points",
    "tarneeb_points",
    "team_of",
    "team_scores",
    "trick_winner",
    "turn_order",
    "winning_play",
    "wins_outright",
]
