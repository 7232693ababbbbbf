"""A tournament's file: read, checked key by key, and told in one line for each problem."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tarneeb_referee.bot_folder import BotSpec, image_bot, load_bot, remote_bot
from tarneeb_referee.settings import Limits, MatchSettings, TimeBudgets
from tarneeb_sdk.errors import ConfigError
from tarneeb_sdk.game import PRESETS, RuleSet, rule_set
from tarneeb_tournaments.config_models import (
    MAX_ENTRANTS,
    EntrantSection,
    LimitsSection,
    MatchSection,
    RemoteSection,
    RunSection,
    TimeSection,
    TournamentSection,
)
from tarneeb_tournaments.config_problems import (
    Model,
    Problem,
    check_section,
    unknown_key,
    unknown_word,
)
from tarneeb_tournaments.config_schedule import read_schedule
from tarneeb_tournaments.names import name_key, normalized_name, verify_name
from tarneeb_tournaments.remote_config import Remote, make_remote, read_token, remote_problems
from tarneeb_tournaments.sandbox_config import (
    Sandbox,
    SandboxSection,
    make_sandbox,
    sandbox_problems,
)
from tarneeb_tournaments.schedule import SCHEDULES, ScheduleSettings
from tarneeb_tournaments.text import join_words, printable, short_repr
from tarneeb_tournaments.toml_file import read_toml

_SECTIONS = ("tournament", "match", "time", "limits", "run", "sandbox", "remote", "entrant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A bot that takes part, under its name.

    Attributes:
        id: `e1`, `e2`, … in the order of the file. Rows, seeds and files go by it.
        name: for people, as `normalized_name` gives it.
        bot: what is run; its digest tells one version of the bot from another.
        last_round: after which it withdraws; None if it stays.
    """

    id: str
    name: str
    bot: BotSpec
    last_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentConfig:
    """A whole tournament as its organizer wants it, with every default filled in.

    Attributes:
        name: for people.
        schedule: the word, a key of `SCHEDULES`, and those of `SCHEDULE_KEYS` that it takes.
        boards: of each pairing; each is played twice, teams swapped.
        settings: the rules, times and limits of every match.
        entrants: two or more.
        tables: how many matches of one half are played at once; None lets the referee choose.
        pairings: how many pairings are played at once; None lets the referee choose.
        sandbox: where the bots run.
        remote: how bots that are elsewhere dial in; None if there are none.
    """

    name: str
    schedule: ScheduleSettings
    boards: int
    settings: MatchSettings
    entrants: tuple[Entrant, ...]
    tables: int | None = None
    pairings: int | None = None
    sandbox: Sandbox = field(default_factory=Sandbox)
    remote: Remote | None = None


def load_config(path: Path) -> TournamentConfig:
    """Read a tournament's file, and the folder of every bot in it.

    Raises:
        ConfigError: one line for each problem; all problems are listed.
    """
    reader = _Reader(path.parent)
    config = reader.read(read_toml(path))
    if config is None or reader.problems:
        raise ConfigError("\n".join(f"{printable(path)}: {each}" for each in reader.problems))
    return config


def match_rules(section: MatchSection, preset: str) -> RuleSet:
    """Make the rules that a [match] table asks for, once `match_problems` finds none in it."""
    rules = rule_set(
        preset,
        target=section.target,
        deals=section.deals,
        defenders_always_score=section.defenders_always_score,
    )
    return replace(rules, max_cancelled=section.max_cancelled, max_deals=section.max_deals)


def match_problems(section: MatchSection, preset: str) -> Iterator[Problem]:
    """Find what the preset does not allow in a [match] table."""
    rules = PRESETS[preset]
    target, deals = section.target, section.deals
    if target is not None and target not in rules.allowed_targets:
        allowed = join_words(rules.allowed_targets)
        yield Problem("match.target", f"{target} is not a target of {preset}; use {allowed}")
    if target is not None and deals is not None:
        yield Problem("match.deals", "stands beside match.target; give one of the two")
    if deals is not None and deals > section.max_deals:
        yield Problem("match.deals", f"{deals} is more than match.max_deals, {section.max_deals}")
    if section.defenders_always_score and rules.num_scores != 2:
        yield Problem("match.defenders_always_score", f"has no meaning in {preset}; leave it out")


@dataclass(slots=True)
class _Reader:
    """Goes through a file once and keeps every problem that it meets."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)

    def read(self, raw: Mapping[str, object]) -> TournamentConfig | None:
        self.problems += [unknown_key(key, _SECTIONS) for key in raw if key not in _SECTIONS]
        tournament = self._tournament(raw)
        rules = self._rules(raw, tournament)
        time = self._section(TimeSection, raw, "time")
        limits = self._section(LimitsSection, raw, "limits")
        run = self._section(RunSection, raw, "run")
        sandbox = self._sandbox(raw)
        entrants = self._entrants(raw.get("entrant", []), sandbox)
        if tournament is None or rules is None or time is None or limits is None:
            return None
        if run is None or sandbox is None:
            return None
        pairings = None if run.pairings == "auto" else run.pairings
        remote = self._remote(raw, pairings=pairings)
        budgets = TimeBudgets(
            start_s=time.start,
            decision_s=time.decision,
            bank_s=time.bank,
            margin_s=time.margin,
            tempo_quantum_s=time.tempo_quantum,
        )
        schedule, problems = read_schedule(
            tournament,
            {each.name: each.id for each in entrants},
            is_complete=not self.problems,
        )
        self.problems += problems
        return TournamentConfig(
            name=normalized_name(tournament.name),
            schedule=schedule,
            boards=tournament.boards,
            settings=MatchSettings(rules=rules, time=budgets, limits=Limits(**limits.model_dump())),
            entrants=entrants,
            tables=None if run.tables == "auto" else run.tables,
            # A remote entrant has its two bots, and no more.
            pairings=pairings if remote is None else 1,
            sandbox=sandbox,
            remote=remote,
        )

    def _section(self, model: type[Model], raw: Mapping[str, object], name: str) -> Model | None:
        section, problems = check_section(model, raw.get(name, {}), place=name)
        self.problems += problems
        return section

    def _tournament(self, raw: Mapping[str, object]) -> TournamentSection | None:
        section = self._section(TournamentSection, raw, "tournament")
        if section is None:
            return None
        reason = verify_name(section.name)
        if reason is not None:
            self._add("tournament.name", f"{short_repr(section.name)} is refused: {reason}")
        if section.schedule not in SCHEDULES:
            key = "tournament.schedule"
            self.problems.append(
                unknown_word(key, section.schedule, list(SCHEDULES), what="schedule")
            )
        if section.preset not in PRESETS:
            key = "tournament.preset"
            self.problems.append(unknown_word(key, section.preset, list(PRESETS), what="preset"))
        return section

    def _rules(
        self, raw: Mapping[str, object], tournament: TournamentSection | None
    ) -> RuleSet | None:
        section = self._section(MatchSection, raw, "match")
        if section is None or tournament is None or tournament.preset not in PRESETS:
            return None
        problems = list(match_problems(section, tournament.preset))
        self.problems += problems
        return None if problems else match_rules(section, tournament.preset)

    def _sandbox(self, raw: Mapping[str, object]) -> Sandbox | None:
        section = self._section(SandboxSection, raw, "sandbox")
        if section is None:
            return None
        problems = list(sandbox_problems(section, raw.get("sandbox", {})))
        self.problems += problems
        return None if problems else make_sandbox(section)

    def _remote(self, raw: Mapping[str, object], *, pairings: int | None) -> Remote | None:
        section = self._section(RemoteSection, raw, "remote")
        if section is None:
            return None
        is_used = bool(self.tokens)
        problems = list(remote_problems(section, is_used=is_used, pairings=pairings))
        self.problems += problems
        if problems or not is_used:
            return None
        return make_remote(section, self.folder, self.tokens)

    def _entrants(self, raw: object, sandbox: Sandbox | None) -> tuple[Entrant, ...]:
        if not isinstance(raw, list):
            self._add(
                "entrant",
                "is no list of tables; write [[entrant]], with two brackets, above each entrant",
            )
            return ()
        if not 2 <= len(raw) <= MAX_ENTRANTS:
            has = f"{len(raw)} [[entrant]] table{'' if len(raw) == 1 else 's'}"
            self._add("entrant", f"the file has {has}; a tournament has 2 to {MAX_ENTRANTS:,}")
        entrants = [
            entrant
            for number, each in enumerate(raw[:MAX_ENTRANTS], start=1)
            if (entrant := self._entrant(number, each, sandbox)) is not None
        ]
        self._find_same_names(entrants)
        return tuple(entrants)

    def _entrant(self, number: int, raw: object, sandbox: Sandbox | None) -> Entrant | None:
        place = f"entrant {number}"
        section, problems = check_section(EntrantSection, raw, place=place, separator=": ")
        self.problems += problems
        if section is None:
            return None
        reason = verify_name(section.name)
        if reason is not None:
            self._add(f"{place}: name", f"{short_repr(section.name)} is refused: {reason}")
        bot = self._bot(place, section, sandbox)
        if bot is None:
            return None
        return Entrant(
            id=f"e{number}",
            name=normalized_name(section.name),
            bot=bot,
            last_round=section.last_round,
        )

    def _bot(self, place: str, section: EntrantSection, sandbox: Sandbox | None) -> BotSpec | None:
        # Of a table that is wrong itself nobody knows what it would be.
        in_container = sandbox is None or sandbox.kind == "docker"
        if section.kind == "remote":
            return self._remote_bot(place, section)
        if section.token_file is not None:
            self._add(f"{place}: token_file", 'takes kind = "remote"; leave it out')
            return None
        if (section.bot is None) == (section.image is None):
            given = "bot and image stand side by side" if section.bot else "bot is missing"
            or_image = ", or an image" if in_container else ""
            self._add(place, f'{given}; give a folder or "sample:<name>" as bot{or_image}')
            return None
        if section.image is not None:
            if not in_container:
                self._add(f"{place}: image", 'takes [sandbox] kind = "docker"; or give a bot')
                return None
            return image_bot(section.image)
        try:
            return load_bot(section.bot or "", relative_to=self.folder, runs_here=not in_container)
        except ConfigError as error:
            self._add(f"{place}: bot", " ".join(str(error).split()))
            return None

    def _remote_bot(self, place: str, section: EntrantSection) -> BotSpec | None:
        if section.token_file is None or section.bot is not None or section.image is not None:
            self._add(place, "a remote bot has a token_file, and neither bot nor image")
            return None
        try:
            token = read_token(self.folder / section.token_file)
        except ConfigError as error:
            self._add(f"{place}: token_file", str(error))
            return None
        if token in self.tokens.values():
            self._add(f"{place}: token_file", "holds another entrant's token; make one for each")
            return None
        name = f"e{place.removeprefix('entrant ')}"
        self.tokens[name] = token
        return remote_bot(name)

    def _find_same_names(self, entrants: list[Entrant]) -> None:
        first: dict[str, Entrant] = {}
        for entrant in entrants:
            other = first.setdefault(name_key(entrant.name), entrant)
            if other is not entrant:
                same = f"{short_repr(entrant.name)} is the name of entrant {other.id[1:]}"
                seen = "" if other.name == entrant.name else f", {short_repr(other.name)}"
                self._add(f"entrant {entrant.id[1:]}: name", f"{same}{seen}; names must differ")

    def _add(self, key: str, text: str) -> None:
        self.problems.append(Problem(key, text))
