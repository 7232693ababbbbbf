"""The tree of errors."""

import pickle

import pytest

from tarneeb_sdk import errors
from tarneeb_sdk.game import Card, IllegalMoveError, MalformedError, RulesError, TarneebError


def test_an_illegal_move_tells_all_about_itself() -> None:
    error = IllegalMoveError(Card("7H"), "seat 3 played 7H; no", rule="R-4.2", legal=(Card("3S"),))
    assert str(error) == error.reason == "seat 3 played 7H; no [R-4.2]"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.move, again.rule, again.legal) == (
        str(error),
        error.move,
        error.rule,
        error.legal,
    )


@pytest.mark.parametrize(
    ("error", "bases"),
    [
        (RulesError, (TarneebError, ValueError)),
        (MalformedError, (RulesError,)),
        (IllegalMoveError, (RulesError,)),
        (errors.HarnessError, (TarneebError, RuntimeError)),
        (errors.ConfigError, (TarneebError, ValueError)),
    ],
)
def test_each_error_has_its_place(error: type[Exception], bases: tuple[type, ...]) -> None:
    assert error.__bases__ == bases
    assert getattr(errors, error.__name__) is error
