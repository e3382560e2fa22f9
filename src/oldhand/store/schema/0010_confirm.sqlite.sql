-- Actions held for a person: who asks and who decides, what was asked, said and used, and
-- the log that proves it.
--
-- What is written often compares with OR: for IN, SQLite builds a table of the values anew
-- in each statement, which took half of the time of asking and of approving.

CREATE TABLE principals (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'person', 'service')),
    owner_id INTEGER REFERENCES principals,  -- whom an agent works for
    groups TEXT NOT NULL DEFAULT '[]',       -- a JSON list; for more than one voice
    created_at_us INTEGER NOT NULL,
    disabled_at_us INTEGER
);

-- Secrets are kept as digests: SHA-256 of what is random, scrypt of what a person chose.
CREATE TABLE credentials (
    id INTEGER PRIMARY KEY,
    principal_id INTEGER NOT NULL REFERENCES principals,
    kind TEXT NOT NULL CHECK (kind IN ('token', 'password', 'link', 'web_session')),
    secret_digest TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL DEFAULT '',
    created_at_us INTEGER NOT NULL,
    expires_at_us INTEGER,
    revoked_at_us INTEGER
);
CREATE INDEX credentials_of ON credentials (principal_id, kind);

CREATE TABLE policies (
    version INTEGER PRIMARY KEY,
    digest TEXT NOT NULL,
    text TEXT NOT NULL,
    active_from_us INTEGER NOT NULL
);

CREATE TABLE requests (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,                -- 128 random bits
    rev INTEGER NOT NULL,                   -- 1 when asked, one more with each transition
    state TEXT NOT NULL CHECK (state = 'pending' OR state = 'approved' OR state = 'denied'
        OR state = 'expired' OR state = 'cancelled' OR state = 'consumed'
        OR state = 'lapsed' OR state = 'revoked' OR state = 'succeeded' OR state = 'failed'
        OR state = 'unknown' OR state = 'auto_approved' OR state = 'blocked'),
    requester_id INTEGER NOT NULL REFERENCES principals,
    owner_id INTEGER REFERENCES principals, -- the requester's, when it asked
    action TEXT NOT NULL,
    details TEXT NOT NULL,                  -- canonical JSON: what is to run
    original_details TEXT,                  -- what was asked, where a person edited it
    description TEXT NOT NULL,              -- the agent's words
    target TEXT NOT NULL,
    session_key TEXT NOT NULL,
    risk TEXT NOT NULL CHECK (risk = 'low' OR risk = 'medium' OR risk = 'high'),
    digest TEXT NOT NULL,                   -- of all that is approved
    policy_version INTEGER NOT NULL REFERENCES policies,
    rule TEXT NOT NULL,
    why TEXT NOT NULL,
    standing_grant TEXT,                    -- the one that let it pass
    level INTEGER NOT NULL,                 -- 0 guardrail, 1 separated, 2 brokered
    quorum INTEGER NOT NULL DEFAULT 1,      -- how many must approve; more than one comes later
    idempotency_key TEXT,
    timeout_seconds INTEGER NOT NULL,
    grant_seconds INTEGER NOT NULL,         -- how long an approval waits to be used
    created_at_us INTEGER NOT NULL,
    expires_at_us INTEGER NOT NULL,         -- of the state: pending, approved, or consumed
    decided_at_us INTEGER,
    decided_by TEXT,
    reason TEXT NOT NULL DEFAULT '',
    consumed_at_us INTEGER,
    grant_id TEXT,
    finished_at_us INTEGER,                 -- NULL: it is open
    result TEXT                             -- JSON, as the agent reported it
);
CREATE UNIQUE INDEX requests_by_key ON requests (requester_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX requests_by_requester ON requests (requester_id, action, created_at_us);
CREATE INDEX requests_open ON requests (expires_at_us)
    WHERE finished_at_us IS NULL;

-- One row for each person and request; a quorum is several.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES requests (id),
    principal_id INTEGER NOT NULL REFERENCES principals,
    decision TEXT NOT NULL CHECK (decision = 'approve' OR decision = 'deny'),
    reason TEXT NOT NULL,
    digest TEXT NOT NULL,                   -- of what was on the screen
    details TEXT,                           -- as edited
    via TEXT NOT NULL,
    decided_at_us INTEGER NOT NULL,
    UNIQUE (request_id, principal_id)
);

CREATE TABLE standing_grants (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    action TEXT NOT NULL,                   -- literal
    literal TEXT NOT NULL,                  -- JSON: what the details must be
    requester_id INTEGER REFERENCES principals,  -- any where it is NULL
    session_key TEXT,                       -- any where it is NULL
    uses_left INTEGER,                      -- no limit where it is NULL
    use_count INTEGER NOT NULL DEFAULT 0,
    expires_at_us INTEGER NOT NULL,
    created_at_us INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    from_request TEXT,
    revoked_at_us INTEGER,
    revoked_by TEXT
);
CREATE INDEX standing_grants_of ON standing_grants (action, expires_at_us);

-- Appended to, never changed: each row's hash is over the row and the hash before it.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at_us INTEGER NOT NULL,
    kind TEXT NOT NULL,
    request_id TEXT,
    principal TEXT,                         -- by name, so that the log stands alone
    body TEXT NOT NULL,                     -- canonical JSON
    hash TEXT NOT NULL
);
CREATE INDEX audit_of_request ON audit (request_id) WHERE request_id IS NOT NULL;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
    BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;

-- What was signed of the log, and written to a file outside as well.
CREATE TABLE checkpoints (
    seq INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    at_us INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    signature TEXT NOT NULL
);
