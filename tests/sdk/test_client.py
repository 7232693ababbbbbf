from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from tarneeb_sdk import Bot, Call, Card, DealResult, MoveRefused, NameTrump, SeatView, Suit
from tarneeb_sdk.client import EXIT_DONE, EXIT_GONE, EXIT_REFUSED, Client, ClientSettings
from tarneeb_sdk.messages import (
    Answer,
    Answers,
    Batch,
    Hello,
    MatchOver,
    Refusal,
    Response,
    Turn,
    Welcome,
)
from tarneeb_sdk.messages import MoveRefused as MoveRefusedNotice
from tarneeb_sdk.testing import view_of

PlayClient = Callable[..., int]


class DiceBot(Bot):
    def decide(self, view: SeatView) -> Any:
        return self.rng.choice(view.legal)


def make_turn(turn_id: int, table_id: int = 7) -> Turn:
    return Turn(turn_id, table_id, 1.0, view_of("AKQ.J98.T765.432"))


def test_it_says_hello_with_its_token_and_ends_with_the_session(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    seen: list[Any] = []

    def script(talk: Any) -> Iterator[Response]:
        seen.extend([talk.hello(), talk.metadata["authorization"]])
        yield welcome

    referee.scripts.append(script)
    assert play_client(DiceBot, token="s3cret") == EXIT_DONE
    hello, authorization = seen
    assert isinstance(hello, Hello)
    assert hello.protocol_versions == (1,)
    assert hello.name == "Test"
    assert hello.sdk.startswith("python")
    assert authorization == "Bearer s3cret"


def test_it_answers_turns_in_their_order_in_one_message(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    received: list[Answers] = []

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=tuple(make_turn(number, table_id=number) for number in (5, 3, 9)))
        received.append(talk.answers())

    referee.scripts.append(script)
    assert play_client(DiceBot) == EXIT_DONE
    assert [answer.turn_id for answer in received[0].answers] == [5, 3, 9]


def test_an_answer_leaves_while_the_bot_thinks_about_the_next_turn(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    release = threading.Event()
    received: list[Answers] = []

    class SlowBot(DiceBot):
        def decide(self, view: SeatView) -> Any:
            if self.table == 2:
                # Let go only once the first answer has arrived.
                assert release.wait(10)
            return super().decide(view)

        def __init__(self, seating: Any) -> None:
            super().__init__(seating)
            self.table = seating.table_id

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(1, table_id=1), make_turn(2, table_id=2)))
        received.append(talk.answers())
        release.set()
        received.append(talk.answers())

    referee.scripts.append(script)
    assert play_client(SlowBot) == EXIT_DONE
    assert [[answer.turn_id for answer in each.answers] for each in received] == [[1], [2]]


def test_a_turn_that_comes_again_after_a_lost_stream_gets_the_same_answer(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    received: list[Answers] = []
    decided: list[int] = []

    class CountingBot(DiceBot):
        def decide(self, view: SeatView) -> Any:
            decided.append(1)
            return super().decide(view)

    def broken(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(11),))
        received.append(talk.answers())
        talk.context.abort(grpc.StatusCode.UNAVAILABLE, "the cable was cut")

    def again(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(11),))
        received.append(talk.answers())

    referee.scripts += [broken, again]
    assert play_client(CountingBot) == EXIT_DONE
    assert received[0] == received[1]
    assert len(decided) == 1


def test_an_unsent_answer_of_a_lost_stream_is_not_sent_on_the_new_one(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    lost = threading.Event()
    received: list[Answers] = []

    class WaitingBot(DiceBot):
        def decide(self, view: SeatView) -> Any:
            # The stream breaks while this turn is decided.
            assert lost.wait(10)
            time.sleep(0.05)
            return super().decide(view)

    def broken(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(11),))
        lost.set()
        talk.context.abort(grpc.StatusCode.UNAVAILABLE, "the cable was cut")

    def again(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        # Turn 11 has lapsed meanwhile.
        yield Batch(turns=(make_turn(12),))
        received.append(talk.answers())

    referee.scripts += [broken, again]
    assert play_client(WaitingBot) == EXIT_DONE
    assert [answer.turn_id for answer in received[0].answers] == [12]


def test_a_refused_move_is_thought_over(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    received: list[Answers] = []
    reasons: list[str] = []

    class LearningBot(Bot):
        refused = False

        def call(self, view: SeatView) -> Call:
            return view.legal_calls[1 if self.refused else 0]

        def name_trump(self, view: SeatView) -> Suit:
            raise NotImplementedError

        def play(self, view: SeatView) -> Card:
            raise NotImplementedError

        def on_move_refused(self, refusal: MoveRefused) -> None:
            reasons.append(refusal.reason)
            self.refused = True

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        turn = make_turn(11)
        yield Batch(turns=(turn,))
        received.append(talk.answers())
        yield Batch((MoveRefusedNotice(7, 11, "not so", turn.view.legal, 2),))
        received.append(talk.answers())

    referee.scripts.append(script)
    assert play_client(LearningBot) == EXIT_DONE
    legal = make_turn(11).view.legal
    assert [each.answers for each in received] == [
        (Answer(11, legal[0]),),
        (Answer(11, legal[1]),),
    ]
    assert reasons == ["not so"]


def test_a_refusal_ends_the_bot_with_the_versions_of_both(
    referee: Any, play_client: PlayClient, caplog: pytest.LogCaptureFixture
) -> None:
    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield Refusal("no common version", (7, 8))

    referee.scripts.append(script)
    assert play_client(DiceBot) == EXIT_REFUSED
    assert "no common version" in caplog.text
    assert "speaks protocol 7, 8" in caplog.text


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (grpc.StatusCode.UNAUTHENTICATED, "does not know this bot's token"),
        (grpc.StatusCode.ABORTED, "another process has taken this bot's place"),
    ],
)
def test_it_does_not_dial_again_where_that_is_useless(
    referee: Any,
    play_client: PlayClient,
    caplog: pytest.LogCaptureFixture,
    code: grpc.StatusCode,
    text: str,
) -> None:
    def script(talk: Any) -> Iterator[Response]:
        talk.context.abort(code, "really not")
        yield Refusal("never sent", ())

    referee.scripts.append(script)
    assert play_client(DiceBot) == EXIT_REFUSED
    assert text in caplog.text
    assert "really not" in caplog.text


def test_it_gives_up_on_a_referee_that_is_gone(tmp_path: Any) -> None:
    settings = ClientSettings(address=f"unix:{tmp_path}/none", token="t", give_up_s=0.2)
    assert Client(DiceBot, settings).play() == EXIT_GONE


def test_it_is_back_soon_after_the_referee_listens_again(
    tmp_path_factory: pytest.TempPathFactory, serve: Any, new_referee: Any, welcome: Welcome
) -> None:
    # Dialling while nobody listens must not make the later connection slower.
    fake = new_referee(f"unix:{tmp_path_factory.mktemp('r')}/s")
    times: list[float] = []

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        times.append(time.monotonic())
        yield welcome

    fake.scripts.append(script)
    settings = ClientSettings(address=fake.address, token="t", give_up_s=20)
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(Client(DiceBot, settings).play()))
    thread.start()
    time.sleep(0.7)
    server = serve(fake)
    listening = time.monotonic()
    thread.join()
    server.stop(None).wait()
    assert codes == [EXIT_DONE]
    # The longest wait between two tries is 0.5 s; the rest is for a slow machine.
    assert times[0] - listening < 2.0


def test_what_a_bot_raises_comes_out_with_what_it_was_deciding(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    class BuggyBot(DiceBot):
        def decide(self, view: SeatView) -> Any:
            raise ZeroDivisionError("in my search")

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(11, table_id=0xABC),))
        talk.context.add_callback(lambda: None)

    referee.scripts.append(script)
    with pytest.raises(ZeroDivisionError, match="in my search") as raised:
        play_client(BuggyBot)
    notes = "\n".join(raised.value.__notes__)
    assert "table abc, deal 1" in notes
    assert "hand AKQ.J98.T765.432" in notes


@pytest.mark.parametrize("raised", [ZeroDivisionError, SystemExit])
def test_what_was_decided_before_the_bot_raised_is_sent(
    referee: Any, play_client: PlayClient, welcome: Welcome, raised: type[BaseException]
) -> None:
    received: list[Any] = []

    class BuggyBot(DiceBot):
        def __init__(self, seating: Any) -> None:
            super().__init__(seating)
            self.table = seating.table_id

        def decide(self, view: SeatView) -> Any:
            if self.table == 20:
                raise raised
            return super().decide(view)

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=tuple(make_turn(number, table_id=number) for number in range(1, 31)))
        received.extend(talk.rest())

    referee.scripts.append(script)
    with pytest.raises(raised):
        play_client(BuggyBot)
    answered = [answer.turn_id for each in received for answer in each.answers]
    assert answered == list(range(1, 20))


def test_a_bot_that_raised_does_not_wait_for_a_deaf_referee(
    referee: Any, play_client: PlayClient, welcome: Welcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tarneeb_sdk.client._FAREWELL_S", 0.05)
    over = threading.Event()

    class BuggyBot(DiceBot):
        def decide(self, view: SeatView) -> Any:
            raise ZeroDivisionError

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(1),))
        assert over.wait(10)

    referee.scripts.append(script)
    with pytest.raises(ZeroDivisionError):
        play_client(BuggyBot)
    over.set()


def test_hooks_are_called_in_the_order_of_the_notices(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    events: list[str] = []

    class ListeningBot(DiceBot):
        def on_match_start(self) -> None:
            events.append(f"start seat {self.seat} {self.rules.preset}")

        def on_deal_scored(self, result: DealResult) -> None:
            events.append(f"deal {result.deal_number}")

        def on_match_over(self, over: MatchOver) -> None:
            events.append(f"over {over.scores} {over.winner}")

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        yield Batch(turns=(make_turn(1),))
        talk.answers()
        yield Batch((MatchOver(7, (41, 3), 0),))
        # The same table again would be a new match.
        yield Batch(turns=(make_turn(2),))
        talk.answers()

    referee.scripts.append(script)
    assert play_client(ListeningBot) == EXIT_DONE
    start = "start seat 0 tarneeb"
    assert events == [start, "over (41, 3) 0", start]


def test_a_suit_is_taken_as_the_naming_of_trump(
    referee: Any, play_client: PlayClient, welcome: Welcome
) -> None:
    received: list[Answers] = []

    class HeartsBot(Bot):
        def call(self, view: SeatView) -> Call:
            raise NotImplementedError

        def name_trump(self, view: SeatView) -> Suit:
            return Suit.HEARTS

        def play(self, view: SeatView) -> Card:
            raise NotImplementedError

    def script(talk: Any) -> Iterator[Response]:
        talk.hello()
        yield welcome
        view = view_of("AKQ.J98.T765.432", calls="7 P P P")
        yield Batch(turns=(Turn(1, 1, 1.0, view),))
        received.append(talk.answers())

    referee.scripts.append(script)
    assert play_client(HeartsBot) == EXIT_DONE
    assert received[0].answers == (Answer(1, NameTrump(Suit.HEARTS)),)
