-- Choosing examples, keeping templates, logging what was given.

-- name: pool_sessions
SELECT id, uid, principal, project, task, started_at_us
FROM sessions
WHERE (CAST(:project AS TEXT) IS NULL OR project = :project)
    AND (CAST(:source AS TEXT) IS NULL OR source = :source)
    AND started_at_us < :before_us
    AND message_count >= :min_messages
    AND tool_call_count > 0
ORDER BY started_at_us DESC, id DESC LIMIT :max_sessions

-- name: pool_first_calls
SELECT shape_id FROM tool_calls
WHERE id >= :first AND id < :after AND active = 1 ORDER BY id LIMIT 200

-- name: pool_shapes
SELECT h.id, t.name, h.keys, h.shape, h.flags FROM shapes h JOIN tools t ON t.id = h.tool_id

-- name: session_counts
SELECT count(*), count(DISTINCT project) FROM sessions WHERE tool_call_count > 0

-- name: support_of_shape
SELECT count(DISTINCT c.id >> 32)
FROM tool_calls c
JOIN shapes h ON h.id = c.shape_id
JOIN tools t ON t.id = h.tool_id
WHERE t.name = :tool AND h.flags = :shape AND c.active = 1
    AND c.outcome IN ('ok', 'empty')

-- name: call_to_weigh
SELECT t.name, c.arguments FROM tool_calls c JOIN tools t ON t.id = c.tool_id
WHERE c.id = :id

-- name: call_to_show
SELECT s.uid, c.call_id, t.name, c.arguments, m.content, b.body, c.result_chars, c.outcome,
    h.flags, coalesce(a.model, s.model), c.at_us
FROM tool_calls c
JOIN tools t ON t.id = c.tool_id
JOIN shapes h ON h.id = c.shape_id
JOIN sessions s ON s.id = c.id >> 32
JOIN messages a ON a.id = c.id >> 10
LEFT JOIN messages m ON m.id = c.result_id
LEFT JOIN blobs b ON b.id = m.blob_id
WHERE c.id = :id

-- name: request_before
SELECT m.content, b.body FROM messages m LEFT JOIN blobs b ON b.id = m.blob_id
WHERE m.id >= :first AND m.id < :message AND m.role = 'user' AND m.type = 'turn'
    AND m.active = 1
ORDER BY m.id DESC LIMIT 1

-- name: templates_named
SELECT id, name, version, kind, description, task, tags, addendum, coverage,
    session_count, created_at_us
FROM templates
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)
ORDER BY version DESC LIMIT 1

-- name: template_examples
SELECT tool, arguments, result, result_chars, shape, context, outcome, support, session,
    call_id, model, at_us
FROM template_examples WHERE template_id = :template_id ORDER BY pos

-- name: last_template_version
SELECT max(version) FROM templates WHERE name = :name

-- name: used_template_labels
SELECT DISTINCT template FROM warm_uses WHERE substr(template, 1, length(:prefix)) = :prefix

-- name: put_template
INSERT INTO templates (name, version, digest, kind, description, task, tags, addendum,
    coverage, session_count, created_at_us)
VALUES (:name, :version, :digest, :kind, :description, :task, :tags, :addendum,
    :coverage, :session_count, :created_at_us)
RETURNING id

-- name: put_template_example
INSERT INTO template_examples (template_id, pos, tool, arguments, result, result_chars,
    shape, context, outcome, support, session, call_id, model, at_us)
VALUES (:template_id, :pos, :tool, :arguments, :result, :result_chars, :shape, :context,
    :outcome, :support, :session, :call_id, :model, :at_us)

-- name: list_templates
SELECT t.name, t.version, t.kind, t.description, t.tags, t.coverage, t.session_count,
    t.created_at_us,
    (SELECT count(*) FROM template_examples e WHERE e.template_id = t.id),
    (SELECT count(*) FROM warm_uses u WHERE u.template = t.name || '@' || t.version),
    t.erased
FROM templates t
WHERE (CAST(:kind AS TEXT) IS NULL OR t.kind = :kind)
ORDER BY t.created_at_us DESC, t.id DESC

-- name: delete_templates
DELETE FROM templates
WHERE name = :name AND (CAST(:version AS INTEGER) IS NULL OR version = :version)

-- name: log_warm_use
INSERT INTO warm_uses (template, session, target, tokens, digest, examples, given_at_us)
VALUES (:template, :session, :target, :tokens, :digest, :examples, :given_at_us)

-- name: examples_by_session
SELECT template_id, pos, session FROM template_examples ORDER BY template_id, pos

-- name: template_label
SELECT name, version FROM templates WHERE id = :id

-- name: delete_example
DELETE FROM template_examples WHERE template_id = :template_id AND pos = :pos

-- name: note_erased
UPDATE templates SET digest = :digest, coverage = NULL, erased = erased + :count
WHERE id = :id

-- name: delete_template_row
DELETE FROM templates WHERE id = :id

-- name: warm_use_sources
SELECT id, session, examples FROM warm_uses ORDER BY id

-- name: replace_warm_use_sources
UPDATE warm_uses SET session = :session, examples = :examples WHERE id = :id
