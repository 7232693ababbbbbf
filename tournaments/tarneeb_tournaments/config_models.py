"""The form of a tournament's file, key by key, with what each key allows.

A field's description completes the sentence "use ..." in an error, so it holds the range and the
unit.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tarneeb_referee.settings import MAX_TABLES

MAX_ENTRANTS = 1_000
MAX_PAIRINGS = 64


class Section(BaseModel):
    """A table of the file: unknown keys are errors, and values are never converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


Auto = Literal["auto"]
Tables = Annotated[int, Field(ge=1, le=MAX_TABLES)]
Pairings = Annotated[int, Field(ge=1, le=MAX_PAIRINGS)]


class TournamentSection(Section):
    """[tournament]: what is played."""

    name: str = Field(description="a name of 1 to 40 printable characters")
    preset: str = Field("tarneeb", description="the name of a preset")
    schedule: str = Field("round-robin", description="the name of a schedule")
    rounds: int | None = Field(None, ge=1, le=1_000, description="a whole number from 1 to 1,000")
    times: int | None = Field(None, ge=1, le=100, description="a whole number from 1 to 100")
    challengers: list[str] | None = Field(None, description="a list of entrants' names")
    rematches: bool | None = Field(None, description="true or false")
    boards: int = Field(
        ge=1, le=100_000, description="a whole number from 1 to 100,000: the boards of a pairing"
    )


class MatchSection(Section):
    """[match]: when a match ends, and the options of its preset."""

    target: int | None = Field(None, description="a target of the preset")
    deals: int | None = Field(
        None, ge=1, le=200, description="a whole number from 1 to 200: the scored deals of a match"
    )
    defenders_always_score: bool = Field(default=False, description="true or false")
    max_cancelled: int = Field(
        20, ge=1, le=1_000, description="a whole number from 1 to 1,000 [R-8.1]"
    )
    max_deals: int = Field(200, ge=1, le=200, description="a whole number from 1 to 200 [R-8.2]")


class TimeSection(Section):
    """[time]: the budgets of a bot, in seconds."""

    start: float = Field(10.0, ge=0.1, le=300, description="0.1 to 300 seconds")
    decision: float = Field(1.0, ge=0.01, le=60, description="0.01 to 60 seconds")
    bank: float = Field(15.0, ge=0, le=3_600, description="0 to 3,600 seconds")
    margin: float = Field(0.05, ge=0, le=1, description="0 to 1 second")
    tempo_quantum: float = Field(0.0, ge=0, le=10, description="0 to 10 seconds")


class LimitsSection(Section):
    """[limits]: how much misbehaviour is borne."""

    strikes: int = Field(3, ge=1, le=1_000, description="a whole number from 1 to 1,000")
    retries: int = Field(3, ge=1, le=100, description="a whole number from 1 to 100")
    restarts: int = Field(8, ge=0, le=1_000, description="a whole number from 0 to 1,000")


class RunSection(Section):
    """[run]: how much is played at once. It changes speed alone, never a result."""

    tables: Auto | Tables = Field(
        "auto", description=f'"auto" or a whole number from 1 to {MAX_TABLES:,}'
    )
    pairings: Auto | Pairings = Field(
        "auto", description=f'"auto" or a whole number from 1 to {MAX_PAIRINGS}'
    )


class RemoteSection(Section):
    """[remote]: where bots that play from elsewhere dial in."""

    listen: str = Field(
        "127.0.0.1:7433",
        pattern=r"^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$",
        description='an address and a port, such as "0.0.0.0:7433"',
    )
    certificate: str | None = Field(None, min_length=1, description="a PEM file")
    key: str | None = Field(None, min_length=1, description="a PEM file")
    wait: float = Field(60.0, ge=0, le=3_600, description="0 to 3,600 seconds")


class EntrantSection(Section):
    """[[entrant]]: one bot under one name."""

    name: str = Field(description="a name of 1 to 40 printable characters")
    kind: Literal["local", "remote"] = Field("local", description='"local" or "remote"')
    token_file: str | None = Field(
        None, min_length=1, description="a file with the token of a remote bot"
    )
    bot: str | None = Field(
        None, min_length=1, description='a folder with a bot.toml, or "sample:<name>"'
    )
    image: str | None = Field(
        None, min_length=1, max_length=300, description="the name or id of a container image"
    )
    last_round: int | None = Field(
        None, ge=1, le=100_000, description="a whole number from 1 to 100,000"
    )
