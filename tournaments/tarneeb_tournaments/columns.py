"""The columns of the standings, each with what stands in it, for people and for programs."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from tarneeb_tournaments.rating import Rating
from tarneeb_tournaments.standings import Standings, StandingsRow
from tarneeb_tournaments.stats.intervals import Estimate

DASH: Final = "-"
"""Stands for what can't be computed yet."""

# Of a normal distribution 95% lie within so many deviations of the mean.
_DEVIATIONS: Final = 1.96


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table.

    Attributes:
        cell: gives the text of a row's cell; None for a dash.
    """

    heading: str
    cell: Callable[[StandingsRow], str | None]

    def text(self, row: StandingsRow) -> str:
        return self.cell(row) or DASH


RANK: Final = Column("#", lambda row: None if row.rank is None else str(row.rank))

NAME: Final = Column("entrant", lambda row: row.entrant.name)


def columns_of(standings: Standings) -> tuple[Column, ...]:
    """Choose the columns that say something in these standings."""
    swiss = _SWISS if standings.is_swiss else ()
    rating = _ELO if standings.rating == "elo" else _TRUESKILL
    return (RANK, NAME, *swiss, *rating, *_PLAY)


def _w_d_l(row: StandingsRow) -> str | None:
    counts = row.counts
    if not counts.won + counts.drawn + counts.lost:
        return None
    return f"{counts.won}-{counts.drawn}-{counts.lost}"


def _made(row: StandingsRow) -> str | None:
    if row.made_share is None:
        return None
    return f"{row.counts.made}/{row.counts.bids} {row.made_share:.0%}"


def _points_95(row: StandingsRow) -> str | None:
    return None if row.overall is None else format_estimate(row.overall.points, "+.1f")


def _score_95(row: StandingsRow) -> str | None:
    return None if row.overall is None else format_estimate(row.overall.score, ".0%")


def format_estimate(estimate: Estimate, form: str) -> str:
    """Write a figure with its interval behind it.

    >>> format_estimate(Estimate(value=0.5, low=0.25, high=0.75, count=8), ".0%")
    '50% [25%, 75%]'
    """
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:{form}}"
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"


_SWISS: Final = (
    Column("points", lambda row: f"{row.swiss.points:g}" if row.swiss else None),
    Column("median", lambda row: f"{row.swiss.median_buchholz:g}" if row.swiss else None),
    Column("Buchholz", lambda row: f"{row.swiss.buchholz:g}" if row.swiss else None),
    Column(
        "h2h",
        lambda row: (
            f"{row.swiss.head_to_head:g}"
            if row.swiss and row.swiss.head_to_head is not None
            else None
        ),
    ),
    Column("boards", lambda row: f"{row.swiss.board_points:g}" if row.swiss else None),
)

_TRUESKILL: Final = (
    Column("rating", lambda row: f"{row.rating.conservative:.2f}" if row.rating else None),
    Column(
        "μ ± σ",  # noqa: RUF001 - Greek on purpose
        lambda row: f"{row.rating.mu:.2f} ± {row.rating.sigma:.2f}" if row.rating else None,
    ),
)

_ELO: Final = (
    Column("Elo", lambda row: f"{row.elo.elo:+.0f}" if row.elo else None),
    Column(
        "Elo 95%", lambda row: f"[{row.elo.low:+.0f}, {row.elo.high:+.0f}]" if row.elo else None
    ),
    Column("ranks", lambda row: f"{row.elo.best_rank}-{row.elo.worst_rank}" if row.elo else None),
)

_PLAY: Final = (
    Column("W-D-L", _w_d_l),
    Column("won 95%", _score_95),
    Column("pts/board 95%", _points_95),
    Column(
        "pts/deal",
        lambda row: None if row.points_per_deal is None else f"{row.points_per_deal:+.2f}",
    ),
    Column("made", _made),
    Column("ms", lambda row: None if row.decision_s is None else f"{row.decision_s * 1e3:.2f}"),
    Column(
        "ms 99%",
        lambda row: None if row.slow_s is None else f"{row.slow_s * 1e3:.2f}",
    ),
    Column(
        "total s", lambda row: f"{row.times.total_us / 1e6:.1f}" if row.times.decisions else None
    ),
)


LEFT_OUT_FIRST: Final = (
    "ms 99%",
    "pts/board 95%",
    "won 95%",
    "total s",
    "ms",
    "made",
    "pts/deal",
    "boards",
    "h2h",
    "μ ± σ",  # noqa: RUF001 - Greek on purpose
    "ranks",
    "Elo 95%",
    "Buchholz",
    "median",
    "W-D-L",
    "rating",
    "Elo",
)
"""Headings in the order in which columns make room on a narrow terminal."""


def row_values(row: StandingsRow) -> dict[str, object]:
    """Give a row as plain values, for JSON; docs/reference/results-file.md names the keys."""
    times = row.times
    return {
        "rank": row.rank,
        "id": row.entrant.id,
        "name": row.entrant.name,
        "suspended": row.is_suspended,
        "last_round": row.entrant.last_round,
        **_swiss_values(row),
        **_rating_values(row),
        **asdict(row.counts),
        **_overall_values(row),
        "points_per_deal": rounded(row.points_per_deal),
        "made_share": rounded(row.made_share),
        **_behaviour_values(row),
        "decisions": times.decisions,
        "decision_s": rounded(row.decision_s),
        "slow_s": rounded(row.slow_s),
        "total_s": rounded(times.total_us / 1e6),
        "max_s": rounded(times.max_us / 1e6),
        "late": times.late,
        "time_outs_in_lag": row.lag.time_outs,
        "max_lag_s": rounded(row.lag.max_s),
        "faults": dict(row.faults),
        "incidents": dict(row.incidents),
        "bot": row.entrant.bot_name,
        "bot_version": row.entrant.bot_version,
        "digest": row.entrant.digest,
    }


def rounded(value: float | None) -> float | None:
    """Round a figure: its last digits are not the same on every machine."""
    return None if value is None else round(value, 6)


def estimate_values(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    """Give a figure and the ends of its interval under three keys."""
    if estimate is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {
        name: rounded(estimate.value),
        f"{name}_low": rounded(estimate.low),
        f"{name}_high": rounded(estimate.high),
    }


def _swiss_values(row: StandingsRow) -> dict[str, object]:
    swiss = row.swiss
    return {
        "swiss_points": None if swiss is None else swiss.points,
        "median_buchholz": None if swiss is None else swiss.median_buchholz,
        "buchholz": None if swiss is None else swiss.buchholz,
        "head_to_head": None if swiss is None else swiss.head_to_head,
        "board_points": None if swiss is None else swiss.board_points,
        "byes": None if swiss is None else swiss.byes,
    }


def _rating_values(row: StandingsRow) -> dict[str, object]:
    rating, elo = row.rating, row.elo
    return {
        "rating": None if rating is None else rounded(rating.conservative),
        "mu": None if rating is None else rounded(rating.mu),
        "mu_low": None if rating is None else rounded(_bound(rating, -1)),
        "mu_high": None if rating is None else rounded(_bound(rating, 1)),
        "sigma": None if rating is None else rounded(rating.sigma),
        # The bootstrap's last digits hang on the machine's arithmetic more than others do.
        "elo": None if elo is None else round(elo.elo, 2),
        "elo_low": None if elo is None else round(elo.low, 2),
        "elo_high": None if elo is None else round(elo.high, 2),
        "best_rank": None if elo is None else elo.best_rank,
        "worst_rank": None if elo is None else elo.worst_rank,
    }


def _bound(rating: Rating, sign: int) -> float:
    return rating.mu + sign * _DEVIATIONS * rating.sigma


def _overall_values(row: StandingsRow) -> dict[str, object]:
    overall = row.overall
    return {
        **estimate_values("points_per_board", None if overall is None else overall.points),
        **estimate_values("score", None if overall is None else overall.score),
    }


def _behaviour_values(row: StandingsRow) -> Mapping[str, object]:
    behaviour = row.behaviour
    return {
        "levels": {
            str(level): {"bid": count.bid, "made": count.made}
            for level, count in sorted(behaviour.levels.items())
        },
        "overbid": rounded(behaviour.overbid),
        "underbid": rounded(behaviour.underbid),
        "points_as_declarer": rounded(behaviour.points_as_declarer),
        "points_as_defender": rounded(behaviour.points_as_defender),
        "kaboots": behaviour.kaboots,
        "kaboots_against": behaviour.kaboots_against,
    }
