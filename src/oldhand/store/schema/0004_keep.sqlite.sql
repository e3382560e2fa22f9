-- Keeping: what was erased stays away, where a session was read, old text in less room.

CREATE TABLE tombstones (
    noun TEXT NOT NULL CHECK (noun IN ('session', 'message')),
    digest TEXT NOT NULL,             -- of this database's salt, the noun and the name
    reason TEXT NOT NULL CHECK (reason IN ('erased', 'pruned')),
    made_at_us INTEGER NOT NULL,
    PRIMARY KEY (noun, digest)
) WITHOUT ROWID;
INSERT INTO kv (key, value) VALUES ('tombstone_salt', lower(hex(randomblob(16))));

CREATE TABLE origins (
    session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    source TEXT NOT NULL,             -- as in imports
    path TEXT NOT NULL,
    PRIMARY KEY (session_id, source, path)
) WITHOUT ROWID;
CREATE INDEX origins_path ON origins (source, path);

CREATE TABLE blobs (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,      -- of the text; equal texts are stored once
    chars INTEGER NOT NULL,           -- its length in characters
    body BLOB NOT NULL                -- the text in UTF-8, compressed with zstd
);
ALTER TABLE messages ADD COLUMN blob_id INTEGER REFERENCES blobs;
ALTER TABLE messages ADD COLUMN dropped_chars INTEGER; -- how long a pruned text was
CREATE INDEX messages_blob ON messages (blob_id) WHERE blob_id IS NOT NULL;

ALTER TABLE templates ADD COLUMN erased INTEGER NOT NULL DEFAULT 0; -- examples taken out
