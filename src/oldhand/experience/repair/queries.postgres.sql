-- What only PostgreSQL says so.

-- Nothing about the session changes while it is mined, and nobody else mines it.
-- name: lock_session
SELECT message_count, tool_call_count FROM sessions WHERE id = :id FOR UPDATE
