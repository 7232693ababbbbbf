"""Measure decisions a second through the whole referee, beside a bare gRPC echo.

Four `random` sample bots play in processes of their own, at 1, 16 and 64 tables. Then four plain
gRPC clients, again in processes of their own, echo messages of the same mean size to the same
kind of server, as many at a time; each exchange counts for as many decisions as a message of the
referee held on average. What the referee, the SDK and the bots cost on top is the ratio.

Only decisions that a bot was asked for count; forced cards do not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace

import grpc

from tarneeb_referee.bot_folder import load_bot
from tarneeb_referee.deals import DealSource
from tarneeb_referee.garbage import calm_collector
from tarneeb_referee.hosts.process import ProcessHost
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import HalfRun
from tarneeb_referee.server import Door, Stream
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.game import rule_set

GOAL_PER_S = 30_000
GOAL_RATIO = 3.0
DEALS_A_MATCH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one number of tables gave.

    Attributes:
        decisions: asked for and answered.
        per_s: decisions a second, from the first turn to the last result.
        batch: decisions a message of a bot's.
        sent_bytes: the mean message to a bot.
        received_bytes: the mean message from a bot.
        referee_us: processor time of the referee a decision.
        bots_us: processor time of all four bots a decision, their start included.
        echo_per_s: what the bare echo did with such messages.
        ratio: `echo_per_s` over `per_s`.
    """

    tables: int
    decisions: int
    per_s: float
    batch: float
    sent_bytes: int
    received_bytes: int
    referee_us: float
    bots_us: float
    echo_per_s: float = 0.0
    ratio: float = 0.0


class MeteredRun(HalfRun):
    """Counts what passes through."""

    def reset(self) -> None:
        """Begin to count."""
        self.sent = [0, 0]
        self.received = [0, 0]
        self.first_s = 0.0
        self.cpu_s = 0.0

    def next_message(self, seat: int, stream: Stream) -> bytes | None:
        """Count what a bot is sent."""
        data = super().next_message(seat, stream)
        if data is not None:
            self.sent[0] += 1
            self.sent[1] += len(data)
        return data

    def message_came(self, seat: int, stream: Stream, data: bytes, now_ns: int) -> None:
        """Count what a bot sends, from the first answer on."""
        super().message_came(seat, stream, data, now_ns)
        self.received[0] += 1
        self.received[1] += len(data)
        if self.received[0] == 4:
            # All have said Hello.
            self.first_s = time.perf_counter()
            self.cpu_s = time.process_time()


async def play(*, tables: int, boards: int) -> Figures:
    """Play boards of ten deals with four `random` bots."""
    host = ProcessHost(RunFolder.create(), warn=lambda _: None)
    bot = BotHandle("random", load_bot("sample:random"))
    plan = HalfPlan(
        round_=1,
        pairing=1,
        half=1,
        boards=tuple(range(1, boards + 1)),
        seats=(bot, bot, bot, bot),
        tables=tables,
    )
    outcomes: list[MatchOutcome] = []
    last_s = 0.0
    cpu_s = 0.0

    async def keep(outcome: MatchOutcome) -> None:
        nonlocal last_s, cpu_s
        outcomes.append(outcome)
        last_s, cpu_s = time.perf_counter(), time.process_time()

    run = MeteredRun(
        plan,
        host=host,
        settings=MatchSettings(rules=rule_set("tarneeb", deals=DEALS_A_MATCH)),
        deals=DealSource(bytes(32), "benchmark"),
        on_match=keep,
    )
    run.reset()
    try:
        report = await run.play()
    finally:
        await host.close()
    decisions = sum(len(seat.decisions_us) for each in outcomes for seat in each.timings.seats)
    bots_s = sum(seat.exit.cpu_s or 0.0 for seat in report.seats if seat.exit is not None)
    return Figures(
        tables=tables,
        decisions=decisions,
        per_s=decisions / (last_s - run.first_s),
        batch=decisions / (run.received[0] - 4),
        sent_bytes=run.sent[1] // run.sent[0],
        received_bytes=run.received[1] // run.received[0],
        referee_us=(cpu_s - run.cpu_s) / decisions * 1e6,
        bots_us=bots_s / decisions * 1e6,
    )


# The echo.


class EchoDoors:
    """Four servers, as the referee has them; each message is answered by the next one."""

    def __init__(self, *, size: int, exchanges: int, at_once: int) -> None:
        self.message = bytes(size)
        self.left = exchanges
        self.at_once = at_once
        self.turn = 0
        self.streams: dict[int, Stream] = {}
        self.due = [0, 0, 0, 0]
        self.done = asyncio.Event()
        self.first_s = 0.0

    def stream_opened(self, seat: int, stream: Stream) -> bool:
        """Begin when all four are there."""
        self.streams[seat] = stream
        return True

    def message_came(self, seat: int, _stream: Stream, _data: bytes, _now_ns: int) -> None:
        """Send the next message: to the same seat, or to the next one if one goes at a time."""
        if self.first_s == 0.0:
            self.turn += 1
            if self.turn == 4:
                self.first_s = time.perf_counter()
                for each in range(self.at_once):
                    self.send(each)
            return
        self.left -= 1
        if self.left <= 0:
            self.done.set()
            return
        self.send(seat if self.at_once == 4 else (seat + 1) % 4)

    def send(self, seat: int) -> None:
        """Have a message sent."""
        self.due[seat] += 1
        self.streams[seat].wake()

    def stream_ended(self, seat: int, stream: Stream) -> None:
        """Nothing to do."""

    def next_message(self, seat: int, _stream: Stream) -> bytes | None:
        """Give the message if it is due."""
        if self.due[seat]:
            self.due[seat] -= 1
            return self.message
        return None


async def echo(figures: Figures, *, seconds: float) -> float:
    """Give the exchanges a second of the bare echo."""
    expected = {1: 2000}.get(figures.tables, 5000)
    events = EchoDoors(
        size=figures.sent_bytes,
        exchanges=round(expected * seconds),
        at_once=1 if figures.tables == 1 else 4,
    )
    doors = [Door(seat, events) for seat in range(4)]
    clients = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for seat, door in enumerate(doors):
                address = f"unix:{folder}/{seat}"
                await door.open(address)
                arguments = (address, door.new_token(), str(figures.received_bytes))
                clients.append(start_client(*arguments))
            await events.done.wait()
            elapsed_s = time.perf_counter() - events.first_s
        finally:
            for client in clients:
                client.kill()
            for client in clients:
                client.wait()
            for door in doors:
                await door.close()
    return round(expected * seconds) / elapsed_s


def start_client(*arguments: str) -> subprocess.Popen[bytes]:
    """Start a client of the echo in a process of its own."""
    return subprocess.Popen((sys.executable, __file__, "--echo", *arguments))


def echo_client(address: str, token: str, size: int) -> None:
    """Answer every message with one of the same length."""
    import queue

    answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    message = bytes(size)
    answers.put(message)
    with grpc.insecure_channel(address) as channel:
        dial: grpc.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(
            "/tarneeb.v1.RefereeService/Play"
        )
        metadata = (("authorization", f"Bearer {token}"),)
        for _ in dial(iter(answers.get, None), metadata=metadata):
            answers.put(message)


def main() -> int:
    """Print the figures; 1 if a goal is missed."""
    if sys.argv[1:2] == ["--echo"]:
        echo_client(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6.0, help="for each part, about")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    calm_collector()
    everything = []
    for tables, boards_a_s in ((1, 2), (16, 20), (64, 40)):
        boards = max(tables, round(boards_a_s * options.seconds))
        figures = asyncio.run(play(tables=tables, boards=boards))
        exchanges_per_s = asyncio.run(echo(figures, seconds=options.seconds / 2))
        echo_per_s = exchanges_per_s * figures.batch
        figures = replace(figures, echo_per_s=echo_per_s, ratio=echo_per_s / figures.per_s)
        everything.append(figures)
        if not options.json:
            print_figures(figures)
    if options.json:
        print(json.dumps([asdict(figures) for figures in everything], indent=2))
    last = everything[-1]
    reached = last.per_s >= GOAL_PER_S and all(each.ratio <= GOAL_RATIO for each in everything)
    if not options.json:
        print(
            f"goal: {GOAL_PER_S:,} decisions/s at 64 tables, at most {GOAL_RATIO:g} times the cost"
            f" of the echo: {'reached' if reached else 'missed'}"
        )
    return 0 if reached else 1


def print_figures(figures: Figures) -> None:
    """Print one number of tables in two lines."""
    print(
        f"{figures.tables:3} tables: {figures.per_s:8,.0f} decisions/s"
        f"  ({figures.batch:.1f} a message; referee {figures.referee_us:.0f} µs,"
        f" bots {figures.bots_us:.0f} µs of processor a decision)"
    )
    print(
        f"     bare echo: {figures.echo_per_s:8,.0f} decisions/s"
        f"  ({figures.sent_bytes} bytes out, {figures.received_bytes} in): ratio"
        f" {figures.ratio:.2f}"
    )


if __name__ == "__main__":
    sys.exit(main())
