-- The store's own bookkeeping, as PostgreSQL takes it.

-- Until the transaction ends nobody else migrates. SQLite has one writer at a time anyway.
-- name: lock_migrations
SELECT pg_advisory_xact_lock(hashtextextended('oldhand migrations', 0))

-- name: table_sizes
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS REGNAMESPACE)
ORDER BY pg_total_relation_size(oid) DESC, relname

-- name: engine_version
SELECT current_setting('server_version')

-- name: database_size
SELECT pg_database_size(current_database())

-- Followed by the names of tables. What ANALYZE samples are values of rows.
-- name: vacuum
VACUUM (FULL, ANALYZE)
