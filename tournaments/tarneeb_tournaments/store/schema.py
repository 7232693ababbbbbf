"""The tables of a results file; docs/reference/results-file.md describes them for readers."""

from typing import Final

# "TRNB" in ASCII: tells a results file from any other SQLite database.
APPLICATION_ID: Final = 0x54524E42

SCHEMA_VERSION: Final = 2
"""Counts up with every change that older programs can't read or write."""

# WITHOUT ROWID: small rows that lie in schedule order, so reading them all is one sweep. Large
# blobs lie in tables of their own, which the standings never touch.
SCHEMA: Final = """
CREATE TABLE tournament (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    name          TEXT NOT NULL,
    settings      TEXT NOT NULL,
    public_seed   TEXT NOT NULL,
    secret        BLOB NOT NULL CHECK (length(secret) = 32),
    secret_sha256 TEXT NOT NULL
);

CREATE TABLE entrant (
    number      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    bot_name    TEXT NOT NULL,
    bot_version TEXT NOT NULL,
    digest      TEXT NOT NULL,
    last_round  INTEGER
);

CREATE TABLE step (
    round     INTEGER PRIMARY KEY,
    suspended TEXT NOT NULL,
    withdrawn TEXT NOT NULL,
    final     INTEGER NOT NULL CHECK (final IN (0, 1))
);

CREATE TABLE pairing (
    round          INTEGER NOT NULL,
    number         INTEGER NOT NULL,
    first          TEXT NOT NULL REFERENCES entrant (id),
    second         TEXT REFERENCES entrant (id),
    first_partner  TEXT REFERENCES entrant (id),
    second_partner TEXT REFERENCES entrant (id),
    suspended      TEXT NOT NULL DEFAULT '',
    withdrawn      TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (round, number)
) WITHOUT ROWID;

CREATE TABLE match (
    round      INTEGER NOT NULL,
    pairing    INTEGER NOT NULL,
    board      INTEGER NOT NULL,
    half       INTEGER NOT NULL CHECK (half IN (1, 2)),
    team0      TEXT NOT NULL REFERENCES entrant (id),
    team1      TEXT NOT NULL REFERENCES entrant (id),
    score0     INTEGER NOT NULL,
    score1     INTEGER NOT NULL,
    winner     INTEGER CHECK (winner IN (0, 1)),
    ending     TEXT NOT NULL,
    deals      INTEGER NOT NULL,
    bids0      INTEGER NOT NULL,
    bids1      INTEGER NOT NULL,
    made0      INTEGER NOT NULL,
    made1      INTEGER NOT NULL,
    autopilots INTEGER NOT NULL CHECK (autopilots BETWEEN 0 AND 15),
    absent     INTEGER NOT NULL CHECK (absent BETWEEN 0 AND 15),
    partner0   TEXT REFERENCES entrant (id),
    partner1   TEXT REFERENCES entrant (id),
    record_sha256 TEXT NOT NULL,
    link          TEXT,
    PRIMARY KEY (round, pairing, board, half),
    FOREIGN KEY (round, pairing) REFERENCES pairing (round, number)
) WITHOUT ROWID;

CREATE INDEX unlinked ON match (round, pairing, board, half) WHERE link IS NULL;

CREATE TABLE fault (
    round      INTEGER NOT NULL,
    pairing    INTEGER NOT NULL,
    board      INTEGER NOT NULL,
    half       INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    entrant    TEXT NOT NULL REFERENCES entrant (id),
    seat       INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    kind       TEXT NOT NULL,
    deal       INTEGER NOT NULL,
    move_index INTEGER NOT NULL,
    detail     TEXT NOT NULL,
    PRIMARY KEY (round, pairing, board, half, number),
    FOREIGN KEY (round, pairing, board, half) REFERENCES match
) WITHOUT ROWID;

CREATE TABLE record (
    round   INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    board   INTEGER NOT NULL,
    half    INTEGER NOT NULL,
    record  BLOB NOT NULL,
    PRIMARY KEY (round, pairing, board, half),
    FOREIGN KEY (round, pairing, board, half) REFERENCES match
);

CREATE TABLE timing (
    round        INTEGER NOT NULL,
    pairing      INTEGER NOT NULL,
    board        INTEGER NOT NULL,
    half         INTEGER NOT NULL,
    seat         INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    entrant      TEXT NOT NULL REFERENCES entrant (id),
    decisions    INTEGER NOT NULL,
    total_us     INTEGER NOT NULL,
    max_us       INTEGER NOT NULL,
    timed_out    INTEGER NOT NULL,
    late         INTEGER NOT NULL,
    PRIMARY KEY (round, pairing, board, half, seat),
    FOREIGN KEY (round, pairing, board, half) REFERENCES match
) WITHOUT ROWID;

CREATE TABLE timing_detail (
    round   INTEGER NOT NULL,
    pairing INTEGER NOT NULL,
    board   INTEGER NOT NULL,
    half    INTEGER NOT NULL,
    timings BLOB NOT NULL,
    PRIMARY KEY (round, pairing, board, half),
    FOREIGN KEY (round, pairing, board, half) REFERENCES match
);

CREATE TABLE behaviour (
    entrant         TEXT PRIMARY KEY REFERENCES entrant (id),
    tricks_short    INTEGER NOT NULL,
    tricks_over     INTEGER NOT NULL,
    declarer_deals  INTEGER NOT NULL,
    declarer_points INTEGER NOT NULL,
    defender_deals  INTEGER NOT NULL,
    defender_points INTEGER NOT NULL,
    kaboots         INTEGER NOT NULL,
    kaboots_against INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE contract (
    entrant TEXT NOT NULL REFERENCES entrant (id),
    level   INTEGER NOT NULL CHECK (level BETWEEN 2 AND 13),
    bid     INTEGER NOT NULL,
    made    INTEGER NOT NULL,
    PRIMARY KEY (entrant, level)
) WITHOUT ROWID;

CREATE TABLE time_spread (
    entrant TEXT NOT NULL REFERENCES entrant (id),
    step    INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    PRIMARY KEY (entrant, step)
) WITHOUT ROWID;

CREATE TABLE session (
    id           INTEGER PRIMARY KEY,
    round        INTEGER NOT NULL,
    pairing      INTEGER NOT NULL,
    half         INTEGER NOT NULL CHECK (half IN (1, 2)),
    ended_at     TEXT NOT NULL,
    voids        TEXT NOT NULL,
    stalls       INTEGER NOT NULL,
    stalled_s    REAL NOT NULL,
    max_stall_s  REAL NOT NULL,
    FOREIGN KEY (round, pairing) REFERENCES pairing (round, number)
);

CREATE TABLE session_seat (
    session           INTEGER NOT NULL REFERENCES session (id),
    seat              INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 3),
    entrant           TEXT NOT NULL REFERENCES entrant (id),
    start_s           REAL,
    restarts          INTEGER NOT NULL,
    exit              TEXT,
    cpu_s             REAL,
    peak_memory_bytes INTEGER,
    gone_kind         TEXT,
    gone_detail       TEXT,
    incidents         TEXT NOT NULL,
    late              INTEGER NOT NULL,
    strays            INTEGER NOT NULL,
    PRIMARY KEY (session, seat)
) WITHOUT ROWID;

CREATE TABLE log (
    session INTEGER NOT NULL,
    seat    INTEGER NOT NULL,
    process INTEGER NOT NULL,
    stdout  BLOB NOT NULL,
    stderr  BLOB NOT NULL,
    PRIMARY KEY (session, seat, process),
    FOREIGN KEY (session, seat) REFERENCES session_seat
);

CREATE TABLE run (
    id         INTEGER PRIMARY KEY,
    started_at TEXT NOT NULL,
    host       TEXT NOT NULL,
    pid        INTEGER NOT NULL,
    version    TEXT NOT NULL
);
"""
