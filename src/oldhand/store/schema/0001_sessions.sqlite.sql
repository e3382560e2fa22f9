-- Sessions, what was said in them, and every tool call with its outcome.
--
-- Times are microseconds since 1970-01-01 UTC. Unknown is NULL, never 0 and never ''.
-- Keys are clustered: a message's id is session << 22 | seq, a call's is message << 10 |
-- pos, so that a session's rows lie together and no secondary index stands on a hot table.
-- On hot tables a CHECK compares with OR: for IN, SQLite builds a table of the values anew
-- for each row, which took more than half of the time of an INSERT.

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    agent TEXT,
    model TEXT,
    model_config TEXT,                -- JSON: how the model was set
    principal TEXT,
    project TEXT,
    cwd TEXT,
    git_branch TEXT,
    parent TEXT,                      -- a uid: the parent may come later, or never
    relation TEXT CHECK (relation IN ('fork', 'resume', 'subagent', 'compression')),
    title TEXT,
    task TEXT,                        -- the first thing that the user asked, cut
    started_at_us INTEGER NOT NULL,
    updated_at_us INTEGER NOT NULL,
    updated_minute INTEGER NOT NULL,  -- of updated_at_us: its index moves once a minute
    ended_at_us INTEGER,
    end_reason TEXT,
    message_count INTEGER NOT NULL,
    tool_call_count INTEGER NOT NULL,
    failed_call_count INTEGER NOT NULL, -- outcome error or negative
    input_tokens INTEGER,
    output_tokens INTEGER,
    cache_read_tokens INTEGER,
    cache_write_tokens INTEGER,
    cost_microusd INTEGER,
    root_native_id TEXT,              -- of the first message: copies of a session share it
    revision TEXT                     -- the source's own, where it has one
);
CREATE INDEX sessions_recent ON sessions (updated_minute DESC);
CREATE INDEX sessions_root ON sessions (root_native_id) WHERE root_native_id IS NOT NULL;

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,           -- session << 22 | seq
    role TEXT NOT NULL CHECK (role = 'system' OR role = 'user' OR role = 'assistant'
        OR role = 'tool'),
    type TEXT NOT NULL CHECK (type = 'turn' OR type = 'summary' OR type = 'injected'
        OR type = 'sidechain' OR type = 'meta'),
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    at_us INTEGER,
    native_id TEXT,
    model TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cache_read_tokens INTEGER,
    cache_write_tokens INTEGER,
    content TEXT NOT NULL
);

CREATE TABLE tools (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE shapes (
    id INTEGER PRIMARY KEY,
    tool_id INTEGER NOT NULL REFERENCES tools,
    keys TEXT NOT NULL,
    shape TEXT NOT NULL,
    flags TEXT NOT NULL,
    UNIQUE (tool_id, keys, shape, flags)
);

CREATE TABLE tool_calls (
    id INTEGER PRIMARY KEY,           -- message << 10 | pos
    tool_id INTEGER NOT NULL REFERENCES tools,
    shape_id INTEGER NOT NULL REFERENCES shapes,
    result_id INTEGER,                -- the message that answers it
    active INTEGER NOT NULL CHECK (active IN (0, 1)), -- said in the conversation, and kept
    outcome TEXT NOT NULL CHECK (outcome = 'ok' OR outcome = 'empty'
        OR outcome = 'negative' OR outcome = 'error' OR outcome = 'blocked'
        OR outcome = 'cancelled' OR outcome = 'pending' OR outcome = 'unknown'),
    rule TEXT NOT NULL,
    confidence REAL NOT NULL,
    error_kind TEXT,
    at_us INTEGER,
    duration_us INTEGER,
    result_chars INTEGER,
    example_tokens INTEGER NOT NULL,  -- about what it costs to show it
    marks INTEGER,                    -- what the agent's record said; NULL: nothing
    exit_code INTEGER,                -- as the record named it
    later TEXT,                       -- what came after it that moved the confidence
    call_id TEXT NOT NULL,
    arguments TEXT NOT NULL           -- last: what a scan of the columns before need not read
);

CREATE TABLE imports (
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    modified_ns INTEGER NOT NULL,
    empty_sessions INTEGER NOT NULL,     -- found in it, and left out
    imported_at_us INTEGER NOT NULL,
    PRIMARY KEY (source, path)
);

CREATE TABLE kv (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
