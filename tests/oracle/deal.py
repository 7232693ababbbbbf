"""One deal of either game, from the first call to the last trick.

A move is what a hand record holds: "P" or a number in the auction, a suit's letter for trump, a
card's text in play.
"""

from tests.oracle.cards import DECK, OTHER_SUIT_OF_THE_COLOUR, SUITS, in_order, rank_of, suit_of

Move = str | int

# The phases, in the words of a verdict.
AUCTION, TRUMP, PLAY, SCORED, CANCELLED = "auction", "trump", "play", "scored", "cancelled"


def right_of(seat: int) -> int:
    """Find who sits on the right, which is who comes next [R-1.1]."""
    return (seat + 1) % 4


def deal_cards(deck: list[str], dealer: int) -> list[list[str]]:
    """Deal one card at a time, from the dealer's right [R-2.1]."""
    hands: list[list[str]] = [[], [], [], []]
    seat = right_of(dealer)
    for card in deck:
        hands[seat].append(card)
        seat = right_of(seat)
    return hands


class Deal:
    """The play of the cards, which both games share [R-4]; the auctions are in the subclasses.

    Args:
        dealer: the seat that dealt.
        hands: the cards of seats 0 to 3, or None when only the auction is followed.
    """

    def __init__(self, dealer: int, hands: list[list[str]] | None) -> None:
        self.dealer = dealer
        self.hands = None if hands is None else [list(hand) for hand in hands]
        self.phase = AUCTION
        self.turn: int | None = right_of(dealer)
        self.calls: list[Move] = []
        self.callers: list[int] = []  # who made each call
        self.trump: str | None = None
        self.plays: list[str] = []
        self.takers: list[int] = []  # who took each trick
        self.trick: list[tuple[int, str]] = []  # who played what in the unfinished trick
        self.tricks = [0, 0, 0, 0]  # taken so far, by seat

    # What may be done.

    def legal(self) -> list[Move]:
        """List the legal moves of the seat whose turn it is, in the order of a verdict."""
        if self.phase == AUCTION:
            return self.legal_calls()
        if self.phase == TRUMP:
            return list(SUITS)
        if self.phase == PLAY and self.hands is not None:
            return [*self.legal_cards()]
        return []

    def legal_calls(self) -> list[Move]:
        raise NotImplementedError

    def legal_cards(self) -> list[str]:
        assert self.hands is not None
        assert self.turn is not None
        hand = in_order(self.hands[self.turn])
        if not self.trick:
            return hand
        led = suit_of(self.trick[0][1])
        following = [card for card in hand if suit_of(card) == led]
        return following or hand

    def refusal(self, move: object) -> str | None:
        """Say which rule a move breaks, whatever was given as a move; None if it breaks none."""
        if self.phase == AUCTION:
            return self.refusal_of_call(move)
        if self.phase == TRUMP:
            good = isinstance(move, str) and len(move) == 1 and move in SUITS
            return None if good else "R-3.7"
        if self.phase == PLAY:
            return self.refusal_of_card(move)
        return "R-3.6" if self.phase == CANCELLED else "R-4.4"

    def refusal_of_call(self, move: object) -> str | None:
        raise NotImplementedError

    def refusal_of_card(self, move: object) -> str | None:
        assert self.hands is not None
        assert self.turn is not None
        hand = self.hands[self.turn]
        if not isinstance(move, str) or move not in DECK:
            return "R-1.3"
        if move not in hand:
            return "R-4"
        if self.trick:
            led = suit_of(self.trick[0][1])
            if suit_of(move) != led and any(suit_of(card) == led for card in hand):
                return "R-4.2"
        return None

    # What is done.

    def do(self, move: Move) -> None:
        """Make a legal move of the seat whose turn it is."""
        if self.phase == AUCTION:
            self.call(move)
        elif self.phase == TRUMP:
            self.name_trump(str(move))
        else:
            self.play(str(move))

    def call(self, move: Move) -> None:
        raise NotImplementedError

    def name_trump(self, suit: str) -> None:
        raise NotImplementedError

    def play(self, card: str) -> None:
        assert self.hands is not None
        assert self.turn is not None
        self.hands[self.turn].remove(card)
        self.plays.append(card)
        self.trick.append((self.turn, card))
        if len(self.trick) < 4:
            self.turn = right_of(self.turn)
            return
        taker = self.taker_of_trick()
        self.tricks[taker] += 1
        self.takers.append(taker)
        self.trick = []
        self.turn = taker  # the taker leads
        if sum(self.tricks) == 13:
            self.phase = SCORED
            self.turn = None

    def taker_of_trick(self) -> int:
        """Find who takes the four cards on the table [R-4.3]."""
        led = suit_of(self.trick[0][1])
        trumps = [(seat, card) for seat, card in self.trick if suit_of(card) == self.trump]
        in_suit_led = [(seat, card) for seat, card in self.trick if suit_of(card) == led]
        taker, _ = max(trumps or in_suit_led, key=lambda play: rank_of(play[1]))
        return taker


class TarneebDeal(Deal):
    """Bids and passes, then the winner names trump [R-3]."""

    def __init__(self, dealer: int, hands: list[list[str]] | None) -> None:
        super().__init__(dealer, hands)
        self.passed: list[int] = []
        self.bid: int | None = None
        self.declarer: int | None = None  # who holds the highest bid so far

    def legal_calls(self) -> list[Move]:
        return ["P", *(n for n in range(7, 14) if self.bid is None or n > self.bid)]

    def refusal_of_call(self, move: object) -> str | None:
        if isinstance(move, str) and move == "P":
            return None
        if not isinstance(move, int) or isinstance(move, bool):
            return "R-3.2"
        if move < 7 or move > 13:
            return "R-3.2"
        if self.bid is not None and move <= self.bid:
            return "R-3.2"
        return None

    def call(self, move: Move) -> None:
        assert self.turn is not None
        self.calls.append(move)
        self.callers.append(self.turn)
        if move == "P":
            self.passed.append(self.turn)
        else:
            self.bid = int(move)
            self.declarer = self.turn
        if len(self.passed) == 4:
            self.phase = CANCELLED
            self.turn = None
        elif self.bid == 13 or (self.declarer is not None and len(self.passed) == 3):
            self.phase = TRUMP
            self.turn = self.declarer
        else:
            self.turn = right_of(self.turn)
            while self.turn in self.passed:
                self.turn = right_of(self.turn)

    def name_trump(self, suit: str) -> None:
        self.trump = suit
        self.phase = PLAY  # the declarer leads, so the turn stays
        assert self.turn == self.declarer


class SyrianDeal(Deal):
    """Each seat declares once; the card that the dealer received last gives trump [R-6].

    Args:
        dealer: the seat that dealt.
        hands: the cards of seats 0 to 3, or None when only the auction is followed.
        shown: the shown card, or None if it is not known.
    """

    def __init__(self, dealer: int, hands: list[list[str]] | None, shown: str | None) -> None:
        super().__init__(dealer, hands)
        self.shown = shown
        if shown is not None:
            assert hands is None or shown in hands[dealer]
            self.trump = OTHER_SUIT_OF_THE_COLOUR[suit_of(shown)]
        self.declared: dict[int, int] = {}

    def legal_calls(self) -> list[Move]:
        return [*range(2, 14)]

    def refusal_of_call(self, move: object) -> str | None:
        whole_number = isinstance(move, int) and not isinstance(move, bool)
        return None if whole_number and move in range(2, 14) else "R-6.3"

    def call(self, move: Move) -> None:
        assert self.turn is not None
        self.calls.append(move)
        self.callers.append(self.turn)
        self.declared[self.turn] = int(move)
        if len(self.declared) < 4:
            self.turn = right_of(self.turn)
        elif sum(self.declared.values()) < 11:
            self.phase = CANCELLED
            self.turn = None
        else:
            self.phase = PLAY
            self.turn = right_of(self.dealer)
