-- Experiments: which sessions were to be given what, written down before their first call.

CREATE TABLE experiments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL,
    shares TEXT NOT NULL,             -- JSON: the chance of each arm, in their order
    holdout REAL NOT NULL,            -- the chance to be cold for good
    horizon INTEGER NOT NULL,         -- of a session's first working calls so many count
    salt TEXT NOT NULL,
    started_at_us INTEGER NOT NULL,
    stopped_at_us INTEGER
);

CREATE TABLE assignments (
    -- In the order in which they were made.
    id INTEGER PRIMARY KEY,
    experiment_id INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,
    session TEXT NOT NULL,            -- a uid: its row comes with its first message
    arm TEXT NOT NULL CHECK (arm IN ('cold', 'warm', 'placebo')),
    is_held_out INTEGER NOT NULL CHECK (is_held_out IN (0, 1)),
    principal TEXT,                   -- as known then; with the agent it is the stratum
    agent TEXT,
    warm_use_id INTEGER REFERENCES warm_uses, -- what was given; NULL: nothing
    target TEXT NOT NULL,
    given BLOB,                       -- JSON, compressed with zstd: the same again if asked
    note TEXT NOT NULL,               -- why nothing was given, or what a placebo is made of
    assigned_at_us INTEGER NOT NULL,
    UNIQUE (experiment_id, session)
);
CREATE INDEX assignments_session ON assignments (session);
CREATE INDEX assignments_warm_use ON assignments (warm_use_id);
