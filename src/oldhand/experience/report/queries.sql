-- What a report counts.

-- name: sessions_reported
SELECT id, message_count FROM sessions
WHERE started_at_us >= :since_us AND started_at_us < :until_us
    AND (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR project = :project)
    AND tool_call_count > 0
ORDER BY id

-- name: tool_names
SELECT id, name FROM tools

-- name: calls_reported
SELECT tool_id, outcome, error_kind FROM tool_calls
WHERE id >= :first AND id < :after AND active = 1 ORDER BY id

-- name: last_sessions
SELECT id, uid, principal, project, task, started_at_us FROM sessions
WHERE started_at_us >= :since_us AND started_at_us < :until_us
    AND (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR project = :project)
    AND tool_call_count >= :min_calls
ORDER BY started_at_us DESC, id DESC LIMIT :count

-- name: shapes_called
SELECT t.name, h.shape
FROM tool_calls c JOIN shapes h ON h.id = c.shape_id JOIN tools t ON t.id = c.tool_id
WHERE c.id >= :first AND c.id < :after AND c.active = 1
    AND c.outcome NOT IN ('blocked', 'cancelled', 'pending')
ORDER BY c.id
