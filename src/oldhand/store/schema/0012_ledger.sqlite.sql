-- Runs, what each skill had in them, and running sums of how that went.
--
-- Times are microseconds since 1970-01-01 UTC, money whole millionths of a US dollar.
-- Unknown is NULL, never 0. A run's row is written when it starts and closed when it ends,
-- so that one that was killed is there. It names session and job, which need not be here.

CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    key TEXT UNIQUE,                  -- what it was made of, where that must be once only
    source TEXT NOT NULL,             -- who tells of it: oldhand, runner, session, hermes
    job TEXT,
    session_uid TEXT,
    state TEXT NOT NULL
        CHECK (state = 'due' OR state = 'claimed' OR state = 'running' OR state = 'ended'
        OR state = 'succeeded' OR state = 'failed' OR state = 'blocked' OR state = 'missed'
        OR state = 'skipped' OR state = 'lost' OR state = 'cancelled'),
    end_reason TEXT,
    model TEXT,                       -- that really answered
    provider TEXT,
    draw_probability REAL,            -- of the model, where it was drawn at random
    started_at_us INTEGER NOT NULL,
    ended_at_us INTEGER,
    duration_us INTEGER,
    input_tokens INTEGER,             -- not read from a cache
    output_tokens INTEGER,
    cache_read_tokens INTEGER,
    cache_write_tokens INTEGER,
    cost_microusd INTEGER,
    success INTEGER CHECK (success IN (0, 1)),
    quality REAL                      -- 0 to 1
);
CREATE INDEX runs_ended ON runs (ended_at_us) WHERE ended_at_us IS NOT NULL;
CREATE INDEX runs_session ON runs (session_uid) WHERE session_uid IS NOT NULL;

-- A skill in one version with one model of one provider: what is compared.
CREATE TABLE skill_cells (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,         -- the next four, as a JSON list
    skill TEXT NOT NULL,
    version TEXT,
    model TEXT,
    provider TEXT
);

-- A run's id is the invocation's, shifted right by 8: both lie in the same order.
CREATE TABLE skill_invocations (
    id INTEGER PRIMARY KEY,           -- run << 8 | pos
    cell_id INTEGER NOT NULL REFERENCES skill_cells,
    share REAL NOT NULL CHECK (share > 0 AND share <= 1) -- of a run they sum to 1
);

-- What the ended runs of a cell add up to. In the decayed sums a run counts half as much for
-- each half-life, of 1, 7 or 30 days, between its end and a time that is one for all, times
-- its share. w is that weight, s the success as 0 or 1, c the cost. All in one row, so that
-- the end of a run changes one page more.
CREATE TABLE skill_sums (
    cell_id INTEGER PRIMARY KEY REFERENCES skill_cells ON DELETE CASCADE,
    at_us INTEGER NOT NULL,           -- of the decayed sums: the time at which w is 1
    invocation_count INTEGER NOT NULL,
    success_count INTEGER NOT NULL,
    failure_count INTEGER NOT NULL,
    drawn_count INTEGER NOT NULL,     -- of how many the model was drawn at random
    cost_known_count INTEGER NOT NULL,
    total_cost_microusd REAL NOT NULL, -- of known costs, by share
    last_invoked_at_us INTEGER NOT NULL,
    weight_1d REAL NOT NULL,          -- known outcome: sum of w
    weight2_1d REAL NOT NULL,         -- the same: w * w
    success_1d REAL NOT NULL,         -- the same: w * s
    cost_weight_1d REAL NOT NULL,     -- known cost: w
    cost_1d REAL NOT NULL,            -- the same: w * c
    both_success_1d REAL NOT NULL,    -- outcome and cost known: w * s
    both_cost_1d REAL NOT NULL,       -- the same: w * c
    both_success2_1d REAL NOT NULL,   -- w * w * s
    both_cost2_1d REAL NOT NULL,      -- w * w * c * c
    both_cost_success_1d REAL NOT NULL, -- w * w * c * s
    duration_weight_1d REAL NOT NULL, -- known duration: w
    duration_1d REAL NOT NULL,        -- w * seconds
    quality_weight_1d REAL NOT NULL,  -- known quality: w
    quality_1d REAL NOT NULL,         -- w * quality
    weight_7d REAL NOT NULL, weight2_7d REAL NOT NULL, success_7d REAL NOT NULL,
    cost_weight_7d REAL NOT NULL, cost_7d REAL NOT NULL, both_success_7d REAL NOT NULL,
    both_cost_7d REAL NOT NULL, both_success2_7d REAL NOT NULL, both_cost2_7d REAL NOT NULL,
    both_cost_success_7d REAL NOT NULL, duration_weight_7d REAL NOT NULL,
    duration_7d REAL NOT NULL, quality_weight_7d REAL NOT NULL, quality_7d REAL NOT NULL,
    weight_30d REAL NOT NULL, weight2_30d REAL NOT NULL, success_30d REAL NOT NULL,
    cost_weight_30d REAL NOT NULL, cost_30d REAL NOT NULL, both_success_30d REAL NOT NULL,
    both_cost_30d REAL NOT NULL, both_success2_30d REAL NOT NULL,
    both_cost2_30d REAL NOT NULL, both_cost_success_30d REAL NOT NULL,
    duration_weight_30d REAL NOT NULL, duration_30d REAL NOT NULL,
    quality_weight_30d REAL NOT NULL, quality_30d REAL NOT NULL
);

-- Sessions that were looked through for skills, as long as they then were.
CREATE TABLE attributed_sessions (
    session_id INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    message_count INTEGER NOT NULL,
    tool_call_count INTEGER NOT NULL
);

-- Each run once for each day and cell; what was killed and never closed is unknown.
CREATE VIEW skill_stats_daily AS
SELECT date(r.started_at_us / 1000000, 'unixepoch') AS day,
    c.skill, c.model, c.provider,
    count(*) AS invocation_count,
    sum(CASE WHEN r.success = 1 THEN 1 ELSE 0 END) AS success_count,
    sum(CASE WHEN r.success = 0 THEN 1 ELSE 0 END) AS failure_count,
    sum(CASE WHEN r.success IS NULL THEN 1 ELSE 0 END) AS unknown_count,
    sum(i.share * r.duration_us) / sum(CASE WHEN r.duration_us IS NOT NULL THEN i.share END)
        / 1000000 AS average_duration_seconds,
    sum(i.share * r.cost_microusd) / 1000000 AS total_cost_usd,
    sum(i.share * r.cost_microusd)
        / sum(CASE WHEN r.cost_microusd IS NOT NULL THEN i.share END)
        / 1000000 AS average_cost_usd,
    count(r.cost_microusd) AS cost_known_count,
    sum(i.share * r.input_tokens) AS input_tokens,
    sum(i.share * r.output_tokens) AS output_tokens,
    sum(i.share * r.cache_read_tokens) AS cache_read_tokens,
    sum(i.share * r.cache_write_tokens) AS cache_write_tokens,
    sum(i.share * r.quality) / sum(CASE WHEN r.quality IS NOT NULL THEN i.share END)
        AS average_quality,
    max(r.started_at_us) AS last_invoked_at_us
FROM skill_invocations i
JOIN runs r ON r.id = i.id >> 8
JOIN skill_cells c ON c.id = i.cell_id
GROUP BY 1, 2, 3, 4;

-- Sums are not what the rows say any more once a row was taken away.
CREATE TRIGGER run_deleted AFTER DELETE ON runs BEGIN
    DELETE FROM skill_invocations WHERE id >= OLD.id << 8 AND id < (OLD.id + 1) << 8;
    INSERT INTO kv (key, value) VALUES ('skill_sums_stale', '1')
        ON CONFLICT (key) DO NOTHING;
END;

-- What was read out of a session goes with it; what a runner told of stays, without its name.
CREATE TRIGGER run_session_deleted AFTER DELETE ON sessions BEGIN
    DELETE FROM runs WHERE key = 'session:' || OLD.uid;
    UPDATE runs SET session_uid = NULL WHERE session_uid = OLD.uid;
END;
