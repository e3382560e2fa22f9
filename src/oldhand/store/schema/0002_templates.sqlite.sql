-- Templates: named, immutable, versioned sets of examples, and each time one was given.

CREATE TABLE templates (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest TEXT NOT NULL,             -- of all that the examples and settings say
    kind TEXT CHECK (kind IN ('code', 'file', 'research', 'mixed')),
    description TEXT NOT NULL,
    task TEXT NOT NULL,
    tags TEXT NOT NULL,               -- a JSON list of strings
    addendum TEXT NOT NULL,           -- shown before the examples
    coverage REAL,                    -- share of the pool's calls whose shape it shows
    session_count INTEGER NOT NULL,   -- how many sessions it was chosen from
    created_at_us INTEGER NOT NULL,
    UNIQUE (name, version)
);

CREATE TABLE template_examples (
    template_id INTEGER NOT NULL REFERENCES templates ON DELETE CASCADE,
    pos INTEGER NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    result TEXT NOT NULL,
    result_chars INTEGER NOT NULL,
    shape TEXT NOT NULL,
    context TEXT NOT NULL,
    outcome TEXT NOT NULL,
    support INTEGER NOT NULL,
    session TEXT NOT NULL,
    call_id TEXT NOT NULL,
    model TEXT,
    at_us INTEGER,
    PRIMARY KEY (template_id, pos)
);

CREATE TABLE warm_uses (
    id INTEGER PRIMARY KEY,
    template TEXT,                    -- name and version, as a template may be deleted
    session TEXT,                     -- the uid that it was given to, where known
    target TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    digest TEXT NOT NULL,             -- of the very bytes that were given
    examples TEXT NOT NULL,           -- a JSON list of [session, call_id]
    given_at_us INTEGER NOT NULL
);
CREATE INDEX warm_uses_template ON warm_uses (template);
