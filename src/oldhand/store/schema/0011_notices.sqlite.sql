-- Messages to people, kept until they were sent.

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    key TEXT UNIQUE,                        -- one message for each; any number without
    message TEXT NOT NULL,                  -- JSON, redacted
    state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'sent', 'given_up', 'withdrawn')),
    created_at_us INTEGER NOT NULL,
    give_up_at_us INTEGER NOT NULL,
    due_at_us INTEGER NOT NULL,             -- while it is being sent: the end of the lease
    set_at_us INTEGER NOT NULL,             -- when that was worked out, by the same clock
    tries INTEGER NOT NULL DEFAULT 0,
    sent_to TEXT NOT NULL DEFAULT '[]',     -- a JSON list of the names of channels
    fault TEXT NOT NULL DEFAULT '',         -- the last one, without secrets
    finished_at_us INTEGER
);
CREATE INDEX outbox_due ON outbox (due_at_us, set_at_us) WHERE state = 'waiting';
