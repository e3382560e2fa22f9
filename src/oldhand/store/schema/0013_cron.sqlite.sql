-- Jobs, when they are due, and who is at work on a run.
--
-- Times are microseconds since 1970-01-01 UTC. A firing's row in `runs` says how it went;
-- `job_runs` holds what only the schedule needs. A run waits while `ready_at_us` stands, is
-- somebody's while `owner` does, and is over when neither does.

CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,         -- by which runs name it
    name TEXT NOT NULL,
    spec TEXT NOT NULL,               -- JSON: all that was asked for
    schedule TEXT NOT NULL,           -- JSON: as it was understood, with its anchor
    rev INTEGER NOT NULL DEFAULT 1,   -- one more with each change by somebody
    state TEXT NOT NULL DEFAULT 'scheduled'
        CHECK (state IN ('scheduled', 'paused', 'completed', 'removed')),
    reason TEXT NOT NULL DEFAULT '',  -- why it is paused
    next_due_us INTEGER,              -- NULL: never by itself
    reckoned_at_us INTEGER NOT NULL,  -- when that was worked out, by the same clock
    fired_count INTEGER NOT NULL DEFAULT 0,
    flags TEXT NOT NULL DEFAULT '[]', -- a JSON list: what a person should look at
    trouble TEXT NOT NULL DEFAULT '', -- JSON: the failure that goes on, and who was told
    created_by TEXT NOT NULL,
    created_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL
);
CREATE UNIQUE INDEX jobs_name ON jobs (name) WHERE state <> 'removed';
CREATE INDEX jobs_due ON jobs (next_due_us) WHERE state = 'scheduled';

CREATE TABLE job_runs (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    job_id INTEGER NOT NULL REFERENCES jobs,
    due_us INTEGER NOT NULL,
    cause TEXT NOT NULL CHECK (cause IN ('schedule', 'trigger', 'retry')),
    attempt INTEGER NOT NULL DEFAULT 1,
    is_alone INTEGER NOT NULL,        -- 1: no other run of the job may go on meanwhile
    ready_at_us INTEGER,              -- it may be claimed from then on
    owner TEXT,                       -- the scheduler that has it
    beat INTEGER NOT NULL DEFAULT 0,  -- one more with each sign of life
    lease_until_us INTEGER,           -- by then there should be the next
    child TEXT NOT NULL DEFAULT '',   -- JSON: the process that does the work
    cancel_reason TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '[]', -- a JSON list: what the run was told or kept from
    delivery TEXT NOT NULL DEFAULT 'none'
        CHECK (delivery IN ('none', 'silent', 'repeat', 'put')) -- put: see the outbox
);
CREATE INDEX job_runs_job ON job_runs (job_id, run_id);
CREATE INDEX job_runs_open ON job_runs (job_id, run_id)
    WHERE owner IS NOT NULL OR ready_at_us IS NOT NULL;
CREATE INDEX job_runs_ready ON job_runs (ready_at_us, run_id) WHERE ready_at_us IS NOT NULL;
CREATE INDEX job_runs_owner ON job_runs (owner) WHERE owner IS NOT NULL;
CREATE UNIQUE INDEX job_runs_alone ON job_runs (job_id)
    WHERE owner IS NOT NULL AND is_alone = 1;

-- What a run said, redacted: all of it, or its beginning and its end.
CREATE TABLE run_outputs (
    run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    body BLOB NOT NULL,               -- UTF-8, compressed
    char_count INTEGER NOT NULL,      -- of all that was said
    dropped_chars INTEGER NOT NULL    -- of those not kept
);

-- Who looks for what is due, and when they last did.
CREATE TABLE schedulers (
    owner TEXT PRIMARY KEY,
    place TEXT NOT NULL,              -- for people: host and process
    started_at_us INTEGER NOT NULL,
    last_pass_us INTEGER NOT NULL
);

-- What a run said goes with its session; that it ran, and what it cost, stays.
CREATE TRIGGER session_output_deleted BEFORE DELETE ON sessions BEGIN
    DELETE FROM run_outputs WHERE run_id IN
        (SELECT id FROM runs WHERE session_uid = OLD.uid);
END;
