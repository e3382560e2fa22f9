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
SELECT m.id, m.role, m.type, m.active, m.at_us, m.native_id, m.model, m.input_tokens,
    m.output_tokens, m.cache_read_tokens, m.cache_write_tokens, m.content, b.body,
    m.dropped_chars
FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :after ORDER BY m.id

-- name: call_rows_of_session
SELECT id, tool_id, shape_id, result_id, active, outcome, rule, confidence, error_kind, at_us,
    duration_us, result_chars, example_tokens, marks, exit_code, later, call_id, arguments
FROM tool_calls WHERE id >= :first AND id < :after ORDER BY id

-- name: put_session
-- Where the session is there and must not be replaced, nothing is written and returned.
INSERT INTO sessions (uid, source, agent, model, model_config, principal, project, cwd,
    git_branch, parent, relation, title, task, started_at_us, updated_at_us,
    updated_minute, ended_at_us, end_reason, message_count, tool_call_count,
    failed_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
    cost_microusd, root_native_id, revision)
VALUES (:uid, :source, :agent, :model, :model_config, :principal, :project, :cwd,
    :git_branch, :parent, :relation, :title, :task, :started_at_us, :updated_at_us,
    :updated_minute, :ended_at_us, :end_reason, :message_count, :tool_call_count,
    :failed_call_count, :input_tokens, :output_tokens, :cache_read_tokens,
    :cache_write_tokens, :cost_microusd, :root_native_id, :revision)
ON CONFLICT (uid) DO UPDATE SET agent = excluded.agent, model = excluded.model,
    model_config = excluded.model_config, parent = excluded.parent,
    relation = excluded.relation, title = excluded.title, task = excluded.task,
    updated_at_us = excluded.updated_at_us,
    updated_minute = excluded.updated_minute,
    ended_at_us = excluded.ended_at_us, end_reason = excluded.end_reason,
    message_count = excluded.message_count, tool_call_count = excluded.tool_call_count,
    failed_call_count = excluded.failed_call_count,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    cache_read_tokens = excluded.cache_read_tokens,
    cache_write_tokens = excluded.cache_write_tokens,
    cost_microusd = excluded.cost_microusd, revision = excluded.revision
WHERE CAST(:replaces AS BIGINT) = 1
RETURNING id

-- name: recount_session
UPDATE sessions SET
    message_count = (SELECT count(*) FROM messages
        WHERE id >= :first_message AND id < :after_message),
    tool_call_count = (SELECT count(*) FROM tool_calls
        WHERE id >= :first_call AND id < :after_call),
    failed_call_count = (SELECT count(*) FROM tool_calls
        WHERE id >= :first_call AND id < :after_call
            AND (outcome = 'error' OR outcome = 'negative'))
WHERE id = :id

-- name: count_in
-- What is unknown is NULL, and a sum with it is NULL: then the known one of the two stays.
UPDATE sessions SET message_count = message_count + :messages,
    tool_call_count = tool_call_count + :calls,
    failed_call_count = failed_call_count + :failed_calls,
    input_tokens = coalesce(input_tokens + :input_tokens, :input_tokens, input_tokens),
    output_tokens = coalesce(output_tokens + :output_tokens, :output_tokens,
        output_tokens),
    cache_read_tokens = coalesce(cache_read_tokens + :cache_read_tokens,
        :cache_read_tokens, cache_read_tokens),
    cache_write_tokens = coalesce(cache_write_tokens + :cache_write_tokens,
        :cache_write_tokens, cache_write_tokens),
    cost_microusd = coalesce(cost_microusd + :cost_microusd, :cost_microusd,
        cost_microusd),
    model = coalesce(:model, model), task = coalesce(task, :task),
    updated_at_us = :updated_at_us, ended_at_us = NULL, end_reason = NULL
WHERE id = :id AND uid = :uid AND message_count = :message_count
    AND (CAST(:native_ids AS BIGINT) = 0
        OR NOT EXISTS (SELECT 1 FROM tombstones WHERE noun = 'message'))

-- name: move_session
-- Apart from count_in: an UPDATE that names an indexed column writes the index anew.
UPDATE sessions SET updated_minute = :updated_minute WHERE id = :id

-- name: end_session
UPDATE sessions SET ended_at_us = :ended_at_us, end_reason = :end_reason WHERE id = :id

-- name: tail_of_session
SELECT id, message_count, updated_at_us FROM sessions WHERE uid = :uid

-- name: calls_to_answer
SELECT c.id, c.call_id, t.name, CASE WHEN c.result_id IS NULL THEN c.arguments END,
    c.active, c.at_us
FROM tool_calls c JOIN tools t ON t.id = c.tool_id
WHERE c.id >= :first AND c.id < :after ORDER BY c.id

-- name: put_message
INSERT INTO messages (id, role, type, active, at_us, native_id, model, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, content)
VALUES (:id, :role, :type, :active, :at_us, :native_id, :model, :input_tokens,
    :output_tokens, :cache_read_tokens, :cache_write_tokens, :content)

-- name: replace_message
UPDATE messages SET role = :role, type = :type, active = :active, at_us = :at_us,
    native_id = :native_id, model = :model, input_tokens = :input_tokens,
    output_tokens = :output_tokens, cache_read_tokens = :cache_read_tokens,
    cache_write_tokens = :cache_write_tokens, content = :content, blob_id = NULL,
    dropped_chars = CASE WHEN :content = '' THEN dropped_chars ELSE NULL END
WHERE id = :id

-- name: put_call
INSERT INTO tool_calls (id, tool_id, shape_id, result_id, active, outcome, rule,
    confidence, error_kind, at_us, duration_us, result_chars, example_tokens, marks,
    exit_code, later, call_id, arguments)
VALUES (:id, :tool_id, :shape_id, :result_id, :active, :outcome, :rule, :confidence,
    :error_kind, :at_us, :duration_us, :result_chars, :example_tokens, :marks, :exit_code,
    :later, :call_id, :arguments)

-- name: answer_call
UPDATE tool_calls SET result_id = :result_id, outcome = :outcome, rule = :rule,
    confidence = :confidence, error_kind = :error_kind, duration_us = :duration_us,
    result_chars = :result_chars, example_tokens = :example_tokens, marks = :marks,
    exit_code = :exit_code
WHERE id = :id

-- name: replace_call
UPDATE tool_calls SET tool_id = :tool_id, shape_id = :shape_id, result_id = :result_id,
    active = :active, outcome = :outcome, rule = :rule, confidence = :confidence, error_kind = :error_kind,
    at_us = :at_us, duration_us = :duration_us, result_chars = :result_chars,
    example_tokens = :example_tokens, marks = :marks, exit_code = :exit_code, later = :later,
    call_id = :call_id, arguments = :arguments
WHERE id = :id

-- name: find_tool
SELECT id FROM tools WHERE name = :name

-- name: add_tool
INSERT INTO tools (name) VALUES (:name) ON CONFLICT (name) DO NOTHING RETURNING id

-- name: find_shape
SELECT id FROM shapes
WHERE tool_id = :tool_id AND keys = :keys AND shape = :shape AND flags = :flags

-- name: add_shape
INSERT INTO shapes (tool_id, keys, shape, flags) VALUES (:tool_id, :keys, :shape, :flags)
ON CONFLICT (tool_id, keys, shape, flags) DO NOTHING RETURNING id

-- name: sessions_like
SELECT id, uid, source, agent, model, model_config, principal, project, cwd, git_branch,
    parent, relation, title, task, started_at_us, updated_at_us, ended_at_us, end_reason,
    message_count, tool_call_count, failed_call_count, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_microusd
FROM sessions
WHERE uid >= :uid AND uid < :uid_after
ORDER BY uid LIMIT 10

-- name: calls
SELECT c.id, s.uid, c.call_id, t.name, c.arguments, m.content, c.outcome, c.rule,
    c.confidence, c.error_kind, h.flags, c.at_us, c.duration_us, b.body
FROM tool_calls c
JOIN tools t ON t.id = c.tool_id
JOIN shapes h ON h.id = c.shape_id
JOIN sessions s ON s.id = c.id >> 32
LEFT JOIN messages m ON m.id = c.result_id
LEFT JOIN blobs b ON b.id = m.blob_id
WHERE c.id > :after_id AND c.id < :end_id
    AND (CAST(:outcome AS TEXT) IS NULL OR c.outcome = :outcome)
    AND (CAST(:tool AS TEXT) IS NULL OR t.name = :tool)
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
ORDER BY c.id LIMIT :limit

-- name: loaded_messages
SELECT m.id, m.role, m.type, m.active, m.at_us, m.content, b.body, m.dropped_chars
FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :after ORDER BY m.id

-- name: loaded_calls
SELECT c.id >> 10, c.result_id, c.call_id, t.name, c.arguments, c.outcome, c.rule,
    c.confidence, c.error_kind, h.flags
FROM tool_calls c JOIN tools t ON t.id = c.tool_id JOIN shapes h ON h.id = c.shape_id
WHERE c.id >= :first AND c.id < :after ORDER BY c.id

-- name: conversation_messages
SELECT m.id, m.role, m.content, b.body
FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :after AND m.active = 1
    AND (m.type = 'turn' OR m.type = 'summary' OR m.type = 'injected')
ORDER BY m.id

-- name: conversation_calls
SELECT c.id >> 10, c.result_id, c.call_id, t.name, c.arguments
FROM tool_calls c JOIN tools t ON t.id = c.tool_id
WHERE c.id >= :first AND c.id < :after AND c.result_id IS NOT NULL ORDER BY c.id

-- name: import_of
SELECT size_bytes, modified_ns FROM imports WHERE source = :source AND path = :path

-- name: put_import
INSERT INTO imports (source, path, size_bytes, modified_ns, empty_sessions,
    imported_at_us)
VALUES (:source, :path, :size_bytes, :modified_ns, :empty_sessions, :imported_at_us)
ON CONFLICT (source, path) DO UPDATE SET size_bytes = excluded.size_bytes,
    modified_ns = excluded.modified_ns, empty_sessions = excluded.empty_sessions,
    imported_at_us = excluded.imported_at_us

-- name: outcomes_by_tool
SELECT t.name, c.outcome, c.number
FROM (SELECT tool_id, outcome, count(*) AS number FROM tool_calls
    GROUP BY tool_id, outcome) AS c
JOIN tools t ON t.id = c.tool_id ORDER BY t.name, c.outcome

-- name: sources_and_projects
SELECT source, project, count(*) FROM sessions GROUP BY source, project

-- name: session_costs
-- What a session's messages say they used is in message_costs, by their own time.
SELECT day_number, model, source, count(*), sum(is_unknown), count(cost_microusd),
    CAST(sum(cost_microusd) AS BIGINT),
    CAST(sum(CASE WHEN by_message THEN NULL ELSE input_tokens END) AS BIGINT),
    CAST(sum(CASE WHEN by_message THEN NULL ELSE output_tokens END) AS BIGINT),
    CAST(sum(CASE WHEN by_message THEN NULL ELSE cache_read_tokens END) AS BIGINT),
    CAST(sum(CASE WHEN by_message THEN NULL ELSE cache_write_tokens END) AS BIGINT)
FROM (
    SELECT s.started_at_us / 86400000000 AS day_number, s.model, s.source,
        s.cost_microusd, s.input_tokens, s.output_tokens, s.cache_read_tokens,
        s.cache_write_tokens,
        CASE WHEN coalesce(s.input_tokens, s.output_tokens, s.cache_read_tokens,
            s.cache_write_tokens) IS NULL THEN 1 ELSE 0 END AS is_unknown,
        EXISTS (SELECT 1 FROM messages m
            WHERE m.id >= (s.id << 22) AND m.id < ((s.id + 1) << 22)
                AND coalesce(m.input_tokens, m.output_tokens, m.cache_read_tokens,
                    m.cache_write_tokens) IS NOT NULL) AS by_message
    FROM sessions s
    WHERE s.started_at_us >= :since_us AND s.started_at_us < :until_us
        AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
        AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
) AS begun
GROUP BY day_number, model, source

-- name: message_costs
SELECT coalesce(m.at_us, s.started_at_us) / 86400000000 AS day_number,
    coalesce(m.model, s.model) AS named_model, s.source,
    CAST(sum(m.input_tokens) AS BIGINT), CAST(sum(m.output_tokens) AS BIGINT),
    CAST(sum(m.cache_read_tokens) AS BIGINT), CAST(sum(m.cache_write_tokens) AS BIGINT)
FROM sessions s
JOIN messages m ON m.id >= (s.id << 22) AND m.id < ((s.id + 1) << 22)
WHERE coalesce(m.input_tokens, m.output_tokens, m.cache_read_tokens,
        m.cache_write_tokens) IS NOT NULL
    AND coalesce(m.at_us, s.started_at_us) >= :since_us
    AND coalesce(m.at_us, s.started_at_us) < :until_us
    AND (CAST(:source AS TEXT) IS NULL OR s.source = :source)
    AND (CAST(:project AS TEXT) IS NULL OR s.project = :project)
GROUP BY day_number, named_model, s.source

-- name: empty_sessions_by_source
SELECT source, CAST(sum(empty_sessions) AS BIGINT) FROM imports
WHERE CAST(:source AS TEXT) IS NULL OR source = :source
GROUP BY source ORDER BY source

-- Keeping: long texts in blobs, tombstones, where a session was read.

-- name: session_ids
SELECT id FROM sessions ORDER BY id

-- name: end_of_closed_turns
SELECT CASE WHEN ended_at_us IS NOT NULL OR updated_at_us < :silent_since_us
        OR EXISTS (SELECT 1 FROM origins o WHERE o.session_id = sessions.id)
    THEN CAST(:after AS BIGINT)
    ELSE (SELECT max(id) FROM messages WHERE id >= :first AND id < :after
        AND role = 'user' AND type = 'turn') END
FROM sessions WHERE id = :id

-- name: next_long_text
SELECT id FROM messages WHERE id > :after_id AND id < :end AND blob_id IS NULL
    AND octet_length(content) > :bytes ORDER BY id LIMIT 1

-- name: long_texts
SELECT id, content FROM messages WHERE id >= :first AND id < :after AND blob_id IS NULL
    AND octet_length(content) > :bytes ORDER BY id

-- name: whole_messages
SELECT id, role, type, active, at_us, native_id, model, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, content, blob_id, dropped_chars
FROM messages WHERE id >= :first AND id < :after ORDER BY id

-- name: put_whole_message
INSERT INTO messages (id, role, type, active, at_us, native_id, model, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, content, blob_id, dropped_chars)
VALUES (:id, :role, :type, :active, :at_us, :native_id, :model, :input_tokens,
    :output_tokens, :cache_read_tokens, :cache_write_tokens, :content, :blob_id,
    :dropped_chars)

-- name: changed_with_long_texts
SELECT c.id FROM (SELECT session_id AS id FROM search_pending
    UNION SELECT id FROM sessions WHERE updated_minute >= :minute) AS c
WHERE EXISTS (SELECT 1 FROM messages m
    WHERE m.id >= c.id << 22 AND m.id < (c.id + 1) << 22 AND m.blob_id IS NULL
        AND octet_length(m.content) > :bytes)

-- name: compressed_until
SELECT value FROM kv WHERE key = 'compressed_until_minute'

-- name: note_compressed_until
INSERT INTO kv (key, value) VALUES ('compressed_until_minute', :minute)
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: search_waits_from
SELECT first_id FROM search_pending WHERE session_id = :session_id

-- name: blob_of_digest
SELECT id FROM blobs WHERE digest = :digest

-- name: put_blob
INSERT INTO blobs (digest, chars, body) VALUES (:digest, :chars, :body)
ON CONFLICT (digest) DO NOTHING RETURNING id

-- name: add_blob
INSERT INTO blobs (digest, chars, body) VALUES (:digest, :chars, :body)
ON CONFLICT (digest) DO NOTHING

-- name: put_message_with_blob
INSERT INTO messages (id, role, type, active, at_us, native_id, model, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, content, blob_id)
VALUES (:id, :role, :type, :active, :at_us, :native_id, :model, :input_tokens,
    :output_tokens, :cache_read_tokens, :cache_write_tokens, :content,
    (SELECT id FROM blobs WHERE digest = :digest))

-- name: move_to_blob
UPDATE messages SET content = '', blob_id = :blob_id WHERE id = :id

-- name: delete_orphan_blobs
DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.blob_id = blobs.id)

-- name: tombstone_salt
SELECT value FROM kv WHERE key = 'tombstone_salt'

-- name: tombstone
SELECT reason FROM tombstones WHERE noun = :noun AND digest = :digest

-- name: any_tombstone
SELECT 1 FROM tombstones LIMIT 1

-- name: any_message_tombstone
SELECT 1 FROM tombstones WHERE noun = 'message' LIMIT 1

-- name: put_tombstone
INSERT INTO tombstones (noun, digest, reason, made_at_us)
VALUES (:noun, :digest, :reason, :made_at_us)
ON CONFLICT (noun, digest) DO UPDATE SET reason = excluded.reason,
    made_at_us = excluded.made_at_us

-- name: delete_tombstone
DELETE FROM tombstones WHERE noun = :noun AND digest = :digest

-- name: put_origin
INSERT INTO origins (session_id, source, path)
SELECT id, :source, :path FROM sessions WHERE uid = :uid
ON CONFLICT (session_id, source, path) DO NOTHING

-- name: session_words
SELECT title, task FROM sessions WHERE uid = :uid

-- name: mark_dropped
UPDATE messages SET dropped_chars = :chars
WHERE id = :id AND content = '' AND blob_id IS NULL

-- name: search_pending
SELECT session_id, first_id FROM search_pending
WHERE session_id > :after ORDER BY session_id LIMIT :limit

-- name: count_search_pending
SELECT CAST(coalesce(sum(CASE WHEN p.first_id & 4194303 > 1
        THEN s.message_count - (p.first_id & 4194303) + 1 ELSE s.message_count END), 0)
    AS BIGINT)
FROM search_pending p JOIN sessions s ON s.id = p.session_id

-- name: search_sources
SELECT m.id, m.role,
    CASE WHEN m.role = 'tool' THEN substr(m.content, 1, CAST(:chars AS INTEGER))
        ELSE m.content END, b.body
FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :after ORDER BY m.id LIMIT :limit

-- name: search_arguments
SELECT id >> 10, arguments FROM tool_calls
WHERE id >= :first AND id < :after ORDER BY id

-- name: move_search_pending
UPDATE search_pending SET first_id = :first_id WHERE session_id = :session_id

-- name: end_search_pending
DELETE FROM search_pending WHERE session_id = :session_id

-- name: selected_sessions
SELECT id, uid, relation, updated_at_us, message_count, tool_call_count, root_native_id
FROM sessions
WHERE id > :after_id
    AND (CAST(:principal AS TEXT) IS NULL OR principal = :principal)
    AND (CAST(:project AS TEXT) IS NULL OR project = :project)
    AND (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND updated_at_us < :before_us
ORDER BY id LIMIT :limit

-- name: session_extras
SELECT root_native_id, revision FROM sessions WHERE id = :id

-- name: children
SELECT parent, id, uid, relation, updated_at_us, message_count, tool_call_count,
    root_native_id
FROM sessions WHERE parent IS NOT NULL ORDER BY id

-- name: forget_parent
UPDATE sessions SET parent = NULL WHERE uid = :uid

-- name: origins_of
SELECT source, path FROM origins WHERE session_id = :session_id

-- name: sessions_from
SELECT session_id FROM origins WHERE source = :source AND path = :path

-- name: rename_import
UPDATE imports SET path = :hidden WHERE source = :source AND path = :path

-- name: delete_search_pending
DELETE FROM search_pending WHERE session_id = :id

-- name: delete_calls
DELETE FROM tool_calls WHERE id >= :first AND id < :after

-- name: delete_messages
DELETE FROM messages WHERE id >= :first AND id < :after

-- name: delete_session
DELETE FROM sessions WHERE id = :id

-- name: blank_unused_shapes
UPDATE shapes SET keys = '', shape = '', flags = 'erased ' || CAST(id AS TEXT)
WHERE flags <> 'erased ' || CAST(id AS TEXT)
    AND id NOT IN (SELECT shape_id FROM tool_calls)

-- name: blank_unused_tools
UPDATE tools SET name = 'erased ' || CAST(id AS TEXT)
WHERE name <> 'erased ' || CAST(id AS TEXT)
    AND id NOT IN (SELECT tool_id FROM tool_calls)

-- name: note_leftovers
INSERT INTO kv (key, value) VALUES ('leftovers', '1') ON CONFLICT (key) DO NOTHING

-- name: has_leftovers
SELECT 1 FROM kv WHERE key = 'leftovers'

-- name: forget_leftovers
DELETE FROM kv WHERE key = 'leftovers'

-- A text that several messages share frees its share of the room.
-- name: text_weights
SELECT m.id >> 22, count(*), sum(octet_length(m.content) + coalesce(b.share, 0))
FROM messages m
LEFT JOIN (SELECT x.id, octet_length(x.body) / count(*) AS share
    FROM blobs x JOIN messages r ON r.blob_id = x.id GROUP BY x.id) AS b
    ON b.id = m.blob_id
WHERE (CAST(:role AS TEXT) IS NULL OR m.role = :role)
    AND (CAST(:type AS TEXT) IS NULL OR m.type = :type)
    AND m.dropped_chars IS NULL
GROUP BY m.id >> 22

-- name: argument_weights
SELECT id >> 32, sum(octet_length(arguments)) FROM tool_calls GROUP BY id >> 32

-- name: texts_to_drop
SELECT id FROM messages
WHERE id >= :first AND id < :after AND dropped_chars IS NULL
    AND (content <> '' OR blob_id IS NOT NULL)
    AND (CAST(:role AS TEXT) IS NULL OR role = :role)
    AND (CAST(:type AS TEXT) IS NULL OR type = :type)

-- name: drop_texts
UPDATE messages SET content = '', blob_id = NULL,
    dropped_chars = coalesce(
        (SELECT b.chars FROM blobs b WHERE b.id = messages.blob_id), length(content))
WHERE id >= :first AND id < :after AND dropped_chars IS NULL
    AND (content <> '' OR blob_id IS NOT NULL)
    AND (CAST(:role AS TEXT) IS NULL OR role = :role)
    AND (CAST(:type AS TEXT) IS NULL OR type = :type)

-- name: unsound_counts
SELECT count(*) FROM sessions s
LEFT JOIN (SELECT id >> 22 AS session_id, count(*) AS number FROM messages
    GROUP BY id >> 22) AS m ON m.session_id = s.id
LEFT JOIN (SELECT id >> 32 AS session_id, count(*) AS number FROM tool_calls
    GROUP BY id >> 32) AS c ON c.session_id = s.id
WHERE s.message_count <> coalesce(m.number, 0)
    OR s.tool_call_count <> coalesce(c.number, 0)

-- name: stray_messages
SELECT count(*) FROM messages m
WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = m.id >> 22)

-- name: stray_calls
SELECT count(*) FROM tool_calls c
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = c.id >> 10)

-- name: stray_results
SELECT count(*) FROM tool_calls c
WHERE c.result_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = c.result_id)

-- name: orphan_blobs
SELECT count(*) FROM blobs b
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.blob_id = b.id)

-- name: sources_on_record
SELECT DISTINCT source FROM sessions

-- name: put_label
INSERT INTO call_labels (call, outcome, labelled_at_us)
VALUES (:call, :outcome, :labelled_at_us)
ON CONFLICT (call) DO UPDATE SET outcome = excluded.outcome,
    labelled_at_us = excluded.labelled_at_us

-- name: judged_calls
SELECT c.id, c.rule, c.outcome, l.outcome
FROM tool_calls c LEFT JOIN call_labels l ON l.call = c.id
WHERE c.active = 1 ORDER BY c.id

-- name: calls_named
SELECT c.id, s.uid FROM tool_calls c JOIN sessions s ON s.id = c.id >> 32
WHERE c.call_id = :name ORDER BY c.id LIMIT 10

-- name: calls_to_judge
SELECT c.id, t.name, h.flags, c.arguments, m.content, b.body, m.dropped_chars, c.marks,
    c.exit_code, c.active, c.outcome, c.rule, c.confidence, c.error_kind, c.later
FROM tool_calls c
JOIN tools t ON t.id = c.tool_id
JOIN shapes h ON h.id = c.shape_id
LEFT JOIN messages m ON m.id = c.result_id
LEFT JOIN blobs b ON b.id = m.blob_id
WHERE c.id >= :first AND c.id < :after ORDER BY c.id

-- name: calls_to_reconsider
SELECT c.id, t.name, h.flags, c.arguments, c.outcome, c.confidence, c.later
FROM tool_calls c JOIN tools t ON t.id = c.tool_id JOIN shapes h ON h.id = c.shape_id
WHERE c.id >= :first AND c.id < :after AND c.active = 1 ORDER BY c.id

-- name: user_turns
SELECT m.id, m.content, b.body FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :after AND m.role = 'user' AND m.type = 'turn'
ORDER BY m.id

-- name: move_confidence
UPDATE tool_calls SET confidence = :confidence, later = :later WHERE id = :id

-- name: rejudge_call
UPDATE tool_calls SET outcome = :outcome, rule = :rule, confidence = :confidence,
    error_kind = :error_kind, later = :later
WHERE id = :id

-- name: recount_failed_calls
UPDATE sessions SET failed_call_count = (SELECT count(*) FROM tool_calls c
    WHERE c.id >= :first AND c.id < :after AND c.outcome IN ('error', 'negative'))
WHERE id = :id
