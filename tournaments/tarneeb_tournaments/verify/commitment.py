"""What was fixed before round 1: the settings, the entrants, the public seed, the secret."""

import hashlib
from dataclasses import replace

from tarneeb_referee.deals import SECRET_BYTES
from tarneeb_referee.settings import Limits
from tarneeb_sdk.game import RulesError, RuleSet, rule_set
from tarneeb_tournaments.results import Results, Settings, TournamentInfo
from tarneeb_tournaments.seeds import public_seed
from tarneeb_tournaments.sprt import Decision
from tarneeb_tournaments.sprt_match import is_test, state_of
from tarneeb_tournaments.verify.finding import DisprovedError, Where

NOWHERE = Where()


def check_public_seed(info: TournamentInfo) -> None:
    """Check that the public seed follows from settings and entrants.

    Raises:
        DisprovedError: it does not: the deals may have been chosen.
    """
    ids = [each.id for each in info.entrants]
    if ids != [f"e{number}" for number in range(1, len(ids) + 1)]:
        raise DisprovedError(NOWHERE, "the entrants are not e1, e2, … in order")
    if info.settings.get("tournament", {}).get("name") != info.name:
        raise DisprovedError(NOWHERE, "the tournament's name is not that of its settings")
    try:
        due = public_seed(info.settings, info.entrants)
    except ValueError as error:
        raise DisprovedError(NOWHERE, f"the settings can't be hashed: {error}") from error
    if info.public_seed != due:
        raise DisprovedError(NOWHERE, "the public seed does not follow from settings and entrants")


def check_secret(info: TournamentInfo, published: str) -> None:
    """Check the secret against the hash that was published before round 1.

    Args:
        info: with the secret.
        published: hex.

    Raises:
        DisprovedError: it is another secret.
    """
    if len(info.secret) != SECRET_BYTES:
        raise DisprovedError(NOWHERE, f"the secret has {len(info.secret)} bytes")
    if hashlib.sha256(info.secret).hexdigest() != published:
        raise DisprovedError(NOWHERE, "the secret does not hash to what was published")


def is_over(results: Results) -> bool:
    """Tell whether nothing is played any more, so that the secret is no longer one.

    Raises:
        DisprovedError: the results of a sequential test make no sense.
    """
    if results.is_finished or not is_test(results.info.settings):
        return results.is_finished
    try:
        return state_of(results).decision is not Decision.GO_ON
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        raise DisprovedError(NOWHERE, f"the test makes no sense: {error}") from error


def rules_of(settings: Settings) -> RuleSet:
    """Make the rules of every match.

    Raises:
        DisprovedError: the settings hold none.
    """
    try:
        match = settings["match"]
        rules = rule_set(
            str(settings["tournament"]["preset"]),
            target=_whole(match["target"]),
            deals=_whole(match["deals"]),
            defenders_always_score=match["defenders_always_score"] is True,
        )
        max_cancelled, max_deals = _whole(match["max_cancelled"]), _whole(match["max_deals"])
        if max_cancelled is None or max_deals is None:
            raise ValueError("a limit is missing")
        return replace(rules, max_cancelled=max_cancelled, max_deals=max_deals)
    except (KeyError, ValueError, RulesError) as error:
        raise DisprovedError(NOWHERE, f"the settings are no rules: {error}") from error


def limits_of(settings: Settings) -> Limits:
    """Make the limits of every match.

    Raises:
        DisprovedError: the settings hold none.
    """
    try:
        return Limits(**{key: _whole(value) or 0 for key, value in settings["limits"].items()})
    except (KeyError, TypeError, ValueError) as error:
        raise DisprovedError(NOWHERE, f"the settings are no limits: {error}") from error


def _whole(value: object) -> int | None:
    if value is not None and type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value
