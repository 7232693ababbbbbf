from tarneeb_tournaments.stats.behaviour import (
    Behaviour,
    Contract,
    DealSummary,
    LevelCount,
    behaviour_of,
)

PAIRS = ("a", "b", "a", "b")


def deal(seat: int, bid: int, tricks: int, points: tuple[int, int]) -> DealSummary:
    return DealSummary(entrants=PAIRS, contracts=(Contract(seat, bid, tricks),), points=points)


DEALS = (
    deal(0, 8, 9, (9, 0)),
    deal(2, 8, 6, (-8, 7)),
    deal(1, 7, 13, (0, 16)),
    deal(2, 10, 10, (10, 0)),
)


def test_contracts_are_counted_by_level_for_whoever_declared() -> None:
    counted = behaviour_of(DEALS)
    assert counted["a"].levels == {8: LevelCount(2, 1), 10: LevelCount(1, 1)}
    assert counted["b"].levels == {7: LevelCount(1, 1)}
    assert counted["a"].made_share == 2 / 3


def test_overbidding_is_what_contracts_lack_and_underbidding_what_they_bring_more() -> None:
    counted = behaviour_of(DEALS)
    assert counted["a"].overbid == 2 / 3
    assert counted["a"].underbid == 1 / 3
    assert counted["b"].underbid == 6


def test_points_are_told_apart_by_who_declared() -> None:
    counted = behaviour_of(DEALS)
    assert counted["a"].points_as_declarer == (9 - 15 + 10) / 3
    assert counted["a"].points_as_defender == -16
    assert counted["b"].points_as_declarer == 16
    assert counted["b"].points_as_defender == (-9 + 15 - 10) / 3


def test_kaboots_are_counted_for_both_sides() -> None:
    counted = behaviour_of(DEALS)
    assert (counted["b"].kaboots, counted["b"].kaboots_against) == (1, 0)
    assert (counted["a"].kaboots, counted["a"].kaboots_against) == (0, 1)


def test_in_syrian_41_each_seat_has_its_own_contract() -> None:
    summary = DealSummary(
        entrants=PAIRS,
        contracts=tuple(
            Contract(seat, bid, tricks)
            for seat, (bid, tricks) in enumerate([(3, 4), (4, 2), (2, 2), (3, 5)])
        ),
        points=(3, -4, 2, 3),
    )
    counted = behaviour_of([summary])
    assert counted["a"].contracts == 2
    assert counted["a"].made_share == 1
    assert counted["a"].underbid == 0.5
    assert counted["b"].overbid == 1
    assert counted["b"].points_as_declarer == -0.5
    assert counted["b"].points_as_defender is None


def test_in_an_individual_event_the_declarers_partner_declares_too_but_bids_nothing() -> None:
    summary = DealSummary(
        entrants=("a", "b", "c", "d"), contracts=(Contract(0, 8, 9),), points=(9, 0)
    )
    counted = behaviour_of([summary])
    assert counted["c"].declarer_deals == 1
    assert counted["c"].points_as_declarer == 9
    assert counted["c"].contracts == 0
    assert counted["d"].points_as_defender == -9


def test_nothing_played_has_no_figures() -> None:
    behaviour = Behaviour()
    assert behaviour.made_share is None
    assert behaviour.overbid is None
    assert behaviour.points_as_declarer is None
    assert behaviour_of([]) == {}


def test_counts_of_matches_add_up_to_the_count_of_all() -> None:
    parts = [behaviour_of(DEALS[:1]), behaviour_of(DEALS[1:3]), behaviour_of(DEALS[3:])]
    added: dict[str, Behaviour] = {}
    for part in parts:
        for entrant, behaviour in part.items():
            added.setdefault(entrant, Behaviour()).add(behaviour)
    assert added == behaviour_of(DEALS)
