"""What a file says of its schedule is judged before round 1."""

import pytest

from tarneeb_tournaments.config_models import TournamentSection
from tarneeb_tournaments.config_schedule import read_schedule
from tarneeb_tournaments.schedule import SCHEDULE_KEYS, SCHEDULES, Gauntlet, Swiss, schedule_of


def ids(count: int) -> dict[str, str]:
    return {f"Bot {number}": f"e{number}" for number in range(1, count + 1)}


def section(**keys: object) -> TournamentSection:
    return TournamentSection.model_validate({"name": "Cup", "boards": 2, **keys})


def problems(entrants: int, **keys: object) -> list[str]:
    return [str(each) for each in read_schedule(section(**keys), ids(entrants))[1]]


def test_every_schedule_has_its_keys() -> None:
    assert set(SCHEDULES) == set(SCHEDULE_KEYS)


def test_a_swiss_tournament_is_read() -> None:
    settings, found = read_schedule(section(schedule="swiss", rounds=3), ids(6))
    assert not found
    assert settings == {"schedule": "swiss", "rounds": 3, "rematches": False}
    assert schedule_of(settings) == Swiss(3)


def test_challengers_are_named_and_kept_by_id() -> None:
    keys = {"schedule": "gauntlet", "challengers": ["bot 3", "Bot 1"]}
    settings, found = read_schedule(section(**keys), ids(4))
    assert not found
    assert schedule_of(settings) == Gauntlet(("e3", "e1"))


WRONG = [
    (
        1_000,
        {"schedule": "round-robin", "times": 3},
        "tournament.times: 1,498,500 pairings are too many; use fewer than 3 times",
    ),
    (
        6,
        {"schedule": "swiss", "rounds": 6},
        (
            "tournament.rounds: 6 entrants can play at most 5 rounds without a second meeting, "
            "not 6; use fewer rounds or allow rematches"
        ),
    ),
    (6, {"schedule": "swiss"}, "tournament.rounds: is missing; swiss needs it"),
    (4, {"schedule": "gauntlet"}, "tournament.challengers: is missing; gauntlet needs it"),
    (
        4,
        {"schedule": "gauntlet", "challengers": ["Bott 1"]},
        "tournament.challengers: 'Bott 1' is no entrant's name; did you mean Bot 1?",
    ),
    (
        2,
        {"schedule": "gauntlet", "challengers": ["Bot 1", "Bot 2"]},
        "tournament.challengers: all entrants are challengers; a gauntlet needs at least 1 other",
    ),
    (
        3,
        {"schedule": "individual"},
        "tournament.schedule: an individual event needs at least 4 entrants, not 3",
    ),
    (
        4,
        {"rounds": 3},
        "tournament.rounds: has no meaning in round-robin, which takes times",
    ),
]


@pytest.mark.parametrize(("entrants", "keys", "line"), WRONG)
def test_what_cannot_be_scheduled_is_refused(
    entrants: int, keys: dict[str, object], line: str
) -> None:
    assert problems(entrants, **keys) == [line]


@pytest.mark.parametrize(
    "keys",
    [
        {"schedule": "round-robin", "times": 2},
        {"schedule": "gauntlet", "challengers": ["Bot 1"], "times": 100},
    ],
)
def test_a_thousand_entrants_can_be_scheduled(keys: dict[str, object]) -> None:
    assert problems(1_000, **keys) == []


def test_rematches_allow_more_rounds() -> None:
    assert problems(6, schedule="swiss", rounds=9, rematches=True) == []
