"""The tournament's secret, and the seed that its organizer can't choose."""

import dataclasses
import hashlib
import json
import secrets

from tarneeb_referee.deals import SECRET_BYTES
from tarneeb_tournaments.config import TournamentConfig
from tarneeb_tournaments.results import EntrantRow, Settings, TournamentInfo


def new_tournament(config: TournamentConfig, *, secret: bytes | None = None) -> TournamentInfo:
    """Fix what a tournament's deals depend on.

    Args:
        config: the whole tournament.
        secret: for tests alone; nothing that a user writes leads here.
    """
    entrants = entrant_rows(config)
    settings = effective_settings(config)
    return TournamentInfo(
        name=config.name,
        settings=settings,
        entrants=entrants,
        public_seed=public_seed(settings, entrants),
        secret=secrets.token_bytes(SECRET_BYTES) if secret is None else secret,
    )


def effective_settings(config: TournamentConfig) -> Settings:
    """List every setting that can change a result, defaults filled in.

    How many tables and pairings are played at once is not among them: it changes speed alone. Nor
    is who withdraws, which nobody knows before round 1; the results keep it.
    """
    rules, time, limits = config.settings.rules, config.settings.time, config.settings.limits
    return {
        "tournament": {
            "name": config.name,
            "preset": rules.preset,
            "boards": config.boards,
            **config.schedule,
        },
        "match": {
            "target": rules.target if rules.deals is None else None,
            "deals": rules.deals,
            "defenders_always_score": rules.defenders_always_score,
            "max_cancelled": rules.max_cancelled,
            "max_deals": rules.max_deals,
        },
        "time": {
            "start": time.start_s,
            "decision": time.decision_s,
            "bank": time.bank_s,
            "margin": time.margin_s,
            "tempo_quantum": time.tempo_quantum_s,
        },
        "limits": dataclasses.asdict(limits),
        "sandbox": config.sandbox.effective(),
    }


def entrant_rows(config: TournamentConfig) -> tuple[EntrantRow, ...]:
    """Give the entrants as the results keep them."""
    return tuple(
        EntrantRow(
            each.id,
            each.name,
            bot_name=each.bot.name,
            bot_version=each.bot.version,
            digest=each.bot.digest,
        )
        for each in config.entrants
    )


def public_seed(settings: Settings, entrants: tuple[EntrantRow, ...]) -> str:
    """Hash all that decides the tournament but for the secret: SHA-256 in hex.

    Whoever would choose the deals by trying settings until they please has to publish, for each
    try, other settings or other bots.
    """
    named = [[each.id, each.name, each.digest] for each in entrants]
    return hashlib.sha256(canonical_json([settings, named]).encode("ascii")).hexdigest()


def canonical_json(value: object) -> str:
    """Write a value so that equal values give equal texts: keys sorted, no spaces, ASCII alone."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def differences(info: TournamentInfo, config: TournamentConfig) -> tuple[str, ...]:
    """Say in what a tournament's file no longer is what its results were begun with.

    Returns:
        A line for each difference; none if the run may go on.
    """
    now = effective_settings(config)
    lines = [
        f"{section}.{key} was {_toml(before)} and is {_toml(after)}"
        for section, keys in info.settings.items()
        for key, before in keys.items()
        # A sequential test has a section that no tournament has.
        if (after := now.get(section, {}).get(key)) != before
    ]
    return (*lines, *_entrant_differences(info.entrants, entrant_rows(config)))


def _entrant_differences(before: tuple[EntrantRow, ...], now: tuple[EntrantRow, ...]) -> list[str]:
    lines = []
    if len(before) != len(now):
        lines.append(f"there were {len(before)} entrants and are {len(now)}")
    for old, new in zip(before, now, strict=False):
        if old.name != new.name:
            lines.append(f"entrant {old.id[1:]} was {old.name!r} and is {new.name!r}")
        elif old.digest != new.digest:
            lines.append(
                f"the files of {old.name!r} have changed "
                f"(digest {old.digest[:12]}… before, {new.digest[:12]}… now)"
            )
    return lines


def _toml(value: object) -> str:
    return "not set" if value is None else json.dumps(value, ensure_ascii=False)
