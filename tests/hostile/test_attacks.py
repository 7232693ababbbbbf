"""One test for each way to do harm: the attack fails, and nobody else pays for it."""

import asyncio
import re
import shutil
from dataclasses import replace
from typing import Any

import pytest

from tarneeb_referee.faults import FaultKind
from tarneeb_referee.hosts.base import BotProcess, LaunchSpec
from tarneeb_referee.hosts.docker.limits import MIB, ContainerLimits
from tarneeb_referee.settings import Limits
from tests.hostile.arena import (
    HONEST,
    TIME,
    Played,
    docker_host,
    open_files,
    play,
    play_hostile,
    resident_bytes,
    text_of,
)

pytestmark = pytest.mark.docker

NOTHING: set[FaultKind] = set()
# While a bot starts again its clocks run on, and on a busy machine that takes a while.
AFTER_A_CRASH = {FaultKind.CRASH, FaultKind.TIME_OUT}
# For attacks that end only when time does.
SHORT = replace(TIME, start_s=8.0, bank_s=1.0)


def attack(*command: str, **how: Any) -> Played:
    played = asyncio.run(play_hostile(*command, **how))
    played.assert_others_played_on()
    return played


def test_honest_bots_play_without_a_fault() -> None:
    played = attack("honest.py")
    assert played.kinds() == NOTHING
    exit_info = played.hostile.exit
    assert exit_info is not None
    assert exit_info.cpu_s is not None
    assert exit_info.cpu_s > 0
    assert exit_info.peak_memory_bytes is not None
    assert 10 * MIB < exit_info.peak_memory_bytes < 256 * MIB


# Resources.


def test_a_fork_bomb_stays_in_its_container() -> None:
    played = attack("fork_bomb.py")
    # It may be too busy with itself to answer in time, or die of the threads that it can't have.
    assert played.kinds() <= {FaultKind.TIME_OUT, FaultKind.CRASH}
    assert "fork refused" in played.output


def test_memory_without_end_is_a_fault_of_its_own() -> None:
    played = attack("memory_hog.py", limits=ContainerLimits(memory_bytes=96 * MIB))
    assert FaultKind.OVER_MEMORY in played.kinds()
    assert played.hostile.restarts > 0


def test_a_full_disk_is_its_own_small_one() -> None:
    free = shutil.disk_usage("/").free
    played = attack("disk_filler.py")
    assert played.kinds() <= {FaultKind.TIME_OUT, FaultKind.OVER_MEMORY}
    places = dict(re.findall(r"bytes (\S+) (\d+)", played.output))
    assert set(places) <= {"/tmp", "/dev/shm", "/dev/mqueue"}
    assert sum(map(int, places.values())) <= 2 * 16 * MIB
    files = re.findall(r"files (\S+) (\d+)", played.output)
    assert files
    assert all(int(count) <= 4096 for _, count in files)
    assert free - shutil.disk_usage("/").free < 100 * MIB


def test_output_without_end_is_cut() -> None:
    before = resident_bytes()
    played = attack("log_flood.py")
    assert played.kinds() <= {FaultKind.TIME_OUT}
    (logs,) = played.hostile.logs
    kept = len(logs.stdout.to_bytes()) + len(logs.stderr.to_bytes())
    assert kept < 2 * MIB + 200
    assert "bytes cut" in logs.stderr.text()
    assert resident_bytes() - before < 30 * MIB


def test_a_bot_may_close_its_outputs() -> None:
    assert attack("mute.py").kinds() == NOTHING


@pytest.mark.parametrize("mib", [1, 5])
def test_a_message_that_is_too_long(mib: int) -> None:
    played = attack("big_message.py", str(mib * MIB))
    assert FaultKind.MALFORMED in played.kinds()
    details = {fault.detail for outcome in played.outcomes for fault in outcome.record.faults}
    assert any(detail.endswith("bytes exceeds 65536") for detail in details), details


def test_a_message_that_no_transport_takes() -> None:
    before = resident_bytes()
    # Room enough for it to be made, and sent.
    limits = ContainerLimits(memory_bytes=1024 * MIB)
    played = attack("big_message.py", str(100 * MIB), limits=limits)
    # The stream breaks, and this bot does not bear it. gRPC tells it why, and nobody else.
    assert FaultKind.CRASH in played.kinds() or FaultKind.DISCONNECT in played.kinds()
    assert played.kinds() <= AFTER_A_CRASH | {FaultKind.DISCONNECT}
    assert re.search(r"message larger than max \(1048\d{5} vs. 8388608\)", played.output)
    assert resident_bytes() - before < 50 * MIB


def test_a_million_messages_are_flooding() -> None:
    before = resident_bytes()
    assert FaultKind.FLOODING in attack("tiny_messages.py").kinds()
    assert resident_bytes() - before < 50 * MIB


def test_garbage_is_malformed() -> None:
    assert FaultKind.MALFORMED in attack("garbage.py").kinds()


def test_half_a_frame_and_then_silence_is_no_bot() -> None:
    assert attack("half_frame.py", time=SHORT).kinds() == {FaultKind.NEVER_READY}


def test_ten_thousand_connections_are_held_off() -> None:
    files = open_files()
    most = 0

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, open_files())
            await asyncio.sleep(0.02)

    async def both() -> Played:
        watching = asyncio.create_task(watch())
        try:
            return await play_hostile("connections.py")
        finally:
            watching.cancel()

    played = asyncio.run(both())
    played.assert_others_played_on()
    assert played.output.count("attempts 350") * 350 > 10_000
    assert most - files < 300, "the referee's descriptors are not the bot's to take"


def test_a_bot_that_never_reads_loses_its_turns() -> None:
    assert FaultKind.TIME_OUT in attack("never_reads.py", time=SHORT).kinds()


def test_a_bot_that_gives_no_room_for_a_byte_loses_its_turns() -> None:
    before = resident_bytes()
    played = attack("no_window.py", time=SHORT)
    assert FaultKind.TIME_OUT in played.kinds()
    assert "greeted" in played.output
    assert resident_bytes() - before < 30 * MIB


def test_a_stopped_process_loses_its_turns() -> None:
    assert FaultKind.TIME_OUT in attack("stops_itself.py", time=SHORT).kinds()


# Ends.


@pytest.mark.parametrize("moment", ["call", "trump", "play", "scored", "over"])
def test_leaving_in_mid_game_is_a_crash(moment: str) -> None:
    played = attack("leaver.py", moment)
    assert FaultKind.CRASH in played.kinds()
    assert played.kinds() <= AFTER_A_CRASH
    assert f"leaving at {moment}" in played.output


@pytest.mark.parametrize("moment", ["start", "hello"])
def test_leaving_at_the_start(moment: str) -> None:
    played = attack("leaver.py", moment)
    assert played.kinds() & {FaultKind.NEVER_READY, FaultKind.CRASH}
    assert played.kinds() <= AFTER_A_CRASH | {FaultKind.NEVER_READY}


def test_a_bot_cannot_pretend_to_be_killed_from_outside() -> None:
    kinds = attack("leaver.py", "play", "137").kinds()
    assert FaultKind.CRASH in kinds
    assert kinds <= AFTER_A_CRASH


def test_a_traceback_reaches_the_author() -> None:
    played = attack("crasher.py", tables=1)
    assert FaultKind.CRASH in played.kinds()
    assert "RuntimeError: the deck is on fire" in played.output
    assert "chatter 0 " in played.output


def test_a_signal_is_named() -> None:
    played = attack("crasher.py", "segfault")
    faults = [fault for outcome in played.outcomes for fault in outcome.record.faults]
    assert any("SIGSEGV" in fault.detail for fault in faults)


def test_a_command_that_is_not_there_is_told_with_its_code() -> None:
    async def start() -> Played:
        async with docker_host() as host:
            return await play(host, ("no_such_bot.py",))

    played = asyncio.run(start())
    played.assert_others_played_on()
    assert played.kinds() == {FaultKind.NEVER_READY}
    assert "No such file" in played.output


def test_nothing_lives_on_after_the_match() -> None:
    played = attack("lives_on.py")
    assert played.kinds() == NOTHING
    assert "I am still here" in played.output


def test_the_last_line_of_a_log_is_kept() -> None:
    assert "my last line" in attack("last_words.py").output


# Lies.


def test_lies_are_refused_and_never_land_elsewhere() -> None:
    played = attack("liar.py", limits=ContainerLimits())
    assert played.kinds() <= {FaultKind.MALFORMED, FaultKind.ILLEGAL}
    assert FaultKind.MALFORMED in played.kinds()
    assert played.hostile.strays > 0


def test_late_answers_are_dropped_and_counted() -> None:
    played = attack("sleeper.py", tables=1, time=SHORT)
    assert FaultKind.TIME_OUT in played.kinds()
    assert FaultKind.ILLEGAL not in played.kinds()


def test_another_token_opens_no_door() -> None:
    async def betray() -> tuple[Played, Played]:
        async with docker_host() as host:
            start, tokens, all_known = host.start, list[str](), asyncio.Barrier(4)

            async def start_with_others_tokens(spec: LaunchSpec) -> BotProcess:
                tokens.append(spec.token)
                async with asyncio.timeout(30):
                    await all_known.wait()
                # Those of this half, and one of the half before.
                others = " ".join(token for token in tokens[-5:] if token != spec.token)
                return await start(replace(spec, env=(("TOKENS_OF_OTHERS", others),)))

            host.start = start_with_others_tokens  # type: ignore[method-assign]
            return await play(host, ("imposter.py",)), await play(host, ("imposter.py",))

    for played, refused in zip(asyncio.run(betray()), (6 + 3, 6 + 3 + 1), strict=True):
        played.assert_others_played_on()
        assert played.kinds() == NOTHING
        assert "ADMITTED" not in played.output
        assert played.output.count("refused") == refused


def test_two_processes_with_one_token_harm_only_themselves() -> None:
    played = attack("twins.py")
    assert played.kinds() <= AFTER_A_CRASH | {FaultKind.DISCONNECT, FaultKind.FLOODING}


# Ways out.


def test_there_is_no_way_out_and_no_secret() -> None:
    played = attack("prober.py")
    assert "done probing" in played.output, played.output
    assert "REACHED" not in played.output, played.output


def test_partners_find_nothing_of_each_other() -> None:
    async def smuggle() -> Played:
        async with docker_host() as host:
            first = await play(host, ("smuggler.py",), HONEST, ("smuggler.py",), HONEST)
            # The next half's instances look for what these have left.
            second = await play(host, ("smuggler.py",), HONEST, ("smuggler.py",), HONEST)
            for played in (first, second):
                for seat in (0, 2):
                    text = text_of(played.report.seats[seat])
                    assert "looked everywhere" in text
                    assert "FOUND" not in text, text
            return second

    played = asyncio.run(smuggle())
    assert played.report.voids == ()


def test_a_bomb_beside_bots_with_many_threads_is_the_only_one_to_suffer() -> None:
    async def bombs() -> Played:
        async with docker_host() as host:
            halves = (play(host, ("fork_bomb.py",)) for _ in range(2))
            first, second = await asyncio.gather(*halves)
            first.assert_others_played_on()
            return second

    asyncio.run(bombs()).assert_others_played_on()


def test_a_bot_that_crashes_again_and_again_is_given_up() -> None:
    played = attack("leaver.py", "call", limits=ContainerLimits())
    assert played.hostile.restarts <= Limits().restarts
