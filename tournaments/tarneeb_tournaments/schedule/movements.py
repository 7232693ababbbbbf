"""Movements for individual events of 4 to 40 entrants.

A movement is one round, the starter, from which the others follow: each place is moved on by one,
around a circle. What counts then are distances: two who sit at distance d in the starter stand for
all pairs at that distance.

- n = 4m: n - 1 rounds, the last place stands in the middle of the circle and does not move.
  Everybody has everybody as partner once and as opponent twice: a whist tournament Wh(4m).
- n = 4m + 1: n rounds, and everybody sits out once; partners and opponents as above, Wh(4m + 1).
- n = 4m + 2 and 4m + 3: n rounds, and everybody sits out two or three times. Nobody has a partner
  twice, and everybody is met once or twice.

Sources: E. H. Moore, "Tactical memoranda" (1896); I. Anderson, "A hundred years of whist
tournaments" (1995). Where 4m + 1 is a prime, 9 or 25, starters are the classical ones over a field:
with a generator g of its units, tables of g^i and -g^i against g^(i+m) and -g^(i+m). The others
were found by simulated annealing on the counts; the tests check every one of them.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

# Places in the order of entrants: two partners, then the two who play against them.
Table = tuple[int, int, int, int]

# Two digits to this base, each of which turns on its own: the additive group of GF(9) and GF(25).
_TWO_DIGITS: Final[Mapping[int, int]] = {9: 3, 25: 5}

_STARTERS: Final[Mapping[int, str]] = {
    4: "0-1:2-3",
    5: "1-4:2-3",
    6: "0-4:1-2",
    7: "0-6:1-3",
    8: "0-2:1-5 3-4:6-7",
    9: "1-2:3-6 4-8:5-7",
    10: "0-8:5-6 1-4:3-7",
    11: "0-8:6-7 1-10:4-9",
    12: "0-5:3-10 1-9:8-11 2-4:6-7",
    13: "1-12:5-8 2-11:3-10 4-9:6-7",
    14: "0-5:8-10 1-11:2-3 6-9:7-13",
    15: "0-5:4-13 2-14:7-11 6-8:9-10",
    16: "0-4:10-11 1-14:2-15 3-9:7-12 5-8:6-13",
    17: "1-16:4-13 2-15:8-9 3-14:5-12 6-11:7-10",
    18: "0-8:9-14 1-2:4-6 3-15:5-16 7-10:13-17",
    19: "0-9:11-12 1-6:7-10 2-8:4-16 3-18:15-17",
    20: "0-9:1-12 2-16:6-8 3-10:5-19 4-17:7-11 13-14:15-18",
    21: "0-2:10-15 1-5:4-17 6-9:7-16 8-19:12-13 11-18:14-20",
    22: "0-14:4-17 1-8:2-6 3-13:10-11 7-12:18-20 9-15:16-19",
    23: "0-11:7-13 1-9:14-15 2-16:5-10 3-19:8-12 18-21:20-22",
    24: "0-8:11-22 1-18:2-3 4-6:16-21 5-9:14-23 7-17:13-20 10-19:12-15",
    25: "1-4:2-3 5-20:10-15 6-24:12-18 7-23:14-16 8-22:11-19 9-21:13-17",
    26: "0-2:6-17 1-21:9-23 3-11:4-14 5-12:22-25 8-13:15-16 10-19:20-24",
    27: "0-24:3-14 2-6:8-25 4-13:5-20 7-12:19-21 9-23:18-26 10-11:15-22",
    28: "0-5:2-6 1-17:18-26 3-13:9-23 4-25:11-20 7-14:19-22 8-10:21-27 12-24:15-16",
    29: "1-28:12-17 2-27:5-24 3-26:7-22 4-25:10-19 6-23:14-15 8-21:9-20 11-18:13-16",
    30: "0-6:7-26 1-2:19-21 3-11:5-15 4-22:25-29 8-17:16-23 9-12:14-28 10-27:13-18",
    31: "0-15:4-14 1-10:3-29 5-24:12-13 7-21:8-16 9-27:19-25 11-22:26-28 17-20:23-30",
    32: ("0-5:3-6 1-7:18-27 2-17:10-31 4-28:16-20 8-26:13-30 9-19:23-25 11-22:21-29 12-24:14-15"),
    33: ("0-17:10-22 1-25:21-28 2-8:7-26 3-23:5-27 4-12:29-31 6-11:14-18 9-32:19-20 13-16:15-30"),
    34: ("0-33:9-27 1-3:15-20 2-11:5-32 4-18:17-29 6-16:8-14 7-22:12-25 10-13:24-28 19-30:23-31"),
    35: ("0-6:16-20 1-27:2-24 3-10:4-25 5-7:11-23 8-19:15-30 9-26:17-18 14-33:28-31 22-32:29-34"),
    36: (
        "0-6:12-15 1-22:5-33 2-14:7-17 3-4:10-25 8-21:20-35 9-28:19-30 11-13:24-29 "
        "16-34:18-26 23-32:27-31"
    ),
    37: (
        "1-36:6-31 2-35:12-25 3-34:18-19 4-33:13-24 5-32:7-30 8-29:11-26 9-28:17-20 "
        "10-27:14-23 15-22:16-21"
    ),
    38: (
        "0-15:10-16 1-35:21-24 3-17:7-9 4-12:13-33 5-30:8-18 6-23:25-37 11-22:19-28 "
        "14-36:29-34 20-27:31-32"
    ),
    39: (
        "0-36:18-23 1-15:5-34 2-30:6-22 3-38:10-37 4-25:31-32 7-24:8-21 9-28:11-19 "
        "12-14:17-26 20-27:29-35"
    ),
    40: (
        "0-32:24-26 1-2:11-38 3-29:28-34 4-39:23-37 5-25:7-16 6-27:13-17 8-36:12-20 "
        "9-14:21-31 10-33:15-30 18-35:19-22"
    ),
}

MOVEMENT_SIZES: Final = frozenset(_STARTERS)


def movement_round(count: int, number: int) -> tuple[Table, ...]:
    """Give the tables of a round; after the last one a movement begins again.

    Args:
        count: of entrants, one of `MOVEMENT_SIZES`.
        number: the round, from 1.

    >>> movement_round(5, 1), movement_round(5, 2)
    (((1, 4, 2, 3),), ((2, 0, 3, 4),))
    """
    length = count - (count % 4 == 0)
    step = (number - 1) % length
    return tuple(
        (
            _moved(one, step, count),
            _moved(its_partner, step, count),
            _moved(other, step, count),
            _moved(other_partner, step, count),
        )
        for one, its_partner, other, other_partner in _starter(count)
    )


def _moved(place: int, step: int, count: int) -> int:
    if count in _TWO_DIGITS:
        base = _TWO_DIGITS[count]
        high, low = (place // base + step // base) % base, (place + step) % base
        return high * base + low
    if count % 4 == 0:
        return place if place == count - 1 else (place + step) % (count - 1)
    return (place + step) % count


@cache
def _starter(count: int) -> tuple[Table, ...]:
    tables = []
    for text in _STARTERS[count].split():
        one, its_partner, other, other_partner = text.replace(":", "-").split("-")
        tables.append((int(one), int(its_partner), int(other), int(other_partner)))
    return tuple(tables)
