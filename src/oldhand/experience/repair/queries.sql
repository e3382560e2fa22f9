-- Mining repairs and what came before calls, keeping what was found, asking for it.

-- name: tool_names
SELECT id, name FROM tools

-- name: shape_names
SELECT id, tool_id, shape FROM shapes ORDER BY id

-- name: session_calls
SELECT id, tool_id, shape_id, outcome, error_kind, example_tokens, arguments
FROM tool_calls WHERE id >= :first AND id < :after AND active = 1 ORDER BY id

-- name: result_of
SELECT coalesce(m.content, ''), b.body FROM tool_calls c
LEFT JOIN messages m ON m.id = c.result_id LEFT JOIN blobs b ON b.id = m.blob_id
WHERE c.id = :id

-- name: unmined
SELECT s.id FROM sessions s
LEFT JOIN mined_sessions k ON k.session_id = s.id AND k.version = :version
    AND k.message_count = s.message_count AND k.tool_call_count = s.tool_call_count
WHERE k.session_id IS NULL AND s.tool_call_count > 0
ORDER BY s.updated_minute DESC, s.id

-- name: newest_unmined
SELECT s.id FROM (
    SELECT id, message_count, tool_call_count FROM sessions
    ORDER BY updated_minute DESC LIMIT :looked_at
) AS s
LEFT JOIN mined_sessions k ON k.session_id = s.id AND k.version = :version
    AND k.message_count = s.message_count AND k.tool_call_count = s.tool_call_count
WHERE k.session_id IS NULL AND s.tool_call_count > 0
    AND (CAST(:without AS INTEGER) IS NULL OR s.id <> :without)
LIMIT :mined

-- name: forget_mined
DELETE FROM mined_sessions WHERE session_id = :session_id

-- name: put_mined
INSERT INTO mined_sessions (session_id, version, message_count, tool_call_count)
VALUES (:session_id, :version, :message_count, :tool_call_count)

-- name: put_repair
INSERT INTO repairs (session_id, failed_call, worked_call, tool_id, failed_shape_id,
    worked_shape_id, error_kind, error_words)
VALUES (:session_id, :failed_call, :worked_call, :tool_id, :failed_shape_id,
    :worked_shape_id, :error_kind, :error_words)

-- name: put_shape_calls
INSERT INTO shape_calls (session_id, shape_id, worked_call, worked, failed, before)
VALUES (:session_id, :shape_id, :worked_call, :worked, :failed, :before)

-- name: repairs_of_kind
SELECT r.failed_call, r.worked_call, f.shape, w.shape,
    CASE WHEN r.error_words = :error_words THEN 1 ELSE 0 END, f.id, w.id,
    s.id, s.project, s.principal, s.started_at_us
FROM tools t
JOIN repairs r ON r.tool_id = t.id AND r.error_kind = :error_kind
JOIN mined_sessions k ON k.session_id = r.session_id AND k.version = :version
JOIN sessions s ON s.id = r.session_id
JOIN shapes f ON f.id = r.failed_shape_id
JOIN shapes w ON w.id = r.worked_shape_id
WHERE t.name = :tool AND s.started_at_us < :before_us
    AND (CAST(:own AS INTEGER) IS NULL OR s.id <> :own)
ORDER BY CASE WHEN f.shape = :shape THEN 0 ELSE 1 END,
    CASE WHEN s.project = :project THEN 0 ELSE 1 END, s.started_at_us DESC, r.failed_call
LIMIT :limit

-- name: calls_of_shape
SELECT c.worked_call, c.worked, c.failed, c.before, s.updated_at_us,
    CASE WHEN h.flags = :flags THEN 1 ELSE 0 END, h.id,
    s.id, s.project, s.principal, s.started_at_us
FROM tools t
JOIN shapes h ON h.tool_id = t.id AND h.shape = :shape
JOIN shape_calls c ON c.shape_id = h.id
JOIN mined_sessions k ON k.session_id = c.session_id AND k.version = :version
JOIN sessions s ON s.id = c.session_id
WHERE t.name = :tool AND s.started_at_us < :before_us
    AND (CAST(:own AS INTEGER) IS NULL OR s.id <> :own)
ORDER BY CASE WHEN s.project = :project THEN 0 ELSE 1 END, s.started_at_us DESC, h.id
LIMIT :limit

-- name: session_that_asks
SELECT id, project, principal FROM sessions WHERE uid = :uid

-- name: last_calls
SELECT c.id, c.tool_id, c.shape_id, c.outcome, c.error_kind, c.example_tokens, c.arguments,
    t.name, h.shape, h.flags
FROM tool_calls c JOIN tools t ON t.id = c.tool_id JOIN shapes h ON h.id = c.shape_id
WHERE c.id >= :first AND c.id < :after AND c.active = 1
    AND (c.at_us IS NULL OR c.at_us < :before_us)
ORDER BY c.id DESC LIMIT :limit

-- What stands for a call that came before another: a tool, or a shell's shape.
-- name: step
SELECT name, '' FROM tools WHERE id = :tool
UNION ALL SELECT t.name, h.shape FROM shapes h JOIN tools t ON t.id = h.tool_id
WHERE h.id = :shape

-- Of each form of a step, that is its keys and options, a call that worked.
-- name: forms_of_step
SELECT max(c.worked_call) FROM tools t
JOIN shapes h ON h.tool_id = t.id
JOIN shape_calls c ON c.shape_id = h.id
WHERE t.name = :tool AND (:shape = '' OR h.shape = :shape) AND c.worked_call IS NOT NULL
GROUP BY h.id ORDER BY max(c.worked_call) DESC LIMIT :limit

-- name: calls_between
SELECT c.id, t.name, h.shape FROM tool_calls c
JOIN tools t ON t.id = c.tool_id JOIN shapes h ON h.id = c.shape_id
WHERE c.id > :failed AND c.id < :worked AND c.active = 1 AND c.outcome IN ('ok', 'empty')
ORDER BY c.id
