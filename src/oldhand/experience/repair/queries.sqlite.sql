-- What only SQLite says so.

-- The transaction keeps all other writers away.
-- name: lock_session
SELECT message_count, tool_call_count FROM sessions WHERE id = :id
