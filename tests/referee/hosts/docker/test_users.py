import pytest

from tarneeb_referee.hosts.base import HostError
from tarneeb_referee.hosts.docker.users import (
    LOWEST_USER_ID,
    USER_IDS,
    any_user,
    is_known_here,
    next_user,
)


def test_bots_that_run_at_once_are_different_users() -> None:
    user = any_user()
    seen = {user := next_user(user, is_taken=lambda _: False) for _ in range(USER_IDS)}
    assert seen == set(range(LOWEST_USER_ID, LOWEST_USER_ID + USER_IDS))


def test_a_user_of_this_machine_is_passed_over() -> None:
    taken = {LOWEST_USER_ID, LOWEST_USER_ID + 2}.__contains__
    last = LOWEST_USER_ID + USER_IDS - 1
    assert next_user(last - 1, is_taken=taken) == last
    assert next_user(last, is_taken=taken) == LOWEST_USER_ID + 1
    assert next_user(LOWEST_USER_ID + 1, is_taken=taken) == LOWEST_USER_ID + 3


def test_where_every_number_is_somebodys_no_bot_is_started() -> None:
    with pytest.raises(HostError, match="all user numbers from 20,000 to 59,999 are somebody's"):
        next_user(any_user(), is_taken=lambda _: True)


def test_a_machine_knows_its_users_and_its_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_known_here(0)
    missing = KeyError("no such number")

    def nobody(_: int) -> object:
        raise missing

    monkeypatch.setattr("pwd.getpwuid", nobody)
    monkeypatch.setattr("grp.getgrgid", lambda _: ("group",))
    assert is_known_here(12345)
    monkeypatch.setattr("grp.getgrgid", nobody)
    assert not is_known_here(12345)
