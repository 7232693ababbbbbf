"""What is summed over matches, compared with what is stored."""

import dataclasses
from collections import Counter
from types import SimpleNamespace
from typing import cast

import pytest

from tarneeb_tournaments.results import Results
from tarneeb_tournaments.verify.finding import DisprovedError
from tarneeb_tournaments.verify.totals import Totals
from tests.tournaments.kit.made_up import match


def check(brought: dict[int, int], stored: dict[str, dict[int, int]]) -> None:
    """Compare what one match brings of e1's times with what is stored."""
    totals = Totals()
    totals.add(dataclasses.replace(match(), time_spread={"e1": Counter(brought)}, behaviour={}))
    totals.check(cast("Results", SimpleNamespace(behaviour={}, time_spread=stored)))


def test_a_bot_that_has_decided_nothing_in_time_has_no_counts() -> None:
    check({}, {})


@pytest.mark.parametrize(("brought", "stored"), [({5: 1}, {}), ({}, {"e1": {5: 1}})])
def test_counts_that_one_side_alone_has_are_wrong(
    brought: dict[int, int], stored: dict[str, dict[int, int]]
) -> None:
    with pytest.raises(DisprovedError, match="the counts of times of e1 do not follow"):
        check(brought, stored)
