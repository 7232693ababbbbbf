"""Somebody else who may use the engine lays hands on a bot's container: no bot is blamed for that."""

import asyncio
from collections.abc import Callable

import docker
import pytest

from tarneeb_referee.deals import DealSource
from tarneeb_referee.faults import OurFaultKind
from tarneeb_referee.hosts.docker.leftovers import RUN_LABEL
from tarneeb_referee.outcome import HalfReport, MatchOutcome
from tarneeb_referee.plan import BotHandle, HalfPlan
from tarneeb_referee.run import play_half
from tarneeb_referee.settings import MatchSettings
from tarneeb_sdk.game import rule_set
from tests.hostile.arena import containers_of, docker_host, hostile_bot

pytestmark = pytest.mark.docker

Act = Callable[[docker.APIClient, str], None]

# Honest bots end with the exit code 0 at SIGTERM, and the others by a signal.
ACTS: dict[str, Act] = {
    "stops it": lambda client, container: client.stop(container, timeout=5),
    "kills it": lambda client, container: client.kill(container),
    "interrupts it": lambda client, container: client.kill(container, "SIGINT"),
    "removes it": lambda client, container: client.remove_container(container, force=True),
    "pauses it": lambda client, container: client.pause(container),
    "starts it again": lambda client, container: client.restart(container, timeout=5),
}


async def play_and(act: Act) -> tuple[HalfReport, list[MatchOutcome]]:
    """Play many boards, and do something to a container when the first has its result."""
    outcomes: list[MatchOutcome] = []
    async with docker_host() as host:

        def meddle() -> None:
            client = docker.from_env().api
            try:
                labelled = {"label": f"{RUN_LABEL}={host.run_id}"}
                act(client, client.containers(filters=labelled)[0]["Id"])
            finally:
                client.close()

        async def keep(outcome: MatchOutcome) -> None:
            outcomes.append(outcome)
            if len(outcomes) == 1:
                await asyncio.to_thread(meddle)

        bot = BotHandle("a", await hostile_bot(host, ("honest.py",)))
        plan = HalfPlan(
            round_=1,
            pairing=1,
            half=1,
            boards=tuple(range(1, 401)),
            seats=(bot, bot, bot, bot),
            tables=2,
        )
        report = await play_half(
            plan,
            host=host,
            settings=MatchSettings(rules=rule_set("tarneeb", deals=4)),
            deals=DealSource(bytes(32), "test"),
            on_match=keep,
        )
        assert await containers_of(host.run_id) == []
    return report, outcomes


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_who_meddles_with_a_container_voids_what_is_played(act: Act) -> None:
    report, outcomes = asyncio.run(asyncio.wait_for(play_and(act), 120))
    assert report.voids
    assert {void.fault.kind for void in report.voids} == {OurFaultKind.ENGINE_UNREACHABLE}
    assert all(seat.gone is None and seat.incidents == () for seat in report.seats)
    assert all(outcome.record.faults == () for outcome in outcomes)
