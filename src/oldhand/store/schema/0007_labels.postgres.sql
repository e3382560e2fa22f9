-- What a user says of a call, to measure judging by.

CREATE TABLE call_labels (
    call BIGINT PRIMARY KEY REFERENCES tool_calls ON DELETE CASCADE,
    outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'empty', 'negative', 'error', 'blocked',
        'cancelled', 'pending', 'unknown')),
    labelled_at_us BIGINT NOT NULL
);
