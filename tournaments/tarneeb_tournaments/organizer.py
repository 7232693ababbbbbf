"""Runs a tournament from its file to its last match, or as far as it gets."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tarneeb_referee.deals import DealSource
from tarneeb_referee.garbage import calm_collector
from tarneeb_referee.hosts.base import Host
from tarneeb_referee.plan import BotHandle
from tarneeb_referee.processors import available_processors
from tarneeb_referee.run import play_half
from tarneeb_sdk.errors import ConfigError
from tarneeb_tournaments.agenda import Agenda
from tarneeb_tournaments.bot_checks import BotChecks
from tarneeb_tournaments.config import TournamentConfig, load_config
from tarneeb_tournaments.hosting import open_place, with_images
from tarneeb_tournaments.interrupts import interruptible
from tarneeb_tournaments.resources import check_disk, check_open_files
from tarneeb_tournaments.results import FaultRow, Results, TournamentInfo
from tarneeb_tournaments.rounds import (
    first_pairings,
    matches_expected,
    withdrawal_problems,
    withdrawals,
)
from tarneeb_tournaments.runner import Conduct, Progress, RunSetup, run_tournament
from tarneeb_tournaments.seeds import differences, new_tournament
from tarneeb_tournaments.sprt_match import is_test
from tarneeb_tournaments.store.base import Store
from tarneeb_tournaments.store.connection import is_results_file, lacks_its_wal
from tarneeb_tournaments.store.lock import RefereeLock
from tarneeb_tournaments.store.memory import MemoryStore
from tarneeb_tournaments.store.sqlite import SqliteStore, read_results
from tarneeb_tournaments.tables import (
    BOTS_IN_A_PAIRING,
    choose_pairings,
    choose_tables,
    overload_warning,
)
from tarneeb_tournaments.text import counted, printable
from tarneeb_tournaments.verify.altered import altered_file_told

OpenStore = Callable[[], Store]


def default_results_path(config_path: Path) -> Path:
    """Name the results file of a tournament: beside its own file.

    Raises:
        ConfigError: that is no path of a file.
    """
    if not config_path.name:
        raise ConfigError(f"{config_path}: is a folder; give the tournament's TOML file")
    return config_path.with_name(f"{config_path.stem}.results.sqlite")


def run_file(config_path: Path, results_path: Path, *, progress: Progress, go_on: str) -> Results:
    """Run the tournament of a file, or go on with it.

    Args:
        config_path: of the tournament's file.
        results_path: of the results, which are begun if they are not there.
        progress: hears how it goes on.
        go_on: the command that goes on with the run, told when it is interrupted.

    Raises:
        ConfigError: the file, a bot or the results file is wrong, or does not fit the results.
        HarnessError: we failed; what is stored stays.
        InterruptedRunError: by SIGINT, SIGTERM or SIGHUP.
    """
    config = with_images(load_config(config_path), config_path, note=progress.note)
    with RefereeLock(results_path):
        if is_results_file(results_path):
            with altered_file_told(results_path):
                results = _check_results(results_path, config, config_path, progress=progress)
                due: frozenset[str] | None = _entrants_due(results)
            if results.is_finished:
                progress.note(f"finished already: {counted(len(results.matches), 'match')}")
                return results
            open_store: OpenStore = partial(SqliteStore, results_path, warn=progress.note)
            matches_left = results.matches_due - len(results.matches)
        else:
            info = new_tournament(config)
            pairings, is_final = first_pairings(info)
            open_store = partial(
                SqliteStore.create,
                results_path,
                info,
                pairings,
                is_final=is_final,
                warn=progress.note,
            )
            matches_left = matches_expected(info, pairings)
            due = None
        progress.note(f"results: {printable(results_path)}")
        warning = check_disk(results_path, matches_left=matches_left)
        if warning is not None:
            progress.note(warning)
        return _run(
            config,
            open_store,
            config_path=config_path,
            due=due,
            progress=progress,
            go_on=go_on,
        )


def _entrants_due(results: Results) -> frozenset[str]:
    agenda = Agenda(results)
    if results.is_paired_out:
        return agenda.entrants_due
    # Whoever is in may be paired in the rounds to come.
    return frozenset(each.id for each in results.info.entrants) - agenda.suspended


def run_match(
    config: TournamentConfig, *, progress: Progress
) -> tuple[Results, tuple[FaultRow, ...]]:
    """Play a tournament that leaves no file.

    Returns:
        The results, and each fault in schedule order.

    Raises:
        ConfigError: a bot is wrong.
        HarnessError: we failed.
        InterruptedRunError: by SIGINT, SIGTERM or SIGHUP.
    """
    config = with_images(config, note=progress.note)
    info = new_tournament(config)
    pairings, is_final = first_pairings(info)
    store = MemoryStore(info, pairings, is_final=is_final)
    results = _run(config, lambda: store, progress=progress)
    return results, store.faults


def run_test(
    config: TournamentConfig,
    info: TournamentInfo,
    results_path: Path | None,
    *,
    conduct: Conduct,
    progress: Progress,
    go_on: str | None,
) -> Results:
    """Play one pairing as far as `conduct` sees fit, or go on with it.

    Args:
        config: two entrants, with the images of their containers (`with_images`).
        info: what its results begin with, if they are not there.
        results_path: of the results; None keeps none.
        conduct: plays.
        progress: hears how it goes on.
        go_on: the command that goes on with the run, told when it is interrupted.

    Raises:
        ConfigError: a bot or the results file is wrong, or does not fit.
        HarnessError: we failed; what is stored stays.
        InterruptedRunError: by SIGINT, SIGTERM or SIGHUP.
    """
    pairings, is_final = first_pairings(info)
    run = partial(_run, config, progress=progress, go_on=go_on, conduct=conduct)
    if results_path is None:
        return run(partial(MemoryStore, info, pairings, is_final=is_final))
    with RefereeLock(results_path):
        if not is_results_file(results_path):
            return run(partial(SqliteStore.create, results_path, info, pairings, is_final=is_final))
        with altered_file_told(results_path):
            _check_test(results_path, info)
        return run(partial(SqliteStore, results_path))


def _check_test(path: Path, info: TournamentInfo) -> None:
    """Refuse results that were begun as another test."""
    begun = read_results(path).info
    if (begun.settings, begun.entrants) != (info.settings, info.entrants):
        raise ConfigError(
            f"{printable(path)}: was begun with other settings or other bots; "
            "put them back, or give a new file with --results"
        )


def _run(
    config: TournamentConfig,
    open_store: OpenStore,
    *,
    config_path: Path | None = None,
    due: frozenset[str] | None = None,
    progress: Progress,
    go_on: str | None = None,
    conduct: Conduct = run_tournament,
) -> Results:
    """Run what `open_store` opens.

    Args:
        config: of the tournament.
        open_store: called when the bots have been checked.
        config_path: for messages; None if there is no file.
        due: the entrants that still have matches to play; None at the first start, when all have.
        progress: hears how it goes on.
        go_on: the command that goes on; None if that is not possible.
        conduct: plays.
    """
    calm_collector()
    cores = available_processors()
    pairings = choose_pairings(config.pairings, cores=cores)
    check_open_files(pairings=pairings)
    work = _Work(config, cores=cores, pairings=pairings, progress=progress, conduct=conduct)
    stopped = "interrupted, stopping the bots"
    if go_on is not None:
        stopped += f"; go on with: {go_on}"
    return interruptible(
        work.run(open_store, config_path, due=due),
        on_stop=partial(progress.note, stopped),
    )


class _Work:
    """A run from the check of the bots to the last match, inside the event loop."""

    def __init__(
        self,
        config: TournamentConfig,
        *,
        cores: int,
        pairings: int,
        progress: Progress,
        conduct: Conduct,
    ) -> None:
        self._conduct = conduct
        self._config = config
        self._cores = cores
        self._pairings = pairings
        self._progress = progress
        self._bots = {each.id: BotHandle(each.id, each.bot) for each in config.entrants}

    async def run(
        self, open_store: OpenStore, config_path: Path | None, *, due: frozenset[str] | None
    ) -> Results:
        host = await open_place(
            self._config,
            bots_at_once=BOTS_IN_A_PAIRING * self._pairings,
            cores=self._cores,
            note=self._progress.note,
        )
        try:
            decision_s = await self._check_bots(config_path, host, due=due)
            store = await asyncio.to_thread(open_store)
            try:
                await self._play(store, decision_s, host)
                return store.read()
            finally:
                await asyncio.to_thread(store.close)
        finally:
            await host.close()

    async def _play(self, store: Store, decision_s: Mapping[str, float | None], host: Host) -> None:
        results = store.read()
        for withdrawal in withdrawals(results, _last_rounds(self._config)):
            await asyncio.wrap_future(store.submit(withdrawal))
        self._announce(results)
        tables = partial(
            choose_tables,
            self._config.tables,
            decision_s=decision_s,
            cores=self._cores,
            pairings=self._pairings,
        )
        deals = DealSource(results.info.secret, results.info.public_seed)
        play = partial(
            play_half,
            host=host,
            settings=self._config.settings,
            deals=deals,
            processors=max(1, self._cores // self._pairings),
        )
        setup = RunSetup(bots=self._bots, tables=tables, pairings=self._pairings)
        await self._conduct(store, setup=setup, play=play, progress=self._progress)

    def _announce(self, results: Results) -> None:
        self._progress.note(f"public seed: {results.info.public_seed}")
        self._progress.note(f"SHA-256 of the secret: {results.info.secret_sha256}")
        if results.matches:
            self._progress.note(
                f"going on: {len(results.matches):,} of "
                f"{counted(results.matches_due, 'match')} are stored"
            )

    async def _check_bots(
        self, config_path: Path | None, host: Host, *, due: frozenset[str] | None
    ) -> Mapping[str, float | None]:
        """Start each bot that is due once, speak to it, and stop it.

        At the first start a bot that does not get ready is refused. Later nothing is: a bot that
        played may have its bad moments, and what follows from them is for the matches to tell.

        Returns:
            By entrant, how long a decision took; None if it made none.

        Raises:
            ConfigError: a line for each bot that does not get ready, at the first start.
        """
        entrants = [each for each in self._config.entrants if due is None or each.id in due]
        checks = BotChecks(
            bots=self._bots, host=host, settings=self._config.settings, at_once=self._cores
        )
        checked = await checks.run(entrants)
        where = "" if config_path is None else f"{printable(config_path)}: "
        problems = []
        for entrant, found in checked:
            told = found.problem or found.warning
            if told is None:
                continue
            if due is None and found.ready_s is None:
                problems.append(f"{where}entrant {entrant.id[1:]}, {entrant.name}: {told}")
            else:
                self._progress.note(f"warning: {entrant.name}, in its check: {told}")
        if problems:
            raise ConfigError("\n".join(map(printable, problems)))
        decision_s = {entrant.id: found.decision_s for entrant, found in checked}
        warning = overload_warning(
            self._config.tables, self._config.pairings, decision_s=decision_s, cores=self._cores
        )
        if warning is not None:
            self._progress.note(warning)
        return decision_s


def _check_results(
    path: Path, config: TournamentConfig, config_path: Path, *, progress: Progress
) -> Results:
    """Read the results that a run goes on from, and hold the configuration against them."""
    results = read_results(path)
    if is_test(results.info.settings):
        raise ConfigError(
            f"{printable(path)}: holds a sequential test, which sprt goes on with; give a new file "
            "with --results"
        )
    changed = differences(results.info, config)
    if changed:
        begun = f"{printable(path)} was begun with other settings"
        fix = "put them back, or give a new file with --results"
        lines = [f"{printable(config_path)}: {each} ({begun}; {fix})" for each in changed]
        raise ConfigError("\n".join(lines))
    late = withdrawal_problems(results, _last_rounds(config))
    if late:
        where = printable(config_path)
        lines = [f"{where}: entrant {each[1:]}: last_round: {reason}" for each, reason in late]
        raise ConfigError("\n".join(lines))
    if lacks_its_wal(path):
        progress.note(
            f"note: {printable(path)} was not closed by its referee and has no -wal file beside "
            "it; if it is a copy, its latest matches may be missing and will be played again"
        )
    return results


def _last_rounds(config: TournamentConfig) -> Mapping[str, int | None]:
    """List after which round each entrant leaves."""
    return {each.id: each.last_round for each in config.entrants}
