"""How everybody bid and scored, as a second table; JSON and CSV have it in each entrant's line."""

from typing import Final

from tarneeb_tournaments.columns import NAME, RANK, Column
from tarneeb_tournaments.standings import Standings, StandingsRow

BEHAVIOUR: Final = (
    "How they bid and scored: tricks a contract, points a deal, contracts made by level."
)


def behaviour_columns(standings: Standings) -> tuple[Column, ...]:
    """Choose the columns that say something; none before the first contract."""
    behaviours = [row.behaviour for row in standings.rows]
    levels = sorted({level for each in behaviours for level in each.levels})
    if not levels:
        return ()
    # In Syrian 41 everybody declares, and thirteen tricks are nothing special.
    defending = _DEFENDING if any(each.defender_deals for each in behaviours) else ()
    return (RANK, NAME, *_DECLARING, *defending, *(_level(level) for level in levels))


def _level(level: int) -> Column:
    def cell(row: StandingsRow) -> str | None:
        count = row.behaviour.levels.get(level)
        return None if count is None else f"{count.made}/{count.bid}"

    return Column(str(level), cell)


def _number(value: float | None, form: str) -> str | None:
    return None if value is None else format(value, form)


def _kaboots(row: StandingsRow) -> str | None:
    behaviour = row.behaviour
    if not behaviour.declarer_deals + behaviour.defender_deals:
        return None
    return f"{behaviour.kaboots}-{behaviour.kaboots_against}"


_DECLARING: Final = (
    Column("over", lambda row: _number(row.behaviour.overbid, ".2f")),
    Column("under", lambda row: _number(row.behaviour.underbid, ".2f")),
    Column("declarer", lambda row: _number(row.behaviour.points_as_declarer, "+.2f")),
)

_DEFENDING: Final = (
    Column("defender", lambda row: _number(row.behaviour.points_as_defender, "+.2f")),
    Column("kaboots", _kaboots),
)
