-- What PostgreSQL says in its own way.

-- name: hold_chain
-- One writer at a time appends to the log: the number and the hash follow the last row's.
SELECT pg_advisory_xact_lock(hashtextextended('oldhand audit', 0))
