"""Starts each bot once before a tournament, and tells a bot that can't be started from a machine that can't.

A start that fails without a word of whose doing it was counts as ours. Here there is more to go by:
if the same bot fails a second time, and a bot that is not the same starts before and right
after that, then it is this bot, whatever the reason.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tarneeb_referee.hosts.base import Host
from tarneeb_referee.outcome import ProbeResult
from tarneeb_referee.plan import BotHandle
from tarneeb_referee.probe import NotStartedError, probe
from tarneeb_referee.settings import MatchSettings
from tarneeb_tournaments.config import Entrant

__all__ = ["BotChecks"]

Found = tuple[Entrant, ProbeResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class BotChecks:
    """How bots are checked.

    Attributes:
        bots: by entrant.
        host: where they run.
        settings: how matches will be refereed.
        at_once: how many are checked at once: no more than cores, as that also measures how fast
            they are.
    """

    bots: Mapping[str, BotHandle]
    host: Host
    settings: MatchSettings
    at_once: int

    async def run(self, entrants: Sequence[Entrant]) -> tuple[Found, ...]:
        """Check each bot once; one that can't be started, where others can, twice.

        Raises:
            HarnessError: a check failed for a reason that is ours.
        """
        checked = await self._check_all(entrants)
        failed = {each.id: found for each, found in checked if isinstance(found, NotStartedError)}
        found = {each.id: found for each, found in checked if isinstance(found, ProbeResult)}
        if failed:
            unable = [each for each in entrants if each.id in failed]
            able = [each for each in entrants if _is_ready(each, found.get(each.id))]
            found |= await self._compare(unable, able, failed)
        return tuple((each, found[each.id]) for each in entrants)

    async def _compare(
        self,
        unable: Sequence[Entrant],
        able: Sequence[Entrant],
        failed: Mapping[str, NotStartedError],
    ) -> dict[str, ProbeResult]:
        """Check bots that could not be started once more, and after each failure one that could.

        Raises:
            NotStartedError: there is none that could, or now it can't either, or it is the
                very same, an image or a folder, as one that can't.
        """
        # A bot that is elsewhere says nothing about this machine.
        elsewhere = next((each for each in unable if each.bot.remote), None)
        if elsewhere is not None or not able:
            raise failed[(elsewhere or unable[0]).id]
        control = able[0]
        able_digests = {each.bot.digest for each in able}
        results: dict[str, ProbeResult] = {}
        for entrant in unable:
            try:
                results[entrant.id] = await self._probe(entrant)
            except NotStartedError as error:
                is_able = entrant.bot.digest in able_digests
                if is_able or not _is_ready(control, await self._probe(control)):
                    raise
                results[entrant.id] = _refusal(error)
        return results

    async def _check_all(
        self, entrants: Sequence[Entrant]
    ) -> tuple[tuple[Entrant, ProbeResult | NotStartedError], ...]:
        free = asyncio.Semaphore(self.at_once)

        async def check(entrant: Entrant) -> tuple[Entrant, ProbeResult | NotStartedError]:
            async with free:
                try:
                    return entrant, await self._probe(entrant)
                except NotStartedError as error:
                    return entrant, error

        tasks = [asyncio.create_task(check(each)) for each in entrants]
        try:
            return tuple(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _probe(self, entrant: Entrant) -> ProbeResult:
        return await probe(self.bots[entrant.id], host=self.host, settings=self.settings)


def _is_ready(entrant: Entrant, found: ProbeResult | None) -> bool:
    return found is not None and found.ready_s is not None and not entrant.bot.remote


def _refusal(error: NotStartedError) -> ProbeResult:
    problem = (
        f"cannot be started, twice, while another bot can: {error.reason};"
        " have its author mend it, or leave it out"
    )
    return ProbeResult(ready_s=None, decision_s=None, problem=problem)
