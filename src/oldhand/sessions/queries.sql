-- Writing and reading sessions.

-- name: session_by_uid
SELECT id, revision, message_count FROM sessions WHERE uid = :uid

-- name: sessions_with_root
SELECT id, uid FROM sessions
WHERE root_native_id = :root AND source = :source AND uid <> :uid
ORDER BY id

-- name: native_ids_of_session
SELECT id, native_id FROM messages
WHERE id >= :first AND id < :after ORDER BY id

-- name: message_rows_of_session
SELECT id, role, type, active, at_us, native_id, model, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, content
FROM messages WHERE id >= :first AND id < :after ORDER BY id

-- name: call_rows_of_session
SELECT id, tool_id, shape_id, result_id, active, outcome, rule, confidence, error_kind, at_us,
    duration_us, result_chars, example_tokens, call_id, arguments
FROM tool_calls WHERE id >= :first AND id < :after ORDER BY id

-- name: put_session
INSERT INTO sessions (uid, source, agent, model, principal, project, cwd, git_branch,
    parent, relation, title, task, started_at_us, updated_at_us, ended_at_us, end_reason,
    message_count, tool_call_count, failed_call_count, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd, root_native_id, revision)
VALUES (:uid, :source, :agent, :model, :principal, :project, :cwd, :git_branch,
    :parent, :relation, :title, :task, :started_at_us, :updated_at_us, :ended_at_us,
    :end_reason, :message_count, :tool_call_count, :failed_call_count, :input_tokens,
    :output_tokens, :cache_read_tokens, :cache_write_tokens, :cost_microusd,
    :root_native_id, :revision)
ON CONFLICT (uid) DO UPDATE SET agent = excluded.agent, model = excluded.model,
    parent = excluded.parent, relation = excluded.relation, title = excluded.title,
    task = excluded.task, updated_at_us = excluded.updated_at_us,
    ended_at_us = excluded.ended_at_us, end_reason = excluded.end_reason,
    message_count = excluded.message_count, tool_call_count = excluded.tool_call_count,
    failed_call_count = excluded.failed_call_count,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    cache_read_tokens = excluded.cache_read_tokens,
    cache_write_tokens = excluded.cache_write_tokens,
    cost_microusd = excluded.cost_microusd, revision = excluded.revision
RETURNING id

-- name: put_message
INSERT INTO messages (id, role, type, active, at_us, native_id, model, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, content)
VALUES (:id, :role, :type, :active, :at_us, :native_id, :model, :input_tokens,
    :output_tokens, :cache_read_tokens, :cache_write_tokens, :content)

-- name: replace_message
UPDATE messages SET role = :role, type = :type, active = :active, at_us = :at_us,
    native_id = :native_id, model = :model, input_tokens = :input_tokens,
    output_tokens = :output_tokens, cache_read_tokens = :cache_read_tokens,
    cache_write_tokens = :cache_write_tokens, content = :content
WHERE id = :id

-- name: put_call
INSERT INTO tool_calls (id, tool_id, shape_id, result_id, active, outcome, rule,
    confidence, error_kind, at_us, duration_us, result_chars, example_tokens, call_id, arguments)
VALUES (:id, :tool_id, :shape_id, :result_id, :active, :outcome, :rule, :confidence,
    :error_kind, :at_us, :duration_us, :result_chars, :example_tokens, :call_id,
    :arguments)

-- name: replace_call
UPDATE tool_calls SET tool_id = :tool_id, shape_id = :shape_id, result_id = :result_id,
    active = :active, outcome = :outcome, rule = :rule, confidence = :confidence, error_kind = :error_kind,
    at_us = :at_us, duration_us = :duration_us, result_chars = :result_chars,
    example_tokens = :example_tokens, call_id = :call_id, arguments = :arguments
WHERE id = :id

-- name: all_tools
SELECT id, name FROM tools

-- name: add_tool
INSERT INTO tools (name) VALUES (:name) ON CONFLICT (name) DO NOTHING RETURNING id

-- name: all_shapes
SELECT id, tool_id, keys, shape, flags FROM shapes

-- name: add_shape
INSERT INTO shapes (tool_id, keys, shape, flags) VALUES (:tool_id, :keys, :shape, :flags)
ON CONFLICT (tool_id, keys, shape, flags) DO NOTHING RETURNING id

-- name: recent_sessions
SELECT id, uid, source, agent, model, principal, project, cwd, git_branch, parent,
    relation, title, task, started_at_us, updated_at_us, ended_at_us, end_reason,
    message_count, tool_call_count, failed_call_count, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd
FROM sessions
WHERE (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY updated_at_us DESC, id DESC LIMIT :limit

-- name: sessions_like
SELECT id, uid, source, agent, model, principal, project, cwd, git_branch, parent,
    relation, title, task, started_at_us, updated_at_us, ended_at_us, end_reason,
    message_count, tool_call_count, failed_call_count, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd
FROM sessions
WHERE uid = :uid OR (uid >= :uid AND uid < :uid_after)
ORDER BY uid LIMIT 10

-- name: calls
SELECT c.id, s.uid, c.call_id, t.name, c.arguments, m.content, c.outcome, c.rule,
    c.confidence, c.error_kind, h.flags, c.at_us, c.duration_us
FROM tool_calls c
JOIN tools t ON t.id = c.tool_id
JOIN shapes h ON h.id = c.shape_id
JOIN sessions s ON s.id = c.id >> 32
LEFT JOIN messages m ON m.id = c.result_id
WHERE c.id > :after_id AND c.id < :end_id
    AND (CAST(:outcome AS TEXT) IS NULL OR c.outcome = :outcome)
    AND (CAST(:tool AS TEXT) IS NULL OR t.name = :tool)
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
ORDER BY c.id LIMIT :limit

-- name: import_of
SELECT size_bytes, modified_ns FROM imports WHERE source = :source AND path = :path

-- name: put_import
INSERT INTO imports (source, path, size_bytes, modified_ns, imported_at_us)
VALUES (:source, :path, :size_bytes, :modified_ns, :imported_at_us)
ON CONFLICT (source, path) DO UPDATE SET size_bytes = excluded.size_bytes,
    modified_ns = excluded.modified_ns, imported_at_us = excluded.imported_at_us

-- name: counts
SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM messages),
    (SELECT count(*) FROM tool_calls)

-- name: outcomes_by_tool
SELECT t.name, c.outcome, count(*)
FROM tool_calls c JOIN tools t ON t.id = c.tool_id
GROUP BY t.name, c.outcome ORDER BY t.name, c.outcome
