"""The check before a tournament, on a host that cannot start every bot."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tarneeb_referee.hosts.base import HostError, LaunchSpec
from tarneeb_referee.hosts.memory import MemoryBot, MemoryHost, memory_bot
from tarneeb_referee.hosts.run_folder import RunFolder
from tarneeb_referee.outcome import ProbeResult
from tarneeb_referee.plan import BotHandle
from tarneeb_referee.probe import NotStartedError
from tarneeb_sdk.errors import ConfigError, HarnessError
from tarneeb_tournaments import organizer
from tarneeb_tournaments.bot_checks import BotChecks
from tarneeb_tournaments.config import Entrant, load_config
from tests.referee.arena import polite
from tests.referee.kit import settings_of
from tests.tournaments.kit.fake_play import HeardProgress
from tests.tournaments.kit.real_run import begin, write_tournament

ENDLESS = 100


class MoodyHost(MemoryHost):
    """Starts polite bots, but fails so many times at some of them.

    Attributes:
        failures: by bot, how many starts are still to fail.
        tried: the bots that were to be started, in that order.
    """

    def __init__(self, failures: Mapping[str, int]) -> None:
        names = ("A", "B", "C", "Counting", "Random")
        super().__init__(RunFolder.create(), dict.fromkeys(names, polite))
        self.failures = dict(failures)
        self.tried: list[str] = []

    async def start(self, spec: LaunchSpec) -> MemoryBot:
        name = spec.bot.name
        self.tried.append(name)
        if self.failures.get(name, 0) > 0:
            self.failures[name] -= 1
            raise HostError(f"no start for {name}")
        return await super().start(spec)


def entrants(names: Sequence[str]) -> list[Entrant]:
    bots = (replace(memory_bot(name), digest=name) for name in names)
    return [Entrant(id=f"e{bot.name}", name=f"Bot {bot.name}", bot=bot) for bot in bots]


def check(host: MoodyHost, those: Sequence[Entrant], *, at_once: int = 1) -> dict[str, ProbeResult]:
    async def run() -> dict[str, ProbeResult]:
        bots = {each.id: BotHandle(each.id, each.bot) for each in those}
        checks = BotChecks(bots=bots, host=host, settings=settings_of(), at_once=at_once)
        return {entrant.bot.name: found for entrant, found in await checks.run(those)}

    async def main() -> dict[str, ProbeResult]:
        try:
            return await asyncio.wait_for(run(), 60)
        finally:
            await host.close()

    return asyncio.run(main())


def test_bots_that_start_are_checked_once() -> None:
    host = MoodyHost({})
    found = check(host, entrants("ABC"), at_once=3)
    assert list(found) == ["A", "B", "C"]
    assert all(each.problem is None for each in found.values())
    assert sorted(host.tried) == ["A", "B", "C"]


def test_a_bot_that_cannot_be_started_while_another_can_is_named() -> None:
    host = MoodyHost({"B": ENDLESS})
    found = check(host, entrants("ABC"))
    assert list(found) == ["A", "B", "C"]
    assert found["B"].problem == (
        "cannot be started, twice, while another bot can: no start for B; have its author mend it,"
        " or leave it out"
    )
    assert found["B"].ready_s is None
    assert found["A"].problem is found["C"].problem is None
    assert host.tried == ["A", "B", "C", "B", "A"], "another starts before and after that"


def test_a_bot_that_starts_the_second_time_has_no_problem() -> None:
    assert check(MoodyHost({"B": 1}), entrants("AB"))["B"].problem is None


def test_where_no_bot_can_be_started_it_is_ours() -> None:
    with pytest.raises(HarnessError, match="checking 'A': no start for A"):
        check(MoodyHost({"A": ENDLESS, "B": ENDLESS}), entrants("AB"))


def test_where_no_bot_can_be_started_any_more_it_is_ours() -> None:
    """A host that breaks down in the middle: those that were checked by then prove nothing."""

    class DyingHost(MoodyHost):
        async def start(self, spec: LaunchSpec) -> MemoryBot:
            if len(self.tried) == 1:
                self.failures = dict.fromkeys("ABC", ENDLESS)
            return await super().start(spec)

    with pytest.raises(NotStartedError, match="no start for A"):
        check(DyingHost({}), entrants("ABC"))


def test_each_failure_is_compared_with_a_start_of_its_own() -> None:
    """A host that has recovered when the last bot is tried proves nothing for the bots before."""

    class StumblingHost(MoodyHost):
        async def start(self, spec: LaunchSpec) -> MemoryBot:
            if len(self.tried) in {3, 4}:
                self.failures[spec.bot.name] = 1
            return await super().start(spec)

    with pytest.raises(NotStartedError, match="no start for A"):
        check(StumblingHost({"B": 1, "C": 1}), entrants("ABC"))


def test_a_bot_that_is_the_same_as_one_that_starts_is_not_to_blame() -> None:
    """As two entrants with one image, or a copy of one folder."""
    same = [replace(each, bot=replace(each.bot, digest="sha256:1")) for each in entrants("ABC")]
    with pytest.raises(NotStartedError, match="no start for C"):
        check(MoodyHost({"C": ENDLESS}), [*entrants("A"), *same[1:]])


def test_a_bot_that_is_elsewhere_says_nothing_of_this_machine() -> None:
    here, there = entrants("AB")
    remote = replace(there, bot=replace(there.bot, remote="e"))
    with pytest.raises(NotStartedError, match="no start for A"):
        check(MoodyHost({"A": ENDLESS}), [here, remote])
    with pytest.raises(NotStartedError, match="no start for B"):
        check(MoodyHost({"B": ENDLESS}), [here, remote])


def with_host(monkeypatch: pytest.MonkeyPatch, failures: Mapping[str, int]) -> None:
    async def open_place(*_: object, **__: object) -> MoodyHost:
        return MoodyHost(failures)

    monkeypatch.setattr(organizer, "open_place", open_place)


SAMPLES = {"First": "sample:random", "Second": "sample:counting"}


def test_its_entrant_is_named_before_the_first_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_host(monkeypatch, {"Counting": ENDLESS})
    config = write_tournament(tmp_path, SAMPLES)
    results = tmp_path / "cup.sqlite"
    with pytest.raises(ConfigError) as caught:
        organizer.run_file(config, results, progress=HeardProgress(), go_on="")
    (line,) = str(caught.value).splitlines()
    assert line.startswith(f"{config}: entrant 2, Second: cannot be started, twice, while another")
    assert "no start for Counting" in line
    assert not results.exists()


def test_a_run_that_goes_on_is_only_warned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was there when the tournament began, with the same image: now that is ours."""
    with_host(monkeypatch, {"Counting": 2})
    config = write_tournament(tmp_path, SAMPLES, boards=1)
    results = tmp_path / "cup.sqlite"
    begin(config, results)
    notes = HeardProgress()
    assert load_config(config).entrants[1].bot.name == "Counting"
    assert organizer.run_file(config, results, progress=notes, go_on="").is_finished
    (warning,) = [note for note in notes.notes if "in its check" in note]
    assert warning.startswith("warning: Second, in its check: cannot be started, twice")
