import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarneeb_tournaments.agenda import Agenda
from tarneeb_tournaments.results import Entry, MatchRow, Suspension
from tarneeb_tournaments.schedule import Pairing
from tarneeb_tournaments.store.memory import MemoryStore
from tarneeb_tournaments.suspension import suspended_entrants
from tests.tournaments.kit import made_up
from tests.tournaments.kit.fake_play import new_store

BOARDS = 10


def played(
    pairing: Pairing,
    *,
    autopilots: dict[str, int] | None = None,
    absent: tuple[str, ...] = (),
    boards: int = BOARDS,
) -> list[Entry]:
    """Make all matches of a pairing: so many of an entrant's on autopilot, some forfeited."""
    left = dict(autopilots or {})
    matches: list[Entry] = []
    for board, half in itertools.product(range(1, boards + 1), (1, 2)):
        teams = pairing.teams(half)
        piloted = []
        for entrant in teams:
            piloted.append(left.get(entrant, 0) > 0)
            left[entrant] = left.get(entrant, 0) - 1
        gone = [entrant in absent for entrant in teams]
        matches.append(
            made_up.match(
                (*pairing.place, board, half),
                teams,
                winner=(None if all(gone) else gone.index(False)) if any(gone) else 0,
                ending="forfeit" if any(gone) else "target",
                autopilot=(piloted[0], piloted[1]),
            )
        )
    return matches


def settle(agenda: Agenda, pairing: Pairing, matches: list[Entry]) -> None:
    rows: list[MatchRow] = [each.row for each in matches]  # type: ignore[union-attr]
    agenda.settle(pairing, rows)


def take(agenda: Agenda) -> Pairing:
    pairing = agenda.take()
    assert pairing is not None
    return pairing


def test_pairings_are_handed_out_in_schedule_order() -> None:
    agenda = Agenda(new_store(boards=BOARDS).read())
    order = []
    while (pairing := agenda.take()) is not None:
        order.append(pairing.place)
        settle(agenda, pairing, played(pairing))
    assert order == sorted(order)
    assert len(order) == 6
    assert agenda.is_finished


def test_an_entrant_plays_one_pairing_at_a_time_and_in_order() -> None:
    agenda = Agenda(new_store(boards=BOARDS).read())
    first, second = take(agenda), take(agenda)
    assert not set(first.entrants) & set(second.entrants)
    assert agenda.take() is None
    settle(agenda, second, played(second))
    # Round 2 pairs each of these two with one of the two that still play.
    assert agenda.take() is None


def test_a_slow_pairing_holds_up_only_its_own_entrants() -> None:
    agenda = Agenda(new_store("ABCDEF", boards=BOARDS).read())
    slow = take(agenda)
    others = 0
    while (pairing := agenda.take()) is not None:
        assert not set(pairing.entrants) & set(slow.entrants)
        settle(agenda, pairing, played(pairing))
        others += 1
    assert others >= 2
    settle(agenda, slow, played(slow))
    assert agenda.take() is not None


@pytest.mark.parametrize(
    ("autopilots", "suspended"),
    [(0, False), (2, False), (3, True), (20, True)],
)
def test_more_than_a_tenth_on_autopilot_and_three_suspends(
    autopilots: int, suspended: bool
) -> None:
    agenda = Agenda(new_store(boards=BOARDS).read())
    pairing = take(agenda)
    settle(agenda, pairing, played(pairing, autopilots={pairing.first: autopilots}))
    assert (pairing.first in agenda.suspended) is suspended
    assert pairing.second not in agenda.suspended


def test_a_tenth_exactly_is_borne() -> None:
    agenda = Agenda(new_store(boards=15).read())
    pairing = take(agenda)
    settle(agenda, pairing, played(pairing, autopilots={pairing.first: 3}, boards=15))
    assert agenda.suspended == frozenset()


def test_an_entrant_that_was_never_ready_in_any_session_is_suspended() -> None:
    agenda = Agenda(new_store(boards=BOARDS).read())
    pairing = take(agenda)
    settle(agenda, pairing, played(pairing, absent=(pairing.first,)))
    assert agenda.suspended == {pairing.first}
    (suspension,) = agenda.take_suspensions()
    assert suspension.entrant == pairing.first
    assert len(suspension.pairings) == 2
    assert agenda.take_suspensions() == ()


def test_one_session_that_was_ready_is_enough_not_to_be_suspended() -> None:
    agenda = Agenda(new_store(boards=BOARDS).read())
    pairing = take(agenda)
    matches = played(pairing, absent=(pairing.first,))
    matches[1::2] = played(pairing)[1::2]
    settle(agenda, pairing, matches)
    assert agenda.suspended == frozenset()


def test_a_later_run_finds_the_same_state_from_the_results() -> None:
    store = new_store(boards=BOARDS)
    agenda = Agenda(store.read())
    pairing = take(agenda)
    matches = played(pairing, absent=(pairing.first,))
    settle(agenda, pairing, matches)
    for entry in matches:
        store.submit(entry).result()
    # The referee was killed before it stored the suspension.
    again = Agenda(store.read())
    assert again.suspended == agenda.suspended
    assert again.take_suspensions() == agenda.take_suspensions()


def test_a_stored_suspension_is_not_stored_again() -> None:
    store = new_store(boards=BOARDS)
    agenda = Agenda(store.read())
    pairing = take(agenda)
    matches = played(pairing, absent=(pairing.first,))
    settle(agenda, pairing, matches)
    for entry in [*matches, *agenda.take_suspensions()]:
        store.submit(entry).result()
    assert Agenda(store.read()).take_suspensions() == ()


@given(st.data())
def test_no_order_of_completion_changes_what_is_played(data: st.DataObject) -> None:
    """Any number of pairings at once, ending in any order: the same pairings are left out."""
    unfit = data.draw(st.sets(st.sampled_from(["e1", "e2", "e3", "e4", "e5"])), label="unfit")
    boards = 2

    def finish(at_once: int, choose: st.DataObject | None) -> MemoryStore:
        store = new_store("ABCDE", boards=boards)
        agenda = Agenda(store.read())
        running: list[Pairing] = []
        while not agenda.is_finished:
            while len(running) < at_once and (pairing := agenda.take()) is not None:
                running.append(pairing)
            index = choose.draw(st.integers(0, len(running) - 1)) if choose else 0
            pairing = running.pop(index)
            late = {each: 2 for each in unfit if pairing.round >= 2}
            matches = played(pairing, autopilots=late, boards=boards)
            settle(agenda, pairing, matches)
            for entry in [*matches, *agenda.take_suspensions()]:
                store.submit(entry).result()
        return store

    serial = finish(1, None).read()
    parallel = finish(data.draw(st.integers(2, 3), label="at once"), data).read()
    assert parallel == serial
    assert serial.is_finished
    # Whoever counts the rows finds the same as whoever handed out the pairings.
    assert suspended_entrants(serial) == Agenda(serial).suspended


def test_an_entrant_is_suspended_in_its_last_pairing_too() -> None:
    store = new_store("AB", boards=BOARDS)
    agenda = Agenda(store.read())
    pairing = take(agenda)
    matches = played(pairing, autopilots={"e2": 3})
    settle(agenda, pairing, matches)
    assert agenda.is_finished
    (suspension,) = agenda.take_suspensions()
    assert suspension == Suspension("e2", ())
    for entry in [*matches, suspension]:
        store.submit(entry).result()
    assert suspended_entrants(store.read()) == {"e2"}
    assert store.read().is_finished


def test_who_still_has_matches_to_play_is_known() -> None:
    agenda = Agenda(new_store("ABC", boards=BOARDS).read())
    first = take(agenda)
    settle(agenda, first, played(first, absent=(first.first,)))
    assert agenda.entrants_due == {"e1", "e2", "e3"} - {first.first}
    second = take(agenda)
    settle(agenda, second, played(second))
    assert agenda.entrants_due == frozenset()
