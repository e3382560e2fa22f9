-- The store's own bookkeeping.

-- name: applied_migrations
SELECT version, name FROM migrations ORDER BY version

-- name: record_migration
INSERT INTO migrations (version, name, applied_at_us) VALUES (:version, :name, :applied_at_us)

-- name: create_migrations
CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at_us BIGINT NOT NULL
)

-- name: savepoint
SAVEPOINT part

-- name: undo_savepoint
ROLLBACK TO SAVEPOINT part

-- name: release_savepoint
RELEASE SAVEPOINT part
