-- The store's own bookkeeping, as SQLite takes it.

-- name: lock_migrations
SELECT 1

-- Sizes count a table's indexes with it.
-- name: table_sizes
SELECT m.tbl_name, sum(d.pgsize)
FROM dbstat d JOIN sqlite_master m ON m.name = d.name
WHERE d.aggregate = 1 AND m.tbl_name NOT LIKE 'sqlite_%'
GROUP BY m.tbl_name ORDER BY sum(d.pgsize) DESC, m.tbl_name

-- name: engine_version
SELECT sqlite_version()

-- name: page_facts
SELECT s.page_size, c.page_count, f.freelist_count, j.journal_mode
FROM pragma_page_size s, pragma_page_count c, pragma_freelist_count f,
    pragma_journal_mode j

-- name: integrity_faults
SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'

-- name: foreign_key_faults
SELECT "table", "parent", count(*) FROM pragma_foreign_key_check
GROUP BY "table", "parent"

-- name: secure_delete_on
PRAGMA secure_delete=ON

-- name: secure_delete_off
PRAGMA secure_delete=OFF
