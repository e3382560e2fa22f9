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

-- name: repairs_reported
SELECT t.name, r.error_kind, f.flags, w.flags,
    count(*) AS repairs, count(DISTINCT r.session_id) AS sessions
FROM sessions s
JOIN mined_sessions k ON k.session_id = s.id AND k.version = :version
JOIN repairs r ON r.session_id = s.id
JOIN tools t ON t.id = r.tool_id
JOIN shapes f ON f.id = r.failed_shape_id
JOIN shapes w ON w.id = r.worked_shape_id
WHERE s.started_at_us >= :since_us AND s.started_at_us < :until_us
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
GROUP BY t.name, r.error_kind, f.flags, w.flags
ORDER BY sessions DESC, repairs DESC, t.name, r.error_kind, f.flags, w.flags
LIMIT :limit
